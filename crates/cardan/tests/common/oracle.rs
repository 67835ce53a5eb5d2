//! An independent way to the same motion: the index-1 equations (accelerations from the constraints at acceleration level) integrated
//! explicitly by Dormand–Prince 5(4) at a tolerance near round-off, on plain coordinates with quaternions in R⁴.

use cardan::prelude::*;
use cardan::system::{Kkt, Work};

const A: [[f64; 6]; 6] = [
    [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0],
    [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0],
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
const C: [f64; 6] = [1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];
const E: [f64; 7] = [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];

/// The state at `t_end`, with consistent accelerations and multipliers.
pub fn solve(system: &System, start: &State, t_end: f64, tolerance: f64) -> State {
    let (mut kkt, mut work, mut x) = (Kkt::new(system), Work::new(system), start.clone());
    let mut h: f64 = 1e-4;
    while x.t < t_end {
        h = h.min(t_end - x.t);
        let (next, error) = attempt(system, &x, h, tolerance, &mut kkt, &mut work);
        if error <= 1.0 {
            x = next;
            normalise(system, &mut x);
            system.remember(&mut x, &mut work);
            if t_end - x.t < 1e-14 {
                break;
            }
        }
        h *= (0.9 * error.max(1e-8).powf(-0.2)).clamp(0.2, 4.0);
    }
    kkt.accelerate(system, &mut x, &mut work).unwrap();
    x
}

fn attempt(system: &System, x: &State, h: f64, tolerance: f64, kkt: &mut Kkt, work: &mut Work) -> (State, f64) {
    let n = x.q.len() + x.v.len();
    let mut k = vec![derivative(system, x, kkt, work)];
    let mut y = x.clone();
    for stage in 0..6 {
        let sum: Vec<f64> = (0..n).map(|i| h * (0..=stage).map(|j| A[stage][j] * k[j][i]).sum::<f64>()).collect();
        y = x.clone();
        y.t = x.t + C[stage] * h;
        y.q.iter_mut().zip(&sum).for_each(|(q, d)| *q += d);
        y.v.iter_mut().zip(&sum[x.q.len()..]).for_each(|(v, d)| *v += d);
        k.push(derivative(system, &y, kkt, work));
    }
    let error = (0..n)
        .map(|i| h * (0..7).map(|j| E[j] * k[j][i]).sum::<f64>() / (tolerance * (1.0 + k[0][i].abs() * h)))
        .fold(0.0, |m: f64, e| m.max(e.abs()));
    (y, error)
}

/// (q̇, v̇) at a state.
fn derivative(system: &System, x: &State, kkt: &mut Kkt, work: &mut Work) -> Vec<f64> {
    let mut y = x.clone();
    normalise(system, &mut y);
    kkt.accelerate(system, &mut y, work).unwrap();
    let mut out = Vec::with_capacity(x.q.len() + x.v.len());
    for body in system.bodies() {
        let (q, v) = (&x.q[body.q()], &x.v[body.v()]);
        if q.len() == 7 {
            let (w, a) = ([q[3], q[4], q[5], q[6]], &v[3..]);
            out.extend(&v[..3]);
            out.push(-0.5 * (w[1] * a[0] + w[2] * a[1] + w[3] * a[2]));
            out.push(0.5 * (w[0] * a[0] + w[2] * a[2] - w[3] * a[1]));
            out.push(0.5 * (w[0] * a[1] + w[3] * a[0] - w[1] * a[2]));
            out.push(0.5 * (w[0] * a[2] + w[1] * a[1] - w[2] * a[0]));
        } else {
            out.extend(v);
        }
    }
    out.extend(&y.a);
    out
}

fn normalise(system: &System, x: &mut State) {
    for body in system.bodies().iter().filter(|b| b.q().len() == 7) {
        let q = &mut x.q[body.q()][3..];
        let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
        q.iter_mut().for_each(|c| *c /= norm);
    }
}
