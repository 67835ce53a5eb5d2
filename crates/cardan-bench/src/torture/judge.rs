//! Errors of a run against another, channel by channel, in the scale of each kind of channel.
//!
//! ```text
//! positions            extent of all positions over the run, at least the extent at the start
//! velocities           largest speed of any body, at least    angular velocities   largest of any body, at least speed/extent
//!                      1e-6 angular velocity × extent
//! attitudes, angles    1 rad; attitudes by the angle between  energies             largest kinetic + range of potential energy
//! states, sensors      their own range over the run; angles 1 rad
//! ```

use cardan::prelude::*;

/// Where all bodies turn about their centres, velocities below this part of angular velocity × extent are rest.
const AT_REST: f64 = 1e-6;

/// Recorded numbers: samples × channels.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Times.
    pub times: Vec<f64>,
    /// One row a sample.
    pub rows: Vec<Vec<f64>>,
}

/// What a channel is measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Position,
    Velocity,
    AngularVelocity,
    /// First of the four parts of an attitude.
    Attitude,
    Angle,
    Energy,
    Signal,
    /// Only has to be finite.
    Derived,
}

/// The channels of a system and their kinds.
pub struct Judge {
    channels: Channels,
    kinds: Vec<Kind>,
}

/// The largest error: its size, its channel, its time.
#[derive(Debug, Clone, PartialEq)]
pub struct Worst {
    /// Relative to the scale of the channel; infinite where it is not a number, or where a sample is missing.
    pub error: f64,
    /// Name of the channel.
    pub channel: String,
    /// When, s.
    pub time: f64,
}

/// The scale of each channel.
pub struct Scales(Vec<f64>);

impl Judge {
    /// Of this system.
    pub fn new(system: &System) -> Self {
        let channels = Channels::new(system);
        let sensors: Vec<String> = system.sensors().iter().map(|s| s.name.clone()).collect();
        let states: Vec<String> = system.state_names().map(Into::into).collect();
        let kinds = channels.list().iter().map(|c| kind(c, &sensors, &states)).collect();
        Self { channels, kinds }
    }

    /// Number of channels.
    #[cfg(test)]
    pub fn width(&self) -> usize {
        self.kinds.len()
    }

    /// The numbers of a run at the samples.
    pub fn record(&mut self, system: &System, samples: &[&Sample]) -> Record {
        let width = self.channels.list().len();
        let mut row = |sample: &&Sample| {
            let mut out = vec![0.0; width];
            self.channels.fill(system, sample, &mut out);
            out
        };
        Record { times: samples.iter().map(|s| s.state.t).collect(), rows: samples.iter().map(&mut row).collect() }
    }

    /// The scales of a run.
    pub fn scales(&self, truth: &Record) -> Scales {
        let of = |kind: Kind| (0..self.kinds.len()).filter(move |c| self.kinds[*c] == kind);
        let range = |c: usize| {
            let (low, high) = truth.rows.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), r| (l.min(r[c]), h.max(r[c])));
            high - low
        };
        let largest = |c: usize| truth.rows.iter().fold(0.0f64, |m, r| m.max(r[c].abs()));
        let positions: Vec<usize> = of(Kind::Position).collect();
        let axis = |k: usize| {
            let all = truth.rows.iter().flat_map(|r| positions.iter().skip(k).step_by(3).map(|c| r[*c]));
            let (low, high) = all.fold((0.0f64, 0.0f64), |(l, h), x| (l.min(x), h.max(x)));
            high - low
        };
        let length = (0..3).map(axis).fold(0.0f64, f64::max).max(1e-12);
        let spin = of(Kind::AngularVelocity).map(largest).fold(0.0f64, f64::max);
        let speed = of(Kind::Velocity).map(largest).fold(0.0f64, f64::max).max(AT_REST * length * spin).max(1e-12);
        let turning = spin.max(speed / length);
        let energies: Vec<usize> = of(Kind::Energy).collect();
        let energy = energies.iter().skip(1).take(1).map(|c| largest(*c)).sum::<f64>()
            + energies.iter().skip(2).take(1).map(|c| range(*c)).sum::<f64>();
        let scale = |c: usize| match self.kinds[c] {
            Kind::Position => length,
            Kind::Velocity => speed,
            Kind::AngularVelocity => turning,
            Kind::Attitude | Kind::Angle => 1.0,
            Kind::Energy => energy.max(1e-300),
            Kind::Signal => range(c).max(1e-9 * largest(c)).max(1e-300),
            Kind::Derived => f64::INFINITY,
        };
        Scales((0..self.kinds.len()).map(scale).collect())
    }

    /// The largest error of a run against what is right.
    pub fn worst(&self, run: &Record, truth: &Record, scales: &Scales) -> Worst {
        let mut worst = Worst { error: 0.0, channel: String::new(), time: 0.0 };
        for (k, right) in truth.rows.iter().enumerate() {
            let Some(found) = run.rows.get(k).filter(|_| (run.times[k] - truth.times[k]).abs() < 1e-9 * truth.times[truth.times.len() - 1])
            else {
                return Worst { error: f64::INFINITY, channel: "a sample is missing".into(), time: truth.times[k] };
            };
            for c in 0..self.kinds.len() {
                let error = self.error(c, found, right) / scales.0[c];
                let error = if found[c].is_finite() && error.is_finite() { error } else { f64::INFINITY };
                if error > worst.error {
                    worst = Worst { error, channel: self.channels.list()[c].name.clone(), time: truth.times[k] };
                }
            }
        }
        worst
    }

    /// The largest errors of positions and of velocities, for which the defaults have bars of their own.
    pub fn positions_and_velocities(&self, run: &Record, truth: &Record, scales: &Scales) -> [f64; 2] {
        let largest = |kinds: &[Kind]| {
            let of = |(found, right): (&Vec<f64>, &Vec<f64>)| {
                let errors =
                    (0..self.kinds.len()).filter(|c| kinds.contains(&self.kinds[*c])).map(|c| self.error(c, found, right) / scales.0[c]);
                errors.fold(0.0f64, |m, e| if e.is_nan() { f64::INFINITY } else { m.max(e) })
            };
            run.rows.iter().zip(&truth.rows).map(of).fold(0.0, f64::max)
        };
        [largest(&[Kind::Position]), largest(&[Kind::Velocity, Kind::AngularVelocity])]
    }

    fn error(&self, c: usize, found: &[f64], right: &[f64]) -> f64 {
        if self.kinds[c] != Kind::Attitude {
            return if self.kinds[c] == Kind::Derived { 0.0 } else { (found[c] - right[c]).abs() };
        }
        let distance = |sign: f64| (0..4).map(|k| (found[c + k] - sign * right[c + k]).powi(2)).sum::<f64>().sqrt();
        2.0 * distance(1.0).min(distance(-1.0))
    }
}

fn kind(channel: &Channel, sensors: &[String], states: &[String]) -> Kind {
    let name = channel.name.as_str();
    let part = |what: &str| name.contains(&format!(".{what}."));
    if sensors.iter().any(|s| s == name) {
        return if channel.unit == "rad" || name.starts_with("angle") { Kind::Angle } else { Kind::Signal };
    }
    if states.iter().any(|s| s == name) {
        return Kind::Signal;
    }
    match name {
        _ if part("position") => Kind::Position,
        _ if part("velocity") => Kind::Velocity,
        _ if part("angular_velocity") => Kind::AngularVelocity,
        _ if name.ends_with(".orientation.w") => Kind::Attitude,
        _ if name.ends_with(".angle") => Kind::Angle,
        "total.energy" | "total.kinetic_energy" | "total.potential_energy" => Kind::Energy,
        _ => Kind::Derived,
    }
}
