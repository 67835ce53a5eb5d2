//! Which rows to call redundant: the choice among equals.
//!
//! The null vectors n_1 … n_k of Gᵀ found by elimination leave open which k rows are "the redundant ones": any k columns of
//! N = (n_1 … n_k)ᵀ with a regular k×k part will do. People expect the later row of a model to be the redundant one, so N is
//! brought to reduced echelon form with its pivots as far to the right as they stay comparable to the largest entry.
//! Vectors that share no rows are treated apart; large entangled groups keep the choice of the elimination.

/// A redundant row and its null vector, in rows of unit norm.
pub(super) type NullVector = (usize, Vec<(usize, f64)>);

/// Groups with more work than this keep their choice.
const MAX_WORK: usize = 20_000_000;
/// A pivot may be this much smaller than the largest entry of its vector.
const COMPARABLE: f64 = 0.05;
/// Entries this small are round-off.
const ZERO: f64 = 1e-9;

/// Moves the redundant rows as late in the model as possible; the result is sorted by row.
pub(super) fn prefer_later(null_space: Vec<NullVector>) -> Vec<NullVector> {
    let mut result = Vec::with_capacity(null_space.len());
    for group in groups(null_space) {
        let mut rows: Vec<usize> = group.iter().flat_map(|(_, n)| n.iter().map(|x| x.0)).collect();
        rows.sort_unstable();
        rows.dedup();
        if group.len().saturating_mul(group.len()).saturating_mul(rows.len()) > MAX_WORK {
            result.extend(group);
        } else {
            result.extend(echelon(&group, &rows));
        }
    }
    result.sort_unstable_by_key(|x| x.0);
    result
}

/// Splits the vectors into groups that share no rows.
fn groups(null_space: Vec<NullVector>) -> Vec<Vec<NullVector>> {
    let mut parent: Vec<usize> = (0..null_space.len()).collect();
    let mut owner = std::collections::HashMap::new();
    for (k, (_, n)) in null_space.iter().enumerate() {
        for (row, _) in n {
            let other = *owner.entry(*row).or_insert(k);
            let (a, b) = (root(&mut parent, k), root(&mut parent, other));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut groups: Vec<Vec<NullVector>> = (0..null_space.len()).map(|_| Vec::new()).collect();
    for (k, vector) in null_space.into_iter().enumerate() {
        groups[root(&mut parent, k)].push(vector);
    }
    groups.retain(|g| !g.is_empty());
    groups
}

fn root(parent: &mut [usize], mut k: usize) -> usize {
    while parent[k] != k {
        parent[k] = parent[parent[k]];
        k = parent[k];
    }
    k
}

/// Reduced echelon form of one group, pivots from the right.
fn echelon(group: &[NullVector], rows: &[usize]) -> Vec<NullVector> {
    let (k, width) = (group.len(), rows.len());
    let mut n = vec![vec![0.0; width]; k];
    for (dense, (_, sparse)) in n.iter_mut().zip(group) {
        for (row, x) in sparse {
            dense[rows.partition_point(|r| r < row)] = *x;
        }
    }
    let mut pivots: Vec<Option<usize>> = vec![None; k];
    while pivots.contains(&None) {
        let before = pivots.iter().flatten().count();
        for column in (0..width).rev() {
            if let Some(p) = pivot_vector(&n, &pivots, column) {
                pivots[p] = Some(column);
                clear_column(&mut n, p, column);
            }
        }
        if pivots.iter().flatten().count() == before {
            return group.to_vec();
        }
    }
    let sparse = |dense: &Vec<f64>| dense.iter().zip(rows).filter(|(x, _)| x.abs() > ZERO).map(|(x, r)| (*r, *x)).collect();
    pivots.iter().flatten().zip(&n).map(|(column, dense)| (rows[*column], sparse(dense))).collect()
}

fn pivot_vector(n: &[Vec<f64>], pivots: &[Option<usize>], column: usize) -> Option<usize> {
    let usable = |k: &usize| {
        let largest = crate::norms::max_abs(&n[*k]);
        pivots[*k].is_none() && largest > 0.0 && n[*k][column].abs() >= COMPARABLE * largest
    };
    (0..n.len()).filter(usable).max_by(|a, b| n[*a][column].abs().total_cmp(&n[*b][column].abs()))
}

/// Scales vector `p` to one at the column and clears the column from all others.
fn clear_column(n: &mut [Vec<f64>], p: usize, column: usize) {
    let pivot = n[p][column];
    n[p].iter_mut().for_each(|x| *x /= pivot);
    let pivot_vector = n[p].clone();
    for (k, vector) in n.iter_mut().enumerate() {
        let factor = vector[column];
        if k != p && factor != 0.0 {
            vector.iter_mut().zip(&pivot_vector).for_each(|(x, y)| *x -= factor * y);
            vector[column] = 0.0;
        }
    }
}
