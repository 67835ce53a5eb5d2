//! The joints that carry branches: those of a spanning tree, from the ground outwards, that no loop passes through.
//!
//! Such a joint is eliminated right after the body that it carries (`linear/ordering`). Joints in loops wait until the loop can move enough.

use crate::bodies::MarkerId;
use crate::constraints::Constraint;
use crate::forces::ForceLaw;
use crate::system::System;
use std::collections::VecDeque;

/// A spanning tree of the bodies; the ground is behind the others.
struct Tree {
    /// The joint that carries each body, and the body at its other end.
    carrier: Vec<Option<(usize, usize)>>,
    depth: Vec<usize>,
    /// Whether a loop passes through the joint that carries the body.
    in_loop: Vec<bool>,
}

/// The block rows of bodies and of the joints that carry them.
pub(super) fn carrying_joints(s: &System) -> Vec<(usize, usize)> {
    let ground = s.bodies.len();
    let body = |m: &MarkerId| s.markers[m.index()].body.unwrap_or(ground);
    let ends: Vec<Vec<usize>> = s.constraints.iter().map(|c| c.element.markers().iter().map(body).collect()).collect();
    let mut tree = Tree::new(s, &ends);
    for (k, ends) in ends.iter().enumerate() {
        ends.windows(2).for_each(|pair| tree.close(pair[0], pair[1], Some(k)));
    }
    for force in &s.forces {
        let [i, j] = force.markers().map(|m| body(&m));
        tree.close(i, j, None);
    }
    for force in &s.expressions {
        let bodies: Vec<usize> = force.markers.iter().map(body).chain(force.reads.bodies.iter().copied()).collect();
        bodies.windows(2).for_each(|pair| tree.close(pair[0], pair[1], None));
    }
    let carries = |b: usize| tree.carrier[b].filter(|_| !tree.in_loop[b]).map(|(joint, _)| (b, ground + joint));
    (0..ground).filter_map(carries).collect()
}

impl Tree {
    /// Breadth first from the ground, then from bodies that nothing holds.
    fn new(s: &System, ends: &[Vec<usize>]) -> Self {
        let ground = s.bodies.len();
        let mut joints: Vec<Vec<(usize, usize)>> = vec![Vec::new(); ground + 1];
        for (k, ends) in ends.iter().enumerate() {
            if let [i, j] = ends[..] {
                joints[i].push((k, j));
                joints[j].push((k, i));
            }
        }
        let (mut carrier, mut depth, mut reached) = (vec![None; ground + 1], vec![0; ground + 1], vec![false; ground + 1]);
        for root in std::iter::once(ground).chain(0..ground) {
            let mut open = VecDeque::from_iter((!std::mem::replace(&mut reached[root], true)).then_some(root));
            while let Some(inner) = open.pop_front() {
                for (k, outer) in &joints[inner] {
                    let fits = *outer != ground && s.constraints[*k].element.rows() <= s.bodies[*outer].v().len();
                    if fits && !std::mem::replace(&mut reached[*outer], true) {
                        (carrier[*outer], depth[*outer]) = (Some((*k, inner)), depth[inner] + 1);
                        open.push_back(*outer);
                    }
                }
            }
        }
        Self { carrier, depth, in_loop: vec![false; ground + 1] }
    }

    /// Something acts between two bodies: the joints on the way between them are in a loop, unless it is one of them, or stands beside the only one.
    fn close(&mut self, mut i: usize, mut j: usize, joint: Option<usize>) {
        let carried_by = |a: usize, b: usize| self.carrier[a].filter(|(k, inner)| *inner == b && joint.is_none_or(|own| own == *k));
        if carried_by(i, j).or(carried_by(j, i)).is_some() {
            return;
        }
        while i != j {
            let outer = if self.depth[i] >= self.depth[j] { &mut i } else { &mut j };
            self.in_loop[*outer] = true;
            let Some((_, inner)) = self.carrier[*outer] else { return };
            *outer = inner;
        }
    }
}
