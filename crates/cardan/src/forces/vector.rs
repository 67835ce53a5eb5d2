//! User forces with three or six components in the axes of marker j (see [`super::relative`]). The reaction acts on j, so a
//! force fixed in space has its marker j on the ground; a follower force turns itself with `rotation`.

use super::relative::{self, Load, Relative};
use super::{Exchange, ForceLaw, Tangent};
use crate::bodies::MarkerId;
use crate::math::Vec6;
use crate::math::dual::DualVec3;
use crate::measures::Context;
use std::sync::Arc;

macro_rules! user_force {
    ($(#[$doc:meta])* $Kind:ident, $output:ty, $self:ident, $k:ident => $load:expr) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $Kind {
            name: String,
            markers: [MarkerId; 2],
            function: Arc<dyn Fn(&Relative) -> $output + Send + Sync>,
        }

        impl $Kind {
            /// On marker i, in the axes of marker j, as a function of the motion of i relative to j.
            pub fn new(name: &str, i: MarkerId, j: MarkerId, function: impl Fn(&Relative) -> $output + Send + Sync + 'static) -> Self {
                Self { name: name.into(), markers: [i, j], function: Arc::new(function) }
            }
            fn law(&$self, $k: &Relative) -> Load {
                $load
            }
        }

        impl std::fmt::Debug for $Kind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($Kind)).field("name", &self.name).finish_non_exhaustive()
            }
        }

        impl ForceLaw for $Kind {
            fn name(&self) -> &str {
                &self.name
            }
            fn markers(&self) -> [MarkerId; 2] {
                self.markers
            }
            fn wrench(&self, ctx: &Context) -> [Vec6; 2] {
                relative::wrench(self.markers, ctx, |k| self.law(k))
            }
            fn wrench_and_tangent(&self, ctx: &Context, out: &mut Tangent) -> [Vec6; 2] {
                relative::wrench_and_tangent(self.markers, ctx, |k| self.law(k), out)
            }
            fn rate(&self, ctx: &Context) -> [Vec6; 2] {
                relative::rate(self.markers, ctx, |k| self.law(k))
            }
            fn exchange(&self) -> Exchange {
                Exchange::Applied
            }
        }
    };
}

user_force!(
    /// A force with three components given by a function, N.
    VectorForce, DualVec3, self, k => ((self.function)(k), DualVec3::zeros())
);
user_force!(
    /// A force and a torque given by a function, N and N m.
    GeneralForce, (DualVec3, DualVec3), self, k => (self.function)(k)
);
