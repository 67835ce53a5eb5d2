"""A problem in Drake: reads its description (JSON, from `cardan-bench describe`), runs it, prints one line of JSON.

    python drake_problems.py chain.json --tol 1e-6 --integrator runge_kutta3

Drake has joint coordinates; chains and trees only. With `--step` and the integrator `discrete` the plant is a discrete one with steps of
that size, without contact. Otherwise the plant is continuous, and an integrator takes fixed steps (`--step`) or controls its error.
Ball joints have roll, pitch and yaw as coordinates.
"""

import argparse
import json
import time

import numpy as np
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BallRpyJoint, FixedOffsetFrame, RevoluteJoint, SpatialInertia, UnitInertia
from pydrake.systems.analysis import GetIntegrationSchemes, ResetIntegratorFromFlags, Simulator
from record import emit
from tree import mates

JOINTS = {
    "revolute": lambda name, inboard, outboard: RevoluteJoint(name, inboard, outboard, [0, 0, 1]),
    "spherical": BallRpyJoint,
}


class Builder:
    """Makes a plant of a description."""

    def __init__(self, problem, step):
        self.problem = problem
        self.plant = MultibodyPlant(step)
        self.plant.mutable_gravity_field().set_gravity_vector(problem["gravity"])
        self.bodies, self.joints = {-1: self.plant.world_body()}, []
        for mate in mates(problem):
            self.add(mate)
        self.plant.Finalize()

    def add(self, mate):
        m, mass = np.reshape(mate.data["inertia"], (3, 3)), mate.data["mass"]
        unit = UnitInertia(*(np.array([m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[0, 2], m[1, 2]]) / mass))
        self.bodies[mate.index] = self.plant.AddRigidBody(f"b{mate.index}", SpatialInertia(mass, np.zeros(3), unit))
        ends = [self.frame(mate.parent, f"p{mate.index}", mate.inboard), self.frame(mate.index, f"c{mate.index}", mate.outboard)]
        self.joints.append((self.plant.AddJoint(JOINTS[mate.kind](f"j{mate.index}", *ends)), mate))

    def frame(self, body, name, place):
        position, axes = place
        offset = RigidTransform(RotationMatrix.ProjectToRotationMatrix(axes), position)
        return self.plant.AddFrame(FixedOffsetFrame(name, self.bodies[body].body_frame(), offset))

    def start(self, context):
        """Sets the speeds; all coordinates are zero."""
        for joint, mate in self.joints:
            if mate.kind == "revolute":
                joint.set_angular_rate(context, mate.spin[2])
            else:
                joint.set_angular_velocity(context, mate.spin)

    def observed(self, context):
        places = (self.plant.EvalBodyPoseInWorld(context, self.bodies[what["body"]]) for what in self.problem["observed"])
        return [x for place in places for x in place.translation()]


def simulator(built, arguments):
    """The simulator with its integrator, at the start."""
    out = Simulator(built.plant)
    if arguments.integrator != "discrete":
        ResetIntegratorFromFlags(out, arguments.integrator, arguments.step or 0.1)
        integrator = out.get_mutable_integrator()
        integrator.set_fixed_step_mode(arguments.step is not None)
        if arguments.step is None:
            integrator.set_target_accuracy(arguments.tol)
    built.start(out.get_mutable_context())
    out.Initialize()
    return out


def run(problem, arguments):
    """One run: what the line of JSON tells."""
    discrete, end = arguments.integrator == "discrete", arguments.end or problem["t_end"]
    built = Builder(problem, arguments.step if discrete else 0.0)
    simulation = simulator(built, arguments)
    start = time.process_time()
    simulation.AdvanceTo(end)
    cpu = time.process_time() - start
    integrator = simulation.get_integrator()
    return {
        "equations": built.plant.num_velocities(),
        "steps": round(end / arguments.step) if discrete else integrator.get_num_steps_taken(),
        "evaluations": None if discrete else integrator.get_num_derivative_evaluations(),
        "cpu_s": cpu,
        "observed": built.observed(simulation.get_context()),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("problem")
    parser.add_argument("--step", type=float)
    parser.add_argument("--tol", type=float, default=1e-6)
    parser.add_argument("--end", type=float)
    parser.add_argument("--integrator", choices=["discrete", *GetIntegrationSchemes()], default="runge_kutta3")
    parser.add_argument("--repeat", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.integrator == "discrete" and arguments.step is None:
        parser.error("discrete steps need --step")
    with open(arguments.problem) as file:
        problem = json.load(file)
    emit(min((run(problem, arguments) for _ in range(arguments.repeat)), key=lambda r: r["cpu_s"]))


if __name__ == "__main__":
    main()
