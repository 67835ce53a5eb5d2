//! A linear system in state space,
//!
//! ```text
//! ẋ = A x + B u,     y = C x + D u,     x(0) = x₀                                           (1)
//! ```

use super::writer::combination;
use super::{BlockKind, Key, Sort, Writer, key};

pub const KEYS: [Key; 6] = [
    key("inputs", Sort::Signals, "the signals u"),
    key("a", Sort::Matrix, "A"),
    key("b", Sort::Matrix, "B"),
    key("c", Sort::Matrix, "C"),
    key("d", Sort::Matrix, "D; default: zero").optional(),
    key("x0", Sort::Numbers, "x at the start; default: zero").optional(),
];

pub const STATE_SPACE: BlockKind = BlockKind {
    name: "state-space",
    summary: "a linear system of states; further outputs are BLOCK.1, BLOCK.2, …",
    keys: &KEYS,
    write: |w| {
        let system = Matrices::read(w)?;
        let x: Vec<String> = (1..=system.x0.len()).map(|i| w.dif(&format!("x{i}"))).collect();
        for (i, (rate, initial)) in system.rates(&x).into_iter().zip(&system.x0).enumerate() {
            w.state(&format!("x{}", i + 1), rate, *initial);
        }
        w.outputs(system.outputs(&x));
        Ok(())
    },
};

/// The matrices of (1) and the signals u.
pub struct Matrices {
    a: Vec<Vec<f64>>,
    b: Vec<Vec<f64>>,
    c: Vec<Vec<f64>>,
    d: Vec<Vec<f64>>,
    u: Vec<String>,
    pub x0: Vec<f64>,
}

impl Matrices {
    pub fn read(w: &Writer) -> Result<Self, String> {
        let (a, c, u) = (w.matrix("a"), w.matrix("c"), w.signals("inputs"));
        let n = a.len();
        let or_zero = |x: Vec<Vec<f64>>| if x.is_empty() { vec![vec![0.0; u.len()]; c.len()] } else { x };
        let (b, d) = (w.matrix("b"), or_zero(w.matrix("d")));
        let x0 = Some(w.numbers("x0")).filter(|x| !x.is_empty()).unwrap_or_else(|| vec![0.0; n]);
        check("a", &a, (n, n))?;
        check("b", &b, (n, u.len()))?;
        check("c", &c, (c.len().max(1), n))?;
        check("d", &d, (c.len(), u.len()))?;
        if x0.len() != n {
            return Err(format!("'x0' has {} numbers, there are {n} states", x0.len()));
        }
        Ok(Self { a, b, c, d, u, x0 })
    }

    /// A x + B u.
    pub fn rates(&self, x: &[String]) -> Vec<String> {
        self.rows(&self.a, &self.b, x)
    }

    /// C x + D u.
    pub fn outputs(&self, x: &[String]) -> Vec<String> {
        self.rows(&self.c, &self.d, x)
    }

    fn rows(&self, of_x: &[Vec<f64>], of_u: &[Vec<f64>], x: &[String]) -> Vec<String> {
        let row = |(a, b): (&Vec<f64>, &Vec<f64>)| format!("{} + {}", combination(a, x), combination(b, &self.u));
        of_x.iter().zip(of_u).map(row).collect()
    }
}

fn check(name: &str, matrix: &[Vec<f64>], (rows, columns): (usize, usize)) -> Result<(), String> {
    if matrix.len() == rows && matrix.iter().all(|row| row.len() == columns) {
        return Ok(());
    }
    let found = matrix.first().map_or(0, Vec::len);
    Err(format!("'{name}' must have {rows} rows of {columns} numbers, it has {} of {found}", matrix.len()))
}
