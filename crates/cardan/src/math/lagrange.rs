//! Lagrange's formula: the value at t of the polynomial through values at other times is Σ l_j (value j),
//!
//! ```text
//! l_j(t) = Π_{i≠j} (t − t_i)/(t_j − t_i)                                                                           (1)
//! ```

/// l_j at `t` for the first `count` times; zero beyond.
pub fn factors<const N: usize>(times: &[f64; N], count: usize, t: f64) -> [f64; N] {
    std::array::from_fn(|j| {
        let others = (0..count).filter(|i| *i != j);
        if j < count { others.map(|i| (t - times[i]) / (times[j] - times[i])).product() } else { 0.0 }
    })
}
