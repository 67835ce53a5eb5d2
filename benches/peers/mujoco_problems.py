"""A problem in MuJoCo: reads its description (JSON, from `cardan-bench describe`), runs it, prints one line of JSON.

    python mujoco_problems.py chain.json --step 1e-3 --integrator RK4

MuJoCo has joint coordinates: the joints of a spanning tree are exact, a joint that closes a loop becomes an equality constraint
(`connect`), which is soft; it is set as hard as MuJoCo allows (time constant two steps, impedance 0.9999). Contacts are off where there are none.
Their stiffness is one for each unit of the mass that strikes, and there is one for each shape: that of two balls, and for the ground that of a ball on it.
Where several touch at once MuJoCo's motion is another one than that of springs between them, whatever the step. In the
plane a point is all that a closing hinge needs; in space the hinges of the tree keep the mechanism in its plane. A rod to a point mass
is a hinge, and the point has a moment of inertia of 1e-9 kg m², because MuJoCo asks for one.
"""

import argparse
import json
import time

import mujoco
import numpy as np
from record import emit

INTEGRATORS = {
    "Euler": mujoco.mjtIntegrator.mjINT_EULER,
    "RK4": mujoco.mjtIntegrator.mjINT_RK4,
    "implicit": mujoco.mjtIntegrator.mjINT_IMPLICIT,
    "implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST,
}
POINT_INERTIA = 1e-9


def matrix(quaternion):
    """The rotation matrix of a quaternion (w, x, y, z)."""
    out = np.zeros(9)
    mujoco.mju_quat2Mat(out, np.array(quaternion, dtype=float))
    return out.reshape(3, 3)


class Pose:
    """Where a body starts."""

    def __init__(self, body=None):
        self.position = np.array(body["position"]) if body else np.zeros(3)
        self.quaternion = np.array(body["rotation"]) if body else np.array([1.0, 0, 0, 0])
        self.rotation = matrix(self.quaternion)
        self.spin = self.rotation @ np.array(body["angular_velocity"]) if body else np.zeros(3)

    def seen_from(self, other):
        """Position and quaternion in the frame of another pose."""
        inverse, quaternion = np.zeros(4), np.zeros(4)
        mujoco.mju_negQuat(inverse, other.quaternion)
        mujoco.mju_mulQuat(quaternion, inverse, self.quaternion)
        return other.rotation.T @ (self.position - other.position), quaternion


class Builder:
    """Makes a MuJoCo model of a description."""

    def __init__(self, problem, step, integrator):
        self.problem = problem
        self.spec = mujoco.MjSpec()
        self.spec.compiler.degree = False
        option = self.spec.option
        option.timestep, option.integrator, option.gravity = step, INTEGRATORS[integrator], problem["gravity"]
        option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        if not problem["contacts"]:
            option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
        option.tolerance = 1e-12
        self.poses = {-1: Pose(), **{k: Pose(body) for k, body in enumerate(problem["bodies"])}}
        self.bodies, self.parents, self.velocities = {-1: self.spec.worldbody}, {}, {}
        self.joints, self.shapes = {}, set()
        for joint in self.spanning_tree():
            self.close(joint, step)
        for k in range(len(problem["bodies"])):
            if k not in self.bodies:
                self.free(k)
        for k, force in enumerate(problem["forces"]):
            {"spring": self.spring, "rotational-spring": self.rotational_spring, "torque": lambda *_: None}[force["kind"]](k, force)
        for number, contact in enumerate(problem["contacts"]):
            self.contact(number, contact)
        self.model = self.spec.compile()
        self.data = mujoco.MjData(self.model)
        for joint, velocity in self.velocities.items():
            self.data.joint(joint).qvel[:] = velocity
        for force in problem["forces"]:
            if force["kind"] == "torque":
                self.data.xfrc_applied[self.bodies[force["i"]["body"]].id, 5] = force["torque"]

    def spanning_tree(self):
        """Adds bodies and joints from the ground on, breadth first; returns the joints that close loops."""
        neighbours = {}
        for k, joint in enumerate(self.problem["joints"]):
            for own, other in (("i", "j"), ("j", "i")):
                neighbours.setdefault(joint[own]["body"], []).append((k, joint[other], joint[own]))
        used, front = set(), [-1]
        for parent in front:
            for k, child, partner in neighbours.get(parent, []):
                if k not in used and child["body"] not in self.bodies:
                    used.add(k)
                    front.append(child["body"])
                    self.hang(self.problem["joints"][k]["kind"], parent, child, partner)
        return [joint for k, joint in enumerate(self.problem["joints"]) if k not in used]

    def hang(self, kind, parent, marker, partner):
        """Adds a body on the joint to its parent."""
        k = marker["body"]
        data, pose, above = self.problem["bodies"][k], self.poses[k], self.poses[parent]
        position, quaternion = pose.seen_from(above)
        body = self.bodies[parent].add_body(name=f"b{k}", pos=position, quat=quaternion)
        body.mass, body.ipos, body.explicitinertial = data["mass"], [0, 0, 0], True
        m = np.reshape(data["inertia"], (3, 3)) if data["kind"] == "rigid" else np.eye(3) * (data["inertia"] or POINT_INERTIA)
        body.fullinertia = [m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[0, 2], m[1, 2]]
        at, axis = np.array(marker["position"]), matrix(marker["rotation"])[:, 2]
        if kind == "rod":
            at, axis = pose.rotation.T @ (above.position + above.rotation @ partner["position"] - pose.position), np.array([0, 0, 1.0])
        ball = kind == "spherical"
        joint = body.add_joint(name=f"j{k}", pos=at, axis=axis)
        joint.type = mujoco.mjtJoint.mjJNT_BALL if ball else mujoco.mjtJoint.mjJNT_HINGE
        relative = pose.rotation.T @ (pose.spin - above.spin)
        self.bodies[k], self.parents[k], self.joints[k] = body, parent, joint
        self.velocities[joint.name] = relative if ball else [axis @ relative]

    def free(self, k):
        """A point mass that nothing guides: three slides."""
        data = self.problem["bodies"][k]
        if data["kind"] == "rigid":
            return self.fly(k)
        if data["kind"] != "point-in-space":
            raise ValueError("of bodies without joints, MuJoCo gets point masses and rigid bodies in space only")
        self.bodies[k] = body = self.spec.worldbody.add_body(name=f"b{k}", pos=data["position"])
        body.mass, body.ipos, body.explicitinertial, body.inertia = data["mass"], [0, 0, 0], True, [POINT_INERTIA] * 3
        for axis, name in enumerate("xyz"):
            joint = body.add_joint(name=f"j{k}{name}", axis=np.eye(3)[axis])
            joint.type = mujoco.mjtJoint.mjJNT_SLIDE
            self.velocities[joint.name] = [data["velocity"][axis]]

    def fly(self, k):
        """A rigid body that nothing guides."""
        data = self.problem["bodies"][k]
        self.bodies[k] = body = self.spec.worldbody.add_body(name=f"b{k}", pos=data["position"], quat=data["rotation"])
        m = np.reshape(data["inertia"], (3, 3))
        body.mass, body.ipos, body.explicitinertial = data["mass"], [0, 0, 0], True
        body.fullinertia = [m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[0, 2], m[1, 2]]
        joint = body.add_freejoint(name=f"j{k}")
        self.velocities[joint.name] = [*data["velocity"], *data["angular_velocity"]]

    def contact(self, number, contact):
        """Shapes of one contact; a contact of two groups and one among the shapes of a group share the shapes that are in both."""
        for part in contact["i"] + contact["j"]:
            self.shape(part, contact)
        if contact["friction"]:
            # Friction has a time constant of its own, which only pairs of shapes have, with elliptic cones.
            for i in contact["i"]:
                for j in contact["j"]:
                    self.rub(number, contact, i["at"]["body"], j["at"]["body"])

    def rub(self, number, contact, i, j):
        coefficient, mass = contact["friction"]["coefficient"], self.problem["bodies"][max(i, j)]["mass"]
        pair = self.spec.add_pair(name=f"pair{number}.{i}.{j}", geomname1=f"shape{i}", geomname2=f"shape{j}", condim=3)
        pair.friction[:2] = [coefficient, coefficient]
        pair.solref, pair.solimp = [-contact["stiffness"] / mass, -1e-9], [0.9999, 0.9999, 0.001, 0.5, 2]
        pair.solreffriction = [2 * self.spec.option.timestep, 1]

    def shape(self, part, contact):
        k = part["at"]["body"]
        name = f"shape{k}" if k >= 0 or contact["friction"] else None
        if name and name in self.shapes:
            return
        self.shapes.add(name)
        fixed, mass = k < 0, self.problem["bodies"][max(k, 0)]["mass"]
        # Of two balls half of the mass strikes, of a ball on the ground all of it.
        stiffness = contact["stiffness"] / (mass if fixed else 0.5 * mass)
        geom = self.bodies[k].add_geom(name=name or "", pos=part["at"]["position"], mass=0, priority=1 if fixed else 0)
        if part["kind"] == "sphere":
            geom.type, geom.size = mujoco.mjtGeom.mjGEOM_SPHERE, [part["radius"], 0, 0]
        else:
            geom.type, geom.size = mujoco.mjtGeom.mjGEOM_PLANE, [0, 0, 1]
        friction = contact["friction"]
        geom.condim, geom.friction = (3, [friction["coefficient"], 0, 0]) if friction else (1, [0, 0, 0])
        geom.solref, geom.solimp = [-stiffness, -1e-9], [0.9999, 0.9999, 0.001, 0.5, 2]

    def close(self, joint, step):
        """A joint that closes a loop."""
        names = ["world" if joint[end]["body"] < 0 else f"b{joint[end]['body']}" for end in "ij"]
        equality = self.spec.add_equality(name1=names[0], name2=names[1])
        equality.type, equality.objtype = mujoco.mjtEq.mjEQ_CONNECT, mujoco.mjtObj.mjOBJ_BODY
        equality.data[:3] = joint["i"]["position"]
        equality.solref[:2] = [2 * step, 1]
        equality.solimp[:] = [0.9999, 0.9999, 0.001, 0.5, 2]

    def spring(self, k, force):
        tendon = self.spec.add_tendon(springlength=[force["free"]] * 2)
        tendon.stiffness[0], tendon.damping[0] = force["stiffness"], force["damping"]
        for end in "ij":
            site = self.bodies[force[end]["body"]].add_site(name=f"s{k}{end}", pos=force[end]["position"])
            tendon.wrap_site(site.name)

    def rotational_spring(self, _, force):
        """Along the hinge between a planar body and its parent; hinge angles are the changes since the start."""
        joint, start = self.joints[force["i"]["body"]], [0.0, 0.0]
        for k, end in enumerate("ij"):
            if force[end]["body"] >= 0:
                start[k] = self.problem["bodies"][force[end]["body"]]["angle"]
        joint.stiffness[0], joint.damping[0] = force["stiffness"], force["damping"]
        joint.springref = force["free"] - start[0] + start[1]

    def angle(self, k):
        """The angle of a planar body: hinge angles add up."""
        angle = self.problem["bodies"][k]["angle"]
        while k >= 0:
            angle += self.data.joint(f"j{k}").qpos[0]
            k = self.parents[k]
        return angle

    def observed(self):
        """The observed numbers of the current state."""
        mujoco.mj_kinematics(self.model, self.data)
        values = []
        for what in self.problem["observed"]:
            if what["kind"] == "angle":
                values.append(self.angle(what["body"]))
            else:
                spatial = self.problem["bodies"][what["body"]]["kind"] in ("rigid", "point-in-space")
                values.extend(self.data.body(f"b{what['body']}").xpos[: 3 if spatial else 2])
        return values

    def energy(self):
        mujoco.mj_forward(self.model, self.data)
        mujoco.mj_energyPos(self.model, self.data)
        mujoco.mj_energyVel(self.model, self.data)
        return float(self.data.energy.sum())


def run(problem, step, integrator, end):
    """One run: what the line of JSON tells."""
    built = Builder(problem, step, integrator)
    steps, before = round(end / step), built.energy()
    start = time.process_time()
    mujoco.mj_step(built.model, built.data, nstep=steps)
    cpu = time.process_time() - start
    diverged = any(w.number for w in built.data.warning)
    observed = built.observed()
    return {
        "equations": built.model.nv + 3 * built.model.neq,
        "steps": steps,
        "cpu_s": cpu,
        "observed": observed,
        "energy_drift": abs(built.energy() - before),
        "failure": "the simulation became unstable" if diverged else None,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("problem")
    parser.add_argument("--step", type=float, required=True)
    parser.add_argument("--end", type=float)
    parser.add_argument("--integrator", choices=INTEGRATORS, default="Euler")
    parser.add_argument("--repeat", type=int, default=1)
    arguments = parser.parse_args()
    with open(arguments.problem) as file:
        problem = json.load(file)
    end = arguments.end or problem["t_end"]
    runs = [run(problem, arguments.step, arguments.integrator, end) for _ in range(arguments.repeat)]
    emit(min(runs, key=lambda r: r["cpu_s"]))


if __name__ == "__main__":
    main()
