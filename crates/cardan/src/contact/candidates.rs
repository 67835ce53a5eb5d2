//! Which pairs of many shapes come close, in a time that grows with their number only. Balls about the shapes are sorted into the cells of a grid as
//! wide as the largest of them; what is close to a ball is in its cell or one beside it. Cells are found through a table of twice as many places as
//! there are shapes, to which their coordinates are mixed, and which is sorted by counting. A few large shapes among many small ones would have
//! all of these in one cell: shapes of similar sizes have a grid of their own, and smaller ones are looked for in the grids of larger ones.
//!
//! Reference: Ericson, Real-Time Collision Detection, section 7.2 (hashed and hierarchical grids).

use super::many::Candidates;
use crate::forces::Pair;
use crate::math::Vec3;

/// Half of the cells about one, itself first: each pair of cells is looked at once.
const BESIDE: [[i64; 3]; 14] = [
    [0, 0, 0],
    [1, 0, 0],
    [-1, 1, 0],
    [0, 1, 0],
    [1, 1, 0],
    [-1, -1, 1],
    [0, -1, 1],
    [1, -1, 1],
    [-1, 0, 1],
    [0, 0, 1],
    [1, 0, 1],
    [-1, 1, 1],
    [0, 1, 1],
    [1, 1, 1],
];

/// Room for the grid, owned by the caller.
#[derive(Debug, Clone, Default)]
pub struct Grid {
    /// What was found with it, as long as that holds.
    pub(super) candidates: Candidates,
    width: f64,
    /// The cell of every ball.
    cells: Vec<[i64; 3]>,
    /// Where each place of the table begins in the list of balls.
    starts: Vec<u32>,
    balls: Vec<u32>,
}

impl Grid {
    /// Sorts balls with these centres into cells of this width.
    pub fn sort(&mut self, centres: impl Iterator<Item = Vec3>, width: f64) {
        self.width = width;
        self.cells.clear();
        self.cells.extend(centres.map(|p| cell_of(&p, width)));
        let places = (2 * self.cells.len()).next_power_of_two();
        self.starts.clear();
        self.starts.resize(places + 1, 0);
        for cell in &self.cells {
            self.starts[place(cell, places) + 1] += 1;
        }
        for k in 0..places {
            self.starts[k + 1] += self.starts[k];
        }
        self.balls.clear();
        self.balls.resize(self.cells.len(), 0);
        // From the last ball on, so that those of a place stand in order, and the starts end up where they belong.
        for ball in (0..self.cells.len()).rev() {
            let at = place(&self.cells[ball], places) + 1;
            self.starts[at] -= 1;
            self.balls[self.starts[at] as usize] = ball as u32;
        }
        self.starts.rotate_left(1);
        self.starts[places] = self.cells.len() as u32;
    }

    /// Calls `each` once with every pair of balls that are in the same cell or in cells beside each other.
    pub fn pairs(&self, mut each: impl FnMut(Pair)) {
        for (a, cell) in self.cells.iter().enumerate() {
            for (k, step) in BESIDE.iter().enumerate() {
                self.in_cell(&beside(cell, step, 1), |b| {
                    if k > 0 || b > a {
                        each([a.min(b), a.max(b)]);
                    }
                });
            }
        }
    }

    /// Calls `each` once with every ball whose cell has this point in it or beside it.
    pub fn about(&self, point: &Vec3, mut each: impl FnMut(usize)) {
        let cell = cell_of(point, self.width);
        for (k, step) in BESIDE.iter().enumerate() {
            self.in_cell(&beside(&cell, step, 1), &mut each);
            if k > 0 {
                self.in_cell(&beside(&cell, step, -1), &mut each);
            }
        }
    }

    /// Calls `each` with the balls of a cell.
    #[inline]
    fn in_cell(&self, cell: &[i64; 3], mut each: impl FnMut(usize)) {
        let at = place(cell, self.starts.len() - 1);
        let sharing = &self.balls[self.starts[at] as usize..self.starts[at + 1] as usize];
        // Other cells may share the place in the table.
        sharing.iter().map(|b| *b as usize).filter(|b| self.cells[*b] == *cell).for_each(&mut each);
    }
}

/// The cell of a point in a grid of this width.
fn cell_of(point: &Vec3, width: f64) -> [i64; 3] {
    [point.x, point.y, point.z].map(|x| (x / width).floor() as i64)
}

/// The cell that is a step, or the opposite of it, away.
fn beside(cell: &[i64; 3], step: &[i64; 3], sign: i64) -> [i64; 3] {
    [0, 1, 2].map(|axis| cell[axis].wrapping_add(sign * step[axis]))
}

/// The place of a cell in a table of so many, a power of two.
fn place(cell: &[i64; 3], places: usize) -> usize {
    let mixed = cell.iter().zip([0x9E37_79B9_7F4A_7C15_u64, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9]);
    let sum = mixed.fold(0_u64, |sum, (x, factor)| sum ^ (*x as u64).wrapping_mul(factor));
    ((sum ^ (sum >> 32)) as usize) & (places - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    #[test]
    fn all_pairs_that_are_close_are_found_once() {
        let mut random = Random::new(3);
        for (count, size) in [(1, 1.0), (40, 1.0), (300, 3.0), (300, 1e6)] {
            let centres: Vec<Vec3> = (0..count).map(|_| random.vector(size)).collect();
            let mut found = Vec::new();
            let mut grid = Grid::default();
            grid.sort(centres.iter().copied(), 0.4);
            grid.pairs(|pair| found.push(pair));
            let all = found.len();
            found.sort_unstable();
            found.dedup();
            assert_eq!(all, found.len(), "pairs come once");
            for a in 0..count {
                for b in a + 1..count {
                    let close = (centres[a] - centres[b]).norm() < 0.4;
                    assert!(!close || found.binary_search(&[a, b]).is_ok(), "{a} and {b} of {count}");
                }
            }
            let mut about = Vec::new();
            let point = random.vector(size);
            grid.about(&point, |k| about.push(k));
            let all = about.len();
            about.sort_unstable();
            about.dedup();
            assert_eq!(all, about.len(), "balls come once");
            assert!((0..count).all(|k| (centres[k] - point).norm() >= 0.4 || about.binary_search(&k).is_ok()), "those about a point");
        }
    }
}
