//! Motions, couplers and other constraints.

use super::super::field::{Function, Name, Quantity};
use super::super::table::{kinds, table, words};

words! {
    /// A coordinate that a joint leaves free.
    pub enum Freedom {
        /// Along z of j.
        "translation" => Translation,
        /// About z of j.
        "rotation" => Rotation,
    }
}

table! {
    /// A prescribed motion, of a joint or between two markers.
    pub struct Motion {
        /// The joint it drives.
        joint: Option<Name>,
        /// Marker i, instead of a joint.
        i: Option<Name>,
        /// Marker j, instead of a joint.
        j: Option<Name>,
        /// Which coordinate; default: the joint's only one.
        coordinate: Option<Freedom>,
        /// The coordinate as a function of TIME; or, instead of it, one of the next two.
        function: Option<Function>,
        /// Its velocity as a function of TIME.
        velocity: Option<Function>,
        /// Its acceleration as a function of TIME.
        acceleration: Option<Function>,
        /// The coordinate at the start; default: as placed. Only with `velocity` or `acceleration`.
        initial_displacement: Option<Quantity>,
        /// The velocity at the start; default: 0. Only with `acceleration`.
        initial_velocity: Option<Quantity>,
    }
}

table! {
    /// One coordinate of a coupler.
    pub struct CouplerTerm {
        /// The joint.
        joint: Name,
        /// Which of its coordinates; default: its only one.
        coordinate: Option<Freedom>,
        /// Its factor in the sum; with a unit, if it has one: a radius beside a rotation makes a length.
        factor: Quantity,
    }
}

table! {
    /// Σ factor · coordinate = offset.
    pub struct LinearCoupler {
        /// The coordinates.
        terms: Vec<CouplerTerm>,
        /// Value of the sum; default: as placed.
        offset: Option<Quantity>,
    }
}

table! {
    /// Two gears on a common carrier.
    pub struct Gear {
        /// The two rotating joints.
        joints: [Name; 2],
        /// The two radii; one negative for internal teeth.
        radii: [f64; 2] [LENGTH],
        /// r₁ θ₁ + r₂ θ₂; default: as placed.
        offset: Option<f64> [LENGTH],
    }
}

table! {
    /// A rack driven by a pinion.
    pub struct RackAndPinion {
        /// The rack's sliding joint.
        rack: Name,
        /// The pinion's rotating joint.
        pinion: Name,
        /// Radius of the pinion.
        radius: f64 [LENGTH],
        /// s − r θ; default: as placed.
        offset: Option<f64> [LENGTH],
    }
}

kinds! {
    /// A relation between joint coordinates.
    pub enum Coupler {
        /// A linear relation between joint coordinates.
        "coupler" => Linear(LinearCoupler),
        /// Two gears on a common carrier.
        "gear" => Gear(Gear),
        /// A rack driven by a pinion.
        "rack-and-pinion" => RackAndPinion(RackAndPinion),
    }
}

table! {
    /// A function held at zero.
    pub struct FunctionConstraint {
        /// Of displacements and time.
        function: Function,
    }
}

table! {
    /// A point on a curve.
    pub struct PointOnCurve {
        /// The marker that stays on the curve.
        i: Name,
        /// The marker that carries the curve.
        j: Name,
        /// Points of the curve in the axes of j.
        points: Vec<[f64; 3]> [LENGTH],
        /// Whether the curve is closed; default: no.
        closed: Option<bool>,
    }
}

table! {
    /// A disk that rolls on a plane without slip.
    pub struct RollingDisk {
        /// Marker at the disk's centre, z along its axis.
        disk: Name,
        /// Marker in the plane, z along its normal.
        plane: Name,
        /// Radius.
        radius: f64 [LENGTH],
    }
}

table! {
    /// A blade that cannot move sideways.
    pub struct KnifeEdge {
        /// Marker on the blade, its edge along x.
        blade: Name,
        /// Marker on the body it moves over.
        plane: Name,
    }
}

kinds! {
    /// A constraint that is neither joint, motion nor coupler.
    pub enum Constraint {
        /// A function of displacements and time held at zero.
        "function" => Function(FunctionConstraint),
        /// A point on a curve.
        "point-on-curve" => PointOnCurve(PointOnCurve),
        /// A disk that rolls on a plane without slip.
        "rolling-disk" => RollingDisk(RollingDisk),
        /// A blade that cannot move sideways.
        "knife-edge" => KnifeEdge(KnifeEdge),
    }
}
