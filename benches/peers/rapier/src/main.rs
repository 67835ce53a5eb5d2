//! A problem in Rapier (f64): reads its description (JSON, from `cardan-bench describe`), runs it, prints one line of JSON.
//!
//! ```text
//! rapier_problems spheres.json --step 1e-3
//! ```
//!
//! Rapier's contacts are rigid: stiffnesses are not told, restitution is 1. Free bodies only, as the contact problems without joints have.

use rapier3d_f64::prelude::*;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};
use std::error::Error;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A world of a description.
struct World {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    handles: Vec<RigidBodyHandle>,
    gravity: Vector,
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

fn vector(value: &Value) -> Vector {
    let v = numbers(value);
    Vector::new(v[0], v[1], v[2])
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

impl World {
    fn new(problem: &Value) -> Outcome<Self> {
        if list(&problem["joints"]).next().is_some() || list(&problem["forces"]).next().is_some() {
            return Err("only free bodies that touch".into());
        }
        let mut world =
            Self { bodies: RigidBodySet::new(), colliders: ColliderSet::new(), handles: Vec::new(), gravity: vector(&problem["gravity"]) };
        for body in list(&problem["bodies"]) {
            let mass = body["mass"].as_f64().unwrap_or(1.0);
            let inertia = numbers(&body["inertia"]).first().copied().unwrap_or(0.01 * mass);
            let properties = MassProperties::new(Vector::new(0.0, 0.0, 0.0), mass, Vector::new(inertia, inertia, inertia));
            let built = RigidBodyBuilder::dynamic()
                .translation(vector(&body["position"]))
                .linvel(vector(&body["velocity"]))
                .additional_mass_properties(properties)
                .can_sleep(false)
                .ccd_enabled(false);
            world.handles.push(world.bodies.insert(built));
        }
        for contact in list(&problem["contacts"]) {
            world.contact(contact);
        }
        Ok(world)
    }

    fn contact(&mut self, contact: &Value) {
        let friction = contact["friction"]["coefficient"].as_f64().unwrap_or(0.0);
        for part in list(&contact["i"]).chain(list(&contact["j"])) {
            let body = part["at"]["body"].as_i64().unwrap_or(-1);
            let place = vector(&part["at"]["position"]);
            let shape = match part["kind"].as_str() {
                Some("sphere") => ColliderBuilder::ball(part["radius"].as_f64().unwrap_or(1.0)),
                _ => ColliderBuilder::new(SharedShape::halfspace(Vector::new(0.0, 0.0, 1.0))),
            };
            let shape = shape.translation(place).restitution(1.0).friction(friction).density(0.0);
            match usize::try_from(body) {
                // A shape that is in two contacts is one shape.
                Ok(k) if !self.bodies[self.handles[k]].colliders().is_empty() => {}
                Ok(k) => _ = self.colliders.insert_with_parent(shape, self.handles[k], &mut self.bodies),
                Err(_) => _ = self.colliders.insert(shape),
            }
        }
    }

    /// Steps of this size.
    fn run(&mut self, step: f64, steps: usize) {
        let parameters = IntegrationParameters { dt: step, ..IntegrationParameters::default() };
        let (mut islands, mut broad, mut narrow) = (IslandManager::new(), DefaultBroadPhase::new(), NarrowPhase::new());
        let (mut joints, mut chains, mut ccd) = (ImpulseJointSet::new(), MultibodyJointSet::new(), CCDSolver::new());
        let mut pipeline = PhysicsPipeline::new();
        for _ in 0..steps {
            pipeline.step(
                self.gravity,
                &parameters,
                &mut islands,
                &mut broad,
                &mut narrow,
                &mut self.bodies,
                &mut self.colliders,
                &mut joints,
                &mut chains,
                &mut ccd,
                &(),
                &(),
            );
        }
    }

    fn observed(&self, problem: &Value) -> Vec<f64> {
        let place = |what: &Value| {
            let k = what["body"].as_u64().unwrap_or(0) as usize;
            let at = self.bodies[self.handles[k]].translation();
            [at.x, at.y, at.z]
        };
        list(&problem["observed"]).flat_map(place).collect()
    }
}

/// CPU time of the process, s.
fn cpu_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// The number behind an option.
fn option(name: &str) -> Option<f64> {
    let arguments: Vec<String> = std::env::args().collect();
    let at = arguments.iter().position(|argument| argument == name)?;
    arguments.get(at + 1)?.parse().ok()
}

fn main() -> Outcome<()> {
    let path = std::env::args().nth(1).ok_or("which problem?")?;
    let problem: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let step = option("--step").ok_or("which step?")?;
    let end = option("--end").or(problem["t_end"].as_f64()).ok_or("which end?")?;
    let steps = (end / step).round() as usize;
    let mut best: Option<Value> = None;
    for _ in 0..option("--repeat").unwrap_or(1.0) as usize {
        let mut world = World::new(&problem)?;
        let begin = cpu_time();
        world.run(step, steps);
        let cpu = cpu_time() - begin;
        if best.as_ref().and_then(|b| b["cpu_s"].as_f64()).is_none_or(|b| cpu < b) {
            let equations = 6 * world.handles.len();
            best = Some(json!({"equations": equations, "steps": steps, "cpu_s": cpu, "observed": world.observed(&problem)}));
        }
    }
    println!("{}", best.unwrap_or_default());
    Ok(())
}
