//! Expressions: values worked out by hand, derivatives against differences, random text; `mistakes`: what is
//! said of texts and numbers that are wrong.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod mistakes;

use cardan::expr::{FUNCTIONS, FunctionKind, Input, Method, Program, Scope, Scratch, Spline, SplineError, dimension, parse};
use cardan::math::Dual;
use proptest::prelude::*;

fn program(source: &str) -> Program {
    Program::new(source, &Scope::default()).unwrap_or_else(|e| panic!("{}", e.show(source)))
}

/// The value of an expression whose inputs, in order of appearance, are given.
fn eval(source: &str, inputs: &[f64]) -> f64 {
    program(source).value(inputs, &mut Scratch::default())
}

fn table(x: &[f64], y: &[f64]) -> Scope {
    Scope { splines: vec![("table".into(), Spline::new(x, y).unwrap())], ..Scope::default() }
}

fn gradient(source: &str, inputs: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; inputs.len()];
    program(source).gradient(inputs, &mut Scratch::default(), &mut out);
    out
}

#[track_caller]
fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{a} is not {b}");
}

#[test]
fn operators_bind_as_in_mathematics() {
    for (source, value) in [
        ("1 + 2*3", 7.0),
        ("(1 + 2)*3", 9.0),
        ("10 - 4 - 3", 3.0),
        ("24/4/3", 2.0),
        ("2**3**2", 512.0),
        ("2^3^2", 512.0),
        ("-2**2", -4.0),
        ("(-2)**2", 4.0),
        ("2**-1", 0.5),
        ("2*-3", -6.0),
        ("--3", 3.0),
        ("+3 - +1", 2.0),
        ("1 < 2", 1.0),
        ("1 + 1 >= 3", 0.0),
        ("1 == 1 && 2 != 2", 0.0),
        ("0 && 1 || 1", 1.0),
        ("1 || 0 && 0", 1.0),
        ("1 < 2 && 3 > 2 && (1 < 2) == 1", 1.0),
        ("!0 + !5", 1.0),
        ("3 <= 3", 1.0),
        ("1e-3 + .5 + 2. + 2.5E2", 252.501),
    ] {
        close(eval(source, &[]), value);
        assert!(program(source).constant().is_some(), "{source} is not folded");
    }
}

#[test]
fn elementary_functions_have_their_values() {
    for (source, value) in [
        ("Sin(PI/6)", 0.5),
        ("atan2(1, -1)*RTOD", 135.0),
        ("cos(60*DTOR)", 0.5),
        ("LOG10(1000) + LOG(EXP(2))", 5.0),
        ("AINT(-2.7)", -2.0),
        ("ANINT(-2.5)", -3.0),
        ("MOD(-7, 4)", -3.0),
        ("SIGN(3, -0.1) + SIGN(-3, 0)", 0.0),
        ("MIN(3, 1, 2) + MAX(3, 1, 2)", 4.0),
        ("DIM(5, 3) + DIM(3, 5)", 2.0),
        ("IF(2 > 1, 10, 20)", 10.0),
        ("IF(-1: 1, 2, 3) + IF(0: 10, 20, 30) + IF(7: 100, 200, 300)", 321.0),
        ("SHF(2, 1, 3, PI, PI/2, 4)", 7.0),
        ("POLY(3, 1, 1, 2, 3)", 17.0),
        ("FORCOS(1, 0, PI, 1, 2, 3)", 2.0),
        ("FORSIN(0.5, 0, PI, 1, 2, 3)", 3.0),
    ] {
        close(eval(source, &[]), value);
    }
}

#[test]
fn transitions_are_flat_at_their_ends_and_outside() {
    for (name, quarter) in [("STEP", 0.15625), ("STEP5", 0.103515625), ("HAVSIN", 0.5 - 0.5 * (std::f64::consts::PI / 4.0).cos())] {
        let source = format!("{name}(TIME, 1, 2, 3, 6)");
        for (x, value) in [(-5.0, 2.0), (1.0, 2.0), (1.5, 2.0 + 4.0 * quarter), (2.0, 4.0), (3.0, 6.0), (9.0, 6.0)] {
            close(eval(&source, &[x]), value);
        }
        for x in [0.0, 1.0, 3.0, 4.0] {
            close(gradient(&source, &[x])[0], 0.0);
        }
    }
    // The steepest slope of the cubic is 3/2 of the mean one, of the quintic 15/8, of the haversine π/2.
    close(gradient("STEP(TIME, 1, 2, 3, 6)", &[2.0])[0], 3.0);
    close(gradient("STEP5(TIME, 1, 2, 3, 6)", &[2.0])[0], 3.75);
    close(gradient("HAVSIN(TIME, 1, 2, 3, 6)", &[2.0])[0], std::f64::consts::PI);
}

#[test]
fn a_stop_pushes_in_contact_damps_with_depth_and_never_pulls() {
    let impact = "IMPACT(VARVAL(x), VARVAL(v), 1, 100, 1.5, 8, 0.1)";
    close(eval(impact, &[1.5, -3.0]), 0.0);
    close(eval(impact, &[1.0, -3.0]), 0.0);
    // At half the depth of full damping the coefficient is half of it.
    close(eval(impact, &[0.95, -1.0]), 100.0 * 0.05_f64.powf(1.5) + 4.0);
    close(eval(impact, &[0.75, -1.0]), 12.5 + 8.0);
    close(eval(impact, &[0.75, 1.0]), 12.5 - 8.0);
    close(eval(impact, &[0.75, 10.0]), 0.0);
    assert_eq!(gradient(impact, &[1.0, -3.0]), [0.0, 0.0]);
    let bistop = "BISTOP(VARVAL(x), VARVAL(v), 1, 2, 100, 1.5, 8, 0.1)";
    for (x, v, force) in [(0.75, -1.0, 20.5), (1.5, 4.0, 0.0), (2.25, 1.0, -20.5), (2.25, -1.0, -4.5), (2.25, -9.0, 0.0)] {
        close(eval(bistop, &[x, v]), force);
    }
}

#[test]
fn chebyshev_polynomials_are_cosines_of_multiples() {
    let angle = 0.7_f64;
    for j in 0..8 {
        let zeros = "0, ".repeat(j);
        close(eval(&format!("CHEBY(VARVAL(x), 2, {zeros}1)"), &[2.0 + angle.cos()]), (j as f64 * angle).cos());
    }
    close(eval("CHEBY(3, 1, 1, 1, 1, 1)", &[]), 1.0 + 2.0 + 7.0 + 26.0);
}

#[test]
fn inputs_are_shared_kept_by_name_and_dropped_when_unused() {
    let p = program("dx(crank.tip, spring_1) * DX(crank.tip, spring_1) + time + vm(12, 3) + IF(0, WZ(a), 1)");
    let quantity = |function, arguments: &[&str]| Input::Quantity { function, arguments: arguments.iter().map(|&s| s.into()).collect() };
    assert_eq!(p.inputs(), [quantity("DX", &["crank.tip", "spring_1"]), Input::Time, quantity("VM", &["12", "3"])]);
    assert_eq!(p.time(), Some(1));
    assert_eq!(program("AZ(.robot.arm_2.tip)").inputs(), [quantity("AZ", &[".robot.arm_2.tip"])]);
    close(p.value(&[3.0, 0.5, 2.0], &mut p.scratch()), 12.5);
    assert_eq!(program("SIN(TIME)*SIN(TIME)").len(), 3);
}

#[test]
fn the_side_not_taken_does_no_harm() {
    let source = "IF(VARVAL(x) > 0, SQRT(VARVAL(x)), 1/VARVAL(x)**2)";
    close(eval(source, &[4.0]), 2.0);
    assert_eq!(gradient(source, &[4.0]), [0.25]);
    assert_eq!(gradient("IF(VARVAL(x): 0, 1, SQRT(VARVAL(x)))", &[0.0]), [0.0]);
    assert_eq!(gradient("IF(VARVAL(x) > 0, LOG(VARVAL(x)), 3*VARVAL(x))", &[0.0]), [3.0]);
    let p = program("IF(VARVAL(x): 5, 1, SQRT(VARVAL(x)))");
    assert_eq!(p.dual(&[Dual::seeded(-1.0, 1.0, 1.0)], &mut p.scratch()), Dual::constant(5.0));
    assert_eq!(p.diagnose(&[-1.0]), None);
}

/// Arguments at which a function is smooth: centre and half width of an interval for each.
fn interior(name: &str) -> Vec<(f64, f64)> {
    let transition = vec![(0.5, 0.3), (-0.2, 0.2), (1.0, 1.0), (1.5, 0.3), (-2.0, 1.0)];
    match name {
        "SIN" | "COS" | "ATAN" | "SINH" | "COSH" | "TANH" | "EXP" => vec![(0.0, 2.0)],
        "TAN" => vec![(0.0, 1.0)],
        "ASIN" | "ACOS" => vec![(0.0, 0.8)],
        "LOG" | "LOG10" | "SQRT" => vec![(2.0, 1.0)],
        "ABS" => vec![(-1.0, 0.8)],
        "AINT" | "ANINT" => vec![(2.25, 0.2)],
        "ATAN2" => vec![(1.0, 0.8), (-0.5, 2.0)],
        "MOD" => vec![(5.0, 0.4), (2.0, 0.1)],
        "SIGN" => vec![(1.0, 0.5), (-1.0, 0.5)],
        "MIN" | "MAX" => vec![(1.0, 0.4), (2.0, 0.4), (3.0, 0.4)],
        "DIM" => vec![(2.0, 0.5), (1.0, 0.4)],
        "IF" => vec![(1.0, 0.5), (1.0, 1.0), (2.0, 1.0)],
        "STEP" | "STEP5" | "HAVSIN" => transition,
        "IMPACT" => vec![(0.5, 0.1), (-1.0, 0.5), (1.0, 0.1), (20.0, 5.0), (1.6, 0.4), (3.0, 1.0), (1.0, 0.1)],
        "BISTOP" => vec![(2.5, 0.1), (1.0, 0.5), (1.0, 0.1), (2.0, 0.1), (20.0, 5.0), (1.6, 0.4), (3.0, 1.0), (1.0, 0.1)],
        "SHF" => vec![(0.0, 1.0); 6],
        "POLY" | "CHEBY" => vec![(0.3, 1.0); 7],
        "FORCOS" | "FORSIN" => vec![(0.4, 1.0); 7],
        _ => panic!("add arguments for {name} to this table"),
    }
}

/// Checks first derivatives against differences of values, second ones against differences of first ones.
fn check_derivatives(label: &str, p: &Program, x: &[f64], u: &[f64], w: &[f64]) {
    let mut scratch = p.scratch();
    let moved = |d: &[f64], h: f64| x.iter().zip(d).map(|(x, d)| x + h * d).collect::<Vec<_>>();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut gradient_at = |x: &[f64]| {
        let mut out = vec![0.0; x.len()];
        let value = p.gradient(x, &mut scratch, &mut out);
        (value, out)
    };
    let h = 1e-4;
    let slope = |[p, m, pp, mm]: [f64; 4]| (8.0 * (p - m) - (pp - mm)) / (12.0 * h);
    let steps = [h, -h, 2.0 * h, -2.0 * h];
    let (value, g) = gradient_at(x);
    let first = slope(steps.map(|h| gradient_at(&moved(u, h)).0));
    let second = slope(steps.map(|h| dot(&gradient_at(&moved(w, h)).1, u)));
    let seeded: Vec<Dual> = (0..x.len()).map(|k| Dual::seeded(x[k], u[k], w[k])).collect();
    let dual = p.dual(&seeded, &mut p.scratch());
    let near = |a: f64, b: f64, what: &str| assert!((a - b).abs() < 1e-7 * (1.0 + b.abs()), "{label} {what} at {x:?}: {a} is not {b}");
    assert_eq!(dual.v, value, "{label}");
    near(dot(&g, u), first, "gradient");
    near(dual.e1, first, "first derivative");
    near(dual.e2, dot(&g, w), "other first derivative");
    near(dual.e12, second, "second derivative");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn derivatives_of_every_function_match_differences(r in proptest::collection::vec(-1.0..1.0_f64, 24)) {
        for f in FUNCTIONS.iter().filter(|f| f.kind() == FunctionKind::Mathematics) {
            let ranges = interior(f.name);
            let n = ranges.len();
            prop_assert!((f.arguments.0..=f.arguments.1).contains(&n), "{}", f.name);
            let arguments: Vec<String> = (0..n).map(|k| format!("VARVAL(x{k})")).collect();
            let p = program(&format!("{}({})", f.name, arguments.join(", ")));
            let x: Vec<f64> = ranges.iter().zip(&r).map(|((c, w), r)| c + w * r).collect();
            check_derivatives(f.name, &p, &x, &r[8..8 + n], &r[16..16 + n]);
        }
    }

    #[test]
    fn derivatives_of_operators_match_differences(r in proptest::collection::vec(-1.0..1.0_f64, 9)) {
        let x = [2.0 + r[0], 3.0 + r[1], r[2]];
        for source in ["VARVAL(a)**VARVAL(b) + VARVAL(c)", "VARVAL(a)/VARVAL(b)*VARVAL(c)", "(VARVAL(a) - VARVAL(b))**2*-VARVAL(c)**3",
            "IF(VARVAL(a) < 0 || !(VARVAL(b) > 0), 1, VARVAL(c)*VARVAL(a)**0.5)"] {
            let p = program(source);
            check_derivatives(source, &p, &x, &r[3..6], &r[6..9]);
        }
    }
}

const TOKENS: [&str; 34] = [
    "1", "2.5", "1e-3", "TIME", "PI", "+", "-", "*", "/", "**", "^", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "!", "(", ")", ",", ":",
    "IF(", "SIN(", "STEP(", "POLY(", "DX(", "AKISPL(", "a.b", "MAX(", "SQRT(", "table",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_text_never_panics(source in "\\PC{0,60}") {
        let _ = Program::new(&source, &Scope::default()).map_err(|e| e.show(&source));
    }

    #[test]
    fn random_bytes_of_expressions_never_panic(source in "[-+*/^<>=!&|(),:.0-9eEa-dx_ \\n\u{2212}ä]{0,60}") {
        let _ = Program::new(&source, &Scope::default()).map_err(|e| e.show(&source));
    }

    #[test]
    fn random_tokens_never_panic(picks in proptest::collection::vec(0..TOKENS.len(), 0..25)) {
        let source: Vec<&str> = picks.iter().map(|&k| TOKENS[k]).collect();
        let source = source.join(" ");
        let splines = table(&[0.0, 1.0, 2.0], &[0.0, 1.0, 0.0]);
        match Program::new(&source, &splines) {
            Err(e) => {
                prop_assert!(e.span.start <= e.span.end && e.span.end <= source.len());
                prop_assert!(!e.show(&source).is_empty());
            }
            Ok(p) => {
                let inputs = vec![0.5; p.inputs().len()];
                let mut out = inputs.clone();
                let value = p.gradient(&inputs, &mut Scratch::default(), &mut out);
                let duals: Vec<Dual> = inputs.iter().map(|&x| x.into()).collect();
                let dual = p.dual(&duals, &mut Scratch::default()).v;
                prop_assert!(dual == value || dual.is_nan() && value.is_nan());
                prop_assert!(value.is_finite() || p.diagnose(&inputs).is_some());
            }
        }
    }
}

#[test]
fn splines_pass_through_their_points_and_go_on_straight() {
    let (x, y) = ([0.0, 1.0, 2.5, 3.0, 5.0, 6.0], [1.0, -1.0, 0.5, 2.0, 2.0, -3.0]);
    for method in [Method::Akima, Method::Cubic, Method::Linear] {
        let s = Spline::new(&x, &y).unwrap().curve(method);
        for k in 0..x.len() {
            close(s.derivatives(x[k])[0], y[k]);
        }
        for end in [0.0, 6.0] {
            let ([v, d, ..], outside) = (s.derivatives(end), if end == 0.0 { -2.0 } else { 2.0 });
            let far = s.derivatives(end + outside);
            close(far[0], v + outside * d);
            assert_eq!(far[1..], [d, 0.0, 0.0]);
        }
        // Continuous slopes (not linear) and curvature (cubic) at inner points.
        for k in 1..x.len() - 1 {
            let (before, after) = (s.derivatives(x[k] - 1e-10), s.derivatives(x[k] + 1e-10));
            assert!(method == Method::Linear || (before[1] - after[1]).abs() < 1e-7);
            assert!(method != Method::Cubic || (before[2] - after[2]).abs() < 1e-7);
        }
    }
    let natural = Spline::new(&x, &y).unwrap().curve(Method::Cubic);
    assert!(natural.derivatives(0.0)[2].abs() < 1e-12 && natural.derivatives(6.0 - 1e-12)[2].abs() < 1e-9);
    // Akima's slopes, by hand: a parabola with equal steps has the slopes of the parabola.
    let parabola = Spline::new(&[0.0, 1.0, 2.0, 3.0, 4.0], &[0.0, 1.0, 4.0, 9.0, 16.0]).unwrap().curve(Method::Akima);
    for t in [0.0, 0.7, 2.0, 3.5] {
        close(parabola.derivatives(t)[0], t * t);
        close(parabola.derivatives(t)[1], 2.0 * t);
    }
    assert_eq!(Spline::new(&[0.0, 0.0], &[1.0, 2.0]), Err(SplineError::NotIncreasing(1)));
    assert_eq!(Spline::new(&[0.0], &[1.0]), Err(SplineError::TooFew(1)));
}

#[test]
fn splines_in_expressions_have_derivatives() {
    let left = Spline::new(&[0.0, 1.0, 2.5, 3.0, 5.0, 6.0], &[1.0, -1.0, 0.5, 2.0, 2.0, -3.0]).unwrap();
    let splines = Scope { splines: vec![("road.left".into(), left)], ..Scope::default() };
    for name in ["AKISPL", "CUBSPL", "LINSPL"] {
        for call in ["VARVAL(x)**2, road.left", "VARVAL(x)**2, 0, road.left", "VARVAL(x)**2, 0, road.left, 1"] {
            let source = format!("2*{name}({call})");
            let p = Program::new(&source, &splines).unwrap();
            for x in [-0.5, 1.3, 1.7, 2.1, 3.3] {
                check_derivatives(&source, &p, &[x], &[1.0], &[0.7]);
            }
        }
    }
    let p = Program::new("LINSPL(0.25, 0, road.left) + LINSPL(0.25, 0, road.left, 1)", &splines).unwrap();
    assert_eq!(p.constant(), Some(-1.5));
}

#[test]
fn numbers_take_units_and_names_stand_for_parameters() {
    let source = "2*Width + 120 mm + 3 kN/mm*1e-6 m/N*2 - 30 deg*0";
    let scope = Scope { parameters: vec![("width".into(), 0.5)], ..Scope::default() };
    let p = Program::new(source, &scope).unwrap();
    close(p.constant().unwrap(), 1.0 + 0.12 + 3e6 * 1e-6 * 2.0);
    let error = Program::new("2*widht", &scope).unwrap_err();
    assert_eq!(error.suggestion.as_deref(), Some("width"));
    close(eval("1 m/s^2 + 2 s*0", &[]), 1.0);
    assert_eq!(program("DX(a,,c)").inputs().len(), 1);
    assert_eq!(program("DX(a,,c)").inputs()[0].to_string(), "DX(a, , c)");
}

#[test]
fn variables_are_written_out_and_loops_are_named() {
    let variable = |name: &str, text: &str| (name.to_string(), parse(text).unwrap());
    let variables = vec![
        variable("force", "3*VARVAL(depth)**2"),
        variable("depth", "DX(tip, wall) - 1"),
        variable("a", "VARVAL(b)"),
        variable("b", "1 + VARVAL(A)"),
    ];
    let scope = Scope { variables, ..Scope::default() };
    let p = Program::new("VARVAL(Force) + VARVAL(depth)", &scope).unwrap();
    assert_eq!(p.inputs().len(), 1);
    close(p.value(&[3.0], &mut Scratch::default()), 14.0);
    let error = Program::new("2*VARVAL(a)", &scope).unwrap_err();
    assert_eq!(error.message, "variables read each other in a loop: a → b → a");
}

#[test]
fn dimensions_follow_from_units_and_quantities() {
    let scope = Scope {
        parameters: vec![("k".into(), 2.0)],
        variables: vec![("gap".into(), parse("DZ(a, b) - 0.1").unwrap())],
        ..Scope::default()
    };
    let of = |text: &str| dimension(&parse(text).unwrap(), &scope).unwrap().map(|d| d.to_string());
    for (text, unit) in [
        ("DX(a, b) - 0.3", Some("m")),
        ("3 N/mm*VARVAL(gap)", Some("N")),
        ("SQRT(VX(a)**2 + VY(a)**2)", Some("m/s")),
        ("STEP(TIME, 0, 0, 1, 5 N*m)", Some("N*m")),
        ("DX(a)/TIME", Some("m/s")),
        ("2*SIN(TIME)", Some("1")),
        ("k*DX(a)", None),
        ("DX(a) + VX(a)", None),
    ] {
        assert_eq!(of(text).as_deref(), unit, "{text}");
    }
}
