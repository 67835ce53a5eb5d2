//! Splines, variables, arrays, differential states, inputs and events.

use super::super::field::Quantity;
use super::super::problem::Span;
use super::super::tables::{self, Crossing, Then};
use super::Lowering;
use cardan::expr::{Extrapolation, Spline, alike, element_name, in_words};
use cardan::model::{Array, Differential, Direction, ModelEvent, Variable};
use cardan::units::Dimension;

impl Lowering<'_> {
    pub(super) fn spline(&mut self, name: &str, span: &Span, t: &tables::Spline) -> Option<()> {
        self.place("spline", name, span)?;
        let ((x, x_unit), (y, y_unit)) = match (&t.file, t.x.is_empty() && t.y.is_empty()) {
            (None, false) => (self.column(name, &t.x)?, self.column(name, &t.y)?),
            (Some(_), true) => {
                let (x, y) = self.columns(t)?;
                ((x, None), (y, None))
            }
            _ => return self.problem(span, format!("spline '{name}' needs either x and y, or a file"), "needs 'x' and 'y', or 'file'"),
        };
        let extrapolation = match t.extrapolate {
            Some(tables::Extrapolation::Constant) => Extrapolation::Constant,
            _ => Extrapolation::Linear,
        };
        match Spline::new(&x, &y) {
            Ok(spline) => self.model.add_spline(name, spline.extrapolated(extrapolation).of([x_unit, y_unit])),
            Err(error) => return self.problem(span, format!("spline '{name}': {error}"), "these points"),
        }
        Some(())
    }

    /// The numbers of a list, and their dimension if they have units.
    fn column(&mut self, name: &str, list: &[Quantity]) -> Option<(Vec<f64>, Option<Dimension>)> {
        let unit = list.iter().find_map(|q| q.amount.dimension());
        for q in list {
            if let (Some(unit), Some(found)) = (unit, q.amount.dimension())
                && !alike(unit, found)
            {
                let message = format!("spline '{name}': this is {} in a column of which another is {}", in_words(found), in_words(unit));
                return self.problem(&q.span, message, "of another dimension");
            }
        }
        Some((list.iter().map(|q| q.amount.value).collect(), unit))
    }

    /// Two columns of the spline's file.
    fn columns(&mut self, t: &tables::Spline) -> Option<(Vec<f64>, Vec<f64>)> {
        let file = t.file.as_ref()?;
        let text = match std::fs::read_to_string(self.base.join(&file.text)) {
            Ok(text) => text,
            Err(error) => return self.problem(&file.span, format!("{} cannot be read: {error}", file.text), "this file"),
        };
        let names = t.columns.as_ref().map_or(["x", "y"], |[x, y]| [x.text.as_str(), y.text.as_str()]);
        match names.map(|name| column(&text, name)) {
            [Ok(x), Ok(y)] => Some((x, y)),
            [Err(message), _] | [_, Err(message)] => self.problem(&file.span, format!("{}: {message}", file.text), "this file"),
        }
    }

    pub(super) fn variable(&mut self, name: &str, span: &Span, t: &tables::Variable) -> Option<()> {
        self.place("variable", name, span)?;
        let function = self.text("variable", name, "function", &t.function);
        let variable = Variable::new(name, function);
        let initial = t.initial.unwrap_or(0.0);
        self.model.add_variable(if t.implicit == Some(true) { variable.solved_from(initial) } else { variable });
        Some(())
    }

    pub(super) fn array(&mut self, name: &str, span: &Span, t: &tables::Array) -> Option<()> {
        self.place("variable", name, span)?;
        if t.values.is_empty() == t.functions.is_empty() {
            return self.problem(span, format!("array '{name}' needs either values or functions"), "needs 'values' or 'functions'");
        }
        let text = |l: &mut Self, k: usize| l.text("variable", &element_name(name, k + 1), "function", &t.functions[k]);
        let functions: Vec<String> = (0..t.functions.len()).map(|k| text(self, k)).collect();
        let array = if functions.is_empty() { Array::values(name, t.values.clone()) } else { Array::functions(name, functions) };
        self.model.add_array(array);
        Some(())
    }

    pub(super) fn state(&mut self, name: &str, span: &Span, t: &tables::Differential) -> Option<()> {
        self.place("state", name, span)?;
        let initial = t.initial.unwrap_or(0.0);
        let state = match (&t.function, &t.equation) {
            (Some(function), None) => Differential::new(name, self.text("state", name, "function", function), initial),
            (None, Some(equation)) => Differential::implicit(name, self.text("state", name, "equation", equation), initial),
            _ => {
                return self.problem(
                    span,
                    format!("state '{name}' needs either a function or an equation"),
                    "needs 'function' or 'equation'",
                );
            }
        };
        self.model.add_state(state);
        Some(())
    }

    pub(super) fn input(&mut self, name: &str, span: &Span, t: &tables::Input) -> Option<()> {
        self.place("input", name, span)?;
        self.model.add_input(name, t.initial.unwrap_or_default());
        Some(())
    }

    pub(super) fn event(&mut self, name: &str, span: &Span, t: &tables::Event) -> Option<()> {
        self.place("event", name, span)?;
        let function = self.text("event", name, "function", &t.function);
        let direction = match t.direction {
            Some(Crossing::Rising) => Direction::Rising,
            Some(Crossing::Falling) => Direction::Falling,
            None | Some(Crossing::Any) => Direction::Any,
        };
        self.model.add_event(ModelEvent { name: name.into(), function, direction, terminal: t.action == Some(Then::Stop) });
        Some(())
    }
}

/// A column of a table with a line of names and values separated by commas.
fn column(text: &str, name: &str) -> Result<Vec<f64>, String> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let titles: Vec<&str> = lines.next().unwrap_or_default().split(',').map(|t| t.trim().trim_matches('"')).collect();
    let missing = || format!("there is no column '{name}' among {}", titles.join(", "));
    let k = titles.iter().position(|title| *title == name).ok_or_else(missing)?;
    let value = |(row, line): (usize, &str)| {
        let cell = line.split(',').nth(k).unwrap_or_default().trim();
        cell.parse().map_err(|_| format!("'{cell}' in row {} of column '{name}' is not a number", row + 1))
    };
    lines.enumerate().map(value).collect()
}
