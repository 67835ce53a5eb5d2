//! The sparse rank analysis against dense singular values, on random sparse matrices with planted dependencies.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::linear::rank::{BLOCK, BlockRows, Rank, analyze};
use cardan::math::random::Random;
use nalgebra::DMatrix;
use std::time::Instant;

fn dense(matrix: &BlockRows) -> DMatrix<f64> {
    let mut g = DMatrix::zeros(matrix.rows.len(), BLOCK * matrix.blocks);
    for (r, row) in matrix.rows.iter().enumerate() {
        for (b, values) in row {
            for (k, x) in values.iter().enumerate() {
                g[(r, BLOCK * b + k)] += x;
            }
        }
    }
    g
}

/// Rank by singular values of the rows scaled to unit norm.
fn dense_rank(g: &DMatrix<f64>) -> usize {
    let mut unit = g.clone();
    for mut row in unit.row_iter_mut() {
        let norm = row.norm();
        if norm > 0.0 {
            row /= norm;
        }
    }
    unit.svd(false, false).singular_values.iter().filter(|s| **s > 1e-8).count()
}

fn random_row(random: &mut Random, blocks: usize, width: usize) -> Vec<(usize, [f64; BLOCK])> {
    let first = random.bits() as usize % blocks;
    let second = (first + 1 + random.bits() as usize % 3) % blocks;
    let mut values = || {
        let mut x = [0.0; BLOCK];
        x[..width].iter_mut().for_each(|x| *x = random.range(-1.0, 1.0));
        x
    };
    if second == first { vec![(first, values())] } else { vec![(first, values()), (second, values())] }
}

/// Σ c_k row_k as a sparse row.
fn combine(rows: &[Vec<(usize, [f64; BLOCK])>], parts: &[(usize, f64)]) -> Vec<(usize, [f64; BLOCK])> {
    let mut sum = std::collections::BTreeMap::new();
    for (k, c) in parts {
        for (b, values) in &rows[*k] {
            let entry = sum.entry(*b).or_insert([0.0; BLOCK]);
            entry.iter_mut().zip(values).for_each(|(x, y)| *x += c * y);
        }
    }
    sum.into_iter().collect()
}

fn check_null_vectors(matrix: &BlockRows, rank: &Rank) {
    let g = dense(matrix);
    for redundant in &rank.redundant {
        let own = redundant.combination.iter().find(|x| x.0 == redundant.row);
        assert_eq!(own.map(|x| x.1), Some(1.0), "row {} is not in its own combination", redundant.row);
        let mut sum = nalgebra::RowDVector::zeros(g.ncols());
        let mut size = 0.0;
        for (row, c) in &redundant.combination {
            sum += g.row(*row) * *c;
            size += g.row(*row).norm() * c.abs();
        }
        assert!(sum.norm() <= 1e-8 * size.max(f64::MIN_POSITIVE), "row {}: {:e} of {:e}", redundant.row, sum.norm(), size);
    }
    // Without the redundant rows the others are independent.
    let kept: Vec<usize> = (0..g.nrows()).filter(|r| rank.redundant.iter().all(|x| x.row != *r)).collect();
    assert_eq!(kept.len(), rank.rank);
    assert_eq!(dense_rank(&g.select_rows(&kept)), kept.len(), "the rows kept are not independent");
}

#[test]
fn rank_agrees_with_singular_values_on_planted_dependencies() {
    let mut with_redundancy = 0;
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let blocks = 2 + random.bits() as usize % 12;
        let width = 2 + random.bits() as usize % 5;
        let free = random.bits() as usize % (blocks * width + 4);
        let mut rows: Vec<_> = (0..free.max(2)).map(|_| random_row(&mut random, blocks, width)).collect();
        for _ in 0..random.bits() % 5 {
            let parts: Vec<(usize, f64)> =
                (0..1 + random.bits() % 4).map(|_| (random.bits() as usize % rows.len(), random.range(-2.0, 2.0))).collect();
            let planted = combine(&rows, &parts);
            let at = random.bits() as usize % (rows.len() + 1);
            rows.insert(at, planted);
        }
        // Rows scaled by ten to the ±6: only directions count.
        for row in &mut rows {
            let scale = 10f64.powf(random.range(-6.0, 6.0));
            row.iter_mut().flat_map(|e| &mut e.1).for_each(|x| *x *= scale);
        }
        let matrix = BlockRows { blocks, rows };
        let rank = analyze(&matrix);
        assert_eq!(rank.rank, dense_rank(&dense(&matrix)), "seed {seed}");
        check_null_vectors(&matrix, &rank);
        with_redundancy += usize::from(!rank.redundant.is_empty());
    }
    assert!(with_redundancy > 100, "the test hardly tests anything: {with_redundancy}");
}

#[test]
fn the_later_of_two_equal_rows_is_redundant() {
    for seed in 0..50 {
        let mut random = Random::new(seed);
        let mut rows: Vec<_> = (0..12).map(|_| random_row(&mut random, 6, 6)).collect();
        rows.push(combine(&rows, &[(3, -4.0)]));
        let rank = analyze(&BlockRows { blocks: 6, rows });
        assert_eq!(rank.redundant.len(), 1);
        assert_eq!(rank.redundant[0].row, 12, "seed {seed}");
        assert_eq!(rank.redundant[0].combination.len(), 2);
        let (row, c) = rank.redundant[0].combination.iter().find(|x| x.0 != 12).copied().unwrap();
        assert!(row == 3 && (c - 4.0).abs() < 1e-9, "{row} {c}");
    }
}

#[test]
fn zero_rows_empty_matrices_and_more_rows_than_columns() {
    assert_eq!(analyze(&BlockRows::default()), Rank::default());
    let one = |x: f64| vec![(0, [x, 0.0, 0.0, 0.0, 0.0, 0.0])];
    let rank = analyze(&BlockRows { blocks: 2, rows: vec![vec![], one(0.0), one(1e-6), one(1e6)] });
    assert_eq!(rank.rank, 1);
    assert_eq!(rank.redundant.iter().map(|r| r.row).collect::<Vec<_>>(), [0, 1, 3]);
    assert_eq!(rank.redundant[0].combination, [(0, 1.0)]);
    let last = &rank.redundant[2].combination;
    assert!(last.iter().any(|(r, c)| *r == 2 && (c + 1e12).abs() < 1.0), "{last:?}");
}

#[test]
fn nearly_dependent_rows_count_as_independent() {
    let row = |x: f64| vec![(0, [1.0, x, 0.0, 0.0, 0.0, 0.0])];
    assert_eq!(analyze(&BlockRows { blocks: 1, rows: vec![row(0.0), row(1e-7)] }).rank, 2);
    assert_eq!(analyze(&BlockRows { blocks: 1, rows: vec![row(0.0), row(1e-12)] }).rank, 1);
}

/// Joints of `rows` random rows on the edges of a square grid of blocks.
fn random_grid(side: usize, rows: usize) -> BlockRows {
    let mut random = Random::new(5);
    let mut matrix = BlockRows { blocks: side * side, rows: vec![] };
    let mut edge = |a: usize, b: usize| {
        for _ in 0..rows {
            let mut values = || [0; BLOCK].map(|_| random.range(-1.0, 1.0));
            matrix.rows.push(vec![(a, values()), (b, values())]);
        }
    };
    for k in 0..side * side {
        if k % side + 1 < side {
            edge(k, k + 1);
        }
        if k + side < side * side {
            edge(k, k + side);
        }
    }
    matrix
}

#[test]
fn random_grids_have_the_rank_of_their_dense_twins_and_are_fast() {
    let small = random_grid(6, 4);
    assert_eq!(analyze(&small).rank, dense_rank(&dense(&small)));
    // 71 × 71 blocks, 9940 joints of 3 rows: every row is independent, as there are fewer rows than columns everywhere.
    let large = random_grid(71, 3);
    let start = Instant::now();
    let rank = analyze(&large);
    println!("grid of {} rows on {} blocks: {:?}", large.rows.len(), large.blocks, start.elapsed());
    assert_eq!(rank.rank, large.rows.len());
    assert!(start.elapsed().as_secs_f64() < 20.0);
}
