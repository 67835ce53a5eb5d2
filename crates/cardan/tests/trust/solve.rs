//! An independent solution: the classic Runge–Kutta method with small equal steps between samples and breaks, in the few coordinates of a
//! problem.

/// Solves ẏ = f(t, y) and gives y at the times. Steps are at most `h` and end at all times and breaks.
pub fn solve(f: impl Fn(f64, &[f64], &mut [f64]), start: &[f64], times: &[f64], breaks: &[f64], h: f64) -> Vec<Vec<f64>> {
    let (mut t, mut y) = (times[0], start.to_vec());
    let mut out = vec![y.clone()];
    for until in &times[1..] {
        let mut stops: Vec<f64> = breaks.iter().copied().filter(|b| *b > t && *b < *until).collect();
        stops.push(*until);
        for stop in stops {
            let steps = ((stop - t) / h).ceil().max(1.0);
            let size = (stop - t) / steps;
            for k in 0..steps as usize {
                step(&f, t + k as f64 * size, size, &mut y);
            }
            t = stop;
        }
        out.push(y.clone());
    }
    out
}

fn step(f: &impl Fn(f64, &[f64], &mut [f64]), t: f64, h: f64, y: &mut [f64]) {
    let n = y.len();
    let mut k = vec![vec![0.0; n]; 4];
    let mut at = y.to_vec();
    for (stage, part) in [0.0, 0.5, 0.5, 1.0].into_iter().enumerate() {
        if stage > 0 {
            (0..n).for_each(|i| at[i] = y[i] + part * h * k[stage - 1][i]);
        }
        // A break at the end of a step belongs to the next one.
        f(t + part * h * (1.0 - 1e-9), &at, &mut k[stage]);
    }
    (0..n).for_each(|i| y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]));
}

/// Solves a small linear system by elimination with pivoting.
pub fn linear(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for c in 0..n {
        let pivot = (c..n).max_by(|i, j| a[*i][c].abs().total_cmp(&a[*j][c].abs())).unwrap();
        a.swap(c, pivot);
        b.swap(c, pivot);
        for r in c + 1..n {
            let factor = a[r][c] / a[c][c];
            (c..n).for_each(|k| a[r][k] -= factor * a[c][k]);
            b[r] -= factor * b[c];
        }
    }
    for r in (0..n).rev() {
        b[r] = (b[r] - (r + 1..n).map(|k| a[r][k] * b[k]).sum::<f64>()) / a[r][r];
    }
    b
}

/// The quintic transition from 0 to 1 between two times.
pub fn step5(t: f64, from: f64, to: f64) -> f64 {
    let s = ((t - from) / (to - from)).clamp(0.0, 1.0);
    s * s * s * (10.0 - 15.0 * s + 6.0 * s * s)
}

/// Its rate.
pub fn step5_rate(t: f64, from: f64, to: f64) -> f64 {
    let s = ((t - from) / (to - from)).clamp(0.0, 1.0);
    30.0 * s * s * (1.0 - s) * (1.0 - s) / (to - from)
}
