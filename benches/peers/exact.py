"""Reference solutions of problems with one or two degrees of freedom: their equations of motion, integrated by scipy at 1e-13.

    python exact.py n-four-bar four-bars.json
"""

import argparse
import json
import math

import numpy as np
from ida_problems import DoublePendulum, Pendulum
from record import emit
from scipy.integrate import solve_ivp

TIGHT = {"rtol": 1e-13, "atol": 1e-13}


def pendulum(problem):
    form = Pendulum(problem)
    ratio = -problem["gravity"][1] / form.length
    end = solve_ivp(lambda _, y: [y[1], -ratio * math.sin(y[0])], (0, problem["t_end"]), form.start[0], "DOP853", **TIGHT)
    return form.observed(end.y[:, -1])


def double_pendulum(problem):
    """Residuals are affine in the accelerations, so that two of them at a time give M and the moments."""
    form = DoublePendulum(problem)

    def rates(t, y):
        columns = []
        for unit in ([0, 0], [1, 0], [0, 1]):
            out = np.zeros(4)
            form.residual(t, np.asarray(y), np.array([y[2], y[3], *unit]), out)
            columns.append(out[2:])
        mass = np.column_stack([columns[1] - columns[0], columns[2] - columns[0]])
        return [y[2], y[3], *np.linalg.solve(mass, -columns[0])]

    # Stiff: an implicit method of order 5.
    end = solve_ivp(rates, (0, problem["t_end"]), form.start[0], "Radau", rtol=1e-12, atol=1e-12)
    return form.observed(end.y[:, -1])


def four_bars(problem):
    """The common angle of all rockers: ((N+1)/3 + N) theta'' = -((N+1)/2 + N) g cos(theta), for bars of 1 m and 1 kg."""
    n = (len(problem["bodies"]) - 1) // 2
    ratio = -problem["gravity"][1] * ((n + 1) / 2 + n) / ((n + 1) / 3 + n)
    start = [math.pi / 2, -1.0]
    end = solve_ivp(lambda _, y: [y[1], -ratio * math.cos(y[0])], (0, problem["t_end"]), start, "DOP853", **TIGHT)
    theta = end.y[0, -1]
    place = [math.cos(theta) + 0.5, math.sin(theta)]
    return place if problem["bodies"][0]["kind"] == "planar" else [*place, 0.0]


FORMS = {"pendulum": pendulum, "stiff-double-pendulum": double_pendulum, "n-four-bar": four_bars, "spatial-four-bar": four_bars}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("form", choices=FORMS)
    parser.add_argument("problem")
    arguments = parser.parse_args()
    with open(arguments.problem) as file:
        problem = json.load(file)
    emit({"observed": FORMS[arguments.form](problem)})


if __name__ == "__main__":
    main()
