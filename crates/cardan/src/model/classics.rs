//! Mechanisms of the literature on which methods are compared, with the data of their sources.

use super::{Differential, Model, Variable};
use crate::bodies::{Body, BodyId, Marker};
use crate::constraints::joints::{Revolute, Rod};
use crate::constraints::{Joint, UserConstraint};
use crate::forces::{ExpressionForce, RotationalSpringDamper, SpringDamper};
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

/// The car axle of the IVP test set, also in Burgermeister, Arnold, Esterl, section 4.2: two masses held apart by a rod and on springs above
/// a bumpy road, the left one at right angles to it. q = (x, y) of the left and the right mass; lengths in m, time scaled.
pub fn car_axle() -> Model {
    let mut model = Model::new("car axle");
    let (mass, l, l0) = (5e-4, 1.0, 0.5);
    model.set_gravity([0.0, -1.0, 0.0]);
    let body = |name: &str, x: f64| Body::point_2d(name, mass).at([x, l0, 0.0]).moving([-0.5, 0.0, 0.0]);
    let (left, right) = (model.add_body(body("left", 0.0)), model.add_body(body("right", l)));
    let (left, right) = (model.add_marker(Marker::on(left)), model.add_marker(Marker::on(right)));
    let ground = model.add_marker(Marker::on(BodyId::GROUND));
    model.add_variable(Variable::new("yb", "0.1*SIN(10*TIME)"));
    model.add_variable(Variable::new("xb", "SQRT(1 - VARVAL(yb)**2)"));
    model.add_variable(Variable::new("length", "SQRT((DX(right) - VARVAL(xb))**2 + (DY(right) - VARVAL(yb))**2)"));
    model.add_constraint(UserConstraint::expression("upright", "DX(left)*VARVAL(xb) + DY(left)*VARVAL(yb)"));
    model.add_constraint(UserConstraint::expression("rod", "DX(left, right)**2 + DY(left, right)**2 - 1"));
    model.add_force(SpringDamper::new("left spring", left, ground).stiffness(1.0).free_length(l0));
    let pull = |d: &str, road: &str| format!("(0.5 - VARVAL(length))/VARVAL(length)*({d}(right) - VARVAL({road}))");
    model.add_force(ExpressionForce::vector("right spring", right, ground, ground, [pull("DX", "xb"), pull("DY", "yb"), "0".into()]));
    model
}

/// The circular track of Burgermeister, Arnold, Esterl, section 4.1: a mass on a circle, its speed under control, pushed outwards. The paper
/// leaves mass, gains and force open; they are 1 kg, 2, 1 and 1 N here. It starts with the speed it should have. q = (x, y).
pub fn circular_track() -> Model {
    let mut model = Model::new("circular track");
    let mass = model.add_body(Body::point_2d("mass", 1.0).at([1.0, 0.0, 0.0]).moving([0.0, 1.0, 0.0]));
    let (mass, ground) = (model.add_marker(Marker::on(mass)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_constraint(UserConstraint::expression("circle", "DX(mass)**2 + DY(mass)**2 - 1"));
    model.add_variable(Variable::new("speed", "(DX(mass)*VY(mass) - DY(mass)*VX(mass))/DM(mass)"));
    model.add_variable(Variable::new("drive", "2*(1 - VARVAL(speed)) + DIF(integral)"));
    model.add_state(Differential::new("integral", "1 - VARVAL(speed)", 0.0));
    let x = "(DX(mass) - VARVAL(drive)*DY(mass))/DM(mass)";
    let y = "(DY(mass) + VARVAL(drive)*DX(mass))/DM(mass)";
    model.add_force(ExpressionForce::vector("push", mass, ground, ground, [x, y, "0"]));
    model
}
