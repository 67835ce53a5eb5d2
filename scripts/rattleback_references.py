"""Reference values of gallery/rattleback: an ellipsoid that rolls without slip on a plane, with Kane and Levinson's data.

With r from the centre of mass to the point of contact, n upwards, all in the axes of the stone, the velocity of the centre of mass is −ω × r, and

    (J − m r̂ r̂) ω̇ = r × (m g n − m (ω × ṙ + ω × (ω × r))) − ω × J ω − σ ω

Needs numpy and scipy. Prints the entries of expected.json.
"""

import json

import numpy as np
from scipy.integrate import solve_ivp

SQUARES = np.diag([0.2**2, 0.03**2, 0.02**2])
DEPTH, MASS, DRAG, G, TILT = 0.01, 1.0, 1e-4, 9.81, np.radians(0.5)
INERTIA = np.array([[2e-4, -2e-5, 0], [-2e-5, 1.6e-3, 0], [0, 0, 1.7e-3]])


def skew(u):
    return np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])


def motion(_, y):
    n, w = y[:3], y[3:6]
    image = SQUARES @ n
    s = np.sqrt(n @ image)
    r = -image / s + np.array([0, 0, DEPTH])
    turned = -np.cross(w, n)
    rate = -SQUARES @ turned / s + image * (image @ turned) / s**3
    force = MASS * (G * n - np.cross(w, rate) - np.cross(w, np.cross(w, r)))
    torque = np.cross(r, force) - np.cross(w, INERTIA @ w) - DRAG * w
    return np.concatenate([turned, np.linalg.solve(INERTIA - MASS * skew(r) @ skew(r), torque)])


def main():
    up = [-np.sin(TILT), np.cos(TILT) * np.sin(TILT), np.cos(TILT) ** 2]
    times = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    for spin in (-5.0, 5.0):
        run = solve_ivp(motion, (0, times[-1]), [*up, 0, 0, spin], "DOP853", times, rtol=1e-11, atol=1e-12)
        print(f"spin {spin} rad/s")
        for t, y in zip(run.t, run.y.T):
            print(json.dumps({"channel": "spin", "time": t, "value": round(float(y[5]), 4), "tolerance": 0.0}), ",")
        fine = solve_ivp(motion, (0, times[-1]), [*up, 0, 0, spin], "DOP853", np.linspace(0, 6, 6001), rtol=1e-11, atol=1e-12)
        changes = np.nonzero(np.diff(np.sign(fine.y[5])))[0]
        print("changes sign after", fine.t[changes], "s")


if __name__ == "__main__":
    main()
