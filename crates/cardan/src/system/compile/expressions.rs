//! Expressions become programs with sources: names give markers and elements, angles get slots in the memory, and forces the
//! lists of markers, bodies and multipliers they depend on.

use super::Compiler;
use crate::bodies::{Attachment, BodyId, MarkerId};
use crate::constraints::{ExpressionConstraint, ExpressionRow};
use crate::control::Target;
use crate::expr::{dimension, parse};
use crate::forces::{Components, ExpressionForce, ForceLaw, Line, PairForce, PairLaw};
use crate::math::Vec3;
use crate::measures::{Angle, Component, Depth, Measure, Quantity, QuantityKind, TimeFunction, Vector};
use crate::model::{Compiled, Direction, ElementName, ExpressionProblem, Form, MarkerName, ModelError, ModelEvent, Read, Use};
use crate::system::expressions::{
    CompiledEvent, CompiledHeld, CompiledSensor, Expression, ExpressionElement, Geometry, LawInput, Load, LoadElement, Reads, SensorInfo,
    Setting, Shared, Smoothness, Source, StateEquation,
};
use crate::system::layout::CompiledMarker;
use crate::units::Unit;

impl Reads {
    fn marker(&mut self, marker: MarkerId) -> usize {
        place(&mut self.markers, marker)
    }
}

fn place<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter().position(|x| *x == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

impl Compiler<'_> {
    /// The marker that a name stands for; body frames and centres of mass get one of their own.
    fn named_marker(&mut self, name: MarkerName) -> MarkerId {
        if let MarkerName::Marker(marker) = name {
            return marker;
        }
        if let Some(marker) = self.implicit.get(&name) {
            return *marker;
        }
        let (id, label) = match name {
            MarkerName::CenterOfMass(body) => (body, "cm"),
            MarkerName::Origin(body) => (body, "origin"),
            MarkerName::Marker(_) => (BodyId::GROUND, ""),
        };
        let (body, moving) = (&self.model.bodies()[id.index()], id != BodyId::GROUND);
        let to_origin = if moving && label == "origin" { -body.center_of_mass() } else { Vec3::zeros() };
        let (full, body) = (format!("{}.{label}", body.name), self.number(id));
        self.system.markers.push(CompiledMarker { name: full, body, attachment: Attachment::on_frame(to_origin) });
        let marker = MarkerId(self.system.markers.len() - 1);
        self.implicit.insert(name, marker);
        marker
    }

    fn quantity(&mut self, kind: QuantityKind, names: [MarkerName; 4]) -> Quantity {
        let markers = names.map(|name| self.named_marker(name));
        let mut quantity = Quantity { kind, markers, slot: usize::MAX };
        if let QuantityKind::Angle(Angle::About(_)) = kind {
            let same = |a: &&Quantity| a.kind == kind && a.markers[..2] == markers[..2];
            let known = self.system.angles.iter().find(same).map(|a| a.slot);
            quantity.slot = known.unwrap_or_else(|| self.next_slot());
            if known.is_none() {
                self.system.angles.push(quantity.clone());
            }
        }
        quantity
    }

    fn load(&mut self, function: &str, element: ElementName, axes: MarkerName, of: &mut Reads) -> Load {
        let (joints, extras) = (self.model.joints(), self.model.extras());
        let element = match element {
            ElementName::Constraint(k) => {
                let name = joints.get(k).map_or_else(|| extras[k - joints.len()].name(), |j| &j.name);
                let list = self.system.constraints.iter().enumerate().filter(|(_, c)| c.name == name);
                LoadElement::Constraints(list.map(|(k, _)| k).collect())
            }
            ElementName::Force(k) => LoadElement::Force(k),
            ElementName::Expression(k) => LoadElement::Expression(k),
        };
        let ((kind, part), (markers, rows)) = (Load::named(function), self.system.load_parts(&element));
        let axes = self.named_marker(axes);
        Load {
            element,
            kind,
            part,
            axes,
            axes_at: of.marker(axes),
            markers_at: markers.into_iter().map(|m| of.marker(m)).collect(),
            rows_at: rows.into_iter().map(|r| place(&mut of.rows, r)).collect(),
        }
    }

    /// A problem of an expression, for the model's error.
    fn compile(&mut self, what: &'static str, element: &str, text: &str, used: Use) -> Result<Compiled, ModelError> {
        let problem = |errors: Vec<crate::expr::ExprError>| {
            let error = errors.into_iter().next().unwrap_or_else(|| crate::expr::ExprError::new(Default::default(), "a mistake"));
            ModelError::Expression(Box::new(ExpressionProblem {
                what,
                element: element.into(),
                component: "function",
                error,
                text: text.into(),
            }))
        };
        self.names.compile(text, &self.scope, used).map_err(problem)
    }

    fn expression(&mut self, what: &'static str, element: &str, text: &str, used: Use, of: &mut Reads) -> Result<Expression, ModelError> {
        let Compiled { program, reads } = self.compile(what, element, text, used)?;
        let mut sources = Vec::with_capacity(reads.len());
        for read in reads {
            sources.push(match read {
                Read::Time => Source::Time,
                Read::Motion(kind, names) => {
                    let quantity = self.quantity(kind, names);
                    let used = kind.reads();
                    let at = std::array::from_fn(|a| if used[a] { of.marker(quantity.markers[a]) } else { 0 });
                    Source::Motion { quantity, at }
                }
                Read::State(state) => Source::State { state, at: place(&mut of.states, state) },
                Read::Rate(state) => Source::Rate { state, at: place(&mut of.states, state) },
                Read::Input(input) => Source::Input(input),
                Read::Load { function, element, axes } => Source::Load(self.load(function, element, axes, of)),
            });
        }
        Ok(Expression { text: text.into(), program, sources })
    }

    /// The function of a motion with its program.
    pub(super) fn time_function(&mut self, name: &str, function: &TimeFunction) -> Result<TimeFunction, ModelError> {
        let Some(text) = function.text() else { return Ok(function.clone()) };
        Ok(TimeFunction::compiled(text, self.compile("motion", name, text, Use::Motion)?.program))
    }

    /// The element of a constraint given by an expression.
    pub(super) fn expression_row(&mut self, constraint: &ExpressionConstraint) -> Result<ExpressionRow, ModelError> {
        let text = &constraint.function;
        let Compiled { program, reads } = self.compile("constraint", &constraint.name, text, Use::Constraint)?;
        let quantity = |read| if let Read::Motion(kind, names) = read { Some(self.quantity(kind, names)) } else { None };
        let quantities = reads.into_iter().map(quantity).collect();
        Ok(ExpressionRow::new(text, program, quantities))
    }

    /// Forces given by expressions.
    pub(super) fn add_expression_forces(&mut self) -> Result<(), ModelError> {
        for force in self.model.expression_forces() {
            let element = self.expression_force(force)?;
            self.system.expressions.push(element);
        }
        let components = self.system.expressions.iter().flat_map(|f| &f.components);
        self.system.reads_accelerations = components.flat_map(|c| &c.1.sources).any(reads_acceleration);
        Ok(())
    }

    /// Differential states.
    pub(super) fn add_states(&mut self) -> Result<(), ModelError> {
        for state in self.model.states() {
            let mut reads = Reads::default();
            // 0 = d is ẋ = ẋ − d.
            let function = match state.form {
                Form::Equation => &format!("DIF1({}) - ({})", state.name, state.function),
                Form::Rate | Form::Algebraic(_) => &state.function,
            };
            let expression = self.expression("state", &state.name, function, Use::Force, &mut reads)?;
            self.system.reads_accelerations |= expression.sources.iter().any(reads_acceleration);
            let own = self.system.states.len();
            let rough = |s: &Source| reads_acceleration(s) || matches!(s, Source::Rate { state, .. } if *state != own);
            let rough = !reads.rows.is_empty() || expression.sources.iter().any(rough);
            let smoothness = match state.form {
                Form::Algebraic(_) => Smoothness::Algebraic,
                _ if rough => Smoothness::Rough,
                _ => Smoothness::Smooth,
            };
            let (x, x_dot) = if smoothness == Smoothness::Algebraic { (0.0, state.initial) } else { (state.initial, 0.0) };
            self.find_carriers(&mut reads);
            self.system.states.push(StateEquation { name: state.name.clone(), expression, reads, smoothness, form: state.form.clone() });
            self.system.initial.x.push(x);
            self.system.initial.x_dot.push(x_dot);
        }
        Ok(())
    }

    /// Contacts, and the states of their bristles: what these follow is known to the contact, and no expression.
    pub(super) fn add_pair_forces(&mut self) -> Result<(), ModelError> {
        for contact in self.model.settled_contacts() {
            let (contact, count) = contact.with_states(self.system.states.len());
            for k in 0..count {
                let name = format!("{}.bristle{}.{}", contact.name(), k / 3 + 1, ["x", "y", "z"][k % 3]);
                let expression = self.expression("state", &name, "0", Use::Force, &mut Reads::default())?;
                let (reads, smoothness) = (Reads::default(), Smoothness::Smooth);
                self.system.states.push(StateEquation { name, expression, reads, smoothness, form: Form::Rate });
                self.system.initial.x.push(0.0);
                self.system.initial.x_dot.push(0.0);
            }
            self.system.pair_forces.push(PairForce::new(contact));
        }
        Ok(())
    }

    /// The bodies that carry the markers.
    fn find_carriers(&self, reads: &mut Reads) {
        let Reads { markers, bodies, carried, .. } = reads;
        *carried = markers.iter().map(|m| self.system.carrier(*m).map(|b| place(bodies, b))).collect();
    }

    fn expression_force(&mut self, force: &ExpressionForce) -> Result<ExpressionElement, ModelError> {
        let mut of = Reads { markers: vec![force.i, force.j], ..Reads::default() };
        let mut geometry = match &force.components {
            Components::Single { line, .. } => Geometry::Along(match line {
                Line::Between => Measure::Distance,
                Line::Axis => Measure::Along(Vec3::z()),
                Line::Rotation => Measure::angle(),
            }),
            Components::Vector { axes, .. } | Components::General { axes, .. } => Geometry::Axes { marker: *axes, at: of.marker(*axes) },
        };
        let mut components = Vec::new();
        for (component, text) in force.functions() {
            components.push((component, self.expression("force", &force.name, text, Use::Force, &mut of)?));
        }
        let law = match &mut geometry {
            Geometry::Along(measure) => law(measure, [force.i, force.j], &components[0].1.sources),
            Geometry::Axes { .. } => None,
        };
        self.find_carriers(&mut of);
        let shared = Shared::of(components.iter().map(|c| &c.1));
        Ok(ExpressionElement { name: force.name.clone(), markers: [force.i, force.j], components, geometry, law, shared, reads: of })
    }

    /// Notes which forces are marked. Those that read accelerations, reactions or rates need their derivatives in any case.
    pub(super) fn mark_implicit(&mut self) {
        let (model, s) = (self.model, &mut self.system);
        s.implicit_forces = model.forces().iter().map(|f| model.is_implicit(f.name())).collect();
        let reads = |source: &Source| reads_acceleration(source) || matches!(source, Source::Rate { .. });
        let bound = |f: &ExpressionElement| !f.reads.rows.is_empty() || f.components.iter().any(|c| c.1.sources.iter().any(reads));
        s.switching = s.expressions.iter().map(|f| f.components.iter().any(|(_, e)| !e.program.kinks().is_empty())).collect();
        s.implicit_expressions = s.expressions.iter().map(|f| model.is_implicit(&f.name) || bound(f)).collect();
    }

    /// Sensors and events.
    pub(super) fn add_readings(&mut self) -> Result<(), ModelError> {
        let mut of = Reads::default();
        for sensor in self.model.sensors() {
            let expression = self.expression("sensor", &sensor.name, &sensor.function, Use::Reading, &mut of)?;
            let unit = sensor.unit.as_deref().and_then(|u| Unit::parse(u).ok());
            let found = parse(&sensor.function).ok().and_then(|e| dimension(&e, &self.scope).ok().flatten());
            let dimension = unit.map(|u| u.dimension).or(found);
            let name = sensor.unit.clone().or_else(|| dimension.map(|d| d.to_string()));
            self.system.sensor_info.push(SensorInfo { name: sensor.name.clone(), unit: name, dimension });
            self.system.sensors.push(CompiledSensor { expression, factor: unit.map_or(1.0, |u| u.factor) });
        }
        for event in self.model.events() {
            let expression = self.expression("event", &event.name, &event.function, Use::Reading, &mut of)?;
            self.system.events.push(CompiledEvent { event: event.clone(), expression, settings: Vec::new() });
        }
        Ok(())
    }

    /// What blocks hold and switch.
    pub(super) fn add_held(&mut self) -> Result<(), ModelError> {
        let mut of = Reads::default();
        let model = self.model;
        for held in model.held() {
            let function = held.function.as_deref();
            let expression = function.map(|text| self.expression("block", &held.name, text, Use::Reading, &mut of)).transpose()?;
            self.system.held.push(CompiledHeld {
                name: held.name.clone(),
                expression,
                clock: held.clock,
                phase: held.phase,
                noise: held.noise,
            });
        }
        for switch in model.switches() {
            let expression = self.expression("block", &switch.name, &switch.function, Use::Reading, &mut of)?;
            let (name, function) = (switch.name.clone(), switch.function.clone());
            let event = ModelEvent { name, function, direction: Direction::Rising, terminal: false };
            let held = |name: &String| model.held().iter().position(|h| h.name == *name).map(|k| model.inputs().len() + k);
            let state = |name: &String| model.states().iter().position(|s| s.name == *name);
            let setting = |(target, value): &(Target, f64)| match target {
                Target::Held(name) => held(name).map(|k| Setting::Held(k, *value)),
                Target::State(name) => state(name).map(|k| Setting::State(k, *value)),
            };
            let settings = switch.sets.iter().filter_map(setting).collect();
            self.system.events.push(CompiledEvent { event, expression, settings });
        }
        Ok(())
    }
}

/// The inputs of a force along a measure, if all are the measure, its rate or the time. An angle remembers its turns where the
/// quantity does.
fn law(measure: &mut Measure, markers: [MarkerId; 2], sources: &[Source]) -> Option<Vec<LawInput>> {
    let (j, axis) = (markers[1], Component::Axis(2));
    let mut input = |source: &Source| {
        let quantity = match source {
            Source::Time => return Some(LawInput::Time),
            Source::Motion { quantity, .. } if quantity.markers[..2] == markers => quantity,
            _ => return None,
        };
        let [_, _, k, l] = quantity.markers;
        match (&mut *measure, quantity.kind) {
            (Measure::Distance, QuantityKind::Of(Vector::Displacement, Component::Size)) => Some(LawInput::Measure),
            (Measure::Distance, QuantityKind::DistanceRate) => Some(LawInput::Rate),
            (Measure::Along(_), QuantityKind::Of(Vector::Displacement, part)) if part == axis && k == j => Some(LawInput::Measure),
            (Measure::Along(_), QuantityKind::Of(Vector::Velocity, part)) if part == axis && [k, l] == [j, j] => Some(LawInput::Rate),
            (Measure::Angle { slot }, QuantityKind::Angle(Angle::About(2))) => {
                *slot = quantity.slot;
                Some(LawInput::Measure)
            }
            _ => None,
        }
    };
    sources.iter().map(&mut input).collect()
}

fn reads_acceleration(source: &Source) -> bool {
    matches!(source, Source::Motion { quantity, .. } if quantity.kind.depth() == Depth::Acceleration)
}
