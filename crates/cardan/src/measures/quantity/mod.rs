//! Quantities: what expressions read of the motion of markers i, j, k, l, with exact first derivatives.
//!
//! With d = p_i − p_j and everything in the world frame, the vectors are
//!
//! ```text
//! displacement           d
//! velocity               u = v_i − v_j − ω_l × d                                        seen from l         (1)
//! angular velocity       ω = ω_i − ω_j
//! acceleration           a_i − a_j − α_l × d − 2 ω_l × (v_i − v_j) + ω_l × (ω_l × d)     seen from l         (2)
//! angular acceleration   α_i − α_j − ω_l × (ω_i − ω_j)                                   seen from l         (3)
//! ```
//!
//! A quantity is the component of such a vector w along an axis e of k, s = e·w, or its size, s = |w|. Its derivatives are
//! e·∂w (with e = w/|w| for the size), and e × w with respect to the rotation of k. The angles are
//!
//! ```text
//! angle of the point (C, S),   S = a₁·b₁,  C = a₂·b₂,   a in the axes of i, b in those of j                   (4)
//! AX  z_i·(−y_j), z_i·z_j     AY  z_i·x_j, z_i·z_j     AZ  x_i·y_j, x_i·x_j         turns counted
//! PSI z_i·x_j, −z_i·y_j       PHI x_i·z_j, y_i·z_j     YAW x_i·y_j, x_i·x_j         ROLL y_i·z_j, z_i·z_j
//! THETA  arccos z_i·z_j       PITCH  arcsin x_i·z_j                                                           (5)
//! ```
//!
//! and VR is the rate of |d|.

mod derivatives;

use super::{Frame, Past};
use crate::bodies::{MarkerId, MarkerState};
use crate::math::number::{Number, length};
use crate::math::{Vec3, Vec6};
use std::f64::consts::TAU;

/// A vector of equations 1 to 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vector {
    /// p_i − p_j.
    Displacement,
    /// Equation 1.
    Velocity,
    /// ω_i − ω_j.
    AngularVelocity,
    /// Equation 2.
    Acceleration,
    /// Equation 3.
    AngularAcceleration,
}

/// What is taken of a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Component {
    /// Its length.
    Size,
    /// Its component along the axis 0, 1 or 2 of marker k.
    Axis(usize),
}

/// An angle of equation 4 or 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Angle {
    /// Rotation about the axis 0, 1 or 2 of j, turns counted.
    About(usize),
    /// First angle of 3-1-3.
    Psi,
    /// Second angle of 3-1-3.
    Theta,
    /// Third angle of 3-1-3.
    Phi,
    /// First angle of 3-2-1.
    Yaw,
    /// Second angle of 3-2-1, sign reversed.
    Pitch,
    /// Third angle of 3-2-1.
    Roll,
}

/// What a quantity is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuantityKind {
    /// A part of a vector.
    Of(Vector, Component),
    /// The rate of the distance.
    DistanceRate,
    /// An angle.
    Angle(Angle),
}

/// Which derivatives of the motion a quantity depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Poses only.
    Position,
    /// Velocities too.
    Velocity,
    /// Accelerations too.
    Acceleration,
}

impl QuantityKind {
    /// The quantity of that name in the table of functions.
    pub fn named(function: &str) -> Option<Self> {
        let angle = match function {
            "AX" => Some(Angle::About(0)),
            "AY" => Some(Angle::About(1)),
            "AZ" => Some(Angle::About(2)),
            "PSI" => Some(Angle::Psi),
            "THETA" => Some(Angle::Theta),
            "PHI" => Some(Angle::Phi),
            "YAW" => Some(Angle::Yaw),
            "PITCH" => Some(Angle::Pitch),
            "ROLL" => Some(Angle::Roll),
            _ => None,
        };
        if let Some(angle) = angle {
            return Some(Self::Angle(angle));
        }
        if function == "VR" {
            return Some(Self::DistanceRate);
        }
        let (part, vector) = match function.split_at_checked(function.len().saturating_sub(1))? {
            (vector, "M") => (Component::Size, vector),
            (vector, "X") => (Component::Axis(0), vector),
            (vector, "Y") => (Component::Axis(1), vector),
            (vector, "Z") => (Component::Axis(2), vector),
            _ => return None,
        };
        let vector = match vector {
            "D" => Vector::Displacement,
            "V" => Vector::Velocity,
            "W" => Vector::AngularVelocity,
            "ACC" => Vector::Acceleration,
            "WDT" => Vector::AngularAcceleration,
            _ => return None,
        };
        Some(Self::Of(vector, part))
    }

    /// The marker (0 to 3 for i, j, k, l) that an argument of the function names.
    pub fn role(self, argument: usize) -> usize {
        if argument == 2 && matches!(self, Self::Of(_, Component::Size) | Self::DistanceRate) { 3 } else { argument }
    }

    /// The value of a quantity of poses in numbers with derivatives, from the frames of i, j, k, l; angles without their turns.
    pub fn along<T: Number>(self, [i, j, k, _]: [&Frame<T>; 4]) -> T {
        let d = i.position - j.position;
        match self {
            Self::Of(_, Component::Axis(axis)) => k.axis(axis).dot(&d),
            Self::Of(_, Component::Size) | Self::DistanceRate => length(&d),
            Self::Angle(Angle::Theta) => length(&i.axis(2).cross(&j.axis(2))).atan2(i.axis(2).dot(&j.axis(2))),
            Self::Angle(Angle::Pitch) => {
                let sine = i.axis(0).dot(&j.axis(2));
                sine.atan2((T::one() - sine * sine).sqrt())
            }
            Self::Angle(angle) => {
                let [sine, cosine] = parts(angle).map(|a| i.axis(a.i).dot(&j.axis(a.j)) * T::constant(a.sign));
                sine.atan2(cosine)
            }
        }
    }

    /// What it depends on.
    pub fn depth(self) -> Depth {
        match self {
            Self::Angle(_) | Self::Of(Vector::Displacement, _) => Depth::Position,
            Self::DistanceRate | Self::Of(Vector::Velocity | Vector::AngularVelocity, _) => Depth::Velocity,
            Self::Of(Vector::Acceleration | Vector::AngularAcceleration, _) => Depth::Acceleration,
        }
    }

    /// Which of the markers i, j, k, l it reads.
    pub fn reads(self) -> [bool; 4] {
        match self {
            Self::Angle(_) | Self::DistanceRate => [true, true, false, false],
            Self::Of(vector, part) => {
                let seen = !matches!(vector, Vector::Displacement | Vector::AngularVelocity);
                [true, true, part != Component::Size, seen]
            }
        }
    }
}

/// The motion of all markers.
#[derive(Debug, Clone, Copy)]
pub struct Motion<'a> {
    /// Poses and twists.
    pub markers: &'a [MarkerState],
    /// Accelerations and angular accelerations.
    pub accelerations: &'a [(Vec3, Vec3)],
    /// Remembered turns.
    pub past: Past<'a>,
}

/// Derivatives with respect to the pose, the twist and the acceleration of a marker.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MarkerGradient {
    /// By pose.
    pub pose: Vec6,
    /// By twist.
    pub twist: Vec6,
    /// By acceleration.
    pub acceleration: Vec6,
}

impl MarkerGradient {
    /// All zero.
    pub fn zero() -> Self {
        Self { pose: Vec6::zeros(), twist: Vec6::zeros(), acceleration: Vec6::zeros() }
    }
}

/// Takes derivatives with respect to markers as they are found.
pub trait Gradients {
    /// Adds a derivative by three numbers of a marker (0 and up: linear, 3 and up: angular) of its pose, twist or acceleration.
    fn add(&mut self, marker: usize, by: Depth, first: usize, g: &Vec3);
}

impl Gradients for [MarkerGradient] {
    #[inline]
    fn add(&mut self, marker: usize, by: Depth, first: usize, g: &Vec3) {
        let gradient = &mut self[marker];
        let six = match by {
            Depth::Position => &mut gradient.pose,
            Depth::Velocity => &mut gradient.twist,
            Depth::Acceleration => &mut gradient.acceleration,
        };
        (0..3).for_each(|k| six[first + k] += g[k]);
    }
}

/// By poses only.
impl Gradients for [Vec6] {
    #[inline]
    fn add(&mut self, marker: usize, _: Depth, first: usize, g: &Vec3) {
        (0..3).for_each(|k| self[marker][first + k] += g[k]);
    }
}

/// A quantity of four markers.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// What it is.
    pub kind: QuantityKind,
    /// Markers i, j, k, l.
    pub markers: [MarkerId; 4],
    /// Where its turns are remembered; `usize::MAX` where it counts none.
    pub slot: usize,
}

impl Quantity {
    #[inline]
    fn pair<'a>(&self, m: &Motion<'a>) -> [&'a MarkerState; 2] {
        [0, 1].map(|a| &m.markers[self.markers[a].index()])
    }

    /// The value.
    #[inline]
    pub fn value(&self, m: &Motion) -> f64 {
        match self.kind {
            QuantityKind::Of(vector, part) => {
                let w = self.vector(vector, m);
                match part {
                    Component::Size => w.norm(),
                    Component::Axis(k) => self.axis(k, m).dot(&w),
                }
            }
            QuantityKind::DistanceRate => {
                let [i, j] = self.pair(m);
                let d = i.p - j.p;
                let length = d.norm();
                if length > 0.0 { d.dot(&(i.v - j.v)) / length } else { 0.0 }
            }
            QuantityKind::Angle(angle) => self.angle(angle, m),
        }
    }

    /// All three components of the vector that it is a part of, in the axes of k.
    #[inline]
    pub fn components(&self, vector: Vector, m: &Motion) -> Vec3 {
        m.markers[self.markers[2].index()].r.tr_mul(&self.vector(vector, m))
    }

    /// The full turns that an angle has made beyond this value; zero for other quantities.
    pub fn turns(&self, m: &Motion, angle: f64) -> f64 {
        match self.kind {
            QuantityKind::Angle(_) => ((self.value(m) - angle) / TAU).round() * TAU,
            _ => 0.0,
        }
    }

    fn axis(&self, k: usize, m: &Motion) -> Vec3 {
        m.markers[self.markers[2].index()].r.column(k).into_owned()
    }

    /// Equations 1 to 3.
    #[inline]
    fn vector(&self, vector: Vector, m: &Motion) -> Vec3 {
        let [i, j] = self.pair(m);
        let at = |a: usize| &m.accelerations[self.markers[a].index()];
        let w = || &m.markers[self.markers[3].index()].w;
        match vector {
            Vector::Displacement => i.p - j.p,
            Vector::Velocity => i.v - j.v - w().cross(&(i.p - j.p)),
            Vector::AngularVelocity => i.w - j.w,
            Vector::Acceleration => {
                let (d, w) = (i.p - j.p, w());
                at(0).0 - at(1).0 - at(3).1.cross(&d) - w.cross(&(i.v - j.v)) * 2.0 + w.cross(&w.cross(&d))
            }
            Vector::AngularAcceleration => at(0).1 - at(1).1 - w().cross(&(i.w - j.w)),
        }
    }

    /// The rate of the angle of a sine and a cosine.
    fn rate(&self, [sine, cosine]: [Axes; 2], m: &Motion) -> f64 {
        let [i, j] = self.pair(m);
        let w = i.w - j.w;
        let (s, c) = (sine.dot(i, j), cosine.dot(i, j));
        let rate = (sine.cross(i, j).dot(&w) * c - cosine.cross(i, j).dot(&w) * s) / (s * s + c * c);
        let most = STEEPEST * w.norm();
        rate.max(-most).min(most)
    }

    /// Value and rate of an angle that counts turns, to be remembered.
    pub fn angle_and_rate(&self, m: &Motion) -> (f64, f64) {
        let QuantityKind::Angle(angle) = self.kind else { return (self.value(m), 0.0) };
        (self.angle(angle, m), self.rate(parts(angle), m))
    }

    fn angle(&self, angle: Angle, m: &Motion) -> f64 {
        let [i, j] = self.pair(m);
        match (angle, parts(angle)) {
            (Angle::Theta, _) => column(i, 2).cross(&column(j, 2)).norm().atan2(column(i, 2).dot(&column(j, 2))),
            (Angle::Pitch, _) => column(i, 0).dot(&column(j, 2)).clamp(-1.0, 1.0).asin(),
            (_, [sine, cosine]) => {
                let angle = sine.dot(i, j).atan2(cosine.dot(i, j));
                let most = STEEPEST * (i.w - j.w).norm();
                m.past.with_turns_within(self.slot, angle, most, || self.rate([sine, cosine], m))
            }
        }
    }
}

/// No rate of an angle is believed that is larger than this many times the angular velocity: it is near a singular attitude then.
const STEEPEST: f64 = 2.0;

/// The product ±a·b of an axis of i and one of j.
#[derive(Clone, Copy)]
struct Axes {
    i: usize,
    j: usize,
    sign: f64,
}

impl Axes {
    #[inline]
    fn dot(self, i: &MarkerState, j: &MarkerState) -> f64 {
        i.r.column(self.i).dot(&j.r.column(self.j)) * self.sign
    }

    /// The derivative of the product by the rotation of i.
    #[inline]
    fn cross(self, i: &MarkerState, j: &MarkerState) -> Vec3 {
        column(i, self.i).cross(&column(j, self.j)) * self.sign
    }
}

/// The axes of the sine and of the cosine (equation 4).
#[inline]
fn parts(angle: Angle) -> [Axes; 2] {
    let (x, y, z) = (0, 1, 2);
    let [sine, cosine] = match angle {
        Angle::About(0) => [(z, y, -1.0), (z, z, 1.0)],
        Angle::About(1) => [(z, x, 1.0), (z, z, 1.0)],
        Angle::About(_) | Angle::Yaw => [(x, y, 1.0), (x, x, 1.0)],
        Angle::Psi => [(z, x, 1.0), (z, y, -1.0)],
        Angle::Phi => [(x, z, 1.0), (y, z, 1.0)],
        Angle::Roll => [(y, z, 1.0), (z, z, 1.0)],
        Angle::Theta => [(z, z, 1.0), (z, z, 1.0)],
        Angle::Pitch => [(x, z, 1.0), (x, z, 1.0)],
    };
    [sine, cosine].map(|(i, j, sign)| Axes { i, j, sign })
}

/// The unit vector along v; zero for a zero vector.
#[inline]
fn direction(v: &Vec3) -> Vec3 {
    let length = v.norm();
    if length > 0.0 { v / length } else { Vec3::zeros() }
}

fn column(m: &MarkerState, k: usize) -> Vec3 {
    m.r.column(k).into_owned()
}
