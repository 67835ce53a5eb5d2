//! A front corner of a car on double wishbones, its chassis held fast: six bushings in place of the joints of the wishbones, a tie rod,
//! the spring-damper on the lower wishbone and a tyre as a spring. The wheel is a part of the upright. Let go where the tyre carries less
//! than the spring asks for. x points forward, y to the left, z up; the geometry is that of `double-wishbone` in the gallery.
//!
//! Translations of a bushing are equally stiff and little damped, so that it does not matter whether a program measures them in axes that turn.

use super::{Observed, Problem};
use cardan::forces::SpringDamper;
use cardan::prelude::*;

/// Stiffness and damping of bushings, first of translations, N/m and N s/m, then of rotations, N m/rad and N m s/rad.
const STIFFNESS: [f64; 2] = [5e6, 20.0];
const DAMPING: [f64; 2] = [100.0, 0.1];

pub fn corner() -> Problem {
    let mut model = Model::new("suspension");
    model.set_gravity([0.0, 0.0, -9.81]);
    let chassis = (BodyId::GROUND, [0.0; 3]);
    let lower = add(&mut model, "lower", 8.0, [0.15, 0.10, 0.20], [0.0, 0.473, 0.193]);
    let upper = add(&mut model, "upper", 5.0, [0.06, 0.05, 0.10], [-0.007, 0.507, 0.493]);
    let upright = add(&mut model, "upright", 34.0, [0.9, 1.3, 0.75], [-0.002, 0.761, 0.317]);
    bushing(&mut model, "lower front", [0.15, 0.35, 0.2], lower, chassis);
    bushing(&mut model, "lower rear", [-0.15, 0.35, 0.2], lower, chassis);
    bushing(&mut model, "upper front", [0.12, 0.42, 0.5], upper, chassis);
    bushing(&mut model, "upper rear", [-0.12, 0.42, 0.48], upper, chassis);
    bushing(&mut model, "lower ball", [0.0, 0.72, 0.18], upright, lower);
    bushing(&mut model, "upper ball", [-0.02, 0.68, 0.5], upright, upper);
    let ends = [[-0.14, 0.7, 0.25], [-0.15, 0.38, 0.26]];
    let (i, j) = (marker(&mut model, upright, ends[0]), marker(&mut model, chassis, ends[1]));
    model.add_joint(Joint::new("tie rod", Rod { length: (Vec3::from(ends[0]) - Vec3::from(ends[1])).norm() }, i, j));
    let (i, j) = (marker(&mut model, lower, [0.0, 0.58, 0.19]), marker(&mut model, chassis, [0.0, 0.46, 0.62]));
    model.add_force(SpringDamper::new("spring", i, j).stiffness(6e4).damping(3e3).free_length(0.52));
    let (i, j) = (marker(&mut model, upright, [0.0, 0.78, 0.31]), marker(&mut model, chassis, [0.0, 0.78, 0.0]));
    model.add_force(SpringDamper::new("tyre", i, j).stiffness(2e5).damping(200.0).free_length(0.32));
    Problem::new(model, [lower, upright].map(|(body, _)| Observed::Position(body)).to_vec(), 0.5)
}

/// A body, and where its centre of mass is.
type Placed = (BodyId, [f64; 3]);

fn add(model: &mut Model, name: &str, mass: f64, [x, y, z]: [f64; 3], center: [f64; 3]) -> Placed {
    (model.add_body(Body::rigid(name, mass, Inertia::principal(x, y, z)).at(center)), center)
}

/// A marker of a body at a place in the world.
fn marker(model: &mut Model, (body, center): Placed, at: [f64; 3]) -> MarkerId {
    model.add_marker(Marker::on(body).at(std::array::from_fn(|k| at[k] - center[k])))
}

fn bushing(model: &mut Model, name: &str, at: [f64; 3], one: Placed, other: Placed) {
    let six = |[force, torque]: [f64; 2]| [force, force, force, torque, torque, torque];
    let (i, j) = (marker(model, one, at), marker(model, other, at));
    model.add_force(Bushing::new(name, i, j).diagonal_stiffness(six(STIFFNESS)).diagonal_damping(six(DAMPING)));
}
