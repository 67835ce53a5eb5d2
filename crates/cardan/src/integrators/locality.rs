//! Where a Jacobian ages. A large model may move violently in a small part of it: there a Jacobian is old after one step, elsewhere after
//! many. After a correction with the matrix J̃ the residual
//!
//! ```text
//! r = (J − J̃) Δu + O(Δu²),      m_i = |r_i / J̃_ii| in the equations of motion,  |r_i| in those of constraints      (1)
//! ```
//!
//! is large in the equations whose derivatives are old, and in these alone, while Δu may be large everywhere: who pulls at one end of a
//! straight chain moves all of it. Where these are few, only their blocks of the Jacobian and of its factors are renewed, in that iteration and
//! from then on at the beginning of every step. A renewal also takes what comes after those blocks in the order of elimination; if
//! that is much, the order is changed, so that they are at its end. Whether a part pays is kept account of in `ledger`.

use super::ledger::Ledger;
use super::step::Step;
use crate::linear::{BlockMatrix, Factor};
use crate::math::max_abs;
use crate::system::{Region, System};

/// Models of fewer blocks have no parts.
const LEAST: usize = 100;
/// A part whose renewal takes more than this part of the work of a whole one is none.
const MOST: f64 = 0.125;
/// Misses count beyond this part of the largest one, and beyond what corrections still to come may add up to;
const NOTABLE: f64 = 1e-3;
/// beyond this part with factors in single precision, which leave something everywhere.
const NOTABLE_ROUGH: f64 = 0.1;
/// With them go others beyond this part, the largest first,
const SLIGHT: f64 = 0.01;
/// up to this part of all blocks, which costs next to nothing: where a Jacobian gets old, it soon does beside it, too.
const CHEAP: f64 = 0.01;
/// The order of elimination is changed where a few blocks take more than this part of a whole renewal,
const ADVERSE: f64 = 0.4;
/// after so many looks: it costs about twenty iterations, and each look says that a few were too many;
const PATIENCE: usize = 5;
/// and so often at most.
const MOST_ORDERS: usize = 3;
/// After so many renewals of the whole without growth a part is forgotten.
const STALE: usize = 32;
/// After looking in vain, so many iterations pass at most before the next look.
const RAREST: usize = 16;

/// The part of a model whose Jacobian is older than that of the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// There is none.
    None,
    /// The one that was known before.
    Known,
    /// A new one, or the known one has grown.
    Found,
    /// There is one, but the order of elimination does not suit it.
    OutOfOrder,
}

/// The part of a model that is renewed more often than the rest.
#[derive(Debug)]
pub struct Locality {
    region: Region,
    misses: Vec<f64>,
    /// The same, the largest first.
    sorted: Vec<f64>,
    /// Blocks of the matrix that get old, these and what a look has added, and those with whatever is renewed with them.
    old: Vec<bool>,
    grown: Vec<bool>,
    blocks: Vec<bool>,
    exists: bool,
    /// Whether there is one that the model does without for a while.
    aside: bool,
    renewals: usize,
    /// Looks that asked for another order since the last one, and how many orders there were.
    adverse: usize,
    orders: usize,
    /// Iterations until the next look, and how many it were after the last one in vain.
    wait: usize,
    waited: usize,
    ledger: Ledger,
}

impl Locality {
    /// No part yet.
    pub fn new(system: &System) -> Self {
        let n = system.matrix_blocks();
        let region = if n < LEAST { Region::default() } else { system.whole() };
        let [old, grown, blocks] = std::array::from_fn(|_| vec![false; n]);
        Self {
            region,
            misses: vec![0.0; n],
            sorted: vec![0.0; n],
            old,
            grown,
            blocks,
            exists: false,
            aside: false,
            renewals: 0,
            adverse: 0,
            orders: 0,
            wait: 0,
            waited: 1,
            ledger: Ledger::default(),
        }
    }

    /// The elements of the part.
    pub fn region(&self) -> &Region {
        &self.region
    }

    /// What is known.
    pub fn part(&self) -> Part {
        if self.exists { Part::Known } else { Part::None }
    }

    /// A step begins, and with it a renewal of the part.
    pub fn step_begins(&mut self) {
        self.ledger.step_begins();
    }

    /// The whole Jacobian is new, perhaps in another order of elimination.
    pub fn renewed(&mut self, system: &System, factor: &mut Factor) {
        self.ledger.renewed(self.part());
        if factor.is_rough() {
            self.ask_ledger();
        }
        if !self.exists {
            return;
        }
        self.renewals += 1;
        self.blocks.copy_from_slice(&self.old);
        let share = factor.mark(&mut self.blocks).filter(|share| self.renewals < STALE && *share <= MOST);
        match share {
            Some(share) => {
                self.ledger.found(share);
                system.choose(&self.blocks, &mut self.region);
            }
            None => self.forget(),
        }
    }

    /// Does without the part, or takes it up again.
    fn ask_ledger(&mut self) {
        match (self.ledger.allows_part(), self.ledger.compares()) {
            (true, _) => self.exists |= std::mem::take(&mut self.aside),
            (false, true) => self.aside |= std::mem::take(&mut self.exists),
            (false, false) => self.forget(),
        }
    }

    fn forget(&mut self) {
        self.old.fill(false);
        (self.exists, self.aside) = (false, false);
    }

    /// Looks at the residual after a correction; `allowed` is what corrections still to come may add up to.
    pub fn look(&mut self, misses: &Misses, allowed: f64, factor: &mut Factor) -> Part {
        if self.old.len() < LEAST || self.wait > 0 || self.ledger.is_resting() {
            self.wait = self.wait.saturating_sub(1);
            return self.part();
        }
        misses.measure(&mut self.misses);
        if !self.add_notable(if factor.is_rough() { NOTABLE_ROUGH } else { NOTABLE }, allowed) {
            return self.part();
        }
        // A renewal of so many blocks is too much work, whatever else it takes.
        if part_of(&self.grown) > MOST {
            self.give_up();
            return self.part();
        }
        self.blocks.copy_from_slice(&self.grown);
        match factor.mark(&mut self.blocks) {
            Some(share) if share <= MOST => self.grow(misses.system, share),
            Some(share) if share >= ADVERSE && self.orders < MOST_ORDERS && part_of(&self.grown) <= 0.5 * MOST => {
                self.consider_order(factor)
            }
            _ => {
                self.give_up();
                self.keep(factor)
            }
        }
    }

    /// Adds the blocks whose misses are notable, and some others with them; says whether there were any.
    fn add_notable(&mut self, part_of_largest: f64, allowed: f64) -> bool {
        let largest = max_abs(&self.misses);
        self.grown.copy_from_slice(&self.old);
        self.add_beyond((part_of_largest * largest).max(allowed));
        let found = self.grown != self.old;
        if found && part_of_largest > SLIGHT {
            self.sorted.copy_from_slice(&self.misses);
            let last = (CHEAP * self.sorted.len() as f64) as usize;
            let (_, miss, _) = self.sorted.select_nth_unstable_by(last, |a, b| b.total_cmp(a));
            let least = miss.max(SLIGHT * largest).max(allowed);
            self.add_beyond(least);
        }
        found
    }

    /// Adds the blocks with larger misses than this.
    fn add_beyond(&mut self, least: f64) {
        self.grown.iter_mut().zip(&self.misses).for_each(|(grown, miss)| *grown |= *miss > least);
    }

    fn grow(&mut self, system: &System, share: f64) -> Part {
        self.ledger.found(share);
        system.choose(&self.blocks, &mut self.region);
        self.old.copy_from_slice(&self.grown);
        (self.exists, self.renewals, self.waited) = (true, 0, 1);
        Part::Found
    }

    /// Changes the order once not having done so has cost as much.
    fn consider_order(&mut self, factor: &mut Factor) -> Part {
        self.adverse += 1;
        if self.adverse < PATIENCE {
            return self.keep(factor);
        }
        (self.adverse, self.orders) = (0, self.orders + 1);
        factor.order_last(&self.grown);
        self.forget();
        Part::OutOfOrder
    }

    /// Looks less often.
    fn give_up(&mut self) {
        (self.wait, self.waited) = (self.waited, (2 * self.waited).min(RAREST));
    }

    /// Leaves it at what was known.
    fn keep(&mut self, factor: &mut Factor) -> Part {
        if self.exists {
            self.blocks.copy_from_slice(&self.old);
            factor.mark(&mut self.blocks);
        }
        self.part()
    }
}

/// The marked part of these blocks.
fn part_of(blocks: &[bool]) -> f64 {
    blocks.iter().filter(|marked| **marked).count() as f64 / blocks.len() as f64
}

/// The residual after a correction, and the matrix it was made with.
pub struct Misses<'a> {
    pub system: &'a System,
    pub step: &'a Step<'a>,
    pub rhs: &'a [f64],
    pub matrix: &'a BlockMatrix,
}

impl Misses<'_> {
    /// The largest miss of every block (1), in the measure of corrections; differential states have none.
    fn measure(&self, misses: &mut [f64]) {
        let Self { system, step, rhs, matrix } = self;
        let (bodies, pattern, weight) = (system.bodies().len(), matrix.pattern(), 1.0 / step.sizes[0]);
        let (of_bodies, others) = misses.split_at_mut(bodies);
        for (b, miss) in of_bodies.iter_mut().enumerate() {
            let (block, row, size) = (system.body_block(b, matrix), pattern.first_row(b), pattern.size(b));
            let of_row = |k: usize| (rhs[row + k] / block[k * (size + 1)]).abs() * step.weights[row + k];
            *miss = (0..size).map(of_row).fold(0.0, f64::max);
        }
        for (block, miss) in (bodies..).zip(&mut others[..system.constraints().len()]) {
            *miss = weight * max_abs(&rhs[pattern.first_row(block)..][..pattern.size(block)]);
        }
    }
}
