//! Equilibria against force balances solved by other means.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::analysis::{StaticsError, equilibrium};
use cardan::prelude::*;

const G: f64 = 9.81;

/// A chain of uniform links between two points at one height, given as two straight halves that hang down.
struct Chain {
    links: usize,
    length: f64,
    mass: f64,
    span: f64,
}

impl Chain {
    /// So many links of a chain 3 m long and 2 kg heavy, over 2 m.
    fn new(links: usize) -> Self {
        Self { links, length: 3.0 / links as f64, mass: 2.0 / links as f64, span: 2.0 }
    }

    fn model(&self) -> Model {
        let mut model = Model::new("chain");
        model.set_gravity([0.0, 0.0, -G]);
        let y = [0.0, 1.0, 0.0];
        let Chain { links, length, mass, span } = *self;
        let slope = (span / (links as f64 * length)).acos();
        let mut last = model.add_marker(Marker::on(BodyId::GROUND).z_along(y));
        let mut end = [0.0; 3];
        for k in 0..links {
            let down = if k < links / 2 { slope } else { -slope };
            let step = [length * down.cos(), 0.0, -length * down.sin()];
            let middle = std::array::from_fn(|c| end[c] + 0.5 * step[c]);
            end = std::array::from_fn(|c| end[c] + step[c]);
            let inertia = mass * length * length / 12.0;
            let turn = Quat::from_axis_angle(&Vec3::y_axis(), down);
            let body = Body::rigid(&format!("link{}", k + 1), mass, Inertia::principal(1e-2 * inertia, inertia, inertia));
            let body = model.add_body(body.at(middle).oriented(turn));
            let [start, tip] = [-0.5, 0.5].map(|part| model.add_marker(Marker::on(body).at([part * length, 0.0, 0.0]).z_along(y)));
            model.add_joint(Joint::new(&format!("hinge{}", k + 1), Revolute, start, last));
            last = tip;
        }
        let wall = model.add_marker(Marker::on(BodyId::GROUND).at([span, 0.0, 0.0]).z_along(y));
        model.add_joint(Joint::new("last hinge", Revolute, last, wall));
        model
    }

    /// Centres of the links, and the force at the first hinge, by shooting: a link under the vertical force V at its start and the
    /// horizontal tension H falls by the angle of tan θ = (V − w/2)/H, and the chain must end at the other point.
    fn shoot(&self) -> (Vec<[f64; 2]>, [f64; 2]) {
        let weight = self.mass * G;
        let angles = |h: f64| (0..self.links).map(move |k| (weight * (0.5 * self.links as f64 - k as f64 - 0.5) / h).atan());
        // By symmetry V is half of the weight; the span is monotonous in H.
        let (mut low, mut high) = (1e-3, 1e3);
        while high - low > 1e-15 * high {
            let middle = 0.5 * (low + high);
            let reached: f64 = angles(middle).map(|a| self.length * a.cos()).sum();
            if middle == low || middle == high {
                break;
            }
            if reached < self.span { low = middle } else { high = middle }
        }
        let (mut x, mut z, mut centres) = (0.0, 0.0, Vec::new());
        for angle in angles(low) {
            let (dx, dz) = (self.length * angle.cos(), -self.length * angle.sin());
            centres.push([x + 0.5 * dx, z + 0.5 * dz]);
            (x, z) = (x + dx, z + dz);
        }
        (centres, [low, 0.5 * weight * self.links as f64])
    }
}

#[test]
fn a_chain_hangs_as_its_force_balance_says() {
    for links in [2, 8, 40] {
        let chain = Chain::new(links);
        let system = System::new(&chain.model()).unwrap();
        let found = equilibrium(&system).unwrap();
        let (centres, force) = chain.shoot();
        for (body, [x, z]) in system.bodies().iter().zip(centres) {
            let q = &found.state.q[body.q()];
            let error = (q[0] - x).hypot(q[2] - z).max(q[1].abs());
            assert!(error < 1e-10, "{links} links, {}: {error:.1e} after {} steps", body.name, found.iterations);
        }
        let channels = Channels::new(&system);
        let (mut row, mut work) = (vec![0.0; channels.list().len()], cardan::system::Work::new(&system));
        let sample =
            Sample { energy: system.energy(&found.state, &mut work), momentum: system.momentum(&found.state), state: found.state.clone() };
        channels.clone().fill(&system, &sample, &mut row);
        let value = |name: &str| row[channels.index(name).unwrap()];
        assert!((value("hinge1.force.x") + force[0]).abs() < 1e-8, "{} against {}", value("hinge1.force.x"), force[0]);
        assert!((value("hinge1.force.z") - force[1]).abs() < 1e-8);
        assert!(found.iterations < 100, "{links} links took {} steps", found.iterations);
        // A loop of hinges with parallel axes is overconstrained.
        assert!(!found.non_unique_reactions.is_empty());
    }
}

#[test]
fn many_links_hang_as_a_catenary() {
    // z = a (cosh((x − s/2)/a) − cosh(s/2a)) with 2 a sinh(s/2a) = 3 m.
    let (mut low, mut high) = (0.1, 10.0);
    for _ in 0..200 {
        let a: f64 = 0.5 * (low + high);
        if 2.0 * a * (1.0 / a).sinh() > 3.0 { low = a } else { high = a }
    }
    let sag = low * (1.0 / low).cosh() - low;
    let mut last: Option<f64> = None;
    for links in [8, 16, 32, 64] {
        let system = System::new(&Chain::new(links).model()).unwrap();
        let found = equilibrium(&system).unwrap();
        let body = &system.bodies()[links / 2 - 1];
        let q = &found.state.q[body.q()];
        // The lowest hinge, at the end of this link.
        let tip = body.shape_end(q, 1.5 / links as f64);
        let error = (tip + sag).abs();
        if let Some(last) = last {
            assert!((last / error - 4.0).abs() < 0.2, "{links} links: {error:.2e} after {last:.2e}");
        }
        last = Some(error);
    }
    assert!(last.unwrap() < 1e-3);
}

trait ShapeEnd {
    fn shape_end(&self, q: &[f64], along: f64) -> f64;
}

impl ShapeEnd for cardan::system::CompiledBody {
    /// Height of a point so far along the x axis of the body.
    fn shape_end(&self, q: &[f64], along: f64) -> f64 {
        let turn = self.shape.attitude(q);
        q[2] + (turn * Vec3::new(along, 0.0, 0.0)).z
    }
}

/// A pendulum 1 m long, turned from hanging by this angle.
fn pendulum(angle: f64) -> Model {
    let mut model = Model::new("pendulum");
    model.set_gravity([0.0, 0.0, -G]);
    let turn = Quat::from_axis_angle(&Vec3::y_axis(), angle);
    let body = Body::rigid("arm", 2.0, Inertia::ball(2.0, 0.1)).at((turn * Vec3::new(0.0, 0.0, -1.0)).into()).oriented(turn);
    let arm = model.add_body(body);
    let y = [0.0, 1.0, 0.0];
    let top = model.add_marker(Marker::on(arm).at([0.0, 0.0, 1.0]).z_along(y));
    let ground = model.add_marker(Marker::on(BodyId::GROUND).z_along(y));
    model.add_joint(Joint::new("pin", Revolute, top, ground));
    model
}

#[test]
fn a_pendulum_comes_to_hang_from_anywhere() {
    for angle in [0.0, 0.3, std::f64::consts::FRAC_PI_2, 2.0, 3.0, -3.1] {
        let found = equilibrium(&System::new(&pendulum(angle)).unwrap()).unwrap();
        assert!((found.state.q[2] + 1.0).abs() < 1e-12 && found.state.q[0].abs() < 1e-9, "from {angle}: {:?}", found.state.q);
        assert!(found.residual < 1e-9 && found.free.is_empty());
        assert_eq!(found.moved.len(), usize::from(angle != 0.0));
    }
}

#[test]
fn what_nothing_holds_is_named() {
    let mut model = pendulum(0.2);
    let free = model.add_body(Body::rigid("stone", 1.0, Inertia::ball(1.0, 0.1)).at([3.0, 0.0, 0.0]));
    let error = equilibrium(&System::new(&model).unwrap()).unwrap_err();
    let StaticsError::NotFound { body, moving, .. } = &error else { panic!("{error}") };
    assert_eq!((body.as_str(), moving.as_slice()), ("stone", &["stone".to_string()][..]), "{error}");
    // On a shaft it does not fall, but nothing keeps it from turning.
    let z = [1.0, 0.0, 0.0];
    let (own, ground) =
        (model.add_marker(Marker::on(free).z_along(z)), model.add_marker(Marker::on(BodyId::GROUND).at([3.0, 0.0, 0.0]).z_along(z)));
    model.add_joint(Joint::new("shaft", Revolute, own, ground));
    let found = equilibrium(&System::new(&model).unwrap()).unwrap();
    assert_eq!(found.free, ["stone"]);
    assert!((found.state.q[2] + 1.0).abs() < 1e-12);
}

#[test]
fn controllers_and_motions_are_at_rest_too() {
    // A lift of 4 kg on a slide; an integrator sets the force such that the height is 0.7 m, and a motion holds a second slide at its start.
    let mut model = Model::new("lift");
    model.set_gravity([0.0, 0.0, -G]);
    let lift = model.add_body(Body::rigid("lift", 4.0, Inertia::ball(4.0, 0.2)));
    let crank = model.add_body(Body::rigid("crank", 1.0, Inertia::ball(1.0, 0.2)).at([1.0, 0.0, 0.25]));
    let own = model.add_marker(Marker::on(lift).named("centre"));
    let own_crank = model.add_marker(Marker::on(crank));
    let ground = model.add_marker(Marker::on(BodyId::GROUND).named("floor"));
    let beside = model.add_marker(Marker::on(BodyId::GROUND).at([1.0, 0.0, 0.0]));
    model.add_joint(Joint::new("slide", Translational, own, ground));
    let driven = model.add_joint(Joint::new("driven slide", Translational, own_crank, beside));
    model.add_constraint(Motion::translation("drive", driven, TimeFunction::new(|t: Dual| t.sin() + 0.25)));
    model.add_state(Differential::new("sum", "0.7 - DZ(centre, floor)", 0.0));
    let law = ["0", "0", "500*(0.7 - DZ(centre, floor)) - 30*VZ(centre) + 200*DIF(sum)"];
    model.add_force(ExpressionForce::vector("hoist", own, ground, ground, law));
    let system = System::new(&model).unwrap();
    let found = equilibrium(&system).unwrap();
    assert!((found.state.q[2] - 0.7).abs() < 1e-11, "{}", found.state.q[2]);
    assert!((found.state.x[0] - 4.0 * G / 200.0).abs() < 1e-11, "{}", found.state.x[0]);
    assert!((found.state.q[9] - 0.25).abs() < 1e-12);
}
