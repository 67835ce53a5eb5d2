//! The elimination of a pattern in an order that was found for another one with the same block rows: blocks have come or gone, as those of
//! bodies in contact do. It takes no numbers and a time linear in the size of the factors,
//!
//! ```text
//! L_k = { i > k : A_ik ≠ 0 }  ∪  ⋃ L_c \ {k}      over all c whose first later block is k                         (1)
//! ```
//!
//! (Liu, The role of elimination trees in sparse factorization, SIAM J. Matrix Anal. Appl. 11, 1990, doi:10.1137/0611010). Pivots of a
//! body and its joint that may be as small as they like are watched as others are once a loop passes through the joint.

use super::ordering::{Step, WIDEST};
use crate::BlockPattern;

/// The steps of this order on a pattern; `None` if it fills too much.
pub fn steps(pattern: &BlockPattern, order: &[Step]) -> Option<Vec<Step>> {
    let n = order.len();
    let mut position = vec![0_u32; n];
    order.iter().zip(0..).for_each(|(step, p)| position[step.node] = p);
    let mut later: Vec<Vec<u32>> = vec![Vec::new(); n];
    for b in pattern.blocks().filter(|b| b.row != b.column) {
        let (i, j) = (position[b.row], position[b.column]);
        later[i.min(j) as usize].push(i.max(j));
    }
    let mut follows = vec![false; n];
    (0..n).filter_map(|k| pattern.follower(k)).for_each(|k| follows[k] = true);
    let is_pair = |k: usize| follows[k] || (pattern.is_tree() && pattern.follower(k).is_some());
    let mut steps = Vec::with_capacity(n);
    for (p, step) in order.iter().enumerate() {
        let mut own = std::mem::take(&mut later[p]);
        own.sort_unstable();
        own.dedup();
        if let Some((parent, rest)) = own.split_first() {
            later[*parent as usize].extend(rest);
        }
        own.iter_mut().for_each(|q| *q = order[*q as usize].node as u32);
        if own.iter().map(|k| pattern.size(*k as usize)).sum::<usize>() > WIDEST {
            return None;
        }
        steps.push(Step { node: step.node, later: own, quality: step.quality, paired: step.paired && is_pair(step.node) });
    }
    Some(steps)
}
