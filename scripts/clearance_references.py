"""Reference values of gallery/slider-crank-clearance: rigid bodies, Newton's law of impact and Coulomb's friction at the four corners of the slider, in the
angles of crank, rod and slider, by Moreau's time stepping.

Steps of 1e-6 s give turns of the crank to 5e-4 and the energy to 0.02 J: from the first impacts on, which two corners share, the rattling differs from step
size to step size, but not what it takes out of the motion. Needs numpy. Prints the values.
"""

import numpy as np

L1, L2, A, B, C = 0.153, 0.306, 0.05, 0.025, 0.001
M1, M2, M3, J1, J2, J3 = 0.038, 0.038, 0.076, 7.4e-5, 5.9e-4, 2.7e-6
G, RESTITUTION, FRICTION = 9.81, 0.4, 0.01
W1, W2, WITH = (0.5 * M1 + M2 + M3) * G * L1, (0.5 * M2 + M3) * G * L2, (0.5 * M2 + M3) * L1 * L2
CORNERS = [(x, y) for y in (1, -1) for x in (-1, 1)]


def mass(q):
    c = WITH * np.cos(q[1] - q[0])
    return np.array([[J1 + (0.25 * M1 + M2 + M3) * L1**2, c, 0], [c, J2 + (0.25 * M2 + M3) * L2**2, 0], [0, 0, J3]])


def energy(q, v):
    return 0.5 * v @ mass(q) @ v + W1 * np.sin(q[0]) + W2 * np.sin(q[1])


def free(q, v, inverse, h):
    """The velocity after a step without contact."""
    s, end = WITH * np.sin(q[0] - q[1]), v
    for _ in range(3):
        m = 0.5 * (v + end)
        end = v + h * inverse @ np.array([-s * m[1] ** 2 - W1 * np.cos(q[0]), s * m[0] ** 2 - W2 * np.cos(q[1]), 0])
    return end


def impact(q, v, end, inverse):
    """With the impulses of the corners that touch: gaps open with what is left of the speed, sliding is braked."""
    (s0, s1, s2), (c0, c1, c2) = np.sin(q), np.cos(q)
    height = L1 * s0 + L2 * s1
    rows = []
    for x, y in CORNERS:
        if B + C - y * (height + x * A * s2 + y * B * c2) <= 0:
            up = np.array([L1 * c0, L2 * c1, x * A * c2 - y * B * s2])
            rows.append((-y * up, np.array([-L1 * s0, -L2 * s1, -x * A * s2 - y * B * c2])))
    impulses = np.zeros((len(rows), 2))
    for _ in range(2000 if rows else 0):
        change = 0.0
        for k, (normal, along) in enumerate(rows):
            for m, row in enumerate((normal, along)):
                wanted = RESTITUTION * min(normal @ v, 0.0) if m == 0 else 0.0
                new = impulses[k, m] - (row @ end + wanted) / (row @ inverse @ row)
                limit = FRICTION * impulses[k, 0]
                new = max(new, 0.0) if m == 0 else min(max(new, -limit), limit)
                end = end + inverse @ row * (new - impulses[k, m])
                change, impulses[k, m] = max(change, abs(new - impulses[k, m])), new
        if change < 1e-13:
            break
    return end


def main(h=1e-6):
    q, v = np.zeros(3), np.array([150.0, -75.0, 0.0])
    for k in range(round(0.2 / h) + 1):
        if k % round(0.05 / h) == 0:
            print(f"{k * h:.2f} s: {q[0] / 2 / np.pi:.5f} turns, {energy(q, v):.4f} J")
        middle = q + 0.5 * h * v
        inverse = np.linalg.inv(mass(middle))
        v = impact(middle, v, free(middle, v, inverse, h), inverse)
        q = middle + 0.5 * h * v


if __name__ == "__main__":
    main()
