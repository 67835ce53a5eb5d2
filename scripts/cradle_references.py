"""Reference values of gallery/newtons-cradle: angles of pendulums with Hertzian contact between neighbours, in their own coordinates.

Needs scipy. Prints the entries of expected.json.
"""

import json

import numpy as np
from scipy.integrate import solve_ivp

N, R, L, M, G, K = 5, 10e-3, 120e-3, 32.882e-3, 9.81, 1.0879e10
INERTIA = 0.4 * M * R**2 + M * L**2
PIVOTS = 2 * R * np.arange(N)


def motion(_, y):
    angle, rate = y[:N], y[N:]
    x, h = PIVOTS + L * np.sin(angle), -L * np.cos(angle)
    torque = -M * G * L * np.sin(angle)
    for k in range(N - 1):
        d = np.array([x[k] - x[k + 1], h[k] - h[k + 1]])
        distance = np.hypot(*d)
        depth = 2 * R - distance
        if depth > 0:
            force = K * depth**1.5 * d / distance
            for j, sign in ((k, 1), (k + 1, -1)):
                along = np.array([L * np.cos(angle[j]), L * np.sin(angle[j])])
                torque[j] += sign * force @ along
    return np.concatenate([rate, torque / INERTIA])


def main():
    start = np.zeros(2 * N)
    start[0] = -np.radians(30)
    times = [0.3, 0.6, 0.9]
    run = solve_ivp(motion, (0, times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-13, max_step=2e-5)
    for t, y in zip(run.t, run.y.T):
        for k in (0, 1, N - 1):
            print(json.dumps({"channel": f"ball{k + 1}.angle", "time": t, "value": round(float(y[k]), 9), "tolerance": 2e-4}), ",")


if __name__ == "__main__":
    main()
