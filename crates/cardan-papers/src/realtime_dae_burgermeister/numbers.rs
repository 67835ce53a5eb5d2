//! What own runs are compared with: reference solutions.

use cardan::integrators::Constraints::{self, *};
use cardan::integrators::Jacobian::{self, *};

/// Constraints, Jacobian, drift and error with h = 1 ms.
#[rustfmt::skip]
pub const ONE_MILLISECOND: [(Constraints, Option<Jacobian>, f64, f64); 18] = [
    (Index1, None, 9.626362e-2, 2.835486e-1),
    (Index1, Some(J1), 1.077961e-3, 8.042041e-4),
    (Index1, Some(J2), 9.554057e-3, 4.585226e-3),
    (Index2, None, 1.029927e-1, 2.969853e-1),
    (Index2, Some(J1), 3.324466e-3, 1.468880e-3),
    (Index2, Some(J2), 3.324750e-3, 2.118445e-3),
    (Baumgarte1, None, 9.523057e-4, 4.172319e-1),
    (Baumgarte1, Some(J1), 8.860704e-6, 9.885804e-5),
    (Baumgarte1, Some(J2), 8.861355e-6, 1.608419e-3),
    (Baumgarte2, None, 4.770679e-4, 4.172491e-1),
    (Baumgarte2, Some(J1), 4.430099e-6, 9.977014e-5),
    (Baumgarte2, Some(J2), 4.430320e-6, 1.607220e-3),
    (Projection, None, 1.175450e-6, 3.559136e-1),
    (Projection, Some(J1), 2.915860e-10, 1.275938e-4),
    (Projection, Some(J2), 2.915038e-10, 1.569662e-3),
    (Ggl, None, 1.176821e-6, 3.556846e-1),
    (Ggl, Some(J1), 2.915855e-10, 1.280714e-4),
    (Ggl, Some(J2), 2.915029e-10, 1.569185e-3),
];

/// Constraints, Jacobian and drift with h = 10 ms.
#[rustfmt::skip]
pub const TEN_MILLISECONDS: [(Constraints, Option<Jacobian>, f64); 12] = [
    (Index1, Some(J1), 1.280515e-2),
    (Index1, Some(J2), 4.664367e-1),
    (Index2, Some(J1), 3.505688e-2),
    (Index2, Some(J2), 3.570244e-2),
    (Baumgarte1, Some(J1), 9.370227e-4),
    (Baumgarte1, Some(J2), 9.605475e-4),
    (Baumgarte2, Some(J1), 4.656970e-4),
    (Baumgarte2, Some(J2), 4.781713e-4),
    (Projection, Some(J1), 3.885492e-7),
    (Projection, Some(J2), 3.871882e-7),
    (Ggl, Some(J1), 3.883235e-7),
    (Ggl, Some(J2), 3.868221e-7),
];

/// Drift of the circular track at 1, 10, 50 and 100 s.
pub const TRACK: [(Constraints, f64, [f64; 4]); 6] = [
    (Index1, 0.01, [4.989257e-3, 4.658706e-2, 0.1791720, 0.2638804]),
    (Index1, 0.005, [2.497273e-3, 2.411851e-2, 0.1049854, 0.1791275]),
    (Index2, 0.01, [5.000713e-3, 4.885299e-2, 0.2247725, 0.4142314]),
    (Index2, 0.005, [2.500178e-3, 2.470680e-2, 0.1180430, 0.2247517]),
    (Projection, 0.01, [1.259379e-9, 1.250072e-9, 1.250062e-9, 1.250062e-9]),
    (Projection, 0.005, [7.841527e-11, 7.812617e-11, 7.812595e-11, 7.812595e-11]),
];
pub const TRACK_TIMES: [(&str, f64); 4] = [("1 s", 1.0), ("10 s", 10.0), ("50 s", 50.0), ("100 s", 100.0)];

/// Errors with J1 and steps of 10, 5, 2.5, 1.25 and 0.625 ms.
pub const ERRORS: [(Constraints, [f64; 5]); 3] = [
    (Index2, [2.736215e-2, 8.517626e-3, 3.782468e-3, 1.841978e-3, 9.147381e-4]),
    (Baumgarte2, [2.302126e-2, 4.032331e-3, 8.065942e-4, 1.671993e-4, 3.429385e-5]),
    (Ggl, [2.325671e-2, 4.213745e-3, 8.926898e-4, 2.052178e-4, 4.709851e-5]),
];

/// Steps, and the drift with the matrix at the predicted position: `projection`, `ggl`.
pub const PREDICTED: [(f64, [f64; 2]); 4] = [
    (0.01, [5.419861e-8, 5.394572e-8]),
    (0.005, [3.155868e-9, 3.155799e-9]),
    (0.0025, [1.937295e-10, 1.937277e-10]),
    (0.00125, [1.196554e-11, 1.196576e-11]),
];

/// The car axle at 3 s.
pub const AXLE_END: [f64; 4] = [0.049345578427524, 0.496989460230008, 1.041742524885426, 0.373911027265366];

/// y of its right mass.
pub const RIGHT: [(&str, f64, f64); 4] =
    [("0.5 s", 0.5, 0.404338653154), ("1.25 s", 1.25, 0.507303638716), ("2 s", 2.0, 0.570263361597), ("3 s", 3.0, 0.373911027265)];
