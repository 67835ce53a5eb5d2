//! GMRES: the combination y of r, A r, A² r, … with the smallest ‖r − A y‖, for matrices that are known by their products and close to the
//! identity but in few directions. An orthonormal basis of these vectors, V, has A V_m = V_{m+1} H, and what is left to minimise,
//! ‖β e₁ − H z‖ for y = V_m z, is reduced to a triangular system by rotations, one for each column.
//!
//! Reference: Saad, Schultz, doi:10.1137/0907058.

/// A space grown from one right-hand side.
#[derive(Debug, Default)]
pub struct Gmres {
    basis: Vec<Vec<f64>>,
    /// Columns of H, turned into those of a triangular matrix.
    columns: Vec<Vec<f64>>,
    rotations: Vec<(f64, f64)>,
    /// β e₁, turned along.
    right: Vec<f64>,
}

impl Gmres {
    /// Solves A y = r up to the part `accuracy` of r, in place, with at most so many products; gives their number.
    pub fn solve<E>(
        &mut self,
        r: &mut [f64],
        (accuracy, most): (f64, usize),
        mut product: impl FnMut(&[f64], &mut [f64]) -> Result<(), E>,
    ) -> Result<usize, E> {
        let size = norm(r);
        if size == 0.0 || !size.is_finite() {
            return Ok(0);
        }
        self.basis.clear();
        self.columns.clear();
        self.rotations.clear();
        self.right = vec![size];
        self.basis.push(r.iter().map(|r| r / size).collect());
        for m in 1..=most {
            let mut image = vec![0.0; r.len()];
            product(&self.basis[m - 1], &mut image)?;
            self.add(image);
            if self.right[m].abs() <= accuracy * size || self.basis.len() == m {
                break;
            }
        }
        self.combine(r);
        Ok(self.columns.len())
    }

    /// Takes the next vector, orthogonalised twice, and its column.
    fn add(&mut self, mut image: Vec<f64>) {
        let whole = norm(&image);
        let mut column = vec![0.0; self.basis.len() + 1];
        for _ in 0..2 {
            for (v, h) in self.basis.iter().zip(&mut column) {
                let share: f64 = v.iter().zip(&image).map(|(v, y)| v * y).sum();
                image.iter_mut().zip(v).for_each(|(y, v)| *y -= share * v);
                *h += share;
            }
        }
        let m = self.basis.len();
        let left = norm(&image);
        if left > f64::EPSILON * whole {
            column[m] = left;
            image.iter_mut().for_each(|y| *y /= left);
            self.basis.push(image);
        }
        for (k, (c, s)) in self.rotations.iter().enumerate() {
            (column[k], column[k + 1]) = (c * column[k] + s * column[k + 1], c * column[k + 1] - s * column[k]);
        }
        let length = column[m - 1].hypot(column[m]);
        let (c, s) = if length > 0.0 { (column[m - 1] / length, column[m] / length) } else { (1.0, 0.0) };
        self.rotations.push((c, s));
        let last = self.right[m - 1];
        self.right[m - 1] = c * last;
        self.right.push(-s * last);
        (column[m - 1], column[m]) = (length, 0.0);
        self.columns.push(column);
    }

    /// y = V z.
    fn combine(&mut self, y: &mut [f64]) {
        y.fill(0.0);
        for k in (0..self.columns.len()).rev() {
            let pivot = self.columns[k][k];
            let z = if pivot > 0.0 { self.right[k] / pivot } else { 0.0 };
            for i in 0..k {
                self.right[i] -= self.columns[k][i] * z;
            }
            y.iter_mut().zip(&self.basis[k]).for_each(|(y, v)| *y += z * v);
        }
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cardan::math::random::Random;

    /// The identity but for three directions, some of them turned round: four products.
    #[test]
    fn few_directions_take_few_products() {
        let (n, mut random) = (50, Random::new(4));
        let mut vector = || (0..n).map(|_| random.range(-1.0, 1.0)).collect::<Vec<f64>>();
        let pairs: Vec<_> = (0..3).map(|_| (vector(), vector())).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let product = |x: &[f64], y: &mut [f64]| {
            y.copy_from_slice(x);
            for (u, v) in &pairs {
                let share = dot(v, x);
                y.iter_mut().zip(u).for_each(|(y, u)| *y -= 2.0 * share * u);
            }
            Ok::<(), ()>(())
        };
        let right = vector();
        let (mut x, mut image) = (right.clone(), vec![0.0; n]);
        let products = Gmres::default().solve(&mut x, (1e-12, 30), product).unwrap();
        product(&x, &mut image).unwrap();
        assert!(products == 4 && image.iter().zip(&right).all(|(a, b)| (a - b).abs() < 1e-11), "{products}");
    }

    #[test]
    fn a_closed_space_ends_and_nothing_gives_nothing() {
        let double = |x: &[f64], y: &mut [f64]| {
            y.iter_mut().zip(x).for_each(|(y, x)| *y = 2.0 * x);
            Ok::<(), ()>(())
        };
        let (mut x, mut zero) = ([3.0, 4.0], [0.0; 2]);
        assert_eq!(Gmres::default().solve(&mut x, (0.0, 9), double), Ok(1));
        assert!((x[0] - 1.5).abs() < 1e-15 && (x[1] - 2.0).abs() < 1e-15);
        assert_eq!((Gmres::default().solve(&mut zero, (0.0, 9), double), zero), (Ok(0), [0.0; 2]));
    }
}
