//! Which parts of an elimination can go on at the same time.
//!
//! The parent of a block is the first block that its elimination changes; blocks in different branches of this tree do not touch each
//! other. Children are brought right before their parents (a postorder): the factors are the same, and what is worked on together lies
//! together. In large systems the tree is then shared out into parts of similar work with a top that waits for all of them. Eliminating one
//! block of size s that is coupled with w rows counts as s (s + w)².
//!
//! The tree of a chain is a single path; it stays in one piece.
//!
//! All this depends on the matrix alone, not on the number of threads, and neither do the results.

use super::ordering::Step;
use crate::BlockPattern;
use std::ops::Range;

/// Less work than this is not shared out: it takes about a millisecond.
const LEAST: f64 = 4e6;
/// Shares of the whole: parts above this are divided further, where the lighter branch has at least ...
const COARSEST: f64 = 0.125;
/// ... this, and small ones are joined up to this.
const FINEST: f64 = 0.04;
/// The longest part with the top: above this, it is not worth it.
const UNEVEN: f64 = 0.8;

/// The steps of an elimination, shared out.
#[derive(Debug)]
pub struct Plan {
    /// Independent of each other.
    pub parts: Vec<Share>,
    /// What comes after them.
    pub top: Vec<Step>,
}

/// A part: steps that are made, then those of the blocks in the top that they change.
#[derive(Debug)]
pub struct Share {
    pub steps: Vec<Step>,
    pub eliminated: usize,
}

/// Shares out the steps of an elimination.
pub fn plan(pattern: &BlockPattern, steps: Vec<Step>) -> Plan {
    let tree = Tree::new(pattern, steps);
    if tree.total() < LEAST {
        return tree.whole();
    }
    let roots = tree.share();
    if tree.longest(&roots) < UNEVEN * tree.total() { tree.plan(&roots) } else { tree.whole() }
}

/// Steps in postorder.
#[derive(Debug)]
struct Tree {
    steps: Vec<Step>,
    /// The place of every block.
    position: Vec<usize>,
    /// Where the subtree of a step begins, and its work; the last one belongs to the root of all.
    first: Vec<usize>,
    work: Vec<f64>,
}

impl Tree {
    fn new(pattern: &BlockPattern, steps: Vec<Step>) -> Self {
        let steps = postorder(steps);
        let n = steps.len();
        let (position, parent) = parents(&steps);
        let (mut first, mut work): (Vec<usize>, _) = ((0..=n).collect(), vec![0.0; n + 1]);
        first[n] = 0;
        let rows = |k: usize| pattern.size(k) as f64;
        for (p, step) in steps.iter().enumerate() {
            let (s, w) = (rows(step.node), step.later.iter().map(|k| rows(*k as usize)).sum::<f64>());
            work[p] += s * (s + w) * (s + w);
            work[parent[p]] += work[p];
            first[parent[p]] = first[parent[p]].min(first[p]);
        }
        Self { steps, position, first, work }
    }

    fn total(&self) -> f64 {
        self.work[self.steps.len()]
    }

    /// From the heaviest to the lightest.
    fn children(&self, parent: usize) -> Vec<usize> {
        let mut children = Vec::new();
        let mut end = parent;
        while end > self.first[parent] {
            children.push(end - 1);
            end = self.first[end - 1];
        }
        children.sort_by(|a, b| self.work[*b].total_cmp(&self.work[*a]));
        children
    }

    fn range(&self, root: usize) -> Range<usize> {
        self.first[root]..root + 1
    }

    /// Roots of independent subtrees.
    fn share(&self) -> Vec<usize> {
        let mut open = self.children(self.steps.len());
        let mut roots = Vec::new();
        while let Some(heaviest) = (0..open.len()).max_by(|a, b| self.work[open[*a]].total_cmp(&self.work[open[*b]])) {
            if self.work[open[heaviest]] <= COARSEST * self.total() {
                break;
            }
            let root = open.swap_remove(heaviest);
            match self.branches(root) {
                Some(branches) => open.extend(branches),
                None => roots.push(root),
            }
        }
        roots.extend(open);
        roots.sort_unstable();
        roots
    }

    /// The subtrees below the first fork of a subtree, if less lies above the fork than can go on beside the heaviest branch.
    fn branches(&self, root: usize) -> Option<Vec<usize>> {
        let (mut node, mut branches, mut above) = (root, Vec::new(), 0.0);
        loop {
            let children = self.children(node);
            let (heaviest, others) = children.split_first()?;
            branches.extend(others);
            above += self.work[node] - children.iter().map(|c| self.work[*c]).sum::<f64>();
            let beside = others.first().map_or(0.0, |c| self.work[*c]);
            if beside >= FINEST * self.total() {
                branches.push(*heaviest);
                return (above < beside).then_some(branches);
            }
            node = *heaviest;
        }
    }

    /// Work of the heaviest subtree and of what comes after all of them.
    fn longest(&self, roots: &[usize]) -> f64 {
        let work = || roots.iter().map(|r| self.work[*r]);
        work().fold(0.0, f64::max) + self.total() - work().sum::<f64>()
    }

    /// Everything in one piece.
    fn whole(self) -> Plan {
        Plan { parts: Vec::new(), top: self.steps }
    }

    fn plan(self, roots: &[usize]) -> Plan {
        let (mut parts, mut joined, mut sum) = (Vec::new(), 0, 0.0);
        for (k, root) in roots.iter().enumerate() {
            sum += self.work[*root];
            if sum >= FINEST * self.total() || k + 1 == roots.len() {
                parts.push(self.join(&roots[joined..=k]));
                (joined, sum) = (k + 1, 0.0);
            }
        }
        let mut is_top = vec![true; self.steps.len()];
        roots.iter().for_each(|root| is_top[self.range(*root)].fill(false));
        let top = self.steps.into_iter().zip(is_top).filter_map(|(step, is_top)| is_top.then_some(step)).collect();
        Plan { parts, top }
    }

    fn join(&self, roots: &[usize]) -> Share {
        let mut steps: Vec<Step> = roots.iter().flat_map(|root| self.steps[self.range(*root)].iter().cloned()).collect();
        let eliminated = steps.len();
        let changed = roots.iter().flat_map(|root| &self.steps[*root].later);
        let mut changed: Vec<usize> = changed.map(|k| self.position[*k as usize]).collect();
        changed.sort_unstable();
        changed.dedup();
        steps.extend(changed.iter().map(|p| self.steps[*p].clone()));
        Share { steps, eliminated }
    }
}

/// The place of every block, and the parent of every step; that of the last ones is the number of steps.
fn parents(steps: &[Step]) -> (Vec<usize>, Vec<usize>) {
    let n = steps.len();
    let mut position = vec![0; n];
    steps.iter().enumerate().for_each(|(p, step)| position[step.node] = p);
    let parent = |step: &Step| step.later.iter().map(|k| position[*k as usize]).min().unwrap_or(n);
    let parents = steps.iter().map(parent).collect();
    (position, parents)
}

/// Brings the steps into an order in which every step comes after its subtree and next to it.
fn postorder(steps: Vec<Step>) -> Vec<Step> {
    let n = steps.len();
    let (_, parent) = parents(&steps);
    let mut size = vec![1; n + 1];
    (0..n).for_each(|p| size[parent[p]] += size[p]);
    // From the last to the first: a step takes the last free place of its parent's range.
    let mut free = vec![n; n + 1];
    let mut sorted: Vec<Option<Step>> = vec![None; n];
    for (p, step) in steps.into_iter().enumerate().rev() {
        let end = free[parent[p]];
        sorted[end - 1] = Some(step);
        free[p] = end - 1;
        free[parent[p]] = end - size[p];
    }
    sorted.into_iter().flatten().collect()
}
