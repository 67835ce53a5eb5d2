//! Inertia tensors: given about any point and in any axes, kept about the centre of mass in the body frame.
//!
//! With c the vector from the reference point to the centre of mass and B the rotation of the given axes,
//!
//! ```text
//! J_com = B J Bᵀ − m (c·c I − c cᵀ)                                                     (1)
//! ```
//!
//! A tensor belongs to a real body iff its principal moments are positive and each is at most the sum of the others. One of them is zero
//! for an ideal rod, whose mass lies on a line; the other two are then equal.

use crate::math::{Mat3, Quat, Vec3};

/// An inertia tensor as the user gives it. Off-diagonal entries are tensor entries: `xy` = −∫ x y dm.
#[derive(Debug, Clone)]
pub struct Inertia {
    tensor: Mat3,
    axes: Quat,
    about: Option<Vec3>,
    center_of_mass: Vec3,
}

impl Inertia {
    /// Principal moments about the centre of mass, kg m².
    pub fn principal(xx: f64, yy: f64, zz: f64) -> Self {
        Self::tensor(xx, yy, zz, 0.0, 0.0, 0.0)
    }

    /// A full tensor about the centre of mass, kg m² (`xy` = −∫ x y dm).
    pub fn tensor(xx: f64, yy: f64, zz: f64, xy: f64, yz: f64, zx: f64) -> Self {
        Self { tensor: Mat3::new(xx, xy, zx, xy, yy, yz, zx, yz, zz), axes: Quat::identity(), about: None, center_of_mass: Vec3::zeros() }
    }

    /// A solid ball of this mass and radius.
    pub fn ball(mass: f64, radius: f64) -> Self {
        let j = 0.4 * mass * radius * radius;
        Self::principal(j, j, j)
    }

    /// A solid box with these edge lengths.
    pub fn cuboid(mass: f64, x: f64, y: f64, z: f64) -> Self {
        let k = mass / 12.0;
        Self::principal(k * (y * y + z * z), k * (x * x + z * z), k * (x * x + y * y))
    }

    /// A solid cylinder with its axis along z.
    pub fn cylinder(mass: f64, radius: f64, length: f64) -> Self {
        let side = mass * (3.0 * radius * radius + length * length) / 12.0;
        Self::principal(side, side, 0.5 * mass * radius * radius)
    }

    /// The centre of mass sits at this point of the body frame.
    pub fn with_center_of_mass(mut self, center: [f64; 3]) -> Self {
        self.center_of_mass = center.into();
        self
    }

    /// The tensor is given about this point of the body frame instead of the centre of mass.
    pub fn about(mut self, point: [f64; 3]) -> Self {
        self.about = Some(point.into());
        self
    }

    /// The tensor is given in axes turned like this against the body frame.
    pub fn in_axes(mut self, axes: Quat) -> Self {
        self.axes = axes;
        self
    }

    /// The offset of the centre of mass in the body frame.
    pub fn center_of_mass(&self) -> Vec3 {
        self.center_of_mass
    }

    /// The tensor about the centre of mass in body axes (equation 1).
    pub fn about_center_of_mass(&self, mass: f64) -> Mat3 {
        let b = self.axes.to_rotation_matrix();
        let turned = b.matrix() * self.tensor * b.matrix().transpose();
        match self.about {
            None => turned,
            Some(point) => {
                let c = self.center_of_mass - point;
                turned - (Mat3::identity() * c.norm_squared() - c * c.transpose()) * mass
            }
        }
    }
}

/// A moment this small against the largest is none.
const NONE: f64 = 1e-12;

/// The axis of an ideal rod: the only one without a moment.
pub(super) fn idle_axis(tensor: &Mat3) -> Option<Vec3> {
    if !tensor.iter().all(|x| x.is_finite()) {
        return None;
    }
    let eigen = tensor.symmetric_eigen();
    let (moments, largest) = (eigen.eigenvalues, eigen.eigenvalues.max());
    let (least, _) = moments.argmin();
    let idle = largest > 0.0 && moments[least].abs() <= NONE * largest;
    let n = eigen.eigenvectors.column(least).into_owned();
    // Its sign is that of its largest component.
    idle.then(|| if n[n.iamax()] < 0.0 { -n } else { n })
}

/// What is physically wrong with a tensor about the centre of mass, if anything.
pub(super) fn mistake(tensor: &Mat3) -> Option<String> {
    if !tensor.iter().all(|x| x.is_finite()) {
        return Some("the inertia tensor is not finite".into());
    }
    let mut moments: Vec<f64> = tensor.symmetric_eigenvalues().iter().copied().collect();
    moments.sort_by(f64::total_cmp);
    let text = format!("principal moments {:.6e}, {:.6e}, {:.6e} kg m²", moments[0], moments[1], moments[2]);
    if moments[2] == 0.0 {
        return Some("all moments of inertia are zero: a mass without size is a point mass (kind point)".into());
    }
    if moments[0] < -NONE * moments[2].abs() {
        return Some(format!("the inertia tensor about the centre of mass is not positive definite ({text})"));
    }
    if moments[2] > (moments[0] + moments[1]) * (1.0 + 1e-9) {
        return Some(format!("no mass distribution has this inertia: the largest moment exceeds the sum of the others ({text})"));
    }
    None
}
