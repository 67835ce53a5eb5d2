//! A tree of boxes about triangles: which of them are near a point, and how near the nearest can be.

use crate::math::Vec3;

/// Triangles in a leaf at most.
const LEAF: usize = 4;

/// A box with what it holds: two children, or triangles.
#[derive(Debug, Clone, PartialEq)]
struct Node {
    low: Vec3,
    high: Vec3,
    held: Held,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Held {
    /// The second child; the first one follows its parent.
    Children(usize),
    /// From, to in the order of the tree.
    Triangles(usize, usize),
}

/// A tree of boxes.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    nodes: Vec<Node>,
    order: Vec<usize>,
}

impl Tree {
    /// About these triangles.
    pub fn new(triangles: &[[Vec3; 3]]) -> Self {
        let mut tree = Self { nodes: Vec::new(), order: (0..triangles.len()).collect() };
        tree.divide(triangles, 0, triangles.len());
        tree
    }

    fn divide(&mut self, triangles: &[[Vec3; 3]], from: usize, to: usize) {
        let corners = || self.order[from..to].iter().flat_map(|k| triangles[*k]);
        let low = corners().fold(Vec3::repeat(f64::INFINITY), |low, x| low.inf(&x));
        let high = corners().fold(Vec3::repeat(f64::NEG_INFINITY), |high, x| high.sup(&x));
        let here = self.nodes.len();
        self.nodes.push(Node { low, high, held: Held::Triangles(from, to) });
        if to - from <= LEAF {
            return;
        }
        let axis = (high - low).imax();
        let centre = |k: &usize| triangles[*k].iter().map(|x| x[axis]).sum::<f64>();
        self.order[from..to].sort_by(|a, b| centre(a).total_cmp(&centre(b)).then(a.cmp(b)));
        let middle = from.midpoint(to);
        self.divide(triangles, from, middle);
        self.nodes[here].held = Held::Children(self.nodes.len());
        self.divide(triangles, middle, to);
    }

    /// Calls `each` with the triangles whose boxes are within the distance that `each` returned last, at first `reach`.
    pub fn near(&self, x: &Vec3, reach: f64, mut each: impl FnMut(usize) -> f64) {
        self.visit(0, x, reach, &mut each);
    }

    fn visit(&self, at: usize, x: &Vec3, mut reach: f64, each: &mut impl FnMut(usize) -> f64) -> f64 {
        let Some(node) = self.nodes.get(at) else { return reach };
        if self.distance(at, x) > reach {
            return reach;
        }
        match node.held {
            Held::Triangles(from, to) => {
                self.order[from..to].iter().for_each(|k| reach = each(*k));
                reach
            }
            Held::Children(second) => {
                let nearer_first = self.distance(at + 1, x) <= self.distance(second, x);
                let [one, other] = if nearer_first { [at + 1, second] } else { [second, at + 1] };
                reach = self.visit(one, x, reach, each);
                self.visit(other, x, reach, each)
            }
        }
    }

    fn distance(&self, at: usize, x: &Vec3) -> f64 {
        let Node { low, high, .. } = &self.nodes[at];
        (low - x).sup(&(x - high)).sup(&Vec3::zeros()).norm()
    }
}
