//! What the components of a force read, each once: components of one vector of the same markers (DX, DY, DZ) are found together, and what
//! several components read is found for all of them.

use super::{Expression, ExpressionElement, ExpressionWork, Source};
use crate::measures::{Component, Context, Motion, Quantity, QuantityKind, Vector};
use crate::system::{State, System};

/// A value that components read, or three.
#[derive(Debug, Clone)]
enum Item {
    /// The three components of a vector of motion; the quantity is one of them.
    Vector(Vector, Quantity),
    One(Source),
}

/// The values that the components of a force read.
#[derive(Debug, Clone, Default)]
pub(in crate::system) struct Shared {
    /// With the place of the first value of each.
    items: Vec<(Item, usize)>,
    /// The places of the inputs of each component.
    places: Vec<Vec<usize>>,
    len: usize,
}

impl Shared {
    /// Of these expressions.
    pub fn of<'a>(expressions: impl IntoIterator<Item = &'a Expression>) -> Self {
        let mut out = Self::default();
        for expression in expressions {
            let places = expression.sources.iter().map(|source| out.place(source)).collect();
            out.places.push(places);
        }
        out
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.len
    }

    fn place(&mut self, source: &Source) -> usize {
        if let Some(place) = self.items.iter().find_map(|(item, first)| Some(first + item.part(source)?)) {
            return place;
        }
        let (item, size) = match source {
            Source::Motion { quantity: q @ Quantity { kind: QuantityKind::Of(vector, Component::Axis(_)), .. }, .. } => {
                (Item::Vector(*vector, q.clone()), 3)
            }
            _ => (Item::One(source.clone()), 1),
        };
        let place = self.len + item.part(source).unwrap_or(0);
        self.items.push((item, self.len));
        self.len += size;
        place
    }
}

impl Item {
    /// Which of its values a source is.
    fn part(&self, source: &Source) -> Option<usize> {
        match (self, source) {
            (
                Item::Vector(vector, known),
                Source::Motion { quantity: Quantity { kind: QuantityKind::Of(of, Component::Axis(k)), markers, .. }, .. },
            ) => (of == vector && *markers == known.markers).then_some(*k),
            (Item::One(Source::Motion { quantity: known, .. }), Source::Motion { quantity, .. }) => (known == quantity).then_some(0),
            (Item::One(Source::Time), Source::Time) => Some(0),
            _ => None,
        }
    }
}

impl System {
    /// Finds what the components of a force read.
    #[inline]
    pub(super) fn shared_values(&self, force: &ExpressionElement, x: &State, ctx: &Context, motion: &Motion, work: &mut ExpressionWork) {
        for (item, first) in &force.shared.items {
            match item {
                Item::Vector(vector, quantity) => {
                    work.shared[*first..*first + 3].copy_from_slice(quantity.components(*vector, motion).as_slice());
                }
                Item::One(source) => work.shared[*first] = self.source_value(source, x, ctx, motion, work),
            }
        }
    }

    /// The inputs of a component among the values found last.
    #[inline]
    pub(super) fn component_inputs(&self, force: &ExpressionElement, component: usize, work: &mut ExpressionWork) {
        let ExpressionWork { inputs, shared, .. } = work;
        inputs.iter_mut().zip(&force.shared.places[component]).for_each(|(input, place)| *input = shared[*place]);
    }
}
