//! Sensors: what each kind measures, as a function.

use super::super::field::Name;
use super::super::problem::Span;
use super::super::tables::{self, Component, SensorKind};
use super::Lowering;
use cardan::control::Clock;
use cardan::model::{Sensor, SensorErrors};

impl Lowering<'_> {
    pub(super) fn sensor(&mut self, name: &str, span: &Span, t: &tables::Sensor) -> Option<()> {
        self.place("sensor", name, span)?;
        let function = match (&t.kind, measured(&t.kind)) {
            (SensorKind::Function(reading), _) => self.text("sensor", name, "function", &reading.function),
            (_, Some((of, function))) => {
                self.texts.insert(("sensor", name.into(), "function"), of.span.clone());
                function
            }
            _ => return self.problem(span, format!("sensor '{name}' measures no such component"), "no such component"),
        };
        if let Some(unit) = &t.unit {
            self.texts.insert(("sensor", name.into(), "unit"), unit.span.clone());
        }
        let errors = SensorErrors {
            bias: t.bias.unwrap_or(0.0),
            noise: t.noise.unwrap_or(0.0),
            seed: t.seed.unwrap_or(0) as u64,
            clock: t.sample_time.map(|period| Clock { period, offset: t.offset.unwrap_or(0.0) }),
        };
        self.model.add_sensor(Sensor::new(name, function).unit(t.unit.as_ref().map(|unit| unit.text.as_str())).errors(errors));
        Some(())
    }
}

/// What a kind is about, and the function that gives it.
fn measured(kind: &SensorKind) -> Option<(&Name, String)> {
    let motion = |functions: &str, m: &tables::Measured, axes: usize| {
        let function = pick(functions, m.component)?;
        let from = m.from.as_ref().map_or("ground", |from| &from.text);
        let others = if function.ends_with('M') { 1 } else { axes };
        Some(format!("{function}({}{})", m.of.text, format!(", {from}").repeat(others)))
    };
    let load = |functions: &str, l: &tables::Load| {
        let function = pick(functions, l.component)?;
        let axes = l.axes.as_ref().filter(|_| !function.ends_with('M')).map_or(String::new(), |axes| format!(", {}", axes.text));
        Some(format!("{function}({}{axes})", l.of.text))
    };
    let (of, function) = match kind {
        SensorKind::Function(_) => return None,
        SensorKind::Position(m) => (&m.of, motion("DX DY DZ DM", m, 2)),
        SensorKind::Velocity(m) => (&m.of, motion("VX VY VZ VM", m, 3)),
        SensorKind::Acceleration(m) => (&m.of, motion("ACCX ACCY ACCZ ACCM", m, 3)),
        SensorKind::Angle(m) => (&m.of, motion("AX AY AZ", m, 1)),
        SensorKind::AngularVelocity(m) => (&m.of, motion("WX WY WZ WM", m, 2)),
        SensorKind::Distance(m) => (&m.of, motion("DM DM DM DM", m, 1)),
        SensorKind::Force(l) => (&l.of, load("FX FY FZ FM", l)),
        SensorKind::Torque(l) => (&l.of, load("TX TY TZ TM", l)),
    };
    Some((of, function?))
}

/// The function of a component among those for x, y, z and the size.
fn pick(functions: &str, component: Option<Component>) -> Option<&str> {
    let place = match component {
        Some(Component::X) => 0,
        Some(Component::Y) => 1,
        None | Some(Component::Z) => 2,
        Some(Component::Size) => 3,
    };
    functions.split(' ').nth(place)
}
