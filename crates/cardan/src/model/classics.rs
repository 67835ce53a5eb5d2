//! Mechanisms of the literature on which methods are compared, with the data of their sources.

use super::Model;
use crate::bodies::{Body, BodyId, Marker};
use crate::constraints::Joint;
use crate::constraints::joints::{Revolute, Rod};
use crate::forces::RotationalSpringDamper;
use std::f64::consts::PI;

/// The pendulum of Gavrea, Negrut, Potra (IMECE2005-81770), section 6.1: a point mass of 1 kg on a rod of 1 m, released 60° from the
/// vertical. q = (x, y).
pub fn pendulum() -> Model {
    let mut model = Model::new("pendulum");
    model.set_gravity([0.0, -9.81, 0.0]);
    let bob = model.add_body(Body::point_2d("bob", 1.0).at([3f64.sqrt() / 2.0, -0.5, 0.0]));
    let tip = model.add_marker(Marker::on(bob));
    let pivot = model.add_marker(Marker::on(BodyId::GROUND));
    model.add_joint(Joint::new("rod", Rod { length: 1.0 }, tip, pivot));
    model
}

/// The stiff double pendulum of Gavrea, Negrut, Potra (IMECE2005-81770), section 6.2: two bars with stiff rotational spring-dampers.
/// q = (x, y, θ) of each bar.
///
/// The lengths L of the paper are half the bars' lengths, the moments of inertia m L²/3. The paper leaves open whether θ₁ starts at 0 or
/// 2π, which matters for the spring to ground; its tables belong to 2π.
pub fn stiff_double_pendulum() -> Model {
    let mut model = Model::new("stiff double pendulum");
    model.set_gravity([0.0, -9.81, 0.0]);
    let ((m1, l1), (m2, l2)) = ((3.0, 1.0), (0.3, 1.5));
    let (angle1, angle2, rate2) = (2.0 * PI, 23.0 * PI / 12.0, 10.0);
    let (s, c) = f64::sin_cos(angle2);
    let upper = model.add_body(Body::planar("upper", m1, m1 * l1 * l1 / 3.0).at([l1, 0.0, 0.0]).turned(angle1));
    let lower = model.add_body(
        Body::planar("lower", m2, m2 * l2 * l2 / 3.0)
            .at([2.0 * l1 + l2 * c, l2 * s, 0.0])
            .turned(angle2)
            .moving([-l2 * s * rate2, l2 * c * rate2, 0.0])
            .spinning([0.0, 0.0, rate2]),
    );
    let ground = model.add_marker(Marker::on(BodyId::GROUND));
    let top = model.add_marker(Marker::on(upper).at([-l1, 0.0, 0.0]));
    let elbow = model.add_marker(Marker::on(upper).at([l1, 0.0, 0.0]));
    let joint = model.add_marker(Marker::on(lower).at([-l2, 0.0, 0.0]));
    model.add_joint(Joint::new("shoulder", Revolute, top, ground));
    model.add_joint(Joint::new("elbow", Revolute, joint, elbow));
    model.add_force(RotationalSpringDamper::new("spring 1", top, ground).stiffness(400.0).damping(15.0).free_angle(1.5 * PI));
    model.add_force(RotationalSpringDamper::new("spring 2", joint, elbow).stiffness(3e5).damping(5e4));
    model
}
