"""A problem as a tree, for programs with joint coordinates: every body hangs on one joint, parents come before their children."""

import numpy as np


class Mate:
    """A body and the joint it hangs on. Frames are pairs of a place and a rotation matrix in the axes of the body that carries them, and
    coincide at the start; the spin of the joint is that of the body relative to its parent, in the frame of the joint."""

    def __init__(self, problem, joint, index, parent):
        self.index, self.parent, self.kind = index, parent, joint["kind"]
        self.data = problem["bodies"][index]
        own, other = (joint["i"], joint["j"]) if joint["i"]["body"] == index else (joint["j"], joint["i"])
        turned, above = attitude(self.data), attitude(problem["bodies"][parent]) if parent >= 0 else np.eye(3)
        axes = matrix(own["rotation"])
        self.outboard = np.array(own["position"]), axes
        self.inboard = np.array(other["position"]), above.T @ turned @ axes
        relative = spin(self.data) - (spin(problem["bodies"][parent]) if parent >= 0 else np.zeros(3))
        self.spin = (turned @ axes).T @ relative


def mates(problem):
    """All bodies, parents first; a loop or another body or joint than those of chains and trees in space is an error."""
    if any(body["kind"] != "rigid" for body in problem["bodies"]) or problem["forces"]:
        raise SystemExit("only rigid bodies in space without forces")
    if any(joint["kind"] not in ("revolute", "spherical") for joint in problem["joints"]):
        raise SystemExit("only hinges and ball joints")
    neighbours = {}
    for joint in problem["joints"]:
        i, j = joint["i"]["body"], joint["j"]["body"]
        neighbours.setdefault(i, []).append((j, joint))
        neighbours.setdefault(j, []).append((i, joint))
    front, found, out = [-1], {-1}, []
    for parent in front:
        for body, joint in neighbours.get(parent, []):
            if body not in found:
                found.add(body)
                front.append(body)
                out.append(Mate(problem, joint, body, parent))
    if len(out) != len(problem["joints"]) or len(out) != len(problem["bodies"]):
        raise SystemExit("not a tree")
    return out


def matrix(quaternion):
    """The rotation matrix of a quaternion (w, x, y, z)."""
    w, v = quaternion[0], np.array(quaternion[1:])
    cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def attitude(body):
    return matrix(body["rotation"])


def spin(body):
    """The angular velocity in the world."""
    return attitude(body) @ np.array(body["angular_velocity"])
