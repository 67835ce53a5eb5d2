//! Elements that a model takes through one door: constraints that are not joints, and forces of all sorts.

use super::Model;
use crate::bodies::MarkerId;
use crate::constraints::{Coupler, ExpressionConstraint, KnifeEdge, Motion, PointOnCurve, RollingDisk, UserConstraint};
use crate::contact::Contact;
use crate::forces::{ExpressionForce, Force, PairForce};

/// A constraint that is not a joint.
#[derive(Debug, Clone)]
pub enum Extra {
    /// A prescribed motion.
    Motion(Motion),
    /// A coupler, gear or rack-and-pinion.
    Coupler(Coupler),
    /// A user-written constraint.
    User(UserConstraint),
    /// A constraint given by an expression.
    Expression(ExpressionConstraint),
    /// A point on a curve.
    Curve(PointOnCurve),
    /// A disk rolling on a plane.
    Rolling(RollingDisk),
    /// A knife edge.
    KnifeEdge(KnifeEdge),
}

macro_rules! extras {
    ($($variant:ident($kind:ident)),*) => {
        $(impl From<$kind> for Extra { fn from(x: $kind) -> Self { Extra::$variant(x) } })*
        impl Extra {
            /// Its name.
            pub fn name(&self) -> &str { match self { $(Extra::$variant(x) => &x.name),* } }
        }
    };
}
extras!(
    Motion(Motion),
    Coupler(Coupler),
    User(UserConstraint),
    Expression(ExpressionConstraint),
    Curve(PointOnCurve),
    Rolling(RollingDisk),
    KnifeEdge(KnifeEdge)
);

/// What [`Model::add_force`] takes.
pub trait AnyForce {
    /// Adds it to the model's lists.
    fn add_to(self, model: &mut Model);
}

impl<F: Into<Force>> AnyForce for F {
    fn add_to(self, model: &mut Model) {
        model.forces.push(self.into());
    }
}

impl AnyForce for ExpressionForce {
    fn add_to(self, model: &mut Model) {
        model.expression_forces.push(self);
    }
}

impl AnyForce for Contact {
    /// Shapes of the same body do not touch.
    fn add_to(self, model: &mut Model) {
        let body = |marker: MarkerId| model.markers.get(marker.index()).map(|m| m.body);
        let contact = self.without(|a, b| body(a).is_some() && body(a) == body(b));
        model.contacts.push(contact);
    }
}

impl AnyForce for PairForce {
    fn add_to(self, model: &mut Model) {
        model.pair_forces.push(self);
    }
}
