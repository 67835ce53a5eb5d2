//! Integrals over time of a function of time alone,
//!
//! ```text
//! F₁(t) = ∫₀ᵗ f dτ,      F₂(t) = ∫₀ᵗ F₁ dτ = ∫₀ᵗ (t − τ) f dτ                                                      (1)
//! on [a, b]:   F₁(b) = F₁(a) + ∫ f,      F₂(b) = F₂(a) + (b − a) F₁(a) + ∫ (b − τ) f                             (2)
//! ```
//!
//! to round-off. Both are kept at times 0 = t₀ < t₁ < … that depend on nothing but f, so that values do not depend on what was asked for
//! before; from the last of them before t on they are integrated anew. These times come in pages of a second, or 1/64 of the time that has
//! passed, and a page is filled when it is first read; from then on it is read without a lock. They are the ends of 128 equal pieces of a page,
//! and the breaks of f as far as they are known. A piece is integrated by Gauss' rule of five points, which is exact for polynomials of degree
//! nine, and halved until the halves say the same; at a corner of f that is not known that ends with the corner between two numbers that are
//! almost the same. A smooth pulse of f, or one in a function given as a closure, that is shorter than a tenth of a piece may be overlooked.
//!
//! Reference: Davis & Rabinowitz, Methods of Numerical Integration, 2nd ed. (1984), ch. 6.

use std::sync::OnceLock;

/// Nodes and weights of Gauss' rule on [−1, 1].
const GAUSS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
];
/// Halves may differ from the whole by this part of the largest integral on the way.
const TOLERANCE: f64 = 1e-14;
/// Where f is too rough for that, so many pieces are enough.
const PIECES: usize = 400;

/// F₁ and F₂ at a time.
#[derive(Debug, Clone, Copy)]
struct Knot {
    t: f64,
    values: [f64; 2],
}

/// A function of time.
pub(super) trait Integrand {
    /// f.
    fn value(&mut self, t: f64) -> f64;
    /// Times between two others at which f breaks, as far as they are known, in order.
    fn breaks(&self, from: f64, to: f64) -> Vec<f64>;
}

/// The times of a page, from its start to its end.
type Page = Box<[Knot]>;
type Chunk = Box<[OnceLock<Page>; PAGES]>;

/// F₁ and F₂ of a function, which is given with every call and must be the same in all.
#[derive(Debug)]
pub(super) struct Integral {
    chunks: [OnceLock<Chunk>; CHUNKS],
}

/// Pages are kept in chunks of so many, and at most so many chunks: more than the age of the universe.
const PAGES: usize = 64;
const CHUNKS: usize = 64;
/// Pieces of a page.
const KNOTS: usize = 128;
/// Pages are a second long up to the time 2⁶ − 1 s; the 64 from 2^g − 1 s on are 2^(g−6) s long.
const SECONDS: usize = PAGES - 1;

impl Default for Integral {
    fn default() -> Self {
        Self { chunks: std::array::from_fn(|_| OnceLock::new()) }
    }
}

impl Integral {
    /// (F₁, F₂) at time t.
    pub fn at(&self, t: f64, f: &mut dyn Integrand) -> [f64; 2] {
        if t < 0.0 {
            return backward(t, f);
        }
        let number = if t.is_finite() { page_of(t) } else { usize::MAX };
        if number >= CHUNKS * PAGES {
            return [f64::NAN; 2];
        }
        let page = self.page(number, f);
        let before = page.partition_point(|knot| knot.t <= t).max(1) - 1;
        page[before].onward(t, f).values
    }

    /// A page; where it is new, those before it come first.
    fn page(&self, number: usize, f: &mut dyn Integrand) -> &Page {
        if let Some(page) = self.slot(number).get() {
            return page;
        }
        let first = (0..number).rev().find(|k| self.slot(*k).get().is_some()).map_or(0, |k| k + 1);
        (first..number).for_each(|k| _ = self.fill(k, f));
        self.fill(number, f)
    }

    /// A page after one that is there.
    fn fill(&self, number: usize, f: &mut dyn Integrand) -> &Page {
        let before = number.checked_sub(1).and_then(|before| self.slot(before).get()?.last());
        let start = *before.unwrap_or(&Knot { t: 0.0, values: [0.0; 2] });
        self.slot(number).get_or_init(|| filled(start, end_of(number), f))
    }

    fn slot(&self, number: usize) -> &OnceLock<Page> {
        let chunk = self.chunks[number / PAGES].get_or_init(|| Box::new(std::array::from_fn(|_| OnceLock::new())));
        &chunk[number % PAGES]
    }
}

/// The number of the page of a time.
fn page_of(t: f64) -> usize {
    if t < SECONDS as f64 {
        return t as usize;
    }
    let group = (t + 1.0).log2().floor();
    let past = (t - (group.exp2() - 1.0)) * (6.0 - group).exp2();
    SECONDS + PAGES * (group as usize - 6) + (past.max(0.0) as usize).min(PAGES - 1)
}

/// Where a page ends.
fn end_of(number: usize) -> f64 {
    let Some(later) = number.checked_sub(SECONDS) else { return (number + 1) as f64 };
    let group = (6 + later / PAGES) as f64;
    group.exp2() - 1.0 + (later % PAGES + 1) as f64 * (group - 6.0).exp2()
}

/// A page from its start to its end.
fn filled(start: Knot, end: f64, f: &mut dyn Integrand) -> Page {
    let piece = (end - start.t) / KNOTS as f64;
    let mut times: Vec<f64> = (1..KNOTS).map(|k| start.t + k as f64 * piece).chain([end]).chain(f.breaks(start.t, end)).collect();
    times.retain(|t| *t > start.t && *t <= end);
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    let mut knots = vec![start];
    let mut last = start;
    for t in times {
        last = last.onward(t, f);
        knots.push(last);
    }
    knots.into()
}

/// The longest piece before t = 0, s.
const PIECE: f64 = 1.0 / 128.0;

/// Before t = 0, which is seldom asked for, nothing is kept.
fn backward(t: f64, f: &mut dyn Integrand) -> [f64; 2] {
    let mut knot = Knot { t: 0.0, values: [0.0; 2] };
    while knot.t - PIECE > t {
        knot = knot.onward(knot.t - PIECE, f);
    }
    knot.onward(t, f).values
}

impl Knot {
    /// Equation (2).
    fn onward(&self, t: f64, f: &mut dyn Integrand) -> Self {
        let [first, second] = self.values;
        let [d_first, d_second] = if t == self.t { [0.0; 2] } else { Quadrature { f, end: t, size: 0.0, pieces: 0 }.between(self.t, t) };
        Self { t, values: [first + d_first, second + (t - self.t) * first + d_second] }
    }
}

/// The integrals of f and of (end − τ) f over pieces.
struct Quadrature<'f> {
    f: &'f mut dyn Integrand,
    end: f64,
    /// The largest integral of |f| so far.
    size: f64,
    pieces: usize,
}

impl Quadrature<'_> {
    fn between(&mut self, a: f64, b: f64) -> [f64; 2] {
        let whole = self.gauss(a, b);
        self.halved(a, b, whole)
    }

    fn halved(&mut self, a: f64, b: f64, whole: [f64; 2]) -> [f64; 2] {
        let middle = 0.5 * (a + b);
        let (left, right) = (self.gauss(a, middle), self.gauss(middle, b));
        let both = [left[0] + right[0], left[1] + right[1]];
        let error = (both[0] - whole[0]).abs();
        self.pieces += 1;
        // A value that is not a number stays one.
        let rough = error > TOLERANCE * self.size;
        if !rough || self.pieces > PIECES || middle <= a.min(b) || middle >= a.max(b) {
            return both;
        }
        let (left, right) = (self.halved(a, middle, left), self.halved(middle, b, right));
        [left[0] + right[0], left[1] + right[1]]
    }

    fn gauss(&mut self, a: f64, b: f64) -> [f64; 2] {
        let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
        let (mut sums, mut size) = ([0.0; 2], 0.0);
        for (x, w) in GAUSS {
            let t = middle + half * x;
            let value = w * half * self.f.value(t);
            sums[0] += value;
            sums[1] += value * (self.end - t);
            size += value.abs();
        }
        self.size = self.size.max(size);
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function whose breaks are not known.
    struct Plain<F>(F);

    impl<F: Fn(f64) -> f64> Integrand for Plain<F> {
        fn value(&mut self, t: f64) -> f64 {
            self.0(t)
        }
        fn breaks(&self, _: f64, _: f64) -> Vec<f64> {
            Vec::new()
        }
    }

    /// Pulses of this length at given times, which are known.
    struct Pulses {
        starts: Vec<f64>,
        length: f64,
        values: usize,
    }

    impl Integrand for Pulses {
        fn value(&mut self, t: f64) -> f64 {
            self.values += 1;
            f64::from(u8::from(self.starts.iter().any(|s| *s <= t && t < s + self.length)))
        }
        fn breaks(&self, from: f64, to: f64) -> Vec<f64> {
            self.starts.iter().flat_map(|s| [*s, s + self.length]).filter(|t| *t > from && *t <= to).collect()
        }
    }

    fn check(f: impl Fn(f64) -> f64, exact: impl Fn(f64) -> [f64; 2], tolerance: f64) {
        let integral = Integral::default();
        for t in [1.7, 0.001, -0.4, 0.3, 12.0, 0.0, 1.7] {
            let [first, second] = integral.at(t, &mut Plain(&f));
            let [e1, e2] = exact(t);
            assert!((first - e1).abs() <= tolerance * (1.0 + e1.abs()), "at {t}: {first} instead of {e1}");
            assert!((second - e2).abs() <= tolerance * (1.0 + e2.abs()), "at {t}: {second} instead of {e2}");
        }
    }

    #[test]
    fn smooth_functions_are_integrated_to_round_off() {
        check(|t| t * t, |t| [t.powi(3) / 3.0, t.powi(4) / 12.0], 1e-13);
        check(|t| (7.0 * t).sin(), |t| [(1.0 - (7.0 * t).cos()) / 7.0, t / 7.0 - (7.0 * t).sin() / 49.0], 1e-13);
        check(|t| (2000.0 * t).cos(), |t| [(2000.0 * t).sin() / 2e3, (1.0 - (2000.0 * t).cos()) / 4e6], 1e-12);
    }

    #[test]
    fn corners_and_jumps_are_found() {
        let ramp = |t: f64| (t - 0.2531).max(0.0);
        check(|t| f64::from(u8::from(t > 0.2531)), |t| [ramp(t), 0.5 * ramp(t).powi(2)], 1e-12);
        check(ramp, |t| [0.5 * ramp(t).powi(2), ramp(t).powi(3) / 6.0], 1e-12);
    }

    #[test]
    fn values_do_not_depend_on_what_was_asked_before() {
        let (a, b, f) = (Integral::default(), Integral::default(), |t: f64| (t * t).sin() + 0.1);
        let direct = a.at(3.21, &mut Plain(f));
        (0..400).for_each(|k| _ = b.at(0.011 * f64::from(k), &mut Plain(f)));
        assert_eq!(direct, b.at(3.21, &mut Plain(f)));
    }

    #[test]
    fn a_function_that_ends_leaves_no_number_after_its_end() {
        let integral = Integral::default();
        let [value, _] = integral.at(0.4, &mut Plain(|t: f64| (0.5 - t).sqrt()));
        assert!((value - (0.5_f64.powf(1.5) - 0.1_f64.powf(1.5)) / 1.5).abs() < 1e-12);
        assert!(integral.at(0.7, &mut Plain(|t: f64| (0.5 - t).sqrt()))[0].is_nan());
    }

    #[test]
    fn pages_follow_one_another() {
        for number in 0..900 {
            let (start, end) = (if number == 0 { 0.0 } else { end_of(number - 1) }, end_of(number));
            assert!(end > start && (page_of(start), page_of(0.5 * (start + end))) == (number, number), "{number}: {start} to {end}");
        }
        let mut f = Plain(|t: f64| t);
        let [first, _] = Integral::default().at(1e4, &mut f);
        assert!((first - 5e7).abs() < 1e-5, "{first}");
        assert!(Integral::default().at(1e300, &mut f)[0].is_nan());
    }

    #[test]
    fn short_pulses_whose_breaks_are_known_count() {
        let mut f = Pulses { starts: vec![0.123_456, 0.7, 2.25], length: 1e-6, values: 0 };
        let integral = Integral::default();
        for (t, count) in [(0.1, 0.0), (0.5, 1.0), (2.0, 2.0), (3.7, 3.0)] {
            let [first, _] = integral.at(t, &mut f);
            assert!((first - 1e-6 * count).abs() < 1e-15, "at {t}: {first:e}");
        }
        assert!((integral.at(0.7 + 4e-7, &mut f)[0] - 1.4e-6).abs() < 1e-15, "within a pulse");
        let before = f.values;
        integral.at(3.7001, &mut f);
        assert_eq!(f.values - before, 15, "one piece, and its halves");
    }
}
