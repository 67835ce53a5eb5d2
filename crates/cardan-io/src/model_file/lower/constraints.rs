//! Constraints that are neither joints, motions nor couplers.

use super::super::problem::Span;
use super::super::tables::Constraint;
use super::Lowering;
use cardan::constraints::{KnifeEdge, PointOnCurve, RollingDisk, UserConstraint};
use cardan::math::Vec3;
use cardan::math::spline::Curve;

impl Lowering<'_> {
    pub(super) fn constraint(&mut self, name: &str, span: &Span, t: &Constraint) -> Option<()> {
        self.place("constraint", name, span)?;
        match t {
            Constraint::Function(t) => {
                let function = self.text("constraint", name, "function", &t.function);
                self.model.add_constraint(UserConstraint::expression(name, function));
            }
            Constraint::PointOnCurve(t) => {
                let (i, j) = (self.marker(&t.i), self.marker(&t.j));
                let points: Vec<Vec3> = t.points.iter().map(|p| Vec3::from(*p)).collect();
                let (curve, least) = if t.closed == Some(true) { (Curve::closed(&points), 3) } else { (Curve::open(&points), 2) };
                let Some(curve) = curve else {
                    return self.problem(span, format!("constraint '{name}': the curve needs at least {least} points"), "this curve");
                };
                self.model.add_constraint(PointOnCurve::new(name, i?, j?, curve));
            }
            Constraint::RollingDisk(t) => {
                let (disk, plane) = (self.marker(&t.disk), self.marker(&t.plane));
                self.model.add_constraint(RollingDisk::new(name, disk?, plane?, t.radius));
            }
            Constraint::KnifeEdge(t) => {
                let (blade, plane) = (self.marker(&t.blade), self.marker(&t.plane));
                self.model.add_constraint(KnifeEdge::new(name, blade?, plane?));
            }
        }
        Some(())
    }
}
