//! Runs made by formulas: a double pendulum with a spring, and a field of many bodies.

use cardan::results::Channel;
use cardan_io::geometry::{Graphic, Shape};
use cardan_io::report::{Anchor, Case, ContactEntry, Link, Report, Scene, SceneBody, SceneMarker, Touches};
use serde_json::json;

/// What a report refers to.
pub struct Run {
    pub title: String,
    pub description: String,
    pub gravity: [f64; 3],
    pub scene: Scene,
    pub channels: Vec<Channel>,
    pub columns: Vec<Vec<f64>>,
    pub messages: Vec<String>,
    pub contacts: Vec<ContactEntry>,
    pub touches: Option<Touches>,
}

impl Run {
    pub fn new(title: &str, samples: usize, duration: f64) -> Self {
        let mut run = Self {
            title: title.into(),
            description: String::new(),
            gravity: [0.0, -9.81, 0.0],
            scene: Scene::default(),
            channels: Vec::new(),
            columns: Vec::new(),
            messages: Vec::new(),
            contacts: Vec::new(),
            touches: None,
        };
        let step = duration / (samples - 1) as f64;
        run.channels.push(Channel { name: "time".into(), unit: "s".into() });
        run.columns.push((0..samples).map(|k| k as f64 * step).collect());
        run
    }

    /// Adds a channel that is a function of time.
    pub fn channel(&mut self, name: &str, unit: &str, function: impl Fn(f64) -> f64) {
        self.channels.push(Channel { name: name.into(), unit: unit.into() });
        let column = self.columns[0].iter().map(|&t| function(t)).collect();
        self.columns.push(column);
    }

    /// Adds three channels.
    pub fn vector(&mut self, name: &str, unit: &str, function: impl Fn(f64) -> [f64; 3]) {
        for (k, part) in ["x", "y", "z"].iter().enumerate() {
            self.channel(&format!("{name}.{part}"), unit, |t| function(t)[k]);
        }
    }

    /// Adds the pose of a body that turns about z.
    pub fn pose(&mut self, body: &str, position: impl Fn(f64) -> [f64; 3], angle: impl Fn(f64) -> f64) {
        self.vector(&format!("{body}.position"), "m", position);
        for (part, function) in [("w", f64::cos as fn(f64) -> f64), ("x", |_| 0.0), ("y", |_| 0.0), ("z", f64::sin)] {
            self.channel(&format!("{body}.orientation.{part}"), "", |t| function(angle(t) / 2.0));
        }
    }

    pub fn case(&self) -> Case<'_> {
        Case {
            description: &self.description,
            columns: &self.columns,
            statistics: json!({
                "status": "completed", "steps": 1250, "rejected_steps": 14, "jacobians": 96, "smallest_step": 1.25e-5,
                "wall_time": 0.0421, "model": { "bodies": 2, "degrees_of_freedom": 2, "redundant_constraints": [] }
            }),
            contacts: self.contacts.clone(),
            touches: self.touches.as_ref(),
        }
    }

    pub fn report(&self) -> Report<'_> {
        Report {
            title: &self.title,
            scene: &self.scene,
            gravity: self.gravity,
            channels: &self.channels,
            cases: vec![self.case()],
            shown: 0,
            messages: self.messages.clone(),
        }
    }
}

pub fn anchor(body: &str, position: [f64; 3]) -> Anchor {
    Anchor { body: body.into(), position, orientation: [1.0, 0.0, 0.0, 0.0] }
}

pub fn link(name: &str, kind: &str, i: Anchor, j: Anchor) -> Link {
    Link { name: name.into(), kind: kind.into(), i, j, force: Some(name.into()) }
}

fn marker(name: &str, position: [f64; 3]) -> SceneMarker {
    SceneMarker { name: name.into(), position, orientation: [1.0, 0.0, 0.0, 0.0] }
}

/// A body hanging from its origin along −y.
pub fn arm(name: &str, length: f64) -> SceneBody {
    let shape = |shape, position| Graphic { shape, position, orientation: [1.0, 0.0, 0.0, 0.0], color: None };
    SceneBody {
        name: name.into(),
        graphics: vec![
            shape(Shape::Box { size: [0.06, length, 0.04] }, [0.0, -length / 2.0, 0.0]),
            shape(Shape::Cylinder { radius: 0.05, length: 0.05 }, [0.0, -length, 0.0]),
        ],
        markers: vec![marker("cm", [0.0, -length / 2.0, 0.0]), marker("tip", [0.0, -length, 0.0])],
    }
}

/// Angle of the upper and of the lower arm: the two modes of a pendulum of equal arms, with small amplitudes.
pub fn angles(t: f64) -> [f64; 2] {
    let root = 2f64.sqrt();
    let (slow, fast) = (0.45 * (3.39 * t).cos(), 0.16 * (8.18 * t).cos());
    [slow + fast, root * (slow - fast)]
}

/// Where an arm of this length ends that starts at the origin.
fn end_of(length: f64, angle: f64) -> [f64; 3] {
    [length * angle.sin(), -length * angle.cos(), 0.0]
}

/// A double pendulum with a spring to ground; 4 seconds.
pub fn pendulum() -> Run {
    let length = 0.5;
    let mut run = Run::new("double-pendulum", 801, 4.0);
    run.description = "Two arms swing freely; a spring holds the lower one to the ground.".into();
    let mut ground = SceneBody { name: "ground".into(), ..SceneBody::default() };
    ground.graphics.push(Graphic {
        shape: Shape::Box { size: [0.3, 0.05, 0.2] },
        position: [0.0, 0.06, 0.0],
        orientation: [1.0, 0.0, 0.0, 0.0],
        color: None,
    });
    run.scene.bodies = vec![ground, arm("upper", length), arm("lower", length)];
    run.scene.links = vec![
        link("shoulder", "revolute", anchor("upper", [0.0; 3]), anchor("ground", [0.0; 3])),
        link("elbow", "revolute", anchor("lower", [0.0; 3]), anchor("upper", [0.0, -length, 0.0])),
        link("spring", "spring-damper", anchor("lower", [0.0, -length, 0.0]), anchor("ground", [0.7, -0.9, 0.0])),
    ];
    run.pose("upper", |_| [0.0; 3], |t| angles(t)[0]);
    run.pose("lower", |t| end_of(length, angles(t)[0]), |t| angles(t)[1]);
    run.vector("lower.velocity", "m/s", |t| {
        let h = 1e-6;
        let [a, b] = [end_of(length, angles(t - h)[0]), end_of(length, angles(t + h)[0])];
        [0, 1, 2].map(|k| (b[k] - a[k]) / (2.0 * h))
    });
    run.vector("shoulder.force", "N", |t| [4.0 * angles(t)[0], 19.0 + 2.0 * (6.8 * t).cos(), 0.0]);
    run.vector("spring.force", "N", |t| [6.0 - 5.0 * angles(t)[1], 1.5, 0.0]);
    run.channel("total.kinetic_energy", "J", |t| 1.2 * (3.39 * t).sin().powi(2) + 0.4 * (8.18 * t).sin().powi(2));
    run.channel("total.potential_energy", "J", |t| 1.2 * (3.39 * t).cos().powi(2) + 0.4 * (8.18 * t).cos().powi(2));
    run.channel("total.energy", "J", |t| 1.6 + 1e-6 * (20.0 * t).sin());
    run.channel("constraints.position_violation", "m", |t| 1e-9 * (1.2 + (17.0 * t).sin()));
    run.channel("constraints.velocity_violation", "m/s", |t| 1e-7 * (1.2 + (13.0 * t).cos()));
    run.channel("solver.step_size", "s", |t| 4e-3 + 2e-3 * (3.0 * t).sin());
    run
}

/// The pendulum with a sensor, a sensor in other units, and messages.
pub fn pendulum_with_sensors() -> Run {
    let mut run = pendulum();
    run.channel("tip_height", "m", |t| -0.5 * (angles(t)[0].cos() + angles(t)[1].cos()));
    run.channel("elbow_angle", "rad", |t| angles(t)[1] - angles(t)[0]);
    run.messages = vec!["Joint `elbow`: two rows are redundant and were left out.".into(), "Second message.".into()];
    run
}

/// A wave over a square field of bodies without graphics, all channels of rigid bodies.
pub fn field(bodies: usize, samples: usize) -> Run {
    let mut run = Run::new("field", samples, 5.0);
    run.gravity = [0.0, 0.0, -9.81];
    let side = (bodies as f64).sqrt().ceil();
    for k in 0..bodies {
        let name = format!("body{k}");
        let [x, y] = [(k as f64 % side) * 0.3, (k as f64 / side).floor() * 0.3];
        let height = move |t: f64| 0.6 + 0.25 * (2.0 * t + 2.0 * x + 1.3 * y).sin();
        run.pose(&name, |t| [x, y, height(t)], |t| t + x);
        run.vector(&format!("{name}.velocity"), "m/s", |t| [0.0, 0.0, 0.5 * (2.0 * t + 2.0 * x + 1.3 * y).cos()]);
        run.vector(&format!("{name}.angular_velocity"), "rad/s", |_| [0.0, 0.0, 1.0]);
        let markers = vec![marker("a", [0.1, 0.0, 0.0]), marker("b", [-0.05, 0.08, 0.0]), marker("c", [0.0, 0.0, 0.1])];
        run.scene.bodies.push(SceneBody { name, graphics: Vec::new(), markers });
    }
    run
}

/// Where the ball of [`sliding_ball`] is: it hops over the floor along x, and is down in the second half of each second.
pub fn hop(t: f64) -> [f64; 3] {
    let phase = t.fract();
    [0.4 * t, 0.0, 0.1 + if phase < 0.5 { 0.8 * phase * (0.5 - phase) } else { 0.0 }]
}

/// A ball on a floor that it touches in the second half of each second, and a post that it never reaches; 3 seconds.
pub fn sliding_ball() -> Run {
    let mut run = Run::new("hops", 601, 3.0);
    run.gravity = [0.0, 0.0, -9.81];
    let still = |shape, position| Graphic { shape, position, orientation: [1.0, 0.0, 0.0, 0.0], color: None };
    let floor = still(Shape::Box { size: [2.0, 1.0, 0.02] }, [0.6, 0.0, -0.01]);
    run.scene.bodies = vec![
        SceneBody { name: "ground".into(), graphics: vec![floor], markers: Vec::new() },
        SceneBody { name: "ball".into(), graphics: vec![still(Shape::Sphere { radius: 0.1 }, [0.0; 3])], markers: Vec::new() },
    ];
    run.pose("ball", hop, |_| 0.0);
    let down = |t: f64| f64::from(u8::from(t.fract() >= 0.5));
    run.channel("floor.normal", "N", |t| 20.0 * down(t));
    run.channel("post.normal", "N", |_| 0.0);
    let contact = |name: &str, shapes: [&str; 2]| ContactEntry {
        name: name.into(),
        shapes: shapes.map(String::from).into(),
        ..ContactEntry::default()
    };
    let floor = contact("floor", ["ball.shell", "ground.floor"]);
    run.contacts = vec![
        ContactEntry {
            touches: 3,
            first: Some(0.5),
            peak: 20.0,
            peak_time: 1.75,
            impulse: 30.0,
            lost: 2.5,
            capped_steps: 41,
            rejected_steps: 2,
            ..floor
        },
        contact("post", ["ball.shell", "post.side"]),
    ];
    let mut touches = Touches::default();
    for t in &run.columns[0] {
        let [x, y, z] = hop(*t);
        if down(*t) > 0.0 {
            touches.push(&[*t, 0.0, 0.0, 1.0, x, y, z - 0.1, 0.0, 0.0, 20.0, -5.0, 0.0, 0.0]);
        }
        touches.end_sample();
    }
    run.touches = Some(touches);
    run
}
