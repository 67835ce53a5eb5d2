//! Dimensions: exponents of the base units (equation 1 of the room).

use std::fmt;

const BASE: [&str; 6] = ["m", "kg", "s", "rad", "A", "K"];
const ANGLE: usize = 3;

/// Exponents of m, kg, s, rad, A and K.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Dimension(pub [i8; 6]);

impl Dimension {
    /// A pure number.
    pub const NONE: Self = Self([0; 6]);
    /// m
    pub const LENGTH: Self = Self([1, 0, 0, 0, 0, 0]);
    /// kg
    pub const MASS: Self = Self([0, 1, 0, 0, 0, 0]);
    /// s
    pub const TIME: Self = Self([0, 0, 1, 0, 0, 0]);
    /// rad
    pub const ANGLE: Self = Self([0, 0, 0, 1, 0, 0]);
    /// A
    pub const CURRENT: Self = Self([0, 0, 0, 0, 1, 0]);
    /// K
    pub const TEMPERATURE: Self = Self([0, 0, 0, 0, 0, 1]);
    /// 1/s
    pub const FREQUENCY: Self = Self([0, 0, -1, 0, 0, 0]);
    /// m/s
    pub const VELOCITY: Self = Self([1, 0, -1, 0, 0, 0]);
    /// m/s²
    pub const ACCELERATION: Self = Self([1, 0, -2, 0, 0, 0]);
    /// rad/s
    pub const ANGULAR_VELOCITY: Self = Self([0, 0, -1, 1, 0, 0]);
    /// rad/s²
    pub const ANGULAR_ACCELERATION: Self = Self([0, 0, -2, 1, 0, 0]);
    /// N
    pub const FORCE: Self = Self([1, 1, -2, 0, 0, 0]);
    /// N m
    pub const TORQUE: Self = Self([2, 1, -2, 0, 0, 0]);
    /// J
    pub const ENERGY: Self = Self::TORQUE;
    /// W
    pub const POWER: Self = Self([2, 1, -3, 0, 0, 0]);
    /// N/m
    pub const STIFFNESS: Self = Self([0, 1, -2, 0, 0, 0]);
    /// N s/m
    pub const DAMPING: Self = Self([0, 1, -1, 0, 0, 0]);
    /// N m/rad
    pub const ROTATIONAL_STIFFNESS: Self = Self([2, 1, -2, -1, 0, 0]);
    /// N m s/rad
    pub const ROTATIONAL_DAMPING: Self = Self([2, 1, -1, -1, 0, 0]);
    /// kg m²
    pub const INERTIA: Self = Self([2, 1, 0, 0, 0, 0]);
    /// kg/m³
    pub const DENSITY: Self = Self([-3, 1, 0, 0, 0, 0]);
    /// kg/m
    pub const MASS_PER_LENGTH: Self = Self([-1, 1, 0, 0, 0, 0]);
    /// Pa
    pub const PRESSURE: Self = Self([-1, 1, -2, 0, 0, 0]);
    /// m²
    pub const AREA: Self = Self([2, 0, 0, 0, 0, 0]);
    /// m⁴
    pub const SECOND_MOMENT_OF_AREA: Self = Self([4, 0, 0, 0, 0, 0]);
    /// m/rad
    pub const PITCH: Self = Self([1, 0, 0, -1, 0, 0]);

    /// Of a product.
    pub fn times(self, other: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k].saturating_add(other.0[k])))
    }

    /// Of a power.
    pub fn to_the(self, power: i8) -> Self {
        Self(self.0.map(|e| e.saturating_mul(power)))
    }

    /// Of a root, where the exponents can be divided.
    pub fn root(self, degree: i8) -> Option<Self> {
        self.0.iter().all(|e| e % degree == 0).then(|| Self(self.0.map(|e| e / degree)))
    }

    /// Whether a value of this dimension may stand where `expected` is asked for: equal, or without the angle that SI leaves out.
    pub fn fits(self, expected: Self) -> bool {
        self == expected || (self.0[ANGLE] == 0 && self == expected.without_angle())
    }

    /// The same with the angle left out.
    pub fn without_angle(mut self) -> Self {
        self.0[ANGLE] = 0;
        self
    }
}

/// Named units for the dimensions engineers write as one.
const NAMED: &[(&str, Dimension)] = &[
    ("N", Dimension::FORCE),
    ("N*m", Dimension::TORQUE),
    ("W", Dimension::POWER),
    ("N/m", Dimension::STIFFNESS),
    ("N*s/m", Dimension::DAMPING),
    ("N*m/rad", Dimension::ROTATIONAL_STIFFNESS),
    ("N*m*s/rad", Dimension::ROTATIONAL_DAMPING),
    ("Pa", Dimension::PRESSURE),
];

impl fmt::Display for Dimension {
    /// The SI unit: `N/m`, `kg*m^2`, `1` for a pure number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, _)) = NAMED.iter().find(|(_, d)| d == self) {
            return f.write_str(name);
        }
        let part = |wanted: fn(i8) -> bool| {
            let factor = |k: usize| match self.0[k].unsigned_abs() {
                1 => BASE[k].to_string(),
                e => format!("{}^{e}", BASE[k]),
            };
            [1, 0, 3, 4, 5, 2].into_iter().filter(|k| wanted(self.0[*k])).map(factor).collect::<Vec<_>>()
        };
        let (over, under) = (part(|e| e > 0), part(|e| e < 0));
        f.write_str(&if over.is_empty() { "1".into() } else { over.join("*") })?;
        under.iter().try_for_each(|u| write!(f, "/{u}"))
    }
}
