//! Laws of contact: the normal force and what it gives back (`normal`, `elastic`), friction (`friction`, `drag`), resistance to rolling and spinning
//! (`resistance`), what surfaces are made of (`material`), and which laws hold for which pair (`laws`).

pub mod drag;
mod elastic;
mod friction;
mod laws;
mod material;
mod normal;
mod resistance;

pub use elastic::{Elastic, Function, Push, Table};
pub use friction::{Friction, Regularization};
pub use laws::{Given, Law, Laws, Loads, Origin};
pub use material::Material;
pub use normal::{Arrival, Damping, Normal, NormalLaw, SLOWEST, Stroke, damping_for};
pub use resistance::Resistance;
