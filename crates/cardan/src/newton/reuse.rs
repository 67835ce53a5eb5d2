//! How long a Jacobian is kept. What it costs is known: a renewal is worth about [`RENEWAL`] iterations. What it would save is measured:
//! iterations beyond those of the last step that began with a new Jacobian add up, and when they have cost as much as a renewal, it is
//! time for one.
//!
//! In the Newton matrix (equation 1 of `corrector`) only stiffness and damping are multiplied by powers of h, so a change of h matters to
//! stiff models alone. Whether it does is learnt from the changes before.
//!
//! With the Jacobian goes its contraction as last measured, by which a correction can be known to be the last one without a residual
//! after it:
//!
//! ```text
//! ξ = ‖Δu‖_{k+1} / ‖Δu‖_k,     ξ_Φ = ‖Φ‖_{k+1} / ‖Φ‖_k,     both for a first correction of size ‖Δu‖_1         (1)
//! ```
//!
//! Larger first corrections are taken to contract proportionally worse, as Newton's method does, and so are older Jacobians. What was measured
//! holds for the next Jacobian, too, unless the old one was given up in the middle of a step.

/// The cost of a Jacobian with its factorisation, in iterations.
pub const RENEWAL: usize = 3;
/// Changes of h by less than this factor are none.
const CHANGED: f64 = 1.3;
/// The contraction is measured anew after so many steps that relied on it.
const TRUST: usize = 8;

/// The contraction of a Jacobian (equation 1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contraction {
    /// ξ.
    pub corrections: f64,
    /// ξ_Φ.
    pub violations: f64,
    /// ‖Δu‖_1 of the step it was measured in.
    pub first: f64,
}

impl Contraction {
    fn worse(self, by: f64) -> Self {
        Self { corrections: by * self.corrections, violations: by * self.violations, ..self }
    }
}

/// What is known of the Jacobian in use.
#[derive(Debug)]
pub struct Reuse {
    /// As last measured with a new Jacobian, and with this one or the one before at an age in steps.
    fresh: Option<Contraction>,
    kept: Option<(Contraction, usize)>,
    relied: usize,
    /// c_v of the last step.
    last: f64,
    /// Steps with this Jacobian, and the iterations they needed beyond those of the last step that began with a new one.
    steps: usize,
    excess: usize,
    fresh_iterations: usize,
    began_fresh: bool,
    /// Whether h has changed since it was made, and whether such changes are known to hurt.
    changed: bool,
    sensitive: bool,
}

impl Default for Reuse {
    fn default() -> Self {
        Self {
            fresh: None,
            kept: None,
            relied: 0,
            last: 0.0,
            steps: 0,
            excess: 0,
            fresh_iterations: 1,
            began_fresh: false,
            changed: false,
            sensitive: false,
        }
    }
}

impl Reuse {
    /// Whether a step with this c_v is to begin with a new Jacobian; the one at hand was made for another c_v, if there is one.
    pub fn begin(&mut self, c_v: f64, made_for: Option<f64>) -> bool {
        self.began_fresh = true;
        let Some(made_for) = made_for else { return true };
        if (c_v / self.last - 1.0).abs() > 1e-3 {
            (self.fresh, self.kept) = (None, None);
        }
        self.last = c_v;
        self.changed = !(1.0 / CHANGED..CHANGED).contains(&(c_v / made_for));
        self.began_fresh = (self.changed && self.sensitive) || self.excess >= RENEWAL;
        self.began_fresh
    }

    /// A new Jacobian was made, in place of one that was made for another c_v, if there was one; `slow` if because that one contracted slowly in
    /// the middle of a step.
    pub fn renewed(&mut self, c_v: f64, before: Option<f64>, slow: bool) {
        if self.changed && before.is_some() {
            self.sensitive = slow || self.sensitive;
        }
        if slow {
            self.kept = None;
        }
        (self.last, self.changed) = (c_v, false);
        (self.steps, self.excess) = (0, 0);
    }

    /// Other bodies are coupled than before: what was measured with this Jacobian says nothing about them.
    pub fn distrust(&mut self) {
        self.kept = None;
        if self.steps == 0 {
            self.fresh = None;
        }
    }

    /// A step was solved in so many iterations.
    pub fn solved(&mut self, iterations: usize) {
        if self.began_fresh {
            self.fresh_iterations = iterations;
        }
        self.excess += iterations.saturating_sub(self.fresh_iterations);
        self.steps += 1;
        if self.changed && self.excess == 0 {
            self.sensitive = false;
        }
    }

    /// Takes note of a measured contraction.
    pub fn measured(&mut self, contraction: Contraction) {
        self.relied = 0;
        if self.steps == 0 {
            self.fresh = Some(contraction);
        } else {
            self.kept = Some((contraction, self.steps));
        }
    }

    /// Takes note of how violations fell, where nothing is known of the contraction with an older Jacobian.
    pub fn measured_violations(&mut self, violations: f64, first: f64) {
        if self.steps > 0 && self.kept.is_none() {
            self.measured(Contraction { corrections: f64::INFINITY, violations, first });
        }
    }

    /// The contraction to expect of a step whose first correction has this size, if it may be relied on.
    pub fn expected(&self, first: f64) -> Option<Contraction> {
        let kept = self.kept.map(|(contraction, age)| contraction.worse(self.steps as f64 / age as f64));
        let known = if self.steps == 0 { self.fresh } else { kept }.filter(|_| self.relied < TRUST)?;
        Some(known.worse((first / known.first).max(1.0)))
    }

    /// A step was ended on the word of the expected contraction.
    pub fn relied_on(&mut self) {
        self.relied += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jacobian_is_renewed_when_its_age_has_cost_as_much_as_a_new_one() {
        let mut reuse = Reuse::default();
        assert!(reuse.begin(0.1, None));
        reuse.renewed(0.1, None, false);
        for iterations in [2, 2, 3, 4] {
            reuse.solved(iterations);
            assert_eq!(reuse.begin(0.1, Some(0.1)), iterations == 4);
        }
    }

    #[test]
    fn changes_of_the_step_matter_once_they_have_hurt() {
        let mut reuse = Reuse::default();
        reuse.begin(0.1, None);
        reuse.renewed(0.1, None, false);
        assert!(!reuse.begin(0.2, Some(0.1)), "tried at first");
        reuse.renewed(0.2, Some(0.1), true);
        assert!(!reuse.begin(0.21, Some(0.2)) && reuse.begin(0.4, Some(0.2)));
    }

    #[test]
    fn contraction_is_relied_on_for_a_while_and_for_corrections_of_its_size() {
        let mut reuse = Reuse::default();
        reuse.begin(0.1, None);
        reuse.renewed(0.1, None, false);
        assert_eq!(reuse.expected(1.0), None);
        reuse.measured(Contraction { corrections: 0.01, violations: 0.02, first: 1.0 });
        assert_eq!(reuse.expected(0.5).map(|c| c.corrections), Some(0.01));
        assert_eq!(reuse.expected(4.0).map(|c| c.violations), Some(0.08));
        (0..TRUST).for_each(|_| reuse.relied_on());
        assert_eq!(reuse.expected(0.5), None);
    }
}
