//! Some of the bodies: chosen ones, or those between two places of the lists by kind.

/// Some of the bodies, by their places in the lists.
#[derive(Debug, Clone, Default)]
pub(in crate::system) struct BodyList {
    pub(super) rigid: Vec<u32>,
    pub(super) planar: Vec<u32>,
    pub(super) points: Vec<u32>,
    pub(super) points_2d: Vec<u32>,
}

/// How many bodies of each kind.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::system) struct Census {
    pub(super) rigid: usize,
    pub(super) planar: usize,
    pub(super) points: usize,
    pub(super) points_2d: usize,
}

/// The bodies of each kind between two places.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::system) struct Portion {
    pub from: Census,
    pub to: Census,
}

impl BodyList {
    /// How many there are.
    pub fn census(&self) -> Census {
        let Self { rigid, planar, points, points_2d } = self;
        Census { rigid: rigid.len(), planar: planar.len(), points: points.len(), points_2d: points_2d.len() }
    }

    /// All of them.
    pub(super) fn all(&self) -> Portion {
        Portion { from: Census::default(), to: self.census() }
    }
}
