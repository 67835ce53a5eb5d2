//! Profiles, piece by piece and ready-made.

use super::super::tables::{ArcPiece, Cam, GenevaLock, GenevaWheel, Profile, ProfilePiece, Side, Sprocket, SpurGear};
use crate::geometry::{Graphic, Shape};
use cardan::contact::{self, Piece, Teeth, Turn};
use cardan::math::Quat;
use std::f64::consts::{PI, TAU};

/// Points of an outline that is drawn, on a quarter of a turn.
const LOOKS: usize = 8;

/// The outlines of a profile: one, or those of both ends.
pub(super) fn outlines(profile: &contact::Profile, position: [f64; 3], turn: &Quat) -> Vec<Graphic> {
    let outline = profile.outline(LOOKS);
    let first = outline.first().filter(|_| profile.is_closed()).copied();
    let at = |z: f64| outline.iter().copied().chain(first).map(move |[x, y]| [x, y, z]).collect();
    let orientation = [turn.w, turn.i, turn.j, turn.k];
    let heights = profile.width().map_or(vec![0.0], |width| vec![-0.5 * width, 0.5 * width]);
    heights.into_iter().map(|z| Graphic { shape: Shape::Line { points: at(z) }, position, orientation, color: None }).collect()
}

type Made = Result<contact::Profile, String>;

const FLANK_ANGLE: f64 = PI / 9.0;

pub(super) fn profile(t: &Profile) -> Made {
    let mut from = t.start;
    let mut pieces = Vec::with_capacity(t.pieces.len());
    for (k, table) in t.pieces.iter().enumerate() {
        let piece = piece(table, from).map_err(|what| format!("piece {}: {what}", k + 1))?;
        from = piece.end().unwrap_or(from);
        pieces.push(piece);
    }
    let closed = t.closed.unwrap_or(true);
    let made = if closed { contact::Profile::closed(t.start, pieces) } else { contact::Profile::open(t.start, pieces) };
    Ok(wide(made, t.width))
}

fn wide(profile: contact::Profile, width: Option<f64>) -> contact::Profile {
    match width {
        Some(width) => profile.wide(width),
        None => profile,
    }
}

fn turn(side: Side) -> Turn {
    match side {
        Side::Left => Turn::Left,
        Side::Right => Turn::Right,
    }
}

fn piece(table: &ProfilePiece, from: [f64; 2]) -> Result<Piece, String> {
    Ok(match table {
        ProfilePiece::Line(t) => Piece::Line { to: t.to },
        ProfilePiece::Arc(t) => Piece::Arc { center: center(t, from)?, to: t.to, turn: turn(t.turn) },
        ProfilePiece::Involute(t) => Piece::Involute { base: t.base, to: t.to, turn: turn(t.turn) },
        ProfilePiece::Spline(t) => Piece::Spline { points: t.points.clone(), directions: [t.begins, t.ends] },
    })
}

/// As given, or of an arc with a radius: on the side to which it turns, where the ends are as far as that.
fn center(t: &ArcPiece, from: [f64; 2]) -> Result<[f64; 2], String> {
    match (t.center, t.radius) {
        (Some(center), None) => Ok(center),
        (None, Some(radius)) => {
            let half = [0.5 * (t.to[0] - from[0]), 0.5 * (t.to[1] - from[1])];
            let length = half[0].hypot(half[1]);
            if !(length > 0.0 && radius >= length * (1.0 - 1e-9)) {
                return Err(format!("an arc of radius {radius} m cannot end {} m from where it begins", 2.0 * length));
            }
            let height = (radius * radius - length * length).max(0.0).sqrt() / length;
            let side = if t.turn == Side::Left { height } else { -height };
            Ok([from[0] + half[0] - side * half[1], from[1] + half[1] + side * half[0]])
        }
        _ => Err("an arc needs a centre or a radius, one of them".into()),
    }
}

pub(super) fn gear(t: &SpurGear) -> Made {
    let standard = contact::Gear::new(t.module, t.teeth);
    let gear = contact::Gear {
        pressure_angle: t.pressure_angle.unwrap_or(standard.pressure_angle),
        backlash: t.backlash.unwrap_or_default(),
        heights: [t.addendum.unwrap_or(standard.heights[0]), t.dedendum.unwrap_or(standard.heights[1])],
        teeth_point: if t.internal == Some(true) { Teeth::Inwards } else { Teeth::Outwards },
        ..standard
    };
    Ok(wide(gear.profile()?, t.width))
}

pub(super) fn sprocket(t: &Sprocket) -> Made {
    let sprocket = contact::Sprocket {
        teeth: t.teeth,
        pin_circle: 0.5 * t.pitch / (PI / t.teeth as f64).sin(),
        seat_radius: t.seat_radius,
        flank_angle: t.flank_angle.unwrap_or(FLANK_ANGLE),
        tip_radius: t.tip_radius,
    };
    Ok(wide(sprocket.profile()?, t.width))
}

pub(super) fn geneva_wheel(t: &GenevaWheel) -> Made {
    let GenevaWheel { slots, center_distance, slot_width, lock_radius, width } = *t;
    Ok(wide(contact::Geneva { slots, center_distance, slot_width, lock_radius }.profile()?, width))
}

pub(super) fn geneva_lock(t: &GenevaLock) -> Made {
    Ok(wide(contact::geneva_lock(t.slots, t.center_distance, t.lock_radius)?, t.width))
}

pub(super) fn cam(t: &Cam) -> Made {
    let count = t.radii.len();
    let even: Vec<f64> = (0..count).map(|k| TAU * k as f64 / count as f64).collect();
    let angles = if t.angles.is_empty() { &even } else { &t.angles };
    if angles.len() != count {
        return Err(format!("a cam needs as many angles as radii, they are {} and {count}", angles.len()));
    }
    let points: Vec<(f64, f64)> = angles.iter().copied().zip(t.radii.iter().copied()).collect();
    Ok(wide(contact::cam(&points)?, t.width))
}
