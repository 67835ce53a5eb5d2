//! What own runs are compared with: reference solutions; and the numbers of the models.

use std::f64::consts::PI;

/// h, estimated by exact error.
pub const RATIOS: [(f64, f64); 7] =
    [(0.1, 0.871017), (0.05, 0.935862), (0.02, 0.974109), (0.01, 0.986973), (0.005, 0.993461), (0.002, 0.997377), (0.001, 0.998688)];

pub const EVENTS: [(&str, f64); 22] = [
    ("floor touch", 0.4283529368781193),
    ("floor part", 0.43833421476585266),
    ("balls touch", 0.5274368587244933),
    ("balls part", 0.534461673455534),
    ("floor touch", 0.5938631440806807),
    ("floor part", 0.6038314098211109),
    ("balls touch", 0.7674301392060708),
    ("balls part", 0.7744549539371116),
    ("floor touch", 1.2906248682221293),
    ("floor part", 1.3006066323543075),
    ("balls touch", 1.623048887751531),
    ("balls part", 1.6300737024825718),
    ("floor touch", 1.7927148816411929),
    ("floor part", 1.802683081887577),
    ("balls touch", 1.9288913688065614),
    ("balls part", 1.9359161835376022),
    ("floor touch", 2.1496925384172902),
    ("floor part", 2.1596741682363034),
    ("balls touch", 2.9416966623797824),
    ("balls part", 2.948721477110823),
    ("floor touch", 2.989847689917038),
    ("floor part", 2.999816053413867),
];

/// N m/rad.
pub const SPRING: f64 = 3000.0 * 180.0 / PI;
pub const GRAVITY: f64 = 9.81;
/// θ₁ and θ₂ at t = 1.
pub const ANGLES: [f64; 2] = [-1.0776348627485115, -1.0837495871101817];
/// Their errors, and the largest change of energy, of the method on the two angles with h = 0.02.
pub const MINIMAL: [f64; 3] = [6.179e-5, 5.772e-4, 5.719e-2];
