//! Profiles: plane curves of lines, arcs and splines in the plane z = 0, extruded along z. Cams, sprockets, gears, Geneva wheels, guides.
//!
//! The solid is on the left of the curve as it is given. A closed curve that runs counter-clockwise is the outline of a solid; one that runs clockwise is
//! the wall of a hole, solid outside. An open curve is the surface of what is on its left, as far as it goes; beyond its ends there is nothing.
//!
//! With d, n, H those of the plane (`span`), a ball whose centre is at (c, z) has the distance
//!
//! ```text
//! D = d(c)                     |z| ≤ w        the width w is half of that of the profile, and of what touches it    (1)
//! D² = d² + (|z| − w)²         beyond, outside                                                                    (2)
//! ```
//!
//! The flat ends are not felt. Every span with a foot and every corner with a normal there gives a touch of its own (`form`), so a roller between two
//! teeth touches both.

mod form;
mod involute;
mod makers;
mod span;
mod spline;

pub use makers::{Gear, Geneva, Sprocket, Teeth, cam, geneva_lock};

pub(super) use form::{Beside, Feature, Form};
pub(super) use span::{Bend, Span, Vec2, WIDEST, cross, outward};

use crate::contact::surface::{Nearest, NearestInPlane};
use crate::math::{Mat3, Vec3};
use involute::Involute;
use std::f64::consts::TAU;
use std::sync::Arc;

/// What is apart by less than this part of the size of a profile is at the same place.
const SAME: f64 = 1e-9;
/// Ends of arcs may be off their circles by this part of the radius: the centre is moved so that they are on it.
const OFF: f64 = 1e-3;
/// Chords of a span where crossings are looked for.
const CHORDS: usize = 32;

/// To which side an arc turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Counter-clockwise: towards the solid, so that it is convex.
    Left,
    /// Clockwise: away from the solid, so that it is concave.
    Right,
}

impl Turn {
    fn other(self) -> Self {
        if self == Turn::Left { Turn::Right } else { Turn::Left }
    }
}

/// A piece of a profile; it begins where the last one ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// A straight line.
    Line {
        /// Its end, m.
        to: [f64; 2],
    },
    /// An arc of a circle; a whole one if it ends where it begins.
    Arc {
        /// The centre, m.
        center: [f64; 2],
        /// Its end, m.
        to: [f64; 2],
        /// To which side it turns.
        turn: Turn,
    },
    /// An involute of a circle about the origin.
    Involute {
        /// The radius of the circle, m.
        base: f64,
        /// Its end, m.
        to: [f64; 2],
        /// To which side it turns.
        turn: Turn,
    },
    /// A cubic spline through points.
    Spline {
        /// The points after its beginning, m. A spline that is all of a closed profile ends at its beginning, smoothly.
        points: Vec<[f64; 2]>,
        /// The directions in which it begins and ends; without them it has no curvature there.
        directions: [Option<[f64; 2]>; 2],
    },
}

impl Piece {
    /// Its end.
    pub fn end(&self) -> Option<[f64; 2]> {
        match self {
            Piece::Line { to } | Piece::Arc { to, .. } | Piece::Involute { to, .. } => Some(*to),
            Piece::Spline { points, .. } => points.last().copied(),
        }
    }

    /// The same the other way, to where it begins.
    fn back_to(&self, start: [f64; 2]) -> Self {
        match self {
            Piece::Line { .. } => Piece::Line { to: start },
            Piece::Arc { center, turn, .. } => Piece::Arc { center: *center, to: start, turn: turn.other() },
            Piece::Involute { base, turn, .. } => Piece::Involute { base: *base, to: start, turn: turn.other() },
            Piece::Spline { points, directions: [from, to] } => {
                let back = |d: &Option<[f64; 2]>| d.map(|[x, y]| [-x, -y]);
                let points = points.iter().rev().skip(1).copied().chain([start]).collect();
                Piece::Spline { points, directions: [back(to), back(from)] }
            }
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Piece::Involute { .. } => "involute",
            Piece::Line { .. } => "line",
            Piece::Arc { .. } => "arc",
            Piece::Spline { .. } => "spline",
        }
    }
}

/// A plane curve with its solid on the left, extruded along z.
#[derive(Debug, Clone)]
pub struct Profile {
    start: [f64; 2],
    pieces: Vec<Piece>,
    closed: bool,
    width: Option<f64>,
    form: Arc<Form>,
    mistake: Option<String>,
}

impl PartialEq for Profile {
    fn eq(&self, other: &Self) -> bool {
        (self.start, &self.pieces, self.closed, self.width) == (other.start, &other.pieces, other.closed, other.width)
    }
}

impl Profile {
    /// An outline that returns to its start: counter-clockwise about a solid, clockwise in a hole.
    pub fn closed(start: [f64; 2], pieces: Vec<Piece>) -> Self {
        Self::new(start, pieces, true)
    }

    /// A surface from one end to another, solid on its left.
    pub fn open(start: [f64; 2], pieces: Vec<Piece>) -> Self {
        Self::new(start, pieces, false)
    }

    fn new(start: [f64; 2], pieces: Vec<Piece>, closed: bool) -> Self {
        let (form, mistake) = match spans(start, &pieces, closed) {
            Ok(spans) => (Form::new(spans, closed), None),
            Err(mistake) => (Form::default(), Some(mistake)),
        };
        let mistake = mistake.or_else(|| crossing(&form));
        Self { start, pieces, closed, width: None, form: Arc::new(form), mistake }
    }

    /// As wide as this along z, half of it to both sides, m; otherwise it has no bounds.
    pub fn wide(mut self, width: f64) -> Self {
        self.width = Some(width);
        self
    }

    /// Where it begins.
    pub fn start(&self) -> [f64; 2] {
        self.start
    }

    /// Its pieces.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Whether it returns to its start.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Its width along z, m; `None` if it has no bounds.
    pub fn width(&self) -> Option<f64> {
        self.width
    }

    /// Points along it, so many on every curved span of at most a quarter of a turn; of an open one with its end.
    pub fn outline(&self, count: usize) -> Vec<[f64; 2]> {
        let end = self.form.spans.last().filter(|_| !self.closed).map(|s| s.ends[1]);
        self.form.spans.iter().flat_map(|span| span.looks(count)).chain(end).map(Into::into).collect()
    }

    pub(super) fn form(&self) -> &Form {
        &self.form
    }

    /// The radius of a circle about the origin that holds the curve.
    pub(super) fn radius(&self) -> f64 {
        self.form.reach
    }

    /// How deep something may be inside, and still is found: no more than the curve is large.
    pub(super) fn sound(&self) -> f64 {
        self.form.depth.min(self.form.reach)
    }

    /// w of (1), with half of the width of what touches it.
    pub(super) fn half_width(&self, other: f64) -> f64 {
        self.width.map_or(f64::INFINITY, |width| 0.5 * width + other)
    }

    pub(super) fn own_mistake(&self) -> Option<String> {
        if let Some(width) = self.width.filter(|w| !(*w > 0.0 && w.is_finite())) {
            return Some(format!("the width must be positive, it is {width}"));
        }
        self.mistake.clone()
    }
}

/// (1) and (2) from the distance in the plane at this height; `None` beyond the width, inside.
#[inline]
pub(super) fn extruded(flat: &NearestInPlane, z: f64, half_width: f64) -> Option<Nearest> {
    let normal = Vec3::new(flat.normal.x, flat.normal.y, 0.0);
    let mut bend = Mat3::zeros();
    bend.fixed_view_mut::<2, 2>(0, 0).copy_from(&flat.bend);
    let beyond = z.abs() - half_width;
    if beyond <= 0.0 {
        return Some(Nearest { distance: flat.distance, normal, bend });
    }
    if flat.distance < 0.0 {
        return None;
    }
    let away = normal * flat.distance + Vec3::z() * beyond.copysign(z);
    let free = normal * normal.transpose() + Mat3::from_diagonal(&Vec3::z()) + bend * flat.distance;
    Some(Nearest::rounded(&away, 0.0, &free))
}

fn spans(start: [f64; 2], pieces: &[Piece], closed: bool) -> Result<Vec<Span>, String> {
    if pieces.is_empty() {
        return Err("a profile needs pieces".into());
    }
    let points = pieces.iter().flat_map(points_of).chain([start]);
    let size = points.clone().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    if !(size.is_finite() && points.flatten().all(f64::is_finite)) {
        return Err("its points must be numbers".into());
    }
    let mut out = Vec::new();
    let mut from = Vec2::from(start);
    for (k, piece) in pieces.iter().enumerate() {
        let fails = |what: String| format!("piece {} ({}): {what}", k + 1, piece.name());
        let last = k + 1 == pieces.len();
        let to = Vec2::from(piece.end().ok_or_else(|| fails("it has no points".into()))?);
        let to = if last && closed { closing(start, to, size)? } else { to };
        match piece {
            Piece::Line { .. } if (to - from).norm() <= SAME * size => return Err(fails("it has no length".into())),
            Piece::Line { .. } => out.push(Span::line(from, to, k)),
            Piece::Arc { center, turn, .. } => arc(from, to, (*center).into(), *turn, SAME * size, k, &mut out).map_err(fails)?,
            Piece::Involute { base, turn, .. } => {
                let hand = if *turn == Turn::Left { 1.0 } else { -1.0 };
                let missed = || fails(format!("no involute of a circle of radius {base} m turns to this side through both its ends"));
                out.push(Span::involute(Involute::between(*base, from, to, hand).ok_or_else(missed)?, [from, to], k));
            }
            Piece::Spline { points, directions } => {
                let mut all: Vec<Vec2> = [from].into_iter().chain(points.iter().map(|p| Vec2::from(*p))).collect();
                if let Some(place) = all.windows(2).position(|w| (w[1] - w[0]).norm() <= SAME * size) {
                    return Err(fails(format!("point {} is where the last one is", place + 1)));
                }
                let whole = closed && pieces.len() == 1;
                if whole && all.len() < 4 {
                    return Err(fails("a closed spline needs at least three different points".into()));
                }
                let ends = directions.map(|d| d.and_then(|d| Vec2::from(d).try_normalize(0.0)));
                let cubics = if whole && all.pop().is_some() { spline::closed(&all) } else { spline::open(&all, ends) };
                cubics.into_iter().for_each(|c| Span::cubic(c, k, &mut out));
            }
        }
        from = to;
    }
    if closed && out.len() < 2 {
        return Err("a closed profile needs at least two pieces, or an arc or a spline that returns to its start".into());
    }
    Ok(out)
}

fn points_of(piece: &Piece) -> Vec<[f64; 2]> {
    match piece {
        Piece::Line { to } => vec![*to],
        Piece::Involute { to, base, .. } => vec![*to, [*base; 2]],
        Piece::Arc { center, to, .. } => vec![*center, *to],
        Piece::Spline { points, directions } => points.iter().copied().chain(directions.iter().flatten().copied()).collect(),
    }
}

/// The start, where the last piece has to end.
fn closing(start: [f64; 2], end: Vec2, size: f64) -> Result<Vec2, String> {
    let off = (end - Vec2::from(start)).norm();
    if off > 1e3 * SAME * size {
        let ([x, y], [a, b]) = (start, [end.x, end.y]);
        return Err(format!("a closed profile ends where it starts, at ({x}, {y}), but its last piece ends at ({a}, {b}), {off} m away"));
    }
    Ok(start.into())
}

fn arc(from: Vec2, to: Vec2, center: Vec2, turn: Turn, same: f64, piece: usize, out: &mut Vec<Span>) -> Result<(), String> {
    let radii = [(from - center).norm(), (to - center).norm()];
    let [begin, end] = radii;
    if begin.min(end) <= same {
        return Err("it has no radius".into());
    }
    if (begin - end).abs() > OFF * begin.max(end) {
        return Err(format!("it does not reach its end: its beginning is {begin} m away from its centre, its end {end} m"));
    }
    let whole = (to - from).norm() <= same;
    // The centre is moved to where both ends are equally far.
    let chord = to - from;
    let center = if whole { center } else { center - chord * ((center - 0.5 * (from + to)).dot(&chord) / chord.norm_squared()) };
    let angle = |p: Vec2| (p - center).y.atan2((p - center).x);
    let left = if whole { TAU } else { (angle(to) - angle(from)).rem_euclid(TAU) };
    let sweep = match turn {
        Turn::Left => left,
        Turn::Right => {
            if whole {
                -TAU
            } else {
                left - TAU
            }
        }
    };
    let count = (sweep.abs() / WIDEST - 1e-6).ceil().max(1.0) as usize;
    let (first, radius, part) = (angle(from), (from - center).norm(), sweep / count as f64);
    let at = |k: usize| match k {
        0 => from,
        k if k == count => to,
        k => center + Vec2::new((first + part * k as f64).cos(), (first + part * k as f64).sin()) * radius,
    };
    out.extend((0..count).map(|k| Span::arc(center, [at(k), at(k + 1)], first + part * k as f64, part, piece)));
    Ok(())
}

/// Pieces that cross each other.
fn crossing(form: &Form) -> Option<String> {
    let (spans, count) = (&form.spans, form.spans.len());
    let chords = |k: usize| spans[k].looks(CHORDS).chain([spans[k].ends[1]]).collect::<Vec<_>>();
    for a in 0..count {
        let own = chords(a);
        let others = (a + 2..count).filter(|b| (b + 1) % count != a || form.joints.len() > count);
        for b in others.filter(|b| spans[*b].ball.within(&spans[a].ball.center, spans[a].ball.radius)) {
            let crosses = |p: &[Vec2], q: &[Vec2]| {
                let side = |u: &[Vec2], x: &Vec2| cross(&(u[1] - u[0]), &(x - u[0]));
                side(p, &q[0]) * side(p, &q[1]) < 0.0 && side(q, &p[0]) * side(q, &p[1]) < 0.0
            };
            if own.windows(2).any(|p| chords(b).windows(2).any(|q| crosses(p, q))) {
                return Some(format!("its pieces {} and {} cross each other", spans[a].piece + 1, spans[b].piece + 1));
            }
        }
    }
    None
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
