//! Cardan against other programs: problems that all of them can solve, measured runs, the comparison and its page.
//!
//! ```text
//! problems → describe (JSON for the peers) → compare (runs of all, one after the other) → report (peers.md, plots)
//! ```
//!
//! Beside it `torture`: random mechanisms against tight runs.

mod bars;
pub mod cases;
pub mod compare;
pub mod describe;
pub mod growth;
pub mod launch;
pub mod measure;
pub mod plan;
pub mod problems;
pub mod reference;
pub mod report;
pub mod torture;
