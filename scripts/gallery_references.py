"""Reference values of the gallery's models with controllers, from equations of motion in minimal coordinates.

    python3 scripts/gallery_references.py

prints every value of expected.json as computed here, and its difference from the one that is there. Runge–Kutta of order 4 with fixed
steps; needs nothing but Python."""

import json
import math
import pathlib

GALLERY = pathlib.Path(__file__).resolve().parent.parent / "gallery"
GRAVITY = 9.81


def step(rate, t, x, h):
    """One step of Runge–Kutta's method of order 4."""

    def shifted(k, size):
        return [a + size * b for a, b in zip(x, k)]

    k1 = rate(t, x)
    k2 = rate(t + h / 2, shifted(k1, h / 2))
    k3 = rate(t + h / 2, shifted(k2, h / 2))
    k4 = rate(t + h, shifted(k3, h))
    return [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(x, k1, k2, k3, k4)]


def solve(rate, x, h, times, sample=None):
    """States at the given times, multiples of h; `sample(k, x)` is called before step k."""
    out, done = {}, 0
    for t in sorted(times):
        for k in range(done, round(t / h)):
            if sample:
                sample(k, x)
            x = step(rate, k * h, x, h)
        done = round(t / h)
        out[t] = x
    return out


def limited(x, limit):
    return max(-limit, min(limit, x))


def controlled_spring_mass(times):
    """q̈ = tanh x − q,  ẋ = −0.1 x − 1.4 q̈."""

    def rate(_, x):
        acceleration = math.tanh(x[2]) - x[0]
        return [x[1], acceleration, -0.1 * x[2] - 1.4 * acceleration]

    for t, x in solve(rate, [5.0, 0.0, 0.0], 1e-3, times).items():
        yield t, {"position": x[0], "mass.velocity.x": x[1], "desired": x[2], "acceleration": math.tanh(x[2]) - x[0]}


def cart_pendulum(times):
    """(M + m) ẍ − m l (φ̈ cos φ − φ̇² sin φ) = F,  (J + m l²) φ̈ − m l ẍ cos φ = m g l sin φ,  lag Ḟ = limited feedback − F."""
    cart, mass, length, inertia, lag, limit = 1.0, 0.2, 0.3, 0.006, 0.02, 15.0

    def rate(_, state):
        x, phi, v, omega, force = state
        c, s = mass * length * math.cos(phi), mass * length * math.sin(phi)
        a11, a22 = cart + mass, inertia + mass * length**2
        b1, b2 = force - s * omega**2, GRAVITY * s
        determinant = a11 * a22 - c * c
        wanted = limited(13.4 * x - 67.5 * phi + 13.1 * v - 13.7 * omega, limit)
        return [v, omega, (a22 * b1 + c * b2) / determinant, (c * b1 + a11 * b2) / determinant, (wanted - force) / lag]

    start = [0.0, math.radians(15), 0.0, 0.0, 0.0]
    for t, x in solve(rate, start, 1e-4, times).items():
        yield t, dict(zip(["x", "phi", "v", "omega", "drive"], x))


def furuta_pendulum(times):
    """Lagrange's equations of the arm's angle θ and the pendulum's α from the upright, with the motor's current; the voltage is computed
    every millisecond and held."""
    mass, length, arm = 0.1, 0.15, 0.2
    hub = 0.003 + mass * arm**2  # inertia of the arm and of the pendulum's mass at its tip
    coupling = -mass * arm * length  # the pendulum leans towards −y for positive α, the arm's tip moves towards +y for positive θ
    across, along = 7.5e-4 + mass * length**2, 5e-6  # inertia of the pendulum about the hinge, about its own axis
    resistance, inductance, torque, friction = 2.6, 1.8e-3, 0.05, 1e-4
    held = {"voltage": 0.0, "integral": 0.0}
    period, parts = 1e-3, 50

    def sample(k, x):
        if k % parts == 0:
            theta, alpha, theta_rate, alpha_rate, _ = x
            centre = 9.85 * theta + held["integral"] + 6.0 * theta_rate
            held["integral"] += period * 0.5 * theta
            held["voltage"] = limited(-99.96 * alpha - 12.43 * alpha_rate + centre, 12.0)

    def rate(_, x):
        _, alpha, theta_rate, alpha_rate, current = x
        s, c = math.sin(alpha), math.cos(alpha)
        # Kinetic energy: ½ (hub + across s² + along c²) θ̇² + coupling c θ̇ α̇ + ½ across α̇².
        m11, m12, m22 = hub + across * s * s + along * c * c, coupling * c, across
        slope = 2 * (across - along) * s * c
        b1 = torque * current - friction * theta_rate - slope * theta_rate * alpha_rate + coupling * s * alpha_rate**2
        b2 = -friction * alpha_rate + slope / 2 * theta_rate**2 + mass * GRAVITY * length * s
        determinant = m11 * m22 - m12 * m12
        rates = [(m22 * b1 - m12 * b2) / determinant, (m11 * b2 - m12 * b1) / determinant]
        return [theta_rate, alpha_rate, *rates, (held["voltage"] - resistance * current - torque * theta_rate) / inductance]

    for t, x in solve(rate, [0.0, math.radians(8), 0.0, 0.0, 0.0], period / parts, times, sample).items():
        yield t, dict(zip(["theta", "alpha", "theta_rate", "alpha_rate", "motor.i"], x))


def quarter_car(times):
    """Body and wheel over a bump; the damper's pressures and the opening of its valve are states (equations 4 to 6 of the hydraulic damper)."""
    ring, piston, stroke, gas, check, dead, modulus = 550e-6, 1000e-6, 0.2, 0.6e6, 3e-6, 2e-5, 0.8e9
    gain = 0.6 * 16e-6 * math.sqrt(2 / 870)

    def haversine(t, t0, t1):
        s = max(0.0, min(1.0, (t - t0) / (t1 - t0)))
        return 0.05 * (1 - math.cos(math.pi * s)) / 2

    def root(p):
        return p / (p * p + (1e-2 * gas) ** 2) ** 0.25

    def rate(t, state):
        body, wheel, v_body, v_wheel, valve, p1, p2 = state
        relative, length = v_body - v_wheel, stroke / 2 + body - wheel
        area = ring if relative > 0 else piston - ring
        sky = 3000 * max(v_body * relative, 0.0) / math.sqrt(relative**2 + 0.02**2) / area
        opening = max(0.05, min(1.0, area * abs(relative) / (gain * math.sqrt(sky + 1000))))
        through, refill = check * max(root(p2 - p1), 0.0), check * max(root(gas - p2), 0.0)
        rebound = modulus / (dead + ring * (stroke - length)) * (ring * relative + through - gain * valve * root(p1 - gas))
        compression = modulus / (dead + piston * length) * (refill - through - piston * relative)
        force = -16e3 * (body - wheel) - gas * (piston - ring) + piston * p2 - ring * p1
        road = haversine(t, 0.5, 0.6) - haversine(t, 0.7, 0.8)
        motion = [v_body, v_wheel, force / 300, (-force - 180e3 * (wheel - road)) / 40]
        return [*motion, (opening - valve) / 5e-3, rebound, compression]

    for t, x in solve(rate, [0.0, 0.0, 0.0, 0.0, 1.0, gas, gas], 2e-6, times).items():
        named = dict(zip(["lift", "wheel.position.z", "body.velocity.z", "wheel.velocity.z", "valve", "damper.p1", "damper.p2"], x))
        yield t, {**named, "damper": piston * x[6] - ring * x[5]}


def gantry_crane(times):
    """(M + m) ẍ + m l (φ̈ cos φ − φ̇² sin φ) = F,  l φ̈ + ẍ cos φ = −g sin φ,  lag Ḟ = limited feedback − F."""
    trolley, load, rope, lag, limit = 500.0, 200.0, 6.0, 0.1, 2000.0

    def way(t):
        s = max(0.0, min(1.0, (t - 1) / 8))
        return 10 * s**3 * (10 - 15 * s + 6 * s * s)

    def rate(t, state):
        x, phi, v, omega, force = state
        c, s = math.cos(phi), math.sin(phi)
        acceleration = (force + load * s * (rope * omega**2 + GRAVITY * c)) / (trolley + load * s * s)
        wanted = limited(310 * (way(t) - x) - 810 * v + 1960 * phi + 760 * omega, limit)
        return [v, omega, acceleration, -(GRAVITY * s + acceleration * c) / rope, (wanted - force) / lag]

    for t, x in solve(rate, [0.0] * 5, 1e-3, times).items():
        yield t, dict(zip(["x", "sway", "v", "sway_rate", "drive"], x))


MODELS = [controlled_spring_mass, cart_pendulum, furuta_pendulum, quarter_car, gantry_crane]


def main():
    for model in MODELS:
        path = GALLERY / model.__name__.replace("_", "-") / "expected.json"
        expected = json.loads(path.read_text())
        values = dict(model({value["time"] for value in expected["expect"]}))
        for value in expected["expect"]:
            own = values[value["time"]][value["channel"]]
            print(f"{path.parent.name:24}{value['channel']:18}{value['time']:6} s {own:24.16g} {abs(own - value['value']):9.1e}")


if __name__ == "__main__":
    main()
