"""Reference values of gallery/woodpecker in the height of the sleeve and the angles of sleeve and bird.

Twice: with the laws of contact of the model file, by scipy's Radau; and with rigid contacts, Newton's law of impact and Coulomb's friction, by Moreau's
time stepping, which for small angles (enlargement 20) gives the values of Glocker's equations: a period of 0.146 s and a fall of 19.5 mm.

Needs numpy, scipy and numba. Prints, for each peck, the time, the height of the sleeve, period and fall.
"""

import math
import sys

import numba
import numpy as np
from scipy.integrate import solve_ivp

SLEEVE, BIRD, INERTIAS, SPRING, G, FRICTION = 0.0003, 0.0045, (5e-9, 7e-7), 5.6e-3, 9.81, 0.3
PIVOT, ARM, BEAK, BEAK_HEIGHT, HALF_HEIGHT, HOLE, PLAY, REACH = 0.010, 0.015, 0.0201, 0.020, 0.0058, 0.0031, 0.0006, 0.0024
CREEP, SLOWEST = 1e-3, 1e-3


def start(size):
    """The lower edge of the sleeve touches the pole."""
    x, y = HOLE * size, HALF_HEIGHT * size
    angle = math.atan2(y, x) - math.acos((x - PLAY) / math.hypot(x, y))
    return np.array([0.0, angle, -0.2788 / size, -0.3411, 0.0, -7.4583 / size])


@numba.njit
def equations(q, v, size):
    """Mass matrix, forces, and gap, normal and tangential direction of beak and of both edges of the sleeve."""
    s1, c1, s2, c2 = math.sin(q[1]), math.cos(q[1]), math.sin(q[2]), math.cos(q[2])
    a, b, both = size * PIVOT, size * ARM, math.cos(q[1] - q[2])
    mass = np.array([
        [SLEEVE + BIRD, BIRD * a * c1, BIRD * b * c2],
        [BIRD * a * c1, INERTIAS[0] * size**2 + BIRD * a * a, BIRD * a * b * both],
        [BIRD * b * c2, BIRD * a * b * both, INERTIAS[1] * size**2 + BIRD * b * b],
    ])
    turn, torque = BIRD * a * b * math.sin(q[1] - q[2]), SPRING * size**2 * (q[1] - q[2])
    force = np.array([
        BIRD * (a * s1 * v[1] ** 2 + b * s2 * v[2] ** 2) - (SLEEVE + BIRD) * G,
        -turn * v[2] ** 2 - BIRD * a * G * c1 - torque,
        turn * v[1] ** 2 - BIRD * b * G * c2 + torque,
    ])
    gap, normal, along = np.zeros(3), np.zeros((3, 3)), np.ones((3, 3))
    x, y = size * (ARM - BEAK), size * BEAK_HEIGHT
    gap[0] = a * c1 + x * c2 - y * s2 - size * (PIVOT + ARM - BEAK) + REACH
    normal[0] = np.array([0.0, -a * s1, -x * s2 - y * c2])
    along[0] = np.array([1.0, a * c1, x * c2 - y * s2])
    for k in (1, 2):
        x, y = size * HOLE, size * HALF_HEIGHT * (1 if k == 2 else -1)
        gap[k] = x * c1 - y * s1 - x + PLAY
        normal[k] = np.array([0.0, -x * s1 - y * c1, 0.0])
        along[k] = np.array([1.0, x * c1 - y * s1, 0.0])
    return mass, force, gap, normal, along


@numba.njit
def rate(q, v, size, stiffness, factors, arrival):
    mass, force, gap, normal, along = equations(q, v, size)
    for k in range(3):
        if gap[k] < 0:
            push = max(0.0, -stiffness * gap[k] * (1 - factors[k] / max(arrival[k], SLOWEST) * (normal[k] @ v)))
            force += normal[k] * push - along[k] * (FRICTION * push * math.tanh(along[k] @ v / CREEP))
    return np.linalg.solve(mass, force)


def compliant(size, stiffness, factors, t_end):
    """Pecks, and where sleeve and bird are every 0.1 s."""
    def gaps(y):
        return equations(y[:3], y[3:], size)[2:4]

    def motion(_, y):
        return np.concatenate([y[3:], rate(y[:3], y[3:], size, stiffness, factors, arrival)])

    def touching(k, way):
        def event(_, y):
            return gaps(y)[0][k]

        event.terminal, event.direction = True, way
        return event

    t, y, arrival, pecks, places = 0.0, start(size), np.zeros(3), [], []
    while t < t_end:
        run = solve_ivp(motion, (t, t_end), y, "Radau", events=[touching(k, -1) for k in range(3)], dense_output=True, rtol=1e-8, atol=1e-11)
        places += [(s, *run.sol(s)[[0, 2]]) for s in np.arange(0.0, t_end + 1e-9, 0.1) if t <= s < run.t[-1] or s == run.t[-1]]
        t, y = run.t[-1], run.y[:, -1]
        gap, normal = gaps(y)
        for k in range(3):
            if len(run.t_events[k]):
                arrival[k] = abs(normal[k] @ y[3:])
                y = y + 1e-13 * np.concatenate([y[3:], np.zeros(3)]) if gap[k] >= 0 else y
                if k == 0:
                    pecks.append((t, y[0], y[5] * size))
    return pecks, places


@numba.njit
def rigid(y, size, restitutions, h, t_end):
    q, v, touched = y[:3].copy(), y[3:].copy(), False
    pecks = []
    for i in range(int(t_end / h)):
        middle = q + 0.5 * h * v
        mass, force, gap, normal, along = equations(middle, v, size)
        inverse = np.linalg.inv(mass)
        end = v + h * inverse @ force
        impulses = np.zeros((3, 2))
        for _ in range(3000 if gap.min() <= 0 else 0):
            change = 0.0
            for k in range(3):
                for m in range(2 if gap[k] <= 0 else 0):
                    row = normal[k] if m == 0 else along[k]
                    wanted = restitutions[k] * min(normal[k] @ v, 0.0) if m == 0 else 0.0
                    new = impulses[k, m] - (row @ end + wanted) / (row @ inverse @ row)
                    limit = FRICTION * impulses[k, 0]
                    new = max(new, 0.0) if m == 0 else min(max(new, -limit), limit)
                    end = end + inverse @ row * (new - impulses[k, m])
                    change = max(change, abs(new - impulses[k, m]))
                    impulses[k, m] = new
            if change < 1e-16:
                break
        if impulses[0, 0] > 0 and not touched:
            pecks.append((i * h, q[0], v[2] * size))
        touched = impulses[0, 0] > 0
        v, q = end, middle + 0.5 * h * end
    return pecks


def factor(r):
    """D of D (1 + r) = ln((1 + D)/(1 − r D))."""
    low, high = 1e-9, (1 - 1e-15) / r
    for _ in range(200):
        d = 0.5 * (low + high)
        low, high = (low, d) if math.log1p(d) - math.log1p(-r * d) - d * (1 + r) > 0 else (d, high)
    return d


def show(name, pecks):
    print(name)
    last = None
    for t, y, w in pecks:
        if last is None or t - last[0] > 0.02:
            since = "" if last is None else f", period {t - last[0]:.5f} s, fall {1e3 * (last[1] - y):.3f} mm"
            print(f"  peck at {t:.5f} s with {w:.3f} rad/s, sleeve at {1e3 * y:.3f} mm{since}")
            last = t, y


def main():
    t_end = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    factors = np.array([factor(0.5), factor(0.01), factor(0.01)])
    for size in (1.0, 20.0):
        for stiffness in (1e5, 1e6):
            pecks, places = compliant(size, stiffness, factors, t_end)
            show(f"enlargement {size:g}, stiffness {stiffness:g} N/m", pecks)
            for t, y, angle in places:
                print(f"  at {t:.2f} s the sleeve is at {1e3 * y:.5f} mm, the bird at {angle:.6f} rad")
        show(f"enlargement {size:g}, rigid", rigid(start(size), size, np.array([0.5, 0.0, 0.0]), 1e-5, t_end))


if __name__ == "__main__":
    main()
