//! Why a model cannot be assembled, in words of the mechanism: which joints are in conflict and how far apart they stay.

use crate::system::KktError;
use thiserror::Error;

/// Why no consistent initial state was found.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum AssemblyError {
    /// No configuration satisfies the position constraints.
    #[error(
        "the mechanism cannot be assembled: {} cannot be closed together; nearest to assembled, '{joint}' ({direction}) stays \
         {gap:.3e} (m or rad) apart. Check the lengths, marker positions and prescribed motions of these joints, or start the \
         bodies nearer to where they belong",
        list(joints)
    )]
    Positions {
        /// The joints in conflict, the widest gap first.
        joints: Vec<String>,
        /// The joint with the widest gap.
        joint: String,
        /// The direction in which it is widest.
        direction: String,
        /// The gap there, m or rad.
        gap: f64,
    },
    /// Constraints prescribe velocities that exclude each other.
    #[error(
        "{} prescribe velocities that exclude each other (by {mismatch:.3e} m/s or rad/s at '{joint}', {direction}): they block or \
         drive the same motion. Remove one of them, or make the motions agree",
        list(joints)
    )]
    Velocities {
        /// The constraints in conflict, the largest share first.
        joints: Vec<String>,
        /// The redundant constraint.
        joint: String,
        /// Its direction.
        direction: String,
        /// By how much, m/s or rad/s.
        mismatch: f64,
    },
    /// Constraints prescribe accelerations that exclude each other.
    #[error(
        "{} prescribe accelerations that exclude each other (by {mismatch:.3e} m/s² or rad/s² at '{joint}', {direction}): either \
         motions disagree in their second derivative, or the mechanism starts in a singular configuration with a velocity that \
         fits none of its branches. Make the motions agree, or start a little beside this configuration",
        list(joints)
    )]
    Accelerations {
        /// The constraints in conflict, the largest share first.
        joints: Vec<String>,
        /// The redundant constraint.
        joint: String,
        /// Its direction.
        direction: String,
        /// By how much, m/s² or rad/s².
        mismatch: f64,
    },
    /// A linear solve failed.
    #[error("the initial {quantity} could not be computed: {source}")]
    Solve {
        /// Positions, velocities or accelerations.
        quantity: &'static str,
        /// Why.
        source: KktError,
    },
}

/// At most this many names are listed.
const LISTED: usize = 6;

/// "'a', 'b' and 'c'", shortened when there are many.
pub(super) fn list(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().take(LISTED).map(|n| format!("'{n}'")).collect();
    match (quoted.as_slice(), names.len().saturating_sub(LISTED)) {
        ([], _) => "the constraints".into(),
        ([one], 0) => one.clone(),
        ([first @ .., last], 0) => format!("{} and {last}", first.join(", ")),
        (some, more) => format!("{} and {more} more", some.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_as_prose() {
        let names: Vec<String> = (1..10).map(|k| format!("j{k}")).collect();
        assert_eq!(list(&[]), "the constraints");
        assert_eq!(list(&names[..1]), "'j1'");
        assert_eq!(list(&names[..3]), "'j1', 'j2' and 'j3'");
        assert_eq!(list(&names), "'j1', 'j2', 'j3', 'j4', 'j5', 'j6' and 3 more");
    }
}
