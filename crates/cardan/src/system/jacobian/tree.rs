//! How elements hang together: a spanning tree of the bodies, from the ground outwards, along joints; which of these joints carry branches, so
//! that no loop passes through them; and whether there are loops at all.
//!
//! A joint that carries a branch is eliminated right after the body that it carries (`linear`). Joints in loops wait until the loop can move
//! enough. Where nothing closes a loop, pivots may get smaller before they are distrusted.

use super::slots::first_constraint;
use crate::bodies::MarkerId;
use crate::constraints::Constraint;
use crate::forces::ForceLaw;
use crate::linear::Structure;
use crate::system::System;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

/// The tree, whose nodes are the bodies and the ground.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    ground: usize,
    /// The block row of the first joint.
    first_joint: usize,
    /// The joint that carries each body, and the body at its other end.
    carrier: Arc<[Option<(usize, usize)>]>,
    depth: Arc<[usize]>,
    /// What holds the bodies to the ground.
    roots: Arc<[usize]>,
    /// Whether a loop passes through the joint that carries the body.
    in_loop: Vec<bool>,
    /// Bodies that hang together by joints or forces.
    groups: Groups,
    /// Whether there is a loop.
    closed: bool,
}

impl Tree {
    /// Of all elements that act between the same bodies at all times.
    pub fn of(s: &System) -> Self {
        let body = |m: &MarkerId| s.markers[m.index()].body;
        let ends: Vec<Vec<usize>> = s.constraints.iter().map(|c| c.element.markers().iter().map(body).collect()).collect();
        let mut tree = Self::spanning(s, &ends);
        let mut joined = HashSet::new();
        for (k, ends) in ends.iter().enumerate() {
            for pair in ends.windows(2) {
                joined.insert(sorted([pair[0], pair[1]]));
                tree.close([pair[0], pair[1]], Some(k));
            }
            tree.closed |= ends.iter().any(|b| ![ends[0], ends[ends.len() - 1]].contains(b));
        }
        let forces = s.forces.iter().map(|f| f.markers().iter().map(body).collect());
        let expressions = s.expressions.iter().map(|f| f.markers.iter().map(body).chain(f.reads.bodies.iter().copied()).collect());
        for bodies in forces.chain(expressions) {
            let bodies: Vec<usize> = bodies;
            let pairs = bodies.windows(2).map(|pair| sorted([pair[0], pair[1]]));
            pairs.for_each(|pair| _ = joined.insert(pair).then(|| tree.couple(pair)));
        }
        // States read what they like.
        tree.closed |= !s.states.is_empty();
        tree
    }

    /// Breadth first from the ground, then from bodies that nothing holds.
    fn spanning(s: &System, ends: &[Vec<usize>]) -> Self {
        let (ground, first_joint) = (s.ground(), first_constraint(s));
        let mut joints: Vec<Vec<(usize, usize)>> = vec![Vec::new(); ground + 1];
        for (k, ends) in ends.iter().enumerate() {
            if let [i, j] = ends[..] {
                joints[i].push((k, j));
                joints[j].push((k, i));
            }
        }
        let (mut carrier, mut depth, mut reached) = (vec![None; ground + 1], vec![0; ground + 1], vec![false; ground + 1]);
        let mut groups = Groups((0..=ground).collect());
        for root in std::iter::once(ground).chain(0..ground) {
            let mut open = VecDeque::from_iter((!std::mem::replace(&mut reached[root], true)).then_some(root));
            while let Some(inner) = open.pop_front() {
                for (k, outer) in &joints[inner] {
                    let fits = *outer != ground && s.constraints[*k].element.rows() <= s.bodies[*outer].v().len();
                    if fits && !std::mem::replace(&mut reached[*outer], true) {
                        (carrier[*outer], depth[*outer]) = (Some((*k, inner)), depth[inner] + 1);
                        groups.join(inner, *outer);
                        open.push_back(*outer);
                    }
                }
            }
        }
        let roots = (0..ends.len()).filter(|k| ends[*k].contains(&ground)).map(|k| first_joint + k).collect();
        let (carrier, depth, in_loop) = (carrier.into(), depth.into(), vec![false; ground + 1]);
        Self { ground, first_joint, carrier, depth, roots, in_loop, groups, closed: false }
    }

    /// A force acts between two bodies.
    pub fn couple(&mut self, bodies: [usize; 2]) {
        self.close(bodies, None);
    }

    /// Something acts between two bodies: the joints on the way between them are in a loop, unless it is one of them, or a force beside the
    /// only one.
    fn close(&mut self, [mut i, mut j]: [usize; 2], joint: Option<usize>) {
        let carried_by = |a: usize, b: usize| self.carrier[a].filter(|(k, inner)| *inner == b && joint.is_none_or(|own| own == *k));
        if i == j || carried_by(i, j).or(carried_by(j, i)).is_some() {
            return;
        }
        // What acts on the ground couples a body with nothing, unless it holds it.
        if joint.is_some() || (i != self.ground && j != self.ground) {
            self.closed |= !self.groups.join(i, j);
        }
        while i != j {
            let outer = if self.depth[i] >= self.depth[j] { &mut i } else { &mut j };
            self.in_loop[*outer] = true;
            let Some((_, inner)) = self.carrier[*outer] else { return };
            *outer = inner;
        }
    }

    /// What the factorisation is to know of it.
    pub fn structure(&self) -> Structure {
        let carries = |b: usize| self.carrier[b].filter(|_| !self.in_loop[b]).map(|(joint, _)| (b, self.first_joint + joint));
        Structure { followers: (0..self.ground).filter_map(carries).collect(), roots: (!self.closed).then(|| self.roots.clone()) }
    }
}

fn sorted([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

/// Bodies that hang together, each with another one of its group.
#[derive(Debug, Clone)]
struct Groups(Vec<usize>);

impl Groups {
    /// Joins the groups of two bodies; says whether they were two.
    fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.first(a), self.first(b));
        self.0[a] = b;
        a != b
    }

    fn first(&mut self, mut body: usize) -> usize {
        while self.0[body] != body {
            self.0[body] = self.0[self.0[body]];
            body = self.0[body];
        }
        body
    }
}
