//! The markers of a constraint along varied paths: q, v and a of the bodies give a path of every marker up to t², and a variation of q, v and t
//! changes it (see [`Jet`]).

use crate::math::jet::JetVec3;
use crate::math::{Dual, Jet};
use crate::measures::Frame;

/// Step of differences, for functions of order one.
const STEP: f64 = 1e-3;

/// The markers of an element along varied paths, and the time.
#[derive(Debug, Clone, Copy)]
pub struct Paths<'a> {
    /// Poses.
    pub frames: &'a [Frame<Jet>],
    /// Angular velocities in the world; their accelerations are left at zero.
    pub spins: &'a [JetVec3],
    /// The time.
    pub time: Jet,
}

impl Paths<'_> {
    /// The velocity of a marker.
    pub fn velocity(&self, marker: usize) -> JetVec3 {
        self.frames[marker].position.map(Jet::rate)
    }

    /// The change of Φ̈ for functions written in dual numbers, which have no third derivatives: a difference of fourth order, of exact second
    /// derivatives along the path.
    pub fn by_differences(&self, function: impl Fn(&[Frame], Dual) -> Dual) -> f64 {
        let size = self.frames.iter().flat_map(|f| f.position.iter().chain(f.rotation.iter())).chain([&self.time]);
        let size = size.flat_map(|x| x.varied).fold(0.0, |m: f64, x| m.max(x.abs()));
        if size == 0.0 {
            return 0.0;
        }
        let h = STEP / size;
        let at = |s: f64| {
            let dual = |x: &Jet| {
                let [v, e1, e12] = std::array::from_fn(|k| x.path[k] + s * x.varied[k]);
                Dual { v, e1, e2: e1, e12 }
            };
            let frame = |f: &Frame<Jet>| Frame { position: f.position.map(|x| dual(&x)), rotation: f.rotation.map(|x| dual(&x)) };
            function(&self.frames.iter().map(frame).collect::<Vec<_>>(), dual(&self.time)).e12
        };
        (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h)
    }
}
