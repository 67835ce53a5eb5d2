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
    doubled: Doubled,
    factor: Factor,
    /// Scalar rows of every block row of the real pattern.
    rows: Vec<Range<usize>>,
    rhs: Vec<f64>,
}

/// The real matrix of twice the size.
#[derive(Debug)]
struct Doubled {
    /// The pattern it was made from.
    of: Arc<BlockPattern>,
    matrix: BlockMatrix,
    places: Vec<Place>,
}

impl Doubled {
    fn new(pattern: &Arc<BlockPattern>) -> Self {
        let mut builder = PatternBuilder::new((0..pattern.block_rows()).map(|k| 2 * pattern.size(k)).collect());
        let place = |b: &crate::pattern::Block| {
            let to = builder.slot(b.row, b.column).start;
            Place { from: b.start, to, rows: pattern.size(b.row), columns: pattern.size(b.column) }
        };
        let places = pattern.blocks().map(place).collect();
        Self { of: pattern.clone(), places, matrix: BlockMatrix::new(Arc::new(builder.finish())) }
    }
}

impl ComplexFactor {
    /// Prepares for complex matrices of this pattern, or of others with the same block rows.
    pub fn new(pattern: &Arc<BlockPattern>, threads: usize) -> Self {
        let doubled = Doubled::new(pattern);
        let rows = (0..pattern.block_rows()).map(|k| pattern.first_row(k)..pattern.first_row(k) + pattern.size(k)).collect();
        let factor = Factor::new(doubled.matrix.pattern()).with_threads(threads);
        Self { rhs: vec![0.0; 2 * pattern.dimension()], doubled, factor, rows }
    }

    /// Number of factorisations so far.
    pub fn count(&self) -> usize {
        self.factor.count()
    }

    /// Factors Σ f_k A_k with complex factors f_k = (real, imaginary) and real matrices A_k of one pattern.
    pub fn refactor<const N: usize>(&mut self, terms: [(&BlockMatrix, [f64; 2]); N]) -> Result<(), LinearError> {
        if let Some((matrix, _)) = terms.first().filter(|(matrix, _)| !Arc::ptr_eq(matrix.pattern(), &self.doubled.of)) {
            self.doubled = Doubled::new(matrix.pattern());
        }
        let Doubled { matrix, places, .. } = &mut self.doubled;
        for place in &*places {
            let Place { from, to, rows, columns } = *place;
            let out = &mut matrix.values[to..to + 4 * rows * columns];
            for c in 0..columns {
                let (left, right) = (2 * rows * c, 2 * rows * (columns + c));
                for r in 0..rows {
                    let at = from + c * rows + r;
                    let [re, im] = terms.iter().fold([0.0; 2], |[re, im], (a, f)| [re + f[0] * a.values[at], im + f[1] * a.values[at]]);
                    (out[left + r], out[left + rows + r]) = (re, im);
                    (out[right + r], out[right + rows + r]) = (-im, re);
                }
            }
        }
        self.factor.refactor(matrix)
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
        factor.refactor([(&a, p), (&b, q)]).unwrap();
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
