"""A problem in Drake: reads its description (JSON, from `cardan-bench describe`), runs it, prints one line of JSON.

    python drake_problems.py chain.json --tol 1e-6 --integrator runge_kutta3

Drake has joint coordinates; chains and trees, and free bodies that touch, only. With `--step` and the integrator `discrete` the plant is a discrete one with steps of
that size. Contacts are those of points, with a stiffness. Otherwise the plant is continuous, and an integrator takes fixed steps (`--step`) or controls its error.
Ball joints have roll, pitch and yaw as coordinates.
"""

import argparse
import json
import time

import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.geometry import AddContactMaterial, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction, MultibodyPlant
from pydrake.multibody.tree import BallRpyJoint, FixedOffsetFrame, RevoluteJoint, SpatialInertia, UnitInertia
from pydrake.systems.analysis import GetIntegrationSchemes, ResetIntegratorFromFlags, Simulator
from pydrake.systems.framework import DiagramBuilder
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
        self.builder = DiagramBuilder()
        self.plant, _ = AddMultibodyPlantSceneGraph(self.builder, step) if problem["contacts"] else (MultibodyPlant(step), None)
        self.plant.mutable_gravity_field().set_gravity_vector(problem["gravity"])
        self.bodies, self.joints = {-1: self.plant.world_body()}, []
        self.free = [] if problem["joints"] else range(len(problem["bodies"]))
        for k in self.free:
            self.fly(k)
        for mate in mates(problem) if problem["joints"] else []:
            self.add(mate)
        self.contacts()
        self.plant.Finalize()
        self.system = self.builder.Build() if problem["contacts"] else self.plant

    def add(self, mate):
        m, mass = np.reshape(mate.data["inertia"], (3, 3)), mate.data["mass"]
        unit = UnitInertia(*(np.array([m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[0, 2], m[1, 2]]) / mass))
        self.bodies[mate.index] = self.plant.AddRigidBody(f"b{mate.index}", SpatialInertia(mass, np.zeros(3), unit))
        ends = [self.frame(mate.parent, f"p{mate.index}", mate.inboard), self.frame(mate.index, f"c{mate.index}", mate.outboard)]
        self.joints.append((self.plant.AddJoint(JOINTS[mate.kind](f"j{mate.index}", *ends)), mate))

    def fly(self, k):
        """A body that nothing guides; a point mass is a small ball, which without friction moves as a point."""
        data = self.problem["bodies"][k]
        m = np.reshape(data["inertia"], (3, 3)) if data["kind"] == "rigid" else 0.01 * data["mass"] * np.eye(3)
        unit = UnitInertia(*(np.array([m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[0, 2], m[1, 2]]) / data["mass"]))
        self.bodies[k] = self.plant.AddRigidBody(f"b{k}", SpatialInertia(data["mass"], np.zeros(3), unit))

    def contacts(self):
        """Two stiffnesses act in series; a shape that is in two contacts is one shape."""
        known = set()
        for contact in self.problem["contacts"]:
            friction = contact["friction"]
            mu = friction["coefficient"] if friction else 0.0
            if friction:
                self.transition = friction["transition"]
            for part in contact["i"] + contact["j"]:
                k = part["at"]["body"]
                if k >= 0 and k in known:
                    continue
                known.add(k)
                properties = ProximityProperties()
                AddContactMaterial(0.0, 2 * contact["stiffness"], CoulombFriction(mu, mu), properties)
                shape = Sphere(part["radius"]) if part["kind"] == "sphere" else HalfSpace()
                pose = RigidTransform(np.array(part["at"]["position"]))
                self.plant.RegisterCollisionGeometry(self.bodies[k], pose, shape, f"shape{len(known)}.{k}.{id(part)}", properties)

    def frame(self, body, name, place):
        position, axes = place
        offset = RigidTransform(RotationMatrix.ProjectToRotationMatrix(axes), position)
        return self.plant.AddFrame(FixedOffsetFrame(name, self.bodies[body].body_frame(), offset))

    def start(self, context):
        """Sets the speeds; all joint coordinates are zero."""
        for k in self.free:
            data = self.problem["bodies"][k]
            turned = RotationMatrix(Quaternion(np.array(data["rotation"])))
            self.plant.SetFreeBodyPose(context, self.bodies[k], RigidTransform(turned, np.array(data["position"])))
            spin = turned.matrix() @ np.array(data["angular_velocity"])
            self.plant.SetFreeBodySpatialVelocity(context, self.bodies[k], SpatialVelocity(spin, np.array(data["velocity"])))
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
    out = Simulator(built.system)
    if arguments.integrator != "discrete":
        ResetIntegratorFromFlags(out, arguments.integrator, arguments.step or 0.1)
        integrator = out.get_mutable_integrator()
        integrator.set_fixed_step_mode(arguments.step is not None)
        if arguments.step is None:
            integrator.set_target_accuracy(arguments.tol)
    built.start(built.plant.GetMyMutableContextFromRoot(out.get_mutable_context()))
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
        "observed": built.observed(built.plant.GetMyContextFromRoot(simulation.get_context())),
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
