//! Redundant rows left out.
//!
//! Where the constraints hold, rows that depend on others may be left out of equation (1) of `kkt`: the motion is the same, and the matrix is
//! regular without ε. The rows kept stay independent nearby, also where the constraints do not quite hold, so a method may evaluate
//! accelerations there as it does without redundant rows. The reactions of rows left out are zero: where reactions are asked for, all rows
//! are needed.
//!
//! Another configuration may ask for another choice. The rows left out, g_r, with weights w_r, are
//!
//! ```text
//! Σ_r w_r g_r = Gᵀ c,      [ M  Gᵀ ; G  0 ] (0, c) = (Σ_r w_r g_r, 0)                                               (1)
//! ```
//!
//! of the rows kept, and c grows without bound where these cease to be independent. When it has grown tenfold, rows are chosen anew.

use super::Kkt;
use crate::linear::BlockPattern;
use crate::linear::rank::analyze;
use crate::math::max_abs;
use crate::math::random::Random;
use crate::system::{Jacobian, State, System, Work};

/// Rows are chosen anew where c is so many times what it was.
const GROWTH: f64 = 10.0;
/// After a choice that failed, at most so many steps pass before the next.
const LONGEST_PAUSE: usize = 64;

/// Which rows are in the matrix.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// With rows left out; its order of elimination is another one. There once it was needed.
    rest: Option<Box<Jacobian>>,
    choice: Option<LeftOut>,
    in_use: bool,
    /// Steps to go until rows are chosen again, and the last number of these.
    waiting: usize,
    pause: usize,
}

impl Rows {
    /// The Jacobian for the rows in use, of which this is the one for all.
    pub fn jacobian<'a>(&'a mut self, complete: &'a mut Jacobian) -> &'a mut Jacobian {
        self.rest.as_deref_mut().filter(|_| self.in_use).unwrap_or(complete)
    }

    /// Number of factorisations with rows left out.
    pub fn factorizations(&self) -> usize {
        self.rest.as_ref().map_or(0, |jacobian| jacobian.factorizations())
    }

    /// Takes the rows that are left out from the matrix.
    pub fn take_out(&mut self) {
        if let Rows { rest: Some(jacobian), choice: Some(choice), in_use: true, .. } = self {
            choice.clear(jacobian.change());
        }
    }
}

/// Rows left out.
#[derive(Debug)]
struct LeftOut {
    /// Where they are among the unknowns.
    unknowns: Vec<usize>,
    /// Entries of their columns in the matrix: the place, the velocity, and w.
    columns: Vec<(usize, usize, f64)>,
    /// All other entries of their rows and columns.
    others: Vec<usize>,
    /// Their places on the diagonal, and what is put there.
    diagonal: Vec<(usize, f64)>,
    /// Σ w_r g_r.
    sum: Vec<f64>,
    /// The largest |c| when they were chosen.
    reach: Option<f64>,
}

impl LeftOut {
    /// The rows that the rank of the constraints at a state leaves over; nothing where all are independent.
    fn choose(system: &System, pattern: &BlockPattern, x: &State, work: &mut Work) -> Option<Self> {
        let gradient = system.gradient(x, work);
        let inverse_masses = system.inverse_masses(&gradient, &x.q);
        let rank = analyze(&system.without_units(gradient));
        let rows = rank.null_space.rows();
        let mut random = Random::new(3);
        let unknowns: Vec<usize> = rows.iter().map(|r| system.nv + r).collect();
        let mut this =
            Self { unknowns, columns: Vec::new(), others: Vec::new(), diagonal: Vec::new(), sum: vec![0.0; system.nv], reach: None };
        for row in rows {
            let size = if inverse_masses[*row] > 0.0 { inverse_masses[*row] } else { 1.0 };
            this.add(pattern, system.nv, *row, random.range(0.5, 1.0), size);
        }
        (this.diagonal.len() == rows.len() && !rows.is_empty()).then_some(this)
    }

    /// Finds the entries of a row.
    fn add(&mut self, pattern: &BlockPattern, nv: usize, row: usize, weight: f64, size: f64) {
        let own = pattern.block_of(nv + row);
        let k = nv + row - pattern.first_row(own);
        for (r, c, values) in pattern.placed().filter(|(r, c, _)| *r == own || *c == own) {
            let (rows, first) = (pattern.size(r), pattern.first_row(r));
            if c == own {
                let column = values.start + k * rows;
                let velocities = (0..rows).filter(|i| first + i < nv);
                self.columns.extend(velocities.map(|i| (column + i, first + i, weight)));
                self.others.extend((0..rows).filter(|i| first + i >= nv).map(|i| column + i));
            }
            if r == own {
                self.others.extend((0..pattern.size(c)).map(|column| values.start + column * rows + k));
            }
            if r == own && c == own {
                self.diagonal.push((values.start + k * (rows + 1), -size));
            }
        }
    }

    /// Takes the rows out of a matrix; what they were is in `sum`.
    fn clear(&mut self, values: &mut [f64]) {
        self.sum.fill(0.0);
        for (place, velocity, weight) in &self.columns {
            self.sum[*velocity] += weight * std::mem::take(&mut values[*place]);
        }
        self.others.iter().for_each(|place| values[*place] = 0.0);
        self.diagonal.iter().for_each(|(place, size)| values[*place] = *size);
    }
}

impl Kkt {
    /// Whether solutions do without ε.
    pub(crate) fn is_regular(&self) -> bool {
        self.regularization.is_empty() || self.rows_in_use.in_use
    }

    /// Leaves redundant rows out from here on, chosen at this state unless an earlier choice still serves; says whether it does.
    pub(crate) fn leave_out_redundant(&mut self, system: &System, x: &State, work: &mut Work) -> bool {
        if self.regularization.is_empty() || system.forces_feel_reactions() {
            return false;
        }
        let rows = &mut self.rows_in_use;
        if rows.choice.is_none() && rows.waiting > 0 {
            rows.waiting -= 1;
            return false;
        }
        if rows.choice.is_none() {
            let rest = rows.rest.get_or_insert_with(|| Box::new(self.complete.alike()));
            rows.choice = LeftOut::choose(system, rest.matrix().pattern(), x, work);
            rest.forget_order();
        }
        match rows.choice {
            Some(_) => rows.in_use = true,
            None => self.refuse_choice(),
        }
        self.rows_in_use.in_use
    }

    /// Uses all rows from here on, and tests the choice (1) with the matrix factored last.
    pub(crate) fn use_all_rows(&mut self) {
        let rows = &mut self.rows_in_use;
        rows.in_use = false;
        let (Some(choice), Some(rest)) = (&mut rows.choice, &mut rows.rest) else { return };
        self.rhs.fill(0.0);
        self.rhs[..choice.sum.len()].copy_from_slice(&choice.sum);
        let solved = rest.solve(&mut self.rhs);
        let reach = max_abs(&self.rhs[choice.sum.len()..]);
        if solved.is_err() || reach > GROWTH * *choice.reach.get_or_insert(reach) {
            rows.choice = None;
        } else {
            rows.pause = 0;
        }
    }

    /// Uses all rows, after a choice with which a step failed.
    pub(crate) fn refuse_choice(&mut self) {
        let rows = &mut self.rows_in_use;
        rows.pause = (2 * rows.pause + 1).min(LONGEST_PAUSE);
        (rows.choice, rows.in_use, rows.waiting) = (None, false, rows.pause);
    }

    /// Nothing is asked of the rows that are left out.
    pub(super) fn ask_for_rows_kept(&mut self) {
        if let Rows { choice: Some(choice), in_use: true, .. } = &self.rows_in_use {
            choice.unknowns.iter().for_each(|k| self.rhs[*k] = 0.0);
        }
    }
}
