//! Pairs of bodies that elements couple now and then, as contacts do. A pair that is coupled and has no blocks yet asks for a new pattern. One
//! that is coupled no longer stays for a while, since it may come back: it goes with the next new pattern, or after a long time makes for one.

use crate::linear::{BlockPattern, Slot};

/// A pair that was not coupled in the last so many matrices is left out of the next new pattern ...
const KEPT: usize = 5;
/// ... and after so many a new pattern is made without it. That takes about as long as two factorisations.
const LONGEST: usize = 100;

/// A pair of bodies, the smaller one first.
pub(in crate::system) type Bodies = [usize; 2];

/// Whether a pattern has all the blocks that are needed, and few more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::system) enum Fit {
    Fits,
    Outdated,
}

/// A pair with its blocks (first, second) and (second, first).
#[derive(Debug, Clone, Copy)]
struct Pair {
    bodies: Bodies,
    slots: [Slot; 2],
    /// Whether other elements have these blocks at all times.
    permanent: bool,
    /// The number of the last matrix in which it was coupled.
    used: usize,
}

/// The pairs that have blocks, in order.
#[derive(Debug, Clone, Default)]
pub(in crate::system) struct Pairs(Vec<Pair>);

impl Pairs {
    /// Block (a, b), if there is one.
    pub fn slot(&self, a: usize, b: usize) -> Option<Slot> {
        let at = self.0.binary_search_by_key(&[a.min(b), a.max(b)], |pair| pair.bodies).ok()?;
        Some(self.0[at].slots[usize::from(a > b)])
    }

    /// Notes that these pairs, in order, are coupled in matrix `now`; those without blocks are left for [`Pairs::renew`].
    pub fn note(&mut self, coupled: &[Bodies], now: usize, base: &BlockPattern) -> Fit {
        let mut fit = if self.0.iter().any(|pair| !pair.permanent && now > pair.used + LONGEST) { Fit::Outdated } else { Fit::Fits };
        for bodies in coupled {
            match self.0.binary_search_by_key(bodies, |pair| pair.bodies) {
                Ok(at) => self.0[at].used = now,
                Err(at) => match block_pair(base, *bodies) {
                    Some(slots) => self.0.insert(at, Pair { bodies: *bodies, slots, permanent: true, used: now }),
                    None => fit = Fit::Outdated,
                },
            }
        }
        fit
    }

    /// Pairs of bodies that a new pattern is to have beyond the permanent blocks, and what it takes to place them.
    pub fn renew(&mut self, coupled: &[Bodies], now: usize) -> Vec<Bodies> {
        self.0.retain(|pair| now <= pair.used + KEPT);
        for bodies in coupled {
            if let Err(at) = self.0.binary_search_by_key(bodies, |pair| pair.bodies) {
                self.0.insert(at, Pair { bodies: *bodies, slots: [Slot::default(); 2], permanent: false, used: now });
            }
        }
        self.0.iter().filter(|pair| !pair.permanent).map(|pair| pair.bodies).collect()
    }

    /// Takes the places of the blocks from the new pattern.
    pub fn place(&mut self, pattern: &BlockPattern) {
        for pair in &mut self.0 {
            if let Some(slots) = block_pair(pattern, pair.bodies) {
                pair.slots = slots;
            }
        }
    }

    /// How many there are beyond the permanent blocks.
    pub fn extra(&self) -> usize {
        self.0.iter().filter(|pair| !pair.permanent).count()
    }
}

/// Blocks (a, b) and (b, a) of a pattern that has both.
fn block_pair(pattern: &BlockPattern, [a, b]: Bodies) -> Option<[Slot; 2]> {
    Some([pattern.slot(a, b)?, pattern.slot(b, a)?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::{PatternBuilder, Structure};

    /// Matrices in which these pairs are coupled, one after the other; gives the extra pairs after each, and how many new patterns it took.
    fn pass(matrices: &[&[Bodies]]) -> (Vec<usize>, usize) {
        let mut builder = PatternBuilder::new(vec![6; 10]);
        [(0, 0), (0, 1), (1, 0)].iter().for_each(|(r, c)| _ = builder.slot(*r, *c));
        let base = builder.finish();
        let (mut pairs, mut extra, mut renewals) = (Pairs::default(), Vec::new(), 0);
        for (now, coupled) in matrices.iter().enumerate() {
            if pairs.note(coupled, now, &base) == Fit::Outdated {
                let list = pairs.renew(coupled, now);
                pairs.place(&base.extended(&list, Structure::default()));
                renewals += 1;
            }
            coupled.iter().for_each(|[a, b]| assert!(pairs.slot(*a, *b).is_some() && pairs.slot(*b, *a).is_some()));
            extra.push(pairs.extra());
        }
        (extra, renewals)
    }

    #[test]
    fn permanent_blocks_serve_pairs_that_come_and_go() {
        assert_eq!(pass(&[&[[0, 1]], &[], &[[0, 1]]]), (vec![0, 0, 0], 0));
    }

    #[test]
    fn a_pair_that_comes_back_soon_needs_no_new_pattern() {
        assert_eq!(pass(&[&[[2, 3]], &[], &[[2, 3]], &[], &[], &[[2, 3]]]).1, 1);
    }

    #[test]
    fn a_pair_that_stays_away_goes_with_the_next_new_pattern() {
        let mut matrices: Vec<&[Bodies]> = vec![&[[2, 3]]];
        matrices.extend(vec![&[] as &[Bodies]; KEPT]);
        let (new, more): (&[Bodies], &[Bodies]) = (&[[4, 5]], &[[2, 7], [4, 5]]);
        matrices.extend([new, more]);
        let (extra, renewals) = pass(&matrices);
        assert_eq!((extra[KEPT], extra[KEPT + 1], extra[KEPT + 2], renewals), (1, 1, 2, 3));
    }

    #[test]
    fn a_pair_that_stays_away_for_long_goes_by_itself() {
        let mut matrices: Vec<&[Bodies]> = vec![&[[2, 3]]];
        matrices.extend(vec![&[] as &[Bodies]; LONGEST + 1]);
        let (extra, renewals) = pass(&matrices);
        assert_eq!((extra[LONGEST], extra[LONGEST + 1], renewals), (1, 0, 2));
    }
}
