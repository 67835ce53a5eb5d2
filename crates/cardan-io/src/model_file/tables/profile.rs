//! Profiles: plane curves that touch, piece by piece or ready-made.

use super::super::table::{kinds, table, words};

words! {
    /// To which side an arc or an involute turns.
    pub enum Side {
        /// Counter-clockwise: convex, since the solid is on the left.
        "left" => Left,
        /// Clockwise: concave.
        "right" => Right,
    }
}

table! {
    /// A straight line.
    pub struct LinePiece {
        /// Its end.
        to: [f64; 2] [LENGTH],
    }
}

table! {
    /// An arc of a circle.
    pub struct ArcPiece {
        /// Its end; a whole circle ends where it begins.
        to: [f64; 2] [LENGTH],
        /// To which side it turns.
        turn: Side,
        /// Its centre.
        center: Option<[f64; 2]> [LENGTH],
        /// Its radius, instead of the centre; it turns by half a turn at most.
        radius: Option<f64> [LENGTH],
    }
}

table! {
    /// An involute of a circle about the origin.
    pub struct InvolutePiece {
        /// Its end.
        to: [f64; 2] [LENGTH],
        /// To which side it turns.
        turn: Side,
        /// The radius of the circle.
        base: f64 [LENGTH],
    }
}

table! {
    /// A cubic spline.
    pub struct SplinePiece {
        /// The points after its beginning.
        points: Vec<[f64; 2]> [LENGTH],
        /// The direction in which it begins; default: without curvature.
        begins: Option<[f64; 2]>,
        /// The direction in which it ends; default: without curvature.
        ends: Option<[f64; 2]>,
    }
}

kinds! {
    /// A piece of a profile, from where the last one ended.
    pub enum ProfilePiece {
        /// A straight line.
        "line" => Line(LinePiece),
        /// An arc of a circle.
        "arc" => Arc(ArcPiece),
        /// An involute of a circle about the origin.
        "involute" => Involute(InvolutePiece),
        /// A cubic spline through points.
        "spline" => Spline(SplinePiece),
    }
}

table! {
    /// A plane curve, solid on its left, extruded along z.
    pub struct Profile {
        /// Where it begins.
        start: [f64; 2] [LENGTH],
        /// Its pieces, one after the other.
        pieces: Vec<ProfilePiece>,
        /// Whether it returns to its start; default true.
        closed: Option<bool>,
        /// Width along z; default: without bounds.
        width: Option<f64> [LENGTH],
    }
}

table! {
    /// An involute spur gear about z, with a tooth on the x axis; of an internal one with a gap.
    pub struct SpurGear {
        /// Module: the diameter of the pitch circle by the number of teeth.
        module: f64 [LENGTH],
        /// Number of teeth.
        teeth: usize,
        /// Pressure angle; default 20°.
        pressure_angle: Option<f64> [ANGLE],
        /// Play along the pitch circle of two gears with this backlash; default none.
        backlash: Option<f64> [LENGTH],
        /// Height of the teeth above the pitch circle by the module; default 1.
        addendum: Option<f64>,
        /// Depth of the gaps below the pitch circle by the module; default 1.25.
        dedendum: Option<f64>,
        /// Whether the teeth point inwards; default false.
        internal: Option<bool>,
        /// Width along z; default: without bounds.
        width: Option<f64> [LENGTH],
    }
}

table! {
    /// A sprocket about z, with a gap on the x axis: round seats, straight flanks, round tips.
    pub struct Sprocket {
        /// Number of teeth.
        teeth: usize,
        /// Distance between the pins of the chain.
        pitch: f64 [LENGTH],
        /// Radius of the seats.
        seat_radius: f64 [LENGTH],
        /// Angle between the flanks and the middle of their gap; default 20°.
        flank_angle: Option<f64> [ANGLE],
        /// Radius of the tips.
        tip_radius: f64 [LENGTH],
        /// Width along z; default: without bounds.
        width: Option<f64> [LENGTH],
    }
}

table! {
    /// The wheel of an external Geneva drive about z, with a slot on the x axis.
    pub struct GenevaWheel {
        /// Number of slots.
        slots: usize,
        /// Distance between the axes of wheel and crank.
        center_distance: f64 [LENGTH],
        /// Width of the slots.
        slot_width: f64 [LENGTH],
        /// Radius of the arcs that rest on the disk of the crank.
        lock_radius: f64 [LENGTH],
        /// Width along z; default: without bounds.
        width: Option<f64> [LENGTH],
    }
}

table! {
    /// The disk on the crank of a Geneva drive, about z, with the crank's pin on the x axis.
    pub struct GenevaLock {
        /// Number of slots of the wheel.
        slots: usize,
        /// Distance between the axes of wheel and crank.
        center_distance: f64 [LENGTH],
        /// Radius of the disk.
        lock_radius: f64 [LENGTH],
        /// Width along z; default: without bounds.
        width: Option<f64> [LENGTH],
    }
}

table! {
    /// A cam about z through points given by angle and radius, smooth all around.
    pub struct Cam {
        /// Radii.
        radii: Vec<f64> [LENGTH],
        /// Their angles, rising; default: equally spaced over the turn, from 0 on.
        angles: Vec<f64> [ANGLE],
        /// Width along z; default: without bounds.
        width: Option<f64> [LENGTH],
    }
}
