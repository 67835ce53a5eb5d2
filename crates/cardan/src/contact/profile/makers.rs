//! Profiles that machines are made of, about the origin of their markers: involute gears, sprockets, Geneva wheels, cams.
//!
//! Gear of module m with z teeth, pressure angle α, thickness s = π m/2 − ½ j on the pitch circle r = ½ m z, and internal ones with the same as a space:
//!
//! ```text
//! b = r cos α,    ψ(ρ) = s/(2 r) + inv α − inv α_ρ,    cos α_ρ = b/ρ,    inv α = tan α − α                        (1)
//! ```
//!
//! ψ is half of the angle of a tooth at the radius ρ. Below the base circle flanks go on straight. Two gears with z₁ and z₂ teeth run at the distance
//! ½ m (z₁ + z₂), with the play j between flanks along the pitch circle.

use super::span::Vec2;
use super::{Piece, Profile, Turn};
use std::f64::consts::{PI, TAU};

/// Involutes begin at this angle t of their strings at least, where they can be told from the straight lines before them.
const BEGINNING: f64 = 0.05;

/// A spur gear.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gear {
    /// m, m.
    pub module: f64,
    /// z.
    pub teeth: usize,
    /// α, rad.
    pub pressure_angle: f64,
    /// j, m, half of which each of two gears gives.
    pub backlash: f64,
    /// Height of the teeth outside the pitch circle, and inside it, by the module; of an internal gear inside, and outside.
    pub heights: [f64; 2],
    /// Whether the teeth point outwards or, in a ring, inwards.
    pub teeth_point: Teeth,
}

/// Where the teeth of a gear point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Teeth {
    /// Away from the axis.
    Outwards,
    /// To the axis.
    Inwards,
}

/// A wheel for a roller chain or a track, whose pins seat on the pin circle; with a gap on the x axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprocket {
    /// Number of teeth, and of gaps.
    pub teeth: usize,
    /// Radius of the circle of the pins, m.
    pub pin_circle: f64,
    /// Radius of the seats, m.
    pub seat_radius: f64,
    /// Angle between the flanks, which are straight, and the middle of their gap, rad.
    pub flank_angle: f64,
    /// Radius of the tips, m.
    pub tip_radius: f64,
}

/// The wheel of an external Geneva drive, with a slot on the x axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Geneva {
    /// n.
    pub slots: usize,
    /// Between the axes of wheel and crank, m. The crank has the radius of this by sin(π/n).
    pub center_distance: f64,
    /// Width of the slots, m.
    pub slot_width: f64,
    /// Radius of the arcs that lie on the crank's disk while the wheel rests, m.
    pub lock_radius: f64,
}

fn polar(radius: f64, angle: f64) -> Vec2 {
    Vec2::new(angle.cos(), angle.sin()) * radius
}

fn line(to: Vec2) -> Piece {
    Piece::Line { to: to.into() }
}

fn arc(center: Vec2, to: Vec2, turn: Turn) -> Piece {
    Piece::Arc { center: center.into(), to: to.into(), turn }
}

/// Pieces the other way round, from where they ended.
fn reversed(start: [f64; 2], pieces: &[Piece]) -> ([f64; 2], Vec<Piece>) {
    let ends: Vec<[f64; 2]> = [start].into_iter().chain(pieces.iter().filter_map(Piece::end)).collect();
    let back = pieces.iter().zip(&ends).rev().map(|(piece, to)| piece.back_to(*to)).collect();
    (ends.last().copied().unwrap_or(start), back)
}

impl Gear {
    /// With teeth of the usual height outwards.
    pub fn new(module: f64, teeth: usize) -> Self {
        let pressure_angle = 20_f64.to_radians();
        Self { module, teeth, pressure_angle, backlash: 0.0, heights: [1.0, 1.25], teeth_point: Teeth::Outwards }
    }

    /// Its outline, with a tooth on the x axis; of an internal one, with a gap.
    pub fn profile(&self) -> Result<Profile, String> {
        let Self { module, pressure_angle, backlash, heights: [addendum, dedendum], .. } = *self;
        let right = module > 0.0 && self.teeth > 2 && (0.01..1.0).contains(&pressure_angle) && addendum > 0.0 && dedendum > 0.0;
        if !right {
            return Err("a gear needs a positive module, three teeth or more, a pressure angle below 57° and positive heights".into());
        }
        let radius = 0.5 * module * self.teeth as f64;
        let inwards = self.teeth_point == Teeth::Inwards;
        let [outer, inner] = if inwards { [dedendum, addendum] } else { [addendum, dedendum] };
        let (tip, root) = (radius + outer * module, radius - inner * module);
        // What is a tooth of the one is the space of the other.
        let thickness = 0.5 * (PI * module + if inwards { backlash } else { -backlash });
        let base = radius * pressure_angle.cos();
        let involute = |t: f64| t - t.atan();
        let half = |t: f64| 0.5 * thickness / radius + involute(pressure_angle.tan()) - involute(t);
        let string = |rho: f64| ((rho / base).powi(2) - 1.0).max(0.0).sqrt();
        let ends = [string(root).max(BEGINNING), string(tip)];
        if !(root > 0.0 && ends[0] < ends[1] && half(ends[1]) > 0.0 && half(ends[0]) < PI / self.teeth as f64) {
            return Err(format!("the teeth of this gear end in points or meet at their roots: tips at {tip} m, roots at {root} m"));
        }
        // One tooth about the x axis: the right flank, from the root outwards.
        let at = |t: f64| polar(base * t.hypot(1.0), -half(t));
        // Straight on along the tangent, to the root circle.
        let (beginning, direction) = (at(ends[0]), polar(1.0, -half(ends[0]) + ends[0].atan()));
        let across = beginning.dot(&direction);
        let straight = across - (across * across - beginning.norm_squared() + root * root).max(0.0).sqrt();
        let foot = beginning - direction * straight;
        let below = straight > 1e-6 * module;
        let from = if below { foot } else { beginning };
        let start = Vec2::new(from.x, from.y);
        let mut pieces = Vec::new();
        for k in 0..self.teeth {
            let turned = |p: Vec2| nalgebra::Rotation2::new(TAU * k as f64 / self.teeth as f64) * p;
            let next = |p: Vec2| nalgebra::Rotation2::new(TAU / self.teeth as f64) * turned(p);
            let mirrored = |p: Vec2| turned(Vec2::new(p.x, -p.y));
            let flank = |to: Vec2| Piece::Involute { base, to: to.into(), turn: Turn::Left };
            pieces.extend(below.then(|| line(turned(beginning))));
            pieces.push(flank(turned(at(ends[1]))));
            pieces.push(arc(Vec2::zeros(), mirrored(at(ends[1])), Turn::Left));
            pieces.push(flank(mirrored(beginning)));
            pieces.extend(below.then(|| line(mirrored(from))));
            pieces.push(arc(Vec2::zeros(), next(from), Turn::Left));
        }
        let (start, pieces) = if inwards { reversed(start.into(), &pieces) } else { (start.into(), pieces) };
        Ok(Profile::closed(start, pieces))
    }
}

impl Sprocket {
    /// Its outline.
    pub fn profile(&self) -> Result<Profile, String> {
        let Self { teeth, pin_circle, seat_radius, flank_angle, tip_radius } = *self;
        let right = teeth > 2 && pin_circle > seat_radius && seat_radius > 0.0 && (0.0..1.5).contains(&flank_angle) && tip_radius > 0.0;
        if !right {
            return Err("a sprocket needs three teeth or more, seats smaller than the pin circle, a flank angle below 86° and tips".into());
        }
        // In the gap about the x axis: the end of the seat, from where the flank leads to the tip.
        let seat = Vec2::new(pin_circle, 0.0);
        let (end, along) = (seat + polar(seat_radius, flank_angle + 0.5 * PI), polar(1.0, flank_angle));
        let across = end.dot(&along);
        let inside = across * across - end.norm_squared() + tip_radius * tip_radius;
        let flank = inside.sqrt() - across;
        let half = PI / teeth as f64;
        // Flanks of a tooth may meet below the tips.
        let middle = Vec2::new(-half.sin(), half.cos());
        let meeting = -end.dot(&middle) / along.dot(&middle);
        let pointed = meeting > 0.0 && meeting <= flank;
        if !(inside > 0.0 && flank > 0.0) || end.dot(&middle) >= 0.0 {
            return Err(format!(
                "a sprocket's tips must be outside of its seats, whose ends are at {} m, and teeth between them",
                end.norm()
            ));
        }
        let tip = end + along * if pointed { meeting } else { flank };
        let below = |p: Vec2| Vec2::new(p.x, -p.y);
        let mut pieces = Vec::new();
        for k in 0..teeth {
            let turned = |p: Vec2| nalgebra::Rotation2::new(2.0 * half * k as f64) * p;
            pieces.extend([line(turned(below(end))), arc(turned(seat), turned(end), Turn::Right), line(turned(tip))]);
            let next = nalgebra::Rotation2::new(2.0 * half) * turned(below(tip));
            pieces.extend((!pointed).then(|| arc(Vec2::zeros(), next, Turn::Left)));
        }
        let start = below(tip).into();
        if let Some(Piece::Line { to }) = pieces.last_mut().filter(|_| pointed) {
            *to = start;
        }
        Ok(Profile::closed(start, pieces))
    }
}

impl Geneva {
    /// Its outline.
    pub fn profile(&self) -> Result<Profile, String> {
        let Self { slots, center_distance: a, slot_width, lock_radius } = *self;
        if !(slots > 2 && a > 0.0 && slot_width > 0.0 && lock_radius > 0.0) {
            return Err("a Geneva wheel needs three slots or more, and positive lengths".into());
        }
        let half = PI / slots as f64;
        let (radius, wall) = (a * half.cos(), 0.5 * slot_width);
        let (bottom, mouth) = (Vec2::new(a * (1.0 - half.sin()), 0.0), (radius * radius - wall * wall).sqrt());
        // Where the arc about the crank meets the rim, seen from the axis of the crank's.
        let cosine = (a * a + radius * radius - lock_radius * lock_radius) / (2.0 * a * radius);
        let rim = half - cosine.acos();
        if !(rim > (wall / radius).asin() && mouth > bottom.x) {
            return Err(format!("the arcs that lock a Geneva wheel leave no rim beside its slots; their radius is {lock_radius} m"));
        }
        let mut pieces = Vec::new();
        for k in 0..slots {
            let turned = |p: Vec2| nalgebra::Rotation2::new(2.0 * half * k as f64) * p;
            // In along the slot's wall below the x axis, around its end, out, and along the rim and the arc to the next slot.
            let [inner, outer] = [bottom.x, mouth].map(|x| [Vec2::new(x, -wall), Vec2::new(x, wall)]);
            pieces.extend([line(turned(inner[0])), arc(turned(bottom), turned(inner[1]), Turn::Right), line(turned(outer[1]))]);
            pieces.push(arc(Vec2::zeros(), turned(polar(radius, rim)), Turn::Left));
            pieces.push(arc(turned(polar(a, half)), turned(polar(radius, 2.0 * half - rim)), Turn::Right));
            pieces.push(arc(Vec2::zeros(), nalgebra::Rotation2::new(2.0 * half) * turned(outer[0]), Turn::Left));
        }
        Ok(Profile::closed([mouth, -wall], pieces))
    }
}

/// The disk of the crank that holds a Geneva wheel while it rests: an arc of this radius about the axis of the crank, whose pin is on the x axis, and a cut
/// about the axis of the wheel that lets it pass while it turns.
pub fn geneva_lock(slots: usize, center_distance: f64, radius: f64) -> Result<Profile, String> {
    if !(slots > 2 && radius > 0.0 && radius < center_distance) {
        return Err("the disk of a Geneva drive needs three slots or more, and a radius smaller than the distance between the axes".into());
    }
    let open = 0.5 * PI - PI / slots as f64;
    let pieces =
        vec![arc(Vec2::zeros(), polar(radius, -open), Turn::Left), arc(Vec2::new(center_distance, 0.0), polar(radius, open), Turn::Right)];
    Ok(Profile::closed(polar(radius, open).into(), pieces))
}

/// A cam through points given by angle, rad, and radius, m, around the whole turn: a spline with continuous curvature, seam included.
pub fn cam(points: &[(f64, f64)]) -> Result<Profile, String> {
    let rising = points.windows(2).all(|w| w[1].0 > w[0].0);
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Err("a cam needs points".into()) };
    if points.len() < 4 || !rising || last.0 - first.0 >= TAU || points.iter().any(|(_, radius)| *radius <= 0.0) {
        return Err(
            "a cam needs four points or more, with rising angles within one turn and positive radii; the first is not repeated".into()
        );
    }
    let at = |&(angle, radius): &(f64, f64)| polar(radius, angle).into();
    let all: Vec<[f64; 2]> = points.iter().skip(1).map(at).chain([at(first)]).collect();
    Ok(Profile::closed(at(first), vec![Piece::Spline { points: all, directions: [None; 2] }]))
}
