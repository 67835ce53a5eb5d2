//! The Jacobian: the matrix of [`Evaluated::tangent`] with its pattern, the places of all blocks in it, its factors and their age, in one hand.
//!
//! Elements that always act between the same bodies have blocks at all times (`slots`); pairs of bodies that come and go have them when they
//! are needed (`pairs`). [`Evaluated::tangent`] tells the Jacobian which pairs are coupled before it writes, and where one has no block the
//! Jacobian makes a new pattern, with the order of elimination at hand (`linear`) and the structure of the mechanism as it is now (`tree`).
//! Writing forgets the factors: what is solved with is always the matrix that stands there.

mod factors;
mod pairs;
mod slots;
mod tree;

pub(super) use pairs::Pairs;
pub(super) use slots::{ConstraintSlots, ExpressionSlots, Slots};

use super::{Evaluated, System};
use crate::constraints::Constraint;
use crate::linear::{BlockMatrix, BlockPattern, ComplexFactor, Factor, Flops, PatternBuilder, Slot};
use pairs::{Bodies, Fit};
use std::sync::Arc;
use tree::Tree;

/// What a Jacobian may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Everything.
    Motion,
    /// No stiffness and no damping: masses, constraints, and what forces owe to accelerations and reactions. Bodies that only forces couple
    /// are apart.
    Masses,
}

/// The blocks that are there at all times.
#[derive(Debug)]
struct Base {
    content: Content,
    slots: Slots,
    pattern: Arc<BlockPattern>,
    tree: Tree,
}

/// How often patterns and orders of elimination were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rebuilds {
    /// New patterns after the first one.
    pub patterns: usize,
    /// Of these, how many were factored in an order found before.
    pub kept_orders: usize,
    /// Searches for an order.
    pub searches: usize,
}

/// A matrix of the equations of a system, with its factors. There may be several matrices, all with the same pattern; the first one is factored.
#[derive(Debug)]
pub struct Jacobian {
    base: Arc<Base>,
    pairs: Pairs,
    /// The pairs of bodies that were coupled when somebody asked, in order, and room for others.
    seen: Vec<Bodies>,
    room: Vec<Bodies>,
    matrices: Vec<BlockMatrix>,
    factor: Factor,
    complex: Option<Box<ComplexFactor>>,
    threads: usize,
    written: usize,
    made_for: Option<f64>,
    patterns: usize,
}

/// What a tangent is written to.
pub(super) struct Target<'a> {
    pub slots: &'a Slots,
    pub pairs: &'a Pairs,
    pub matrix: &'a mut BlockMatrix,
}

impl Target<'_> {
    /// Block (body a, body b), if there is one.
    pub fn between(&self, a: usize, b: usize) -> Option<Slot> {
        if a == b { Some(self.slots.bodies[a]) } else { self.pairs.slot(a, b) }
    }
}

impl Jacobian {
    /// A matrix for everything.
    pub fn new(system: &System) -> Self {
        Self::with(system, Content::Motion, 1)
    }

    /// A matrix without stiffness and damping.
    pub fn of_masses(system: &System) -> Self {
        Self::with(system, Content::Masses, 1)
    }

    /// So many matrices for everything.
    pub fn several(system: &System, count: usize) -> Self {
        Self::with(system, Content::Motion, count)
    }

    fn with(system: &System, content: Content, count: usize) -> Self {
        let sizes = system.bodies.iter().map(|b| b.v().len()).chain(system.constraints.iter().map(|c| c.element.rows()));
        let mut builder = PatternBuilder::new(sizes.chain(system.states.iter().map(|_| 1)).collect());
        let (slots, tree) = (Slots::new(system, content, &mut builder), Tree::of(system));
        let pattern = Arc::new(builder.with_structure(tree.structure()).finish());
        Self::on(Arc::new(Base { content, slots, pattern, tree }), count)
    }

    fn on(base: Arc<Base>, count: usize) -> Self {
        Self {
            pairs: Pairs::default(),
            seen: Vec::new(),
            room: Vec::new(),
            matrices: vec![BlockMatrix::new(base.pattern.clone()); count],
            factor: Factor::new(&base.pattern),
            complex: None,
            threads: 1,
            written: 0,
            made_for: None,
            patterns: 0,
            base,
        }
    }

    /// Uses so many threads where the matrix is large enough; results do not depend on it.
    pub fn with_threads(self, threads: usize) -> Self {
        Self { factor: self.factor.with_threads(threads), threads, ..self }
    }

    /// Another Jacobian for the same blocks at all times.
    pub(super) fn alike(&self) -> Self {
        Self::on(self.base.clone(), self.matrices.len()).with_threads(self.threads)
    }

    /// Prepares for a matrix at a state, and forgets the factors.
    pub(super) fn couple(&mut self, at: &Evaluated) {
        self.outdate();
        self.written += 1;
        if self.is_steady(at.system) {
            return;
        }
        self.room.clear();
        at.coupled(&mut self.room);
        if self.pairs.note(&self.room, self.written, &self.base.pattern) == Fit::Outdated {
            self.rebuild();
        }
    }

    /// A new pattern.
    fn rebuild(&mut self) {
        let extra = self.pairs.renew(&self.room, self.written);
        let mut tree = self.base.tree.clone();
        extra.iter().for_each(|bodies| tree.couple(*bodies));
        let pattern = Arc::new(self.base.pattern.extended(&extra, tree.structure()));
        self.pairs.place(&pattern);
        for matrix in &mut self.matrices {
            matrix.take_pattern(pattern.clone());
            matrix.values[self.base.slots.written..].fill(0.0);
        }
        self.patterns += 1;
    }

    /// Where one of the matrices is written.
    pub(super) fn target(&mut self, matrix: usize) -> Target<'_> {
        self.outdate();
        Target { slots: &self.base.slots, pairs: &self.pairs, matrix: &mut self.matrices[matrix] }
    }

    /// Whether other pairs of bodies are coupled at a state than when this was asked last.
    pub fn sees_change(&mut self, at: &Evaluated) -> bool {
        if self.is_steady(at.system) {
            return false;
        }
        self.room.clear();
        at.coupled(&mut self.room);
        std::mem::swap(&mut self.room, &mut self.seen);
        self.room != self.seen
    }

    /// Whether no blocks come and go.
    fn is_steady(&self, system: &System) -> bool {
        system.pair_forces.is_empty() || self.base.content == Content::Masses
    }

    /// The matrix.
    pub fn matrix(&self) -> &BlockMatrix {
        &self.matrices[0]
    }

    /// One of several matrices.
    pub fn matrix_of(&self, k: usize) -> &BlockMatrix {
        &self.matrices[k]
    }

    /// The number of the pattern: places in the matrix hold as long as it stays the same.
    pub fn version(&self) -> usize {
        self.patterns
    }

    /// How many pairs of bodies have blocks beyond those that are there at all times.
    pub fn extra_pairs(&self) -> usize {
        self.pairs.extra()
    }

    /// How often patterns and orders were made.
    pub fn rebuilds(&self) -> Rebuilds {
        let (kept_orders, searches) = (self.factor.kept_orders(), self.factor.searches());
        Rebuilds { patterns: self.patterns, kept_orders, searches }
    }

    /// Number of factorisations so far.
    pub fn factorizations(&self) -> usize {
        self.factor.count() + self.complex.as_ref().map_or(0, |complex| complex.count())
    }

    /// How many of those took more operations than were known before: pivots were lost, or the pattern was new.
    pub fn unplanned(&self) -> usize {
        self.factor.unplanned() + self.patterns
    }

    /// Operations of a factorisation and of a solution, and how many numbers the factors have.
    pub fn operations(&self) -> Option<(Flops, usize)> {
        self.factor.operations()
    }

    /// Takes the order of elimination of another one, if it has the same pattern.
    pub fn order_like(&mut self, other: &Jacobian) {
        self.factor.order_like(&other.factor);
    }

    /// Finds an order of elimination anew for the next matrix.
    pub fn forget_order(&mut self) {
        self.factor.forget_order();
    }
}
