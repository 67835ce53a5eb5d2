"""Numbers of crates/cardan-papers/src/models/spin-up-beam.toml: βL of the modes of a cantilever, and the matrix
G = ∫ (1 − s²)/2 φ'ᵀ φ' ds of the centrifugal tension for modes that are 1 at the tip. Needs mpmath."""

from mpmath import cos, cosh, findroot, mp, mpf, nstr, pi, quad, sin, sinh

mp.dps = 30
MODES = 8


def mode_slope(beta):
    """The derivative of a mode that is 1 at s = 1."""
    ratio = (cosh(beta) + cos(beta)) / (sinh(beta) + sin(beta))
    tip = cosh(beta) - cos(beta) - ratio * (sinh(beta) - sin(beta))
    return lambda s: beta * (sinh(beta * s) + sin(beta * s) - ratio * (cosh(beta * s) - cos(beta * s))) / tip


betas = [findroot(lambda b: cos(b) + 1 / cosh(b), (k - mpf(1) / 2) * pi + (mpf("0.3") if k == 1 else 0)) for k in range(1, MODES + 1)]
slopes = [mode_slope(beta) for beta in betas]
for k, beta in enumerate(betas, 1):
    print(f"beta{k} = {nstr(beta, 17)}")
for i, left in enumerate(slopes, 1):
    for j, right in enumerate(slopes, 1):
        value = quad(lambda s: (1 - s * s) / 2 * left(s) * right(s), [0, 0.25, 0.5, 0.75, 1])
        print(f"g{i}{j} = {nstr(value, 17)}")
