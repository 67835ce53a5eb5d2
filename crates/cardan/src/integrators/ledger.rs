//! Whether a part that is renewed more often than the rest (`locality`) pays: the rest must be renewed more rarely. With ν renewals of the
//! whole a step without the part, ν' with it, and σ the work of a renewal of the part against one of the whole,
//!
//! ```text
//! σ ≤ ν − ν'                                                                                                       (1)
//! ```
//!
//! or it is given up: a tree moves everywhere alike, and which of its residuals are the largest says little. To know ν, the model does without
//! the part for a while.

use super::locality::Part;

/// So many renewals of the whole without a part, and with one, which has to grow first, tell whether it pays;
const TRIAL: [usize; 2] = [4, 16];
/// with one that has cost as much as so many renewals of the whole, fewer do.
const DEAR: f64 = 2.0;
/// After it did not, so many renewals of the whole pass before the next try, then twice as many, and so on.
const REST: usize = 64;

/// What parts are worth.
#[derive(Debug, Default)]
pub struct Ledger {
    /// Steps since the last renewal of the whole.
    steps: usize,
    without: Rate,
    with: Rate,
    /// What the renewals of the part on trial have cost, in renewals of the whole.
    spent: f64,
    /// σ.
    share: f64,
    /// Renewals of the whole until the next try, and after the next one that does not pay.
    rest: usize,
    next_rest: usize,
    /// Whether the model does without the part for comparison.
    compares: bool,
}

/// Renewals of the whole, and the steps from each to the next.
#[derive(Debug, Default)]
struct Rate {
    renewals: usize,
    steps: usize,
}

impl Rate {
    /// Counts a renewal; what is long ago counts less.
    fn add(&mut self, steps: usize) {
        if self.renewals == 2 * TRIAL[1] {
            (self.renewals, self.steps) = (self.renewals / 2, self.steps / 2);
        }
        self.renewals += 1;
        self.steps += steps;
    }

    /// ν.
    fn value(&self) -> f64 {
        self.renewals as f64 / self.steps.max(1) as f64
    }
}

impl Ledger {
    /// Counts a step.
    pub fn step_begins(&mut self) {
        self.steps += 1;
    }

    /// A part was found, or has grown, whose renewal takes this share of a whole one.
    pub fn found(&mut self, share: f64) {
        self.share = share;
    }

    /// The whole was renewed, with this part or without one.
    pub fn renewed(&mut self, part: Part) {
        let steps = std::mem::take(&mut self.steps);
        if part == Part::None {
            self.without.add(steps);
        } else {
            self.with.add(steps);
            self.spent += self.share * steps as f64;
        }
        self.rest = self.rest.saturating_sub(1);
    }

    /// Whether none is to be looked for.
    pub fn is_resting(&self) -> bool {
        self.rest > 0
    }

    /// Whether it does only to compare.
    pub fn compares(&self) -> bool {
        self.compares
    }

    /// Whether it is time to compare.
    fn is_tried(&self) -> bool {
        self.with.renewals >= if self.spent < DEAR { TRIAL[1] } else { TRIAL[0] }
    }

    /// Whether there may be a part (equation 1). Where there may not, none is to be looked for during a number of renewals.
    pub fn allows_part(&mut self) -> bool {
        if self.is_resting() || !self.is_tried() {
            return !self.is_resting();
        }
        self.compares = self.without.renewals < TRIAL[0];
        if self.compares {
            self.rest = TRIAL[0] - self.without.renewals;
        } else if self.share > self.without.value() - self.with.value() {
            self.rest = self.next_rest.max(REST);
            self.next_rest = 2 * self.rest;
            (self.with, self.spent) = (Rate::default(), 0.0);
        }
        !self.is_resting()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many renewals of the whole, each after this many steps; says whether there may be a part after the last one.
    fn renew(ledger: &mut Ledger, times: usize, steps: usize, part: Part) -> bool {
        let mut allowed = true;
        for _ in 0..times {
            (0..steps).for_each(|_| ledger.step_begins());
            ledger.renewed(part);
            allowed = ledger.allows_part();
        }
        allowed
    }

    #[test]
    fn a_part_is_kept_where_the_whole_is_renewed_more_rarely_with_it() {
        let mut ledger = Ledger::default();
        ledger.found(0.002);
        assert!(renew(&mut ledger, 15, 50, Part::Known) && !ledger.compares());
        assert!(!renew(&mut ledger, 1, 50, Part::Known) && ledger.compares());
        assert!(!renew(&mut ledger, 3, 5, Part::None) && renew(&mut ledger, 1, 5, Part::None), "0.002 < 0.2 - 0.02");
        assert!(!ledger.compares());
        assert!(renew(&mut ledger, 100, 50, Part::Known));
    }

    #[test]
    fn a_part_that_does_not_pay_is_given_up_for_longer_and_longer() {
        let mut ledger = Ledger::default();
        ledger.found(0.05);
        // Six steps cost 0.3, seven of them cost enough.
        assert!(renew(&mut ledger, 6, 6, Part::Known) && !renew(&mut ledger, 1, 6, Part::Known));
        assert!(!renew(&mut ledger, 4, 5, Part::None) && !ledger.compares(), "0.05 > 0.2 - 0.17");
        assert!(!renew(&mut ledger, REST - 1, 5, Part::None) && renew(&mut ledger, 1, 5, Part::None));
        assert!(renew(&mut ledger, 6, 6, Part::Known) && !renew(&mut ledger, 1, 6, Part::Known));
        assert!(!renew(&mut ledger, 2 * REST - 1, 5, Part::None) && renew(&mut ledger, 1, 5, Part::None));
    }
}
