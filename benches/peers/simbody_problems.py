"""A problem in Simbody: reads its description (JSON, from `cardan-bench describe`), runs it, prints one line of JSON.

    python simbody_problems.py target/peers/simbody_problems chain.json --tol 1e-6 --integrator RungeKuttaMerson

Simbody is a C++ library: its side is `simbody_problems.cpp`, compiled beforehand, which gets the mechanism as plain numbers. Pins and
balls between rigid bodies, recursive equations; chains and trees only.
"""

import argparse
import json
import os
import tempfile

import numpy as np
from tree import mates

INTEGRATORS = ["RungeKuttaMerson", "RungeKuttaFeldberg", "RungeKutta3", "Verlet", "SemiExplicitEuler2", "CPodesAdams", "CPodesBDF"]
MOBILIZERS = {"revolute": "pin", "spherical": "ball"}


def quaternion(matrix):
    """The quaternion (w, x, y, z) of a rotation matrix: the eigenvector of its symmetric four-by-four form to the largest eigenvalue."""
    m = np.asarray(matrix)
    skew = np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    form = np.zeros((4, 4))
    form[0, 0], form[0, 1:], form[1:, 0] = np.trace(m), skew, skew
    form[1:, 1:] = m + m.T - np.trace(m) * np.eye(3)
    return np.linalg.eigh(form)[1][:, -1]


def text(problem):
    """The mechanism as the C++ program reads it."""
    bodies = mates(problem)
    numbers = {-1: 0, **{mate.index: k + 1 for k, mate in enumerate(bodies)}}
    rows = [problem["gravity"], [len(bodies)]]
    for mate in bodies:
        m = np.reshape(mate.data["inertia"], (3, 3))
        frames = [x for place, axes in (mate.inboard, mate.outboard) for x in (*place, *quaternion(axes))]
        speeds = mate.spin[2:] if mate.kind == "revolute" else mate.spin
        inertia = [m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[0, 2], m[1, 2]]
        rows.append([numbers[mate.parent], MOBILIZERS[mate.kind], mate.data["mass"], *inertia, *frames, *speeds])
    rows.append([len(problem["observed"]), *(numbers[what["body"]] for what in problem["observed"])])
    return "\n".join(" ".join(x if isinstance(x, str) else repr(float(x)).removesuffix(".0") for x in row) for row in rows)


def become(program, settings, mechanism):
    """Goes on as the C++ program, in the same process, with the mechanism as its input."""
    with tempfile.TemporaryFile("w+") as file:
        file.write(mechanism)
        file.seek(0)
        os.dup2(file.fileno(), 0)
    try:
        os.execv(program, [program, *map(str, settings)])
    except FileNotFoundError:
        raise SystemExit("Simbody is not installed") from None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("problem")
    parser.add_argument("--step", type=float, default=0.0)
    parser.add_argument("--tol", type=float, default=1e-6)
    parser.add_argument("--end", type=float)
    parser.add_argument("--integrator", choices=INTEGRATORS, default="RungeKuttaMerson")
    parser.add_argument("--repeat", type=int, default=1)
    arguments = parser.parse_args()
    with open(arguments.problem) as file:
        problem = json.load(file)
    settings = [arguments.integrator, arguments.tol, arguments.step, arguments.repeat, arguments.end or problem["t_end"]]
    become(arguments.program, settings, text(problem))


if __name__ == "__main__":
    main()
