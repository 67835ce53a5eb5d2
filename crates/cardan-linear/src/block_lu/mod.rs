//! The block factorisation of a matrix: independent parts, on several threads where there are, and a top.
//!
//! The order is found with the numbers of the first matrix; a pivot that is then much smaller than what its diagonal once was has lost its
//! digits, and a new order is made from the matrix at hand. Where that does not help, or the last order is new itself, the matrix is left to a
//! factorisation with pivoting.
//!
//! Where the pattern changes, the order stays (`adapted`). A new one is sought once the factorisations in an order made for another pattern have
//! taken as many operations more than those in the last order that was found as a search is worth.
//!
//! Small matrices are all top. Parts are the same for any number of threads, and sums over them have a fixed order, so that results are
//! the same too, bit for bit. Threads are started anew each time, which costs some microseconds and allocations.

mod adapted;
mod elimination;
mod factors;
mod filling;
mod inverse;
pub(crate) mod kernels;
mod numeric;
mod ordering;
mod partition;
mod subtrees;
mod sweeps;
mod symbolic;

pub use numeric::LostPivot;
pub use symbolic::Flops;

use crate::BlockMatrix;
use filling::Placement;
use numeric::Numeric;
use ordering::{Step, order};
use partition::plan;
use subtrees::Subtrees;
use symbolic::{Symbolic, positions};

use std::sync::{Arc, Mutex};

/// Where an order has lost its pivots after so few matrices, another one would not keep them for longer.
const SOON: usize = 10;

/// A search for an order takes as long as so many factorisations.
const SEARCH: u64 = 20;

/// Solutions with factors of fewer numbers than this take one thread: starting others would take as long.
const LARGE: usize = 1_000_000;

/// The factors of a block matrix.
#[derive(Debug)]
pub struct BlockLu {
    parts: Vec<Subtrees>,
    top: Numeric,
    /// Numbers in all factors.
    len: usize,
    order: Arc<[Step]>,
    /// Orders that were found.
    orders: usize,
    /// Matrices since the order was found, or the pattern changed.
    since: usize,
    /// Operations of a factorisation, as many when the order was found, and by how much all those so far together exceeded that.
    work: u64,
    found: u64,
    excess: u64,
}

impl BlockLu {
    /// Finds an order for matrices like this one and makes room; `None` if the factors would fill too much.
    pub fn new(matrix: &BlockMatrix) -> Option<Self> {
        let new = Self::in_order(matrix, order(matrix)?)?;
        Some(Self { found: new.work, ..new })
    }

    /// Makes room for these steps.
    fn in_order(matrix: &BlockMatrix, steps: Vec<Step>) -> Option<Self> {
        let order = steps.iter().map(|step| Step { later: Vec::new(), ..*step }).collect();
        let plan = plan(matrix.pattern(), steps);
        let placement = if plan.parts.is_empty() { Placement::WhenNeeded } else { Placement::AtOnce };
        let top = Symbolic::new(matrix, &plan.top, plan.top.len(), placement)?;
        let positions = positions(matrix, &plan.top);
        let parts: Vec<Subtrees> = plan.parts.iter().map(|share| Subtrees::new(matrix, share, &top, &positions)).collect::<Option<_>>()?;
        let len = top.len + parts.iter().map(Subtrees::len).sum::<usize>();
        let mut new = Self { parts, top: Numeric::new(Arc::new(top)), len, order, orders: 1, since: 0, work: 0, found: 0, excess: 0 };
        new.work = new.operations().0.factor;
        Some(new)
    }

    /// Room for another matrix of the pattern, in the same order.
    pub fn alike(&self) -> Self {
        let parts = self.parts.iter().map(|part| part.alike()).collect();
        let (top, order) = (Numeric::new(self.top.symbolic.clone()), self.order.clone());
        Self { parts, top, order, orders: 1, since: 0, excess: 0, ..*self }
    }

    /// The same order for matrices of another pattern, if it does not fill them too much.
    pub fn adapted(self, matrix: &BlockMatrix) -> Option<Self> {
        let new = Self::in_order(matrix, adapted::steps(matrix.pattern(), &self.order)?)?;
        let top = new.top.with_memory_of(self.top);
        Some(Self { top, order: self.order, orders: self.orders, since: SOON, found: self.found, excess: self.excess, ..new })
    }

    /// Operations of a factorisation and of a solution, and how many numbers the factors have.
    pub fn operations(&self) -> (Flops, usize) {
        let all = self.parts.iter().map(Subtrees::operations).chain([self.top.symbolic.operations()]);
        (all.fold(Flops::default(), |a, b| Flops { factor: a.factor + b.factor, solve: a.solve + b.solve }), self.len)
    }

    /// How often a new order was made.
    pub fn reorders(&self) -> usize {
        self.orders - 1
    }

    /// Factors the matrix in the order at hand.
    pub fn factor(&mut self, matrix: &BlockMatrix, threads: usize) -> Result<(), LostPivot> {
        self.since += 1;
        self.excess += self.work.saturating_sub(self.found);
        if self.excess > SEARCH * self.found
            && let Some(new) = Self::new(matrix)
        {
            *self = Self { orders: self.orders + 1, ..new };
        }
        for_each(&mut self.parts, threads, |part| part.factor(matrix));
        let Self { parts, top, .. } = self;
        top.fill(matrix);
        parts.iter().try_for_each(|part| part.add_to(top))?;
        top.eliminate(matrix)
    }

    /// Factors the matrix in an order made for it.
    pub fn factor_anew(&mut self, matrix: &BlockMatrix, threads: usize, lost: LostPivot) -> Result<(), LostPivot> {
        if self.since <= SOON {
            return Err(lost);
        }
        *self = Self { orders: self.orders + 1, ..Self::new(matrix).ok_or(lost)? };
        self.factor(matrix, threads)
    }

    /// Solves in place.
    pub fn solve(&mut self, x: &mut [f64], threads: usize) {
        let Self { parts, top, len, .. } = self;
        let threads = if *len < LARGE { 1 } else { threads };
        if threads <= 1 {
            parts.iter_mut().for_each(|part| part.forward(x));
        } else {
            for_each(parts, threads, |part| part.forward_beside(x));
        }
        parts.iter().for_each(|part| part.add_solution(x));
        top.forward(None, x, &mut []);
        top.backward(None, x, &[]);
        if threads <= 1 {
            parts.iter_mut().for_each(|part| part.backward(x));
        } else {
            for_each(parts, threads, |part| part.backward_beside(x));
            parts.iter().for_each(|part| part.write_solution(x));
        }
    }
}

/// Does something with every part, on so many threads. Where one cannot be started, the others do its work.
fn for_each(parts: &mut [Subtrees], threads: usize, work: impl Fn(&mut Subtrees) + Sync) {
    let threads = threads.min(parts.len());
    if threads <= 1 {
        return parts.iter_mut().for_each(work);
    }
    let queue = Mutex::new(parts.iter_mut());
    let next = || queue.lock().ok()?.next();
    let worker = || {
        while let Some(part) = next() {
            work(part);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            let _ = std::thread::Builder::new().spawn_scoped(scope, worker);
        }
        worker();
    });
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

    use super::*;
    use crate::PatternBuilder;

    /// Four chains of blocks on the last one, definite but for a block where it is asked for.
    fn chains(n: usize, zero: Option<usize>) -> BlockMatrix {
        let mut builder = PatternBuilder::new(vec![6; n + 1]);
        let before = |k: usize| if k.is_multiple_of(n / 4) { n } else { k - 1 };
        let beside = |builder: &mut PatternBuilder, k: usize| (k < n).then(|| [builder.slot(k, before(k)), builder.slot(before(k), k)]);
        let slots: Vec<_> = (0..=n).map(|k| (builder.slot(k, k), beside(&mut builder, k))).collect();
        let mut matrix = BlockMatrix::new(Arc::new(builder.finish()));
        for (k, (diagonal, beside)) in slots.into_iter().enumerate() {
            if zero == Some(k) {
                continue;
            }
            (0..6).for_each(|r| matrix.block(diagonal)[7 * r] = 2.0 + 0.1 * (k as f64).sin());
            for slot in beside.into_iter().flatten().filter(|_| zero != Some(before(k))) {
                (0..36).for_each(|e| matrix.block(slot)[e] = 0.1 * ((k + e) as f64).cos());
            }
        }
        matrix
    }

    #[test]
    fn large_systems_with_branches_are_shared_out() {
        assert_eq!(BlockLu::new(&chains(8000, None)).unwrap().parts.len(), 4);
        assert!(BlockLu::new(&chains(800, None)).unwrap().parts.is_empty());
    }

    #[test]
    fn a_lost_pivot_in_a_part_is_named_and_forgotten() {
        let (good, bad) = (chains(8000, None), chains(8000, Some(5000)));
        let mut lu = BlockLu::new(&good).unwrap();
        let mut solutions = Vec::new();
        for threads in [1, 2] {
            lu.factor(&good, threads).unwrap();
            let mut x = vec![1.0; good.pattern().dimension()];
            lu.solve(&mut x, threads);
            solutions.push(x);
            assert_eq!(lu.factor(&bad, threads), Err(LostPivot { block: 5000 }));
        }
        assert!(solutions[0] == solutions[1]);
    }
}
