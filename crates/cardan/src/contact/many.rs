//! Pairs of many shapes: those of which one has no bounds come first in the list of pairs, the others are found by cells. Let r be the radius of
//! the ball about a shape, and ν the part of their sizes within which shapes are near. Candidates are the pairs with
//!
//! ```text
//! |p_a − p_b| ≤ (1 + ν)(r_a + r_b) + s                                                                          (1)
//! ```
//!
//! They are listed once, and no pair comes closer than (1 + ν)(r_a + r_b) that is not among them until a shape has moved by s/2. So the pairs
//! that are near are a function of the state, and so is their order, while the search costs little more than a look at every shape.
//!
//! Reference: Verlet, Phys. Rev. 159 (1967), doi:10.1103/PhysRev.159.98.

use super::candidates::Grid;
use crate::forces::Pair;
use crate::math::Vec3;

/// Shapes are of similar sizes within this factor.
const SIMILAR: f64 = 4.0;
/// s against the radius of a shape of middle size.
const MARGIN: f64 = 0.2;

/// Many pairs of shapes.
#[derive(Debug, Clone)]
pub struct Many {
    /// So many pairs at the beginning of the list have a shape without bounds.
    pub unbounded: usize,
    /// (1 + ν) r of all shapes.
    reach: Vec<f64>,
    /// Shapes with bounds, the smallest first.
    sizes: Vec<Similar>,
    /// s.
    margin: f64,
    /// Which pairs of shapes there are, a bit for each.
    bits: Vec<u64>,
}

/// Shapes of similar sizes.
#[derive(Debug, Clone)]
struct Similar {
    shapes: Vec<usize>,
    /// Width of their cells, m.
    width: f64,
}

/// Candidates (1), and where the shapes were when they were listed.
#[derive(Debug, Clone, Default)]
pub struct Candidates {
    pairs: Vec<Pair>,
    from: Vec<Vec3>,
}

impl Many {
    /// Of shapes with these radii r; puts the pairs in order.
    pub fn new(radii: &[f64], near: f64, pairs: &mut [Pair]) -> Self {
        let bounded = |k: &usize| radii[*k].is_finite();
        pairs.sort_by_key(|pair| pair.iter().all(bounded));
        let unbounded = pairs.partition_point(|pair| !pair.iter().all(bounded));
        let n = radii.len();
        let mut bits = vec![0_u64; (n * n).div_ceil(64)];
        for [a, b] in &pairs[unbounded..] {
            let bit = a * n + b;
            bits[bit / 64] |= 1 << (bit % 64);
        }
        let reach: Vec<f64> = radii.iter().map(|r| (1.0 + near) * r).collect();
        let mut shapes: Vec<usize> = (0..n).filter(bounded).collect();
        shapes.sort_by(|a, b| reach[*a].total_cmp(&reach[*b]));
        let large = &shapes[shapes.partition_point(|k| reach[*k] == 0.0)..];
        let margin = large.get(large.len() / 2).map_or(1.0, |k| MARGIN * reach[*k]);
        Self { unbounded, sizes: Similar::all(&shapes, &reach, margin), reach, margin, bits }
    }

    fn has(&self, [a, b]: Pair) -> bool {
        let bit = a * self.reach.len() + b;
        self.bits[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Calls `each` with the pairs of shapes with bounds whose balls are near each other, where the centres are these.
    pub fn near(&self, centre: impl Fn(usize) -> Vec3, grid: &mut Grid, mut each: impl FnMut(Pair)) {
        let mut candidates = std::mem::take(&mut grid.candidates);
        if self.have_moved(&centre, &candidates) {
            self.list(&centre, grid, &mut candidates);
        }
        for [a, b] in &candidates.pairs {
            if self.within(&centre(*a), &centre(*b), [*a, *b], 0.0) {
                [[*a, *b], [*b, *a]].into_iter().filter(|pair| self.has(*pair)).for_each(&mut each);
            }
        }
        grid.candidates = candidates;
    }

    /// Whether candidates have to be listed anew.
    fn have_moved(&self, centre: impl Fn(usize) -> Vec3, candidates: &Candidates) -> bool {
        let limit = 0.25 * self.margin * self.margin;
        let stays = |k: &usize| (centre(*k) - candidates.from[*k]).norm_squared() <= limit;
        candidates.from.is_empty() || !self.shapes().all(stays)
    }

    fn shapes(&self) -> impl Iterator<Item = &usize> {
        self.sizes.iter().flat_map(|similar| &similar.shapes)
    }

    fn within(&self, p: &Vec3, q: &Vec3, [a, b]: Pair, margin: f64) -> bool {
        let reach = self.reach[a] + self.reach[b] + margin;
        (p - q).norm_squared() <= reach * reach
    }

    /// Lists the candidates, in order.
    fn list(&self, centre: impl Fn(usize) -> Vec3, grid: &mut Grid, out: &mut Candidates) {
        out.pairs.clear();
        out.from.resize(self.reach.len(), Vec3::zeros());
        self.shapes().for_each(|k| out.from[*k] = centre(*k));
        let Candidates { pairs, from } = out;
        let mut keep = |a: usize, b: usize| {
            if self.within(&from[a], &from[b], [a, b], self.margin) && (self.has([a, b]) || self.has([b, a])) {
                pairs.push([a.min(b), a.max(b)]);
            }
        };
        for (level, Similar { shapes, width }) in self.sizes.iter().enumerate() {
            grid.sort(shapes.iter().map(|k| from[*k]), *width);
            grid.pairs(|[a, b]| keep(shapes[a], shapes[b]));
            for small in self.sizes[..level].iter().flat_map(|smaller| &smaller.shapes) {
                grid.about(&from[*small], |k| keep(*small, shapes[k]));
            }
        }
        pairs.sort_unstable();
    }
}

impl Similar {
    /// Shapes with bounds in the order of their size.
    fn all(shapes: &[usize], reach: &[f64], margin: f64) -> Vec<Self> {
        let (mut sizes, mut rest) = (Vec::new(), shapes);
        while let Some(first) = rest.first() {
            let (similar, larger) = rest.split_at(rest.partition_point(|k| reach[*k] <= SIMILAR * reach[*first]));
            let largest = similar.last().map_or(0.0, |k| reach[*k]);
            sizes.push(Self { shapes: similar.to_vec(), width: 2.0 * largest + margin });
            rest = larger;
        }
        sizes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    /// Balls of all sizes that move a little at a time, with a list that is kept, against all pairs.
    #[test]
    fn kept_candidates_give_the_pairs_that_are_near() {
        let mut random = Random::new(8);
        let radii: Vec<f64> = (0..150).map(|k| if k < 3 { 5.0 } else { 0.3 * 10f64.powf(random.range(-1.5, 0.0)) }).collect();
        let mut pairs: Vec<Pair> = (0..150).flat_map(|a| (a + 1..150).map(move |b| [a, b])).filter(|[a, b]| (a + b) % 7 > 0).collect();
        let many = Many::new(&radii, 0.1, &mut pairs);
        let (mut grid, mut listed) = (Grid::default(), 0);
        let mut centres: Vec<Vec3> = (0..150).map(|_| random.vector(3.0)).collect();
        for _ in 0..200 {
            let before = grid.candidates.from.clone();
            let mut found = Vec::new();
            many.near(|k| centres[k], &mut grid, |pair| found.push(pair));
            listed += usize::from(before != grid.candidates.from);
            let near = |[a, b]: &Pair| (centres[*a] - centres[*b]).norm() <= 1.1 * (radii[*a] + radii[*b]);
            let mut expected: Vec<Pair> = pairs.iter().copied().filter(near).collect();
            expected.sort_unstable();
            assert_eq!(found, expected, "in order");
            centres.iter_mut().for_each(|centre| *centre += random.vector(0.0003));
        }
        assert!((2..40).contains(&listed), "listed {listed} times");
    }
}
