"""A small problem in SUNDIALS IDA (through scikit-sundae): reads its description, runs it, prints one line of JSON.

    python ida_problems.py pendulum squeezer.json --tol 1e-6

IDA solves F(t, y, y') = 0 of the user, so the mechanisms are written in the coordinates that suit it best: the pendulum and the stiff
double pendulum as ordinary equations of their angles; a planar mechanism with loops in the angles of its bodies with constraints on
the accelerations (index 1; the stabilised index-2 form makes IDA fail at tight tolerances). Residuals are written in Python; the time spent in them is told apart (`callbacks_s`), as that of
the same number of calls on their own.
"""

import argparse
import cmath
import json
import math
import time

import numpy as np
from record import emit
from sksundae.ida import IDA


class Pendulum:
    """theta'' = -g/l sin(theta), theta from the vertical."""

    def __init__(self, problem):
        x, y, _ = problem["bodies"][0]["position"]
        self.length, gravity = math.hypot(x, y), -problem["gravity"][1]
        theta, self.algebraic = math.atan2(x, -y), []
        ratio = gravity / self.length
        self.start = np.array([theta, 0.0]), np.array([0.0, -ratio * math.sin(theta)])

        def residual(_, y, yp, out):
            out[0] = yp[0] - y[1]
            out[1] = yp[1] + ratio * math.sin(y[0])

        self.residual = residual

    def observed(self, y):
        return [self.length * math.sin(y[0]), -self.length * math.cos(y[0])]


class DoublePendulum:
    """Two bars with rotational spring-dampers, y = (theta1, theta2, omega1, omega2)."""

    def __init__(self, problem):
        upper, lower = problem["bodies"]
        g, (first, second) = -problem["gravity"][1], problem["forces"]
        l1, l2 = problem["joints"][1]["j"]["position"][0], -problem["joints"][1]["i"]["position"][0]
        m1, m2 = upper["mass"], lower["mass"]
        k1, c1, free1 = first["stiffness"], first["damping"], first["free"]
        k2, c2, free2 = second["stiffness"], second["damping"], second["free"]
        m11, m22 = upper["inertia"] + m1 * l1**2 + m2 * (2 * l1) ** 2, lower["inertia"] + m2 * l2**2
        coupling, w1, w2 = 2 * m2 * l1 * l2, (m1 + 2 * m2) * l1 * g, m2 * l2 * g
        self.lengths, self.algebraic = (l1, l2), []
        cos, sin = math.cos, math.sin

        def moments(a, b, u, v):
            """Everything but the inertia: rows of M alpha = moments."""
            s = coupling * sin(a - b)
            t1, t2 = -k1 * (a - free1) - c1 * u, -k2 * (b - a - free2) - c2 * (v - u)
            return t1 - t2 - w1 * cos(a) - s * v * v, t2 - w2 * cos(b) + s * u * u

        def residual(_, y, yp, out):
            a, b, u, v = y.tolist()
            da, db, du, dv = yp.tolist()
            c = coupling * cos(a - b)
            f1, f2 = moments(a, b, u, v)
            out[0], out[1] = da - u, db - v
            out[2], out[3] = m11 * du + c * dv - f1, c * du + m22 * dv - f2

        self.residual = residual
        y = [upper["angle"], lower["angle"], upper["angular_velocity"][2], lower["angular_velocity"][2]]
        c = coupling * cos(y[0] - y[1])
        alpha = np.linalg.solve([[m11, c], [c, m22]], moments(*y))
        self.start = np.array(y), np.array([y[2], y[3], *alpha])

    def observed(self, y):
        (l1, l2), (a, b) = self.lengths, y[:2]
        elbow = 2 * l1 * cmath.exp(1j * a)
        lower = elbow + l2 * cmath.exp(1j * b)
        return [elbow.real / 2, elbow.imag / 2, a, lower.real, lower.imag, b]


class PlanarLoops:
    """A planar mechanism of hinges in its angles: with z = exp(i theta), centres of mass are S z and closed loops C z + const = 0.

    theta' = omega,  M omega' + h + G^T lambda = Q,  G omega' - C (z omega^2) = 0;  y = (theta, omega, lambda).
    """

    def __init__(self, problem):
        bodies = problem["bodies"]
        n = self.n = len(bodies)
        self.mass = np.array([b["mass"] for b in bodies])
        self.inertia = np.diag([b["inertia"] for b in bodies])
        self.centers(problem)
        self.loads(problem)
        rows = self.rows = 2 * len(self.C)
        self.algebraic = list(range(2 * n, 2 * n + rows))
        theta = np.array([b["angle"] for b in bodies])
        mass, force, gradient, _ = self.terms(theta, np.zeros(n))
        matrix = np.block([[mass, gradient.T], [gradient, np.zeros((rows, rows))]])
        solution = np.linalg.solve(matrix, np.concatenate([force, np.zeros(rows)]))
        zero = np.zeros(n)
        self.start = np.concatenate([theta, zero, solution[n:]]), np.concatenate([zero, solution[:n], np.zeros(rows)])

    def point(self, marker):
        """Coefficients of a marker's position, and its constant part."""
        position = complex(*marker["position"][:2])
        if marker["body"] < 0:
            return np.zeros(self.n, complex), position
        coefficients = self.S[marker["body"]].copy()
        coefficients[marker["body"]] += position
        return coefficients, self.fixed[marker["body"]]

    def centers(self, problem):
        """S and the constant parts along a spanning tree of hinges; the other hinges close loops."""
        self.S, self.fixed = np.zeros((self.n, self.n), complex), np.zeros(self.n, complex)
        placed, waiting, loops = {-1}, list(problem["joints"]), []
        while waiting:
            joint = next(j for j in waiting if j["i"]["body"] in placed or j["j"]["body"] in placed)
            waiting.remove(joint)
            if joint["i"]["body"] in placed and joint["j"]["body"] in placed:
                loops.append(joint)
                continue
            child, parent = ("i", "j") if joint["j"]["body"] in placed else ("j", "i")
            body = joint[child]["body"]
            self.S[body], self.fixed[body] = self.point(joint[parent])
            self.S[body, body] -= complex(*joint[child]["position"][:2])
            placed.add(body)
        ends = [(self.point(j["i"]), self.point(j["j"])) for j in loops]
        self.C = np.array([i[0] - j[0] for i, j in ends])

    def loads(self, problem):
        self.torque, self.springs = np.zeros(self.n), []
        for force in problem["forces"]:
            if force["kind"] == "torque":
                self.torque[force["i"]["body"]] += force["torque"]
            else:
                (a, a0), (b, b0) = self.point(force["i"]), self.point(force["j"])
                self.springs.append((a - b, a0 - b0, force["stiffness"], force["free"]))

    def terms(self, theta, omega):
        """M, Q - h, G and the centripetal part of the loops' accelerations."""
        z = np.exp(1j * theta)
        turn = self.S * (1j * z)
        weighted = self.mass[:, None] * turn
        mass = (turn.conj().T @ weighted).real + self.inertia
        inward = z * omega**2
        force = self.torque + (weighted.conj().T @ (self.S @ inward)).real
        for coefficients, fixed, stiffness, free in self.springs:
            gap = coefficients @ z + fixed
            force -= stiffness * (1 - free / abs(gap)) * ((1j * z * coefficients).conj() * gap).real
        closing = self.C * (1j * z)
        loop = self.C @ inward
        return mass, force, np.concatenate([closing.real, closing.imag]), np.concatenate([loop.real, loop.imag])

    def residual(self, _, y, yp, out):
        n = self.n
        omega, alpha = y[n : 2 * n], yp[n : 2 * n]
        mass, force, gradient, inward = self.terms(y[:n], omega)
        out[:n] = yp[:n] - omega
        out[n : 2 * n] = mass @ alpha - force + gradient.T @ y[2 * n :]
        out[2 * n :] = gradient @ alpha - inward

    def observed(self, y):
        return list(y[: self.n])


FORMS = {"pendulum": Pendulum, "stiff-double-pendulum": DoublePendulum, "squeezer": PlanarLoops}
# Multipliers are left out of IDA's error test: their size says nothing about the motion.
LOOSE = 1e6


def run(form, tolerance, end):
    """One run, with the Python callbacks counted beforehand."""
    y0, yp0 = form.start
    atol = np.full(len(y0), tolerance)
    atol[form.algebraic] *= LOOSE
    options = {"rtol": tolerance, "atol": atol, "algebraic_idx": form.algebraic or None, "max_num_steps": 1000000}
    calls = 0

    def counted(t, y, yp, out):
        nonlocal calls
        calls += 1
        form.residual(t, y, yp, out)

    span = np.array([0.0, end])
    IDA(counted, **options).solve(span, y0, yp0)
    solver = IDA(lambda t, y, yp, out: form.residual(t, y, yp, out), **options)
    start = time.process_time()
    result = solver.solve(span, y0, yp0)
    cpu = time.process_time() - start
    out, start = np.zeros(len(y0)), time.process_time()
    for _ in range(calls):
        form.residual(0.0, y0, yp0, out)
    callbacks = time.process_time() - start
    return {
        "equations": len(y0),
        "steps": len(result.t) - 1,
        "evaluations": calls,
        "jacobians": int(result.njev),
        "cpu_s": cpu,
        "callbacks_s": callbacks,
        "observed": form.observed(result.y[-1]),
        "failure": None if result.success else result.message,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("form", choices=FORMS)
    parser.add_argument("problem")
    parser.add_argument("--tol", type=float, required=True)
    parser.add_argument("--end", type=float)
    parser.add_argument("--repeat", type=int, default=1)
    arguments = parser.parse_args()
    with open(arguments.problem) as file:
        problem = json.load(file)
    form, end = FORMS[arguments.form](problem), arguments.end or problem["t_end"]
    emit(min((run(form, arguments.tol, end) for _ in range(arguments.repeat)), key=lambda r: r["cpu_s"]))


if __name__ == "__main__":
    main()
