"""Reference values of gallery/dominoes: rigid dominoes that turn about their front edges, lean on each other without friction once they have met, and do
not rebound. The angle of the first of the train gives those of all behind it,

    h sin(θ_k − θ_{k+1}) = a cos θ_{k+1} − d                                                                      (1)

with height h, thickness d and distance a from domino to domino. Between impacts the energy of the train is constant; an impact conserves the momentum that
belongs to the new angle: with M = Σ (dθ_k/dθ)² and w = dθ_n/dθ_{n+1},  (1 + w² M) ω_{n+1} = w M ω_n.

Reference: van Leeuwen, Am. J. Phys. 78 (2010), doi:10.1119/1.3406154. Needs nothing but Python.
"""

import math
import sys

H, D, A, G, PUSH, COUNT = 0.050, 0.010, 0.020, 9.81, 10.0, 10
INERTIA = (H * H + D * D) / 3  # per mass, about the edge


def behind(angle):
    """θ_k from θ_{k+1} and its derivative."""
    s = (A * math.cos(angle) - D) / H
    return angle + math.asin(s), 1 - A * math.sin(angle) / H / math.sqrt(1 - s * s)


def train(angle, length):
    """M and the energy of position per mass, from the head on."""
    mass, height, rate = 0.0, 0.0, 1.0
    for _ in range(length):
        mass += rate * rate
        height += 0.5 * (H * math.cos(angle) + D * math.sin(angle))
        angle, slope = behind(angle)
        rate *= slope
    return mass, G * height


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    gap = math.asin((A - D) / H)
    speed, time = PUSH, 0.0
    for head in range(1, count + 1):
        mass, place = train(0.0, head)
        energy = 0.5 * INERTIA * mass * speed**2 + place
        print(f"domino {head} is struck at {time:.5f} s" + (f", {A / flight:.4f} m/s" if head > 1 else ""))
        steps, flight = 20000, 0.0
        for k in range(steps):
            m, v = train(gap * (k + 0.5) / steps, head)
            before = time + flight
            flight += gap / steps / math.sqrt(2 * (energy - v) / (INERTIA * m))
            if int((time + flight) / 0.02) > int(before / 0.02):
                print(f"  at {0.02 * int((time + flight) / 0.02):.2f} s it is at {math.degrees(gap * (k + 1) / steps):.2f} deg")
        m, v = train(gap, head)
        last = math.sqrt(2 * (energy - v) / (INERTIA * m))
        w = behind(0.0)[1]
        speed, time = w * m * last / (1 + w * w * m), time + flight


if __name__ == "__main__":
    main()
