//! Profile: the distance in the plane, and of the flat ends.

use super::Solid;
use crate::contact::profile::{Profile, extruded};
use crate::contact::surface::Nearest;
use crate::math::Vec3;

impl Solid for Profile {
    fn nearest(&self, x: &Vec3) -> Nearest {
        let beyond = x.z.abs() - self.half_width(0.0);
        let end = || Nearest::flat(beyond, Vec3::z() * 1.0_f64.copysign(x.z));
        match self.form().nearest(&x.xy()) {
            None => Nearest::flat(f64::INFINITY, Vec3::x()),
            Some(at) if at.distance < beyond && at.distance < 0.0 => end(),
            Some(at) => extruded(&at, x.z, self.half_width(0.0)).unwrap_or_else(end),
        }
    }
    fn away(&self, x: &Vec3) -> f64 {
        let [around, along] = [x.xy().norm() - self.radius(), x.z.abs() - self.half_width(0.0)];
        around.max(0.0).hypot(along.max(0.0))
    }
    fn reach(&self) -> f64 {
        self.radius().hypot(self.half_width(0.0))
    }
    fn depth(&self) -> f64 {
        self.form().depth
    }
    fn size(&self) -> Option<f64> {
        Some(self.sound())
    }
    fn mistake(&self) -> Option<String> {
        self.own_mistake()
    }
}
