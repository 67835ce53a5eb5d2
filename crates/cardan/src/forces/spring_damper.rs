//! Spring-dampers along the line between two markers and about a common z axis:
//!
//! ```text
//! F = −k (s − s₀) − c ṡ + F₀,     V = ½ k (s − s₀)² − F₀ (s − s₀),     dissipation c ṡ²            (1)
//! ```
//!
//! s is the distance of the origins, or the rotation of i about z_j with turns counted. The preload F₀ is positive where it
//! pushes the markers apart (turns i forward).

use super::along::{Along, Slopes, between_origins, shifted};
use super::geometry::{Half, Linearized, Motion, pair};
use super::{Between, Exchange, ForceLaw, Tangent};
use crate::bodies::{MarkerId, MarkerState};
use crate::math::{Mat3, Vec3, Vec6};
use crate::measures::{Context, Measure, Memory, across};

/// The parameters shared by both kinds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SpringLaw {
    /// k, N/m or N m/rad.
    pub stiffness: f64,
    /// c, N s/m or N m s/rad.
    pub damping: f64,
    /// s₀: length or angle without force.
    pub free: f64,
    /// F₀, N or N m.
    pub preload: f64,
}

impl SpringLaw {
    #[inline]
    fn force(&self, s: f64, rate: f64) -> f64 {
        self.preload - self.stiffness * (s - self.free) - self.damping * rate
    }

    #[inline]
    fn slopes(&self, s: f64, rate: f64) -> Slopes {
        Slopes { force: self.force(s, rate), by_s: -self.stiffness, by_rate: -self.damping }
    }

    #[inline]
    fn potential(&self, s: f64) -> f64 {
        (0.5 * self.stiffness * (s - self.free) - self.preload) * (s - self.free)
    }

    fn mistake(&self) -> Option<String> {
        let finite = [self.stiffness, self.damping, self.free, self.preload].iter().all(|x| x.is_finite());
        (!finite).then(|| "stiffness, damping, free length and preload must be finite".into())
    }
}

macro_rules! spring {
    ($(#[$doc:meta])* $Kind:ident, $free:ident, $free_doc:literal, $k_unit:literal, $c_unit:literal, $f_unit:literal, $measure:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone)]
        pub struct $Kind {
            name: String,
            along: Along,
            /// Its parameters.
            pub law: SpringLaw,
        }

        impl $Kind {
            /// Between marker i and marker j, with nothing in it yet.
            pub fn new(name: &str, i: MarkerId, j: MarkerId) -> Self {
                Self { name: name.into(), along: Along { measure: $measure, markers: [i, j] }, law: SpringLaw::default() }
            }
            #[doc = concat!("Stiffness, ", $k_unit, ".")]
            pub fn stiffness(mut self, k: f64) -> Self {
                self.law.stiffness = k;
                self
            }
            #[doc = concat!("Damping, ", $c_unit, ".")]
            pub fn damping(mut self, c: f64) -> Self {
                self.law.damping = c;
                self
            }
            #[doc = $free_doc]
            pub fn $free(mut self, free: f64) -> Self {
                self.law.free = free;
                self
            }
            #[doc = concat!("Constant part of the force, ", $f_unit, ", positive apart (forward).")]
            pub fn preload(mut self, force: f64) -> Self {
                self.law.preload = force;
                self
            }
        }

        impl ForceLaw for $Kind {
            fn name(&self) -> &str {
                &self.name
            }
            fn markers(&self) -> [MarkerId; 2] {
                self.along.markers
            }
            #[inline]
            fn wrench(&self, ctx: &Context) -> [Vec6; 2] {
                let (s, rate, g) = self.along.state(ctx);
                g.map(|g| g * self.law.force(s, rate))
            }
            fn wrench_and_tangent(&self, ctx: &Context, out: &mut Tangent) -> [Vec6; 2] {
                self.along.wrench_and_tangent(ctx, |s, rate| self.law.slopes(s, rate), out)
            }
            fn potential(&self, ctx: &Context) -> f64 {
                self.law.potential(self.along.state(ctx).0)
            }
            fn dissipation(&self, ctx: &Context) -> f64 {
                self.law.damping * self.along.state(ctx).1.powi(2)
            }
            fn exchange(&self) -> Exchange {
                if self.law.damping == 0.0 { Exchange::Stored } else { Exchange::Dissipated }
            }
            fn slot(&mut self) -> Option<&mut usize> {
                self.along.measure.slot_mut()
            }
            fn remember(&self, ctx: &Context, memory: &mut Memory) {
                self.along.remember(ctx, memory);
            }
            fn mistake(&self) -> Option<String> {
                self.law.mistake()
            }
        }
    };
}

spring!(
    /// A spring and damper along the line between two markers.
    SpringDamper, free_length, "Length without force, m.", "N/m", "N s/m", "N", Measure::Distance
);
/// Along the line between the origins nothing has to be known of the past.
impl Between for SpringDamper {
    #[inline]
    fn load(&self, i: &MarkerState, j: &MarkerState) -> (Vec3, Vec3) {
        let (s, rate, e) = between_origins(i, j);
        (e * self.law.force(s, rate), Vec3::zeros())
    }
    #[inline]
    fn linearize(&self, i: &MarkerState, motion: &Motion) -> Linearized {
        let (s, rate, e) = between_origins(i, motion.j);
        let slopes = self.law.slopes(s, rate);
        let [by_u, by_v] = shifted(&slopes, &e, &across(&motion.d), &motion.v);
        let of = |m: &Mat3| pair(m, &Mat3::zeros());
        Linearized { force: e * slopes.force, torque: Vec3::zeros(), by: [of(&by_u), Half::zeros(), of(&by_v), Half::zeros()] }
    }
    #[inline]
    fn energies(&self, i: &MarkerState, j: &MarkerState) -> [f64; 2] {
        let (s, rate, _) = between_origins(i, j);
        [self.law.potential(s), self.law.damping * rate * rate]
    }
}

spring!(
    /// A spring and damper about the z axis of marker j, counting full turns.
    RotationalSpringDamper, free_angle, "Angle without torque, rad.", "N m/rad", "N m s/rad", "N m", Measure::angle()
);
