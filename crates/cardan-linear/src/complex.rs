//! Complex systems with a real pattern, as real ones of twice the size: every number becomes a block,
//!
//! ```text
//! a + i b  →  [ a  −b ]        in every block row the real parts come first, then the imaginary parts                  (1)
//!             [ b   a ]
//! ```
//!
//! so that the factorisation of real block matrices serves for both, block by block and linear in the number of bodies.

use super::{BlockMatrix, BlockPattern, Factor, LinearError, PatternBuilder};
use std::ops::Range;
use std::sync::Arc;

/// Where a block of the real pattern goes.
#[derive(Debug, Clone, Copy)]
struct Place {
    from: usize,
    to: usize,
    rows: usize,
    columns: usize,
}

/// A complex matrix of a real pattern, with its factorisation.
#[derive(Debug)]
pub struct ComplexFactor {
    matrix: BlockMatrix,
    factor: Factor,
    places: Vec<Place>,
    /// Scalar rows of every block row of the real pattern.
    rows: Vec<Range<usize>>,
    rhs: Vec<f64>,
}

impl ComplexFactor {
    /// Prepares for complex matrices of this pattern.
    pub fn new(pattern: &BlockPattern, threads: usize) -> Self {
        let sizes: Vec<usize> = (0..pattern.block_rows()).map(|k| pattern.size(k)).collect();
        let mut builder = PatternBuilder::new(sizes.iter().map(|n| 2 * n).collect());
        let place = |b: &super::block_matrix::Block| {
            let to = builder.slot(b.row, b.column).0;
            Place { from: b.start, to, rows: sizes[b.row], columns: sizes[b.column] }
        };
        let places = pattern.blocks().map(place).collect();
        let rows = (0..pattern.block_rows()).map(|k| pattern.first_row(k)..pattern.first_row(k) + sizes[k]).collect();
        let matrix = BlockMatrix::new(Arc::new(builder.finish()));
        let factor = Factor::new(matrix.pattern()).with_threads(threads);
        Self { rhs: vec![0.0; 2 * pattern.dimension()], matrix, factor, places, rows }
    }

    /// Number of factorisations so far.
    pub fn count(&self) -> usize {
        self.factor.count()
    }

    /// Factors Σ f_k A_k with complex factors f_k = (real, imaginary) and real matrices A_k, given by their values.
    pub fn refactor<const N: usize>(&mut self, terms: [(&[f64], [f64; 2]); N]) -> Result<(), LinearError> {
        for place in &self.places {
            let Place { from, to, rows, columns } = *place;
            let out = &mut self.matrix.values[to..to + 4 * rows * columns];
            for c in 0..columns {
                let (left, right) = (2 * rows * c, 2 * rows * (columns + c));
                for r in 0..rows {
                    let at = from + c * rows + r;
                    let [re, im] = terms.iter().fold([0.0; 2], |[re, im], (a, f)| [re + f[0] * a[at], im + f[1] * a[at]]);
                    (out[left + r], out[left + rows + r]) = (re, im);
                    (out[right + r], out[right + rows + r]) = (-im, re);
                }
            }
        }
        self.factor.refactor(&self.matrix)
    }

    /// Solves in place for real and imaginary parts with the last factorisation.
    pub fn solve(&mut self, re: &mut [f64], im: &mut [f64]) -> Result<(), LinearError> {
        for rows in &self.rows {
            let (first, n) = (2 * rows.start, rows.len());
            self.rhs[first..first + n].copy_from_slice(&re[rows.clone()]);
            self.rhs[first + n..first + 2 * n].copy_from_slice(&im[rows.clone()]);
        }
        self.factor.solve(&mut self.rhs)?;
        for rows in &self.rows {
            let (first, n) = (2 * rows.start, rows.len());
            re[rows.clone()].copy_from_slice(&self.rhs[first..first + n]);
            im[rows.clone()].copy_from_slice(&self.rhs[first + n..first + 2 * n]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cardan::math::random::Random;

    #[test]
    fn solutions_satisfy_the_complex_equations() {
        let mut builder = PatternBuilder::new(vec![2, 3, 1]);
        for (r, c) in [(0, 0), (1, 1), (2, 2), (0, 1), (1, 0), (2, 1), (1, 2)] {
            builder.slot(r, c);
        }
        let pattern = Arc::new(builder.finish());
        let mut random = Random::new(5);
        let [mut a, mut b] = [BlockMatrix::new(pattern.clone()), BlockMatrix::new(pattern.clone())];
        a.values.iter_mut().chain(b.values.iter_mut()).for_each(|x| *x = random.range(-1.0, 1.0));
        let (p, q) = ([0.7, 0.3], [-0.2, 1.1]);
        let mut factor = ComplexFactor::new(&pattern, 1);
        factor.refactor([(&a.values, p), (&b.values, q)]).unwrap();
        let right: Vec<[f64; 6]> = (0..2).map(|_| std::array::from_fn(|_| random.range(-1.0, 1.0))).collect();
        let (mut re, mut im) = (right[0], right[1]);
        factor.solve(&mut re, &mut im).unwrap();
        let combine = |f: [f64; 2]| -> [[f64; 6]; 2] {
            std::array::from_fn(|part| {
                std::array::from_fn(|i| if part == 0 { f[0] * re[i] - f[1] * im[i] } else { f[0] * im[i] + f[1] * re[i] })
            })
        };
        let (with_a, with_b) = (combine(p), combine(q));
        for part in 0..2 {
            let (mut first, mut second) = ([0.0; 6], [0.0; 6]);
            a.residual(&with_a[part], &right[part], &mut first);
            b.residual(&with_b[part], &first, &mut second);
            assert!(second.iter().all(|r| r.abs() < 1e-13), "{second:?}");
        }
    }
}
