//! Subtrees of the elimination tree: a part of the matrix, factored beside others.
//!
//! Everything it works on is its own: the factors of its blocks, and panels for those blocks of the top that it changes. These start from
//! zero, collect the part's side of the sum, and are added to the top afterwards, part after part:
//!
//! ```text
//! A_ij ← A_ij − Σ_parts Σ_k L_ik Ũ_kj,      x_i ← x_i − Σ_parts Σ_k L_ik x_k                        (1)
//! ```

use super::filling::{Given, Placement};
use super::numeric::{LostPivot, Numeric};
use super::partition::Share;
use super::sweeps::SolveOrder;
use super::symbolic::{Flops, Symbolic};
use super::{inverse, kernels};
use crate::BlockMatrix;
use std::sync::Arc;

/// Subtrees that are eliminated together, and their factors.
#[derive(Debug)]
pub struct Subtrees {
    numeric: Numeric,
    outcome: Result<(), LostPivot>,
    /// Numbers for its rows in the order of elimination, behind them those of its changed blocks, and the way through these.
    x: Vec<f64>,
    ordered: Arc<SolveOrder>,
    /// Places of its changed blocks among the blocks of the top, and where their numbers go.
    above: Vec<u32>,
    sums: Vec<Given>,
}

impl Subtrees {
    /// Makes room; `positions` are the places of all blocks in the top.
    pub fn new(matrix: &BlockMatrix, share: &Share, top: &Symbolic, positions: &[u32]) -> Option<Self> {
        let symbolic = Symbolic::new(matrix, &share.steps, share.eliminated, Placement::WhenNeeded)?;
        let above: Vec<u32> = share.steps[share.eliminated..].iter().map(|step| positions[step.node]).collect();
        let (sums, ordered) = (sums(&symbolic, &above, top), Arc::new(SolveOrder::ordered(&symbolic)));
        let numeric = Numeric::new(Arc::new(symbolic));
        Some(Self { x: vec![0.0; numeric.symbolic.rows()], numeric, outcome: Ok(()), ordered, above, sums })
    }

    /// Room for the same part of another matrix.
    pub fn alike(&self) -> Self {
        let numeric = Numeric::new(self.numeric.symbolic.clone());
        let (ordered, above, sums) = (self.ordered.clone(), self.above.clone(), self.sums.clone());
        Self { x: vec![0.0; self.x.len()], numeric, outcome: Ok(()), ordered, above, sums }
    }

    /// Operations of its elimination, and of a solution.
    pub fn operations(&self) -> Flops {
        self.numeric.symbolic.operations()
    }

    /// Numbers in its factors.
    pub fn len(&self) -> usize {
        self.numeric.symbolic.len
    }

    /// Eliminates its blocks.
    pub fn factor(&mut self, matrix: &BlockMatrix) {
        self.outcome = self.numeric.eliminate(matrix);
    }

    /// Equation (1), left; fails if its elimination did.
    pub fn add_to(&self, top: &mut Numeric) -> Result<(), LostPivot> {
        self.outcome?;
        let symbolic = &self.numeric.symbolic;
        for (pivot, above) in symbolic.pivots[symbolic.eliminated..].iter().zip(&self.above) {
            let target = top.symbolic.pivots[*above as usize];
            let (diagonal, peak) = top.panels[target.range()].split_at_mut(target.len() - target.size as usize);
            let own = &self.numeric.panels[pivot.range()][pivot.len() - pivot.size as usize..];
            inverse::raise(peak, diagonal);
            peak.iter_mut().zip(own).for_each(|(peak, own)| *peak = peak.max(*own));
        }
        for sum in &self.sums {
            let (from, to, len) = (sum.from as usize, sum.to as usize, sum.len());
            add(&self.numeric.panels[from..from + len], &mut top.panels[to..to + len]);
        }
        Ok(())
    }

    /// Solves forward in its rows of the right-hand side.
    pub fn forward(&mut self, x: &mut [f64]) {
        let above = &mut self.x[self.numeric.symbolic.eliminated_rows()..];
        above.fill(0.0);
        self.numeric.forward(None, x, above);
    }

    /// The same beside other parts: in numbers of its own.
    pub fn forward_beside(&mut self, x: &[f64]) {
        let (own, above) = self.x.split_at_mut(self.numeric.symbolic.eliminated_rows());
        for pivot in self.numeric.symbolic.eliminated_pivots() {
            kernels::copy(pivot.size as usize, &x[pivot.rows()], &mut own[pivot.ordered_rows()]);
        }
        above.fill(0.0);
        self.numeric.forward(Some(&self.ordered), own, above);
    }

    /// Equation (1), right.
    pub fn add_solution(&self, x: &mut [f64]) {
        let symbolic = &self.numeric.symbolic;
        for pivot in &symbolic.pivots[symbolic.eliminated..] {
            add(&self.x[pivot.ordered_rows()], &mut x[pivot.rows()]);
        }
    }

    /// Solves backward with the solution of the top.
    pub fn backward(&mut self, x: &mut [f64]) {
        self.take_above(x);
        self.numeric.backward(None, x, &self.x[self.numeric.symbolic.eliminated_rows()..]);
    }

    /// The same beside other parts: in numbers of its own.
    pub fn backward_beside(&mut self, x: &[f64]) {
        self.take_above(x);
        let (own, above) = self.x.split_at_mut(self.numeric.symbolic.eliminated_rows());
        self.numeric.backward(Some(&self.ordered), own, above);
    }

    fn take_above(&mut self, x: &[f64]) {
        let symbolic = &self.numeric.symbolic;
        for pivot in &symbolic.pivots[symbolic.eliminated..] {
            self.x[pivot.ordered_rows()].copy_from_slice(&x[pivot.rows()]);
        }
    }

    /// Its own numbers as its rows of the solution.
    pub fn write_solution(&self, x: &mut [f64]) {
        for pivot in self.numeric.symbolic.eliminated_pivots() {
            kernels::copy(pivot.size as usize, &self.x[pivot.ordered_rows()], &mut x[pivot.rows()]);
        }
    }
}

/// Where the changed blocks of a part lie, and where in the top.
fn sums(part: &Symbolic, above: &[u32], top: &Symbolic) -> Vec<Given> {
    let mut sums = Vec::new();
    let mut sum = |i: usize, j: usize| {
        let target = |k: usize| above[k - part.eliminated] as usize;
        let (rows, columns) = (part.pivots[i].size as u16, part.pivots[j].size as u16);
        sums.push(Given { from: part.locate(i, j), to: top.locate(target(i), target(j)), rows, columns });
    };
    for i in part.eliminated..part.pivots.len() {
        sum(i, i);
        for later in part.later_of(i) {
            sum(i, later.position as usize);
            sum(later.position as usize, i);
        }
    }
    sums
}

fn add(from: &[f64], to: &mut [f64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
}
