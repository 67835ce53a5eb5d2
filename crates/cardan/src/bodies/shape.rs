//! A body of any kind, and the questions that others ask about its velocities. They come in this order: translations, rotations, elastic ones.

use super::{BodyMotion, Chart, Flexible, Kind, Marker, ModeShapes, Planar, Point, Rigid, Wrench};
use crate::math::{Mat3, Quat, Vec3};
use std::ops::Range;

macro_rules! kinds {
    ($($kind:ident),*) => {
        /// A kind of body with its mass properties.
        #[derive(Debug, Clone)]
        pub enum Shape {
            $(#[doc = concat!("See [`", stringify!($kind), "`].")] $kind($kind)),*
        }
        kinds!(@impl $($kind),* ;
            fn kind_name() -> &'static str; fn nq() -> usize; fn nv() -> usize; fn mass() -> f64; fn center_of_mass() -> Vec3;
            fn radius_of_gyration() -> f64;
            fn frame(q: &[f64]) -> (Mat3, Vec3);
            fn twist(v: &[f64]) -> (Vec3, Vec3);
            fn project(r: &Mat3, wrench: &Wrench, modal: &[f64], out: &mut [f64]) -> ();
            fn retract(chart: Chart, q0: &[f64], delta: &[f64], q1: &mut [f64]) -> ();
            fn difference(q0: &[f64], q1: &[f64], delta: &mut [f64]) -> ();
            fn retract_tangent(chart: Chart, delta: &[f64]) -> Option<Mat3>;
            fn add_mass_times(q: &[f64], a: &[f64], scale: f64, out: &mut [f64]) -> ();
            fn add_mass(q: &[f64], scale: f64, out: &mut [f64]) -> ();
            fn add_quadratic_forces(q: &[f64], v: &[f64], scale: f64, out: &mut [f64]) -> ();
            fn add_inertia_tangent(at: &BodyMotion, weights: [f64; 2], turn: &Mat3, out: &mut [f64]) -> ();
            fn add_turning(block: &Mat3, scale: f64, out: &mut [f64]) -> ();
            fn momentum(q: &[f64], v: &[f64]) -> [Vec3; 2];
            fn magnitudes(q: &[f64], out: &mut [f64]) -> ();
            fn turns(q: &[f64]) -> f64; fn upright() -> bool;
        );
    };
    (@impl $($kind:ident),* ; $(fn $method:ident($($arg:ident: $ty:ty),*) -> $ret:ty;)*) => {
        kinds!(@methods [$($kind),*] $(fn $method($($arg: $ty),*) -> $ret;)*);
    };
    (@methods $kinds:tt $(fn $method:ident($($arg:ident: $ty:ty),*) -> $ret:ty;)*) => {
        impl Kind for Shape {
            $(#[inline] fn $method(&self, $($arg: $ty),*) -> $ret { kinds!(@match $kinds self $method($($arg),*)) })*
        }
    };
    (@match [$($kind:ident),*] $self:ident $method:ident $args:tt) => {
        match $self { $(Shape::$kind(k) => kinds!(@call k $method $args)),* }
    };
    (@call $k:ident $method:ident ($($arg:ident),*)) => { $k.$method($($arg),*) };
}
kinds!(Point, Planar, Rigid, Flexible);

impl Shape {
    /// Which columns of the frame's six (equation 1 of the room) are the body's first velocities.
    #[inline]
    pub(crate) fn columns(&self) -> &'static [usize] {
        match self {
            Shape::Rigid(_) | Shape::Flexible(_) => &[0, 1, 2, 3, 4, 5],
            Shape::Planar(_) => &[0, 1, 5],
            Shape::Point(point) => &[0, 1, 2][..point.dimensions],
        }
    }

    /// The velocities of the reference point.
    pub fn translations(&self) -> Range<usize> {
        0..self.columns().iter().filter(|c| **c < 3).count()
    }

    /// The angular velocities.
    pub fn rotations(&self) -> Range<usize> {
        self.translations().end..self.columns().len()
    }

    /// The rates of elastic coordinates.
    #[inline]
    pub fn elastic_range(&self) -> Range<usize> {
        self.columns().len()..self.nv()
    }

    /// Those of the body's velocities.
    #[inline]
    pub(super) fn elastic<'a>(&self, v: &'a [f64]) -> &'a [f64] {
        &v[self.columns().len()..]
    }

    /// The elastic coordinates.
    #[inline]
    pub(super) fn elastic_coordinates<'a>(&self, q: &'a [f64]) -> &'a [f64] {
        &q[self.nq() + self.columns().len() - self.nv()..]
    }

    /// The angular velocities of a body that turns in space, whose attitude is no vector.
    pub fn attitude_rates(&self) -> Option<Range<usize>> {
        Some(self.rotations()).filter(|rotations| rotations.len() == 3)
    }

    /// Whether the body can turn at all.
    pub fn rotates(&self) -> bool {
        !self.rotations().is_empty()
    }

    /// By what one of a velocity moves the body at a distance from its reference point: 1 for translations, the distance for rotations, the
    /// largest displacement for elastic ones.
    pub fn displacements(&self, distance: f64) -> impl Iterator<Item = f64> {
        let elastic = move |k: usize| if let Shape::Flexible(body) = self { body.displacement(k) } else { 0.0 };
        let frame = self.translations().map(|_| 1.0).chain(self.rotations().map(move |_| distance));
        frame.chain((0..self.elastic_range().len()).map(elastic))
    }

    /// Norms of the displacement and of the rotation of the frame in a correction.
    pub fn split_norms(&self, delta: &[f64]) -> (f64, f64) {
        let norm = |part: Range<usize>| delta[part].iter().map(|x| x * x).sum::<f64>().sqrt();
        (norm(self.translations()), norm(self.rotations()))
    }

    /// The equation of motion behind a velocity.
    pub fn balance(&self, velocity: usize) -> String {
        match self.columns().get(velocity) {
            Some(column @ 0..3) => format!("force balance along {}", AXES[*column]),
            Some(column) => format!("moment balance about {} of the body", AXES[*column - 3]),
            None => format!("balance of elastic coordinate {}", velocity - self.columns().len() + 1),
        }
    }

    /// Attitude, body to world. Along a motion it goes on smoothly; no turn makes it jump to the opposite quaternion.
    pub fn attitude(&self, q: &[f64]) -> Quat {
        match self {
            Shape::Rigid(_) | Shape::Flexible(_) => super::rigid::quaternion(q),
            Shape::Point(_) | Shape::Planar(_) => Quat::from_axis_angle(&Vec3::z_axis(), self.turns(q)),
        }
    }

    /// The centre of mass in the world.
    pub fn center(&self, q: &[f64]) -> Vec3 {
        let (r, p) = self.frame(q);
        if let Shape::Flexible(body) = self { p + r * body.center(q) } else { p }
    }

    /// How elastic coordinates move a marker.
    pub(super) fn mode_shapes(&self, marker: &Marker) -> Option<ModeShapes> {
        if let Shape::Flexible(body) = self { body.mode_shapes(marker) } else { None }
    }

    /// Elastic energy, J.
    pub fn elastic_energy(&self, q: &[f64]) -> f64 {
        if let Shape::Flexible(body) = self { body.elastic_energy(q) } else { 0.0 }
    }

    /// Power that the body's own damping dissipates, W.
    pub fn dissipation(&self, q: &[f64], v: &[f64]) -> f64 {
        if let Shape::Flexible(body) = self { body.dissipation(q, v) } else { 0.0 }
    }
}

const AXES: [&str; 3] = ["x", "y", "z"];
