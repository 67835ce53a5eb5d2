"""A problem in Exudyn: reads its description (JSON, from `cardan-bench describe`), runs it, prints one line of JSON.

    python exudyn_problems.py chain.json --step 1e-3 --solver sparse --newton modified --nodes vector

The fast build of Exudyn (without range checks) on one thread, nothing written to files. Bodies in the plane are Exudyn's planar
bodies, bodies in space have Euler parameters (`--nodes parameters`) or rotation vectors on the Lie group (`--nodes vector`).
"""

import argparse
import json
import sys
import time

sys.exudynFast = True

import exudyn as exu  # noqa: E402
import numpy as np  # noqa: E402
from exudyn import itemInterface as items  # noqa: E402
from exudyn.rigidBodyUtilities import (  # noqa: E402
    EulerParameters2RotationMatrix,
    RotationMatrix2RotationVector,
    AngularVelocity2EulerParameters_t,
)
from record import emit  # noqa: E402

SOLVERS = {"dense": exu.LinearSolverType.EXUdense, "eigen": exu.LinearSolverType.EigenDense, "sparse": exu.LinearSolverType.EigenSparse}
KINDS = {
    "alpha": exu.DynamicSolverType.GeneralizedAlpha,
    "trapezoidal": exu.DynamicSolverType.TrapezoidalIndex2,
    "euler": exu.DynamicSolverType.ExplicitEuler,
    "verlet": exu.DynamicSolverType.VelocityVerlet,
    "rk44": exu.DynamicSolverType.RK44,
    "dopri5": exu.DynamicSolverType.DOPRI5,
}
NODES = {"parameters": exu.NodeType.RotationEulerParameters, "vector": exu.NodeType.RotationRotationVector}

# Axes whose x is the z of those that are turned.
Z_TO_X = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])


class Builder:
    """Adds the elements of a description to an Exudyn system."""

    def __init__(self, problem, nodes):
        self.problem, self.node_type = problem, NODES[nodes]
        self.system = exu.SystemContainer()
        self.mbs = self.system.AddSystem()
        self.ground = self.mbs.AddObject(items.ObjectGround())
        self.origin = self.mbs.AddNode(items.NodePointGround())
        self.nodes, self.bodies = [], []
        for body in problem["bodies"]:
            kinds = {"point": self.point, "point-in-space": self.point_in_space, "planar": self.planar, "rigid": self.rigid}
            kinds[body["kind"]](body)
        for joint in problem["joints"]:
            kinds = {"rod": self.rod, "revolute": self.revolute, "spherical": self.spherical, "fixed": self.fixed, "universal": self.universal}
            kinds[joint["kind"]](joint)
        for force in problem["forces"]:
            kinds = {"spring": self.spring, "rotational-spring": self.rotational_spring, "torque": self.torque}
            {**kinds, "bushing": self.bushing, "beam": self.bushing}[force["kind"]](force)
        for contact in problem["contacts"]:
            self.contact(contact)
        self.mbs.Assemble()

    def contact(self, contact):
        """Balls among each other, or balls and large triangles in place of half spaces; two stiffnesses act in series."""
        general = self.mbs.AddGeneralContact()
        general.verboseMode = 0
        stiffness, friction = 2 * contact["stiffness"], contact["friction"]
        general.SetFrictionPairings((friction["coefficient"] if friction else 0.0) * np.eye(1))
        if friction:
            general.frictionProportionalZone = friction["transition"]
        law = {"contactStiffness": stiffness, "contactDamping": 0.0, "frictionMaterialIndex": 0}
        for part in contact["i"] + contact["j"]:
            if part["kind"] == "sphere":
                moves = part["at"]["body"] >= 0
                general.AddSphereWithMarker(self.ball(part["at"]) if moves else self.place(part["at"]), radius=part["radius"], **law)
            else:
                far = 50.0
                corners = np.array([[-far, -far, 0], [far, -far, 0], [far, far, 0], [-far, far, 0]])
                marker = self.mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=self.ground, localPosition=part["at"]["position"]))
                faces = np.array([[0, 1, 2], [0, 2, 3]])
                general.AddTrianglesRigidBodyBased(rigidBodyMarkerIndex=marker, pointList=corners, triangleList=faces, **law)
        cells = max(1, round(len(contact["i"]) ** (1 / 3)))
        general.SetSearchTreeCellSize(numberOfCells=[cells] * 3)

    def ball(self, marker):
        """A marker on the node of a body, as for contacts of many balls."""
        kind = self.problem["bodies"][marker["body"]]["kind"]
        make = items.MarkerNodePosition if kind == "point-in-space" else items.MarkerNodeRigid
        return self.mbs.AddMarker(make(nodeNumber=self.nodes[marker["body"]]))

    def add(self, node, make, load):
        """Adds a node, the body made of it, and its weight."""
        self.nodes.append(self.mbs.AddNode(node))
        self.bodies.append(self.mbs.AddObject(make(self.nodes[-1])))
        marker = self.mbs.AddMarker(items.MarkerBodyMass(bodyNumber=self.bodies[-1]))
        self.mbs.AddLoad(items.LoadMassProportional(markerNumber=marker, loadVector=load))

    def point(self, body):
        node = items.NodePoint2D(referenceCoordinates=body["position"][:2], initialVelocities=body["velocity"][:2])
        self.add(node, lambda n: items.ObjectMassPoint2D(mass=body["mass"], nodeNumber=n), self.problem["gravity"])

    def point_in_space(self, body):
        node = items.NodePoint(referenceCoordinates=body["position"], initialVelocities=body["velocity"])
        self.add(node, lambda n: items.ObjectMassPoint(mass=body["mass"], nodeNumber=n), self.problem["gravity"])

    def planar(self, body):
        node = items.NodeRigidBody2D(
            referenceCoordinates=[*body["position"][:2], body["angle"]],
            initialVelocities=[*body["velocity"][:2], body["angular_velocity"][2]],
        )
        make = lambda n: items.ObjectRigidBody2D(mass=body["mass"], inertia=body["inertia"], nodeNumber=n)  # noqa: E731
        self.add(node, make, self.problem["gravity"])

    def rigid(self, body):
        p = np.array(body["rotation"])
        rotation = EulerParameters2RotationMatrix(p)
        local = np.array(body["angular_velocity"])
        if self.node_type == NODES["parameters"]:
            attitude, rate = p, AngularVelocity2EulerParameters_t(rotation @ local, p)
            kind = items.NodeRigidBodyEP
        else:
            # With rotation vectors on the Lie group, velocities are the local angular velocities.
            attitude, rate = RotationMatrix2RotationVector(rotation), local
            kind = items.NodeRigidBodyRotVecLG
        node = kind(referenceCoordinates=[*body["position"], *attitude], initialVelocities=[*body["velocity"], *rate])
        m = np.reshape(body["inertia"], (3, 3))
        inertia = [m[0, 0], m[1, 1], m[2, 2], m[1, 2], m[0, 2], m[0, 1]]
        make = lambda n: items.ObjectRigidBody(mass=body["mass"], inertia=inertia, nodeNumber=n)  # noqa: E731
        self.add(node, make, self.problem["gravity"])

    def carrier(self, marker):
        return self.bodies[marker["body"]] if marker["body"] >= 0 else self.ground

    def place(self, marker, kind=items.MarkerBodyRigid):
        return self.mbs.AddMarker(kind(bodyNumber=self.carrier(marker), localPosition=marker["position"]))

    def frame(self, marker, turned=np.eye(3)):
        """A marker with its own axes, or with these turned further."""
        rotation = EulerParameters2RotationMatrix(marker["rotation"]) @ turned
        pose = exu.HT(rotation=rotation, translation=marker["position"])
        return self.mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=self.carrier(marker), localHT=pose))

    def rod(self, joint):
        ends = [self.place(joint[end], items.MarkerBodyPosition) for end in "ji"]
        self.mbs.AddObject(items.ObjectConnectorDistance(markerNumbers=ends, distance=joint["length"]))

    def revolute(self, joint):
        if self.problem["bodies"][0]["kind"] == "planar":
            ends = [self.place(joint[end], items.MarkerBodyPosition) for end in "ji"]
            self.mbs.AddObject(items.ObjectJointRevolute2D(markerNumbers=ends))
        else:
            ends = [self.frame(joint[end]) for end in "ji"]
            self.mbs.AddObject(items.ObjectJointRevoluteZ(markerNumbers=ends))

    def spherical(self, joint):
        ends = [self.place(joint[end], items.MarkerBodyPosition) for end in "ji"]
        self.mbs.AddObject(items.ObjectJointSpherical(markerNumbers=ends, constrainedAxes=[1, 1, 1]))

    def fixed(self, joint):
        ends = [self.frame(joint[end]) for end in "ji"]
        self.mbs.AddObject(items.ObjectJointGeneric(markerNumbers=ends, constrainedAxes=[1] * 6))

    def universal(self, joint):
        """A point, and the axis z of i across that of j, which for Exudyn's generic joint has to be the x axis of the first marker."""
        ends = [self.frame(joint["j"], turned=Z_TO_X), self.frame(joint["i"])]
        self.mbs.AddObject(items.ObjectJointGeneric(markerNumbers=ends, constrainedAxes=[1, 1, 1, 0, 1, 0]))

    def bushing(self, force):
        """Six components in the axes of j; those of a beam in axes halfway between its ends."""
        ends = [self.frame(force[end]) for end in "ji"]
        law = {name: np.reshape(force[name], (6, 6)) for name in ("stiffness", "damping")}
        offset = [*force["offset"], 0.0, 0.0, 0.0]
        halfway = force["kind"] == "beam"
        self.mbs.AddObject(
            items.ObjectConnectorRigidBodySpringDamper(markerNumbers=ends, **law, offset=offset, useIntrinsicFormulation=halfway)
        )

    def spring(self, force):
        ends = [self.place(force[end], items.MarkerBodyPosition) for end in "ji"]
        law = {"stiffness": force["stiffness"], "damping": force["damping"], "referenceLength": force["free"]}
        self.mbs.AddObject(items.ObjectConnectorSpringDamper(markerNumbers=ends, **law))

    def rotational_spring(self, force):
        """Between the angles of planar bodies; Exudyn's coordinates are the changes since the start."""
        ends, start = [], []
        for end in "ji":
            body = force[end]["body"]
            node, coordinate = (self.nodes[body], 2) if body >= 0 else (self.origin, 0)
            ends.append(self.mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=coordinate)))
            start.append(self.problem["bodies"][body]["angle"] if body >= 0 else 0.0)
        law = {"stiffness": force["stiffness"], "damping": force["damping"], "offset": force["free"] - start[1] + start[0]}
        self.mbs.AddObject(items.ObjectConnectorCoordinateSpringDamper(markerNumbers=ends, **law))

    def torque(self, force):
        marker = self.place(force["i"])
        self.mbs.AddLoad(items.LoadTorqueVector(markerNumber=marker, loadVector=[0, 0, force["torque"]]))

    def observed(self):
        """The observed numbers of the current state."""
        values = []
        for what in self.problem["observed"]:
            if what["kind"] == "angle":
                node = self.nodes[what["body"]]
                coordinates = self.mbs.GetNodeOutput(node, exu.OutputVariableType.Coordinates)
                values.append(coordinates[2] + self.problem["bodies"][what["body"]]["angle"])
                continue
            kind = self.problem["bodies"][what["body"]]["kind"]
            position = self.mbs.GetObjectOutputBody(self.bodies[what["body"]], exu.OutputVariableType.Position, [0, 0, 0])
            values.extend(position[: 3 if kind in ("rigid", "point-in-space") else 2])
        return values


def settings(arguments, end, touching):
    """Exudyn's settings for a run with fixed steps."""
    s = exu.SimulationSettings()
    integration = s.timeIntegration
    integration.endTime, integration.numberOfSteps = end, round(end / arguments.step)
    integration.newton.useModifiedNewton = arguments.newton == "modified"
    integration.newton.relativeTolerance = arguments.tolerance
    # Touches may need shorter steps for Newton's method to converge.
    integration.adaptiveStep = touching
    integration.automaticStepSize = False
    integration.verboseMode = 0
    integration.generalizedAlpha.spectralRadius = arguments.rho
    integration.generalizedAlpha.computeInitialAccelerations = True
    integration.generalizedAlpha.useIndex2Constraints = arguments.method == "trapezoidal"
    s.linearSolver.solverType = SOLVERS[arguments.solver]
    s.linearSolver.reuseAnalyzedPattern = arguments.solver == "sparse"
    s.linearSolver.ignoreSingularJacobian = arguments.redundant
    s.solution.file.write = False
    s.solution.sensors.writePeriod = 1e10
    s.parallel.numberOfThreads = 1
    s.show.statistics = s.show.computationTime = s.show.globalTimers = False
    return s


def run(problem, arguments):
    """One run: what the line of JSON tells."""
    built = Builder(problem, arguments.nodes)
    simulation = settings(arguments, arguments.end or problem["t_end"], bool(problem["contacts"]))
    kind = KINDS[arguments.method]
    failure, start = None, time.process_time()
    try:
        built.mbs.SolveDynamic(simulation, solverType=kind, showCausingItems=False)
    except exu.SolverError as error:
        failure = str(error).splitlines()[0]
    cpu = time.process_time() - start
    solver = built.mbs.sys["dynamicSolver"]
    return {
        "equations": solver.GetODE2size() + solver.GetAEsize(),
        "steps": solver.it.currentStepIndex - 1,
        "newton_iterations": solver.it.newtonStepsCount,
        "jacobians": solver.it.newtonJacobiCount,
        "cpu_s": cpu,
        "observed": built.observed(),
        "failure": failure,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("problem")
    parser.add_argument("--step", type=float, required=True)
    parser.add_argument("--end", type=float)
    parser.add_argument("--solver", choices=SOLVERS, default="sparse")
    parser.add_argument("--newton", choices=["full", "modified"], default="modified")
    parser.add_argument("--tolerance", type=float, default=1e-8, help="of Newton's method, relative; Exudyn's default")
    parser.add_argument("--nodes", choices=NODES, default="vector")
    parser.add_argument("--method", choices=KINDS, default="alpha")
    parser.add_argument("--rho", type=float, default=0.8)
    parser.add_argument("--redundant", action="store_true", help="constraints are redundant")
    parser.add_argument("--repeat", type=int, default=1)
    arguments = parser.parse_args()
    with open(arguments.problem) as file:
        problem = json.load(file)
    exu.config.printToConsole = False
    emit(min((run(problem, arguments) for _ in range(arguments.repeat)), key=lambda r: r["cpu_s"]))


if __name__ == "__main__":
    main()
