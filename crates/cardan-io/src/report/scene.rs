//! What the animation draws: bodies with their shapes, and what connects them.

use serde::{Deserialize, Serialize};

use crate::geometry::Graphic;

/// Bodies and what connects them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// The bodies; `ground` is one of them if it has markers or graphics.
    pub bodies: Vec<SceneBody>,
    /// Joints and forces.
    pub links: Vec<Link>,
}

/// A body. Without graphics it is drawn as sticks from its centre to its markers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SceneBody {
    /// Name; the channels of its pose start with it.
    pub name: String,
    /// Its shapes, in the body frame.
    pub graphics: Vec<Graphic>,
    /// Its markers.
    pub markers: Vec<SceneMarker>,
}

/// A frame on a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SceneMarker {
    /// Name within the body.
    pub name: String,
    /// Position in the body frame, m.
    pub position: [f64; 3],
    /// Orientation in the body frame: quaternion w, x, y, z.
    pub orientation: [f64; 4],
}

/// A joint or a force between two points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// Name of the element.
    pub name: String,
    /// `spring-damper` and other names with `spring` are drawn as coils; `beam`, `rod` and `bushing` as bars; the kinds of joints as glyphs;
    /// `force`, `vector-force` and `general-force` only as arrows.
    pub kind: String,
    /// The end that the force acts on.
    pub i: Anchor,
    /// The end that takes the reaction.
    pub j: Anchor,
    /// `a` if the channels `a.force.x|y|z` hold the force on i, in world axes, N.
    pub force: Option<String>,
}

/// Where a link is fixed to a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    /// Name of the body.
    pub body: String,
    /// Position in the body frame, m.
    pub position: [f64; 3],
    /// Orientation in the body frame, quaternion w, x, y, z; the axis of a joint is z.
    pub orientation: [f64; 4],
}
