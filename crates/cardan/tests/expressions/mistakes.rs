//! Mistakes in the text and faults at run time are named where they are.

use super::*;

#[test]
fn deep_and_long_expressions_are_refused_or_work_but_never_crash() {
    for piece in ["(", "-", "!", "SIN(", "2**", "IF(1:", "1+("] {
        let error = parse(&piece.repeat(100_000)).unwrap_err();
        assert!(error.message.contains("levels"), "{error}");
    }
    assert!(parse(&"1+".repeat(100_000)).is_err());
    close(eval(&format!("{}1", "1+".repeat(900)), &[]), 901.0);
    close(eval(&format!("{}1{}", "(".repeat(140), ")".repeat(140)), &[]), 1.0);
}

#[test]
fn mistakes_are_named_where_they_are() {
    for (source, text, message, suggestion) in [
        ("1 + SNI(2)", "SNI", "unknown function SNI", Some("SIN")),
        ("impct(1)", "impct", "unknown function impct", Some("IMPACT")),
        ("2*tme", "tme", "unknown name tme", Some("TIME")),
        ("2*wobbly", "wobbly", "unknown name wobbly", None),
        ("SIN", "SIN", "SIN is a function", None),
        ("SIN(1, 2)", "2", "SIN takes 1 arguments, not 2", None),
        ("1 + STEP(1, 2)", "STEP(1, 2)", "STEP takes 5 arguments, not 2", None),
        ("DX(a + b)", "a + b", "are names", None),
        ("(1 + 2", "(", "not closed", None),
        ("1 + 2)", ")", "closes nothing", None),
        ("1 + * 2", "*", "unexpected operator", None),
        ("1 2", "2", "unexpected number", None),
        ("1 < TIME <= 2", "<=", "cannot be chained", None),
        ("1 = 2", "=", "has no meaning", None),
        ("2x", "2x", "neither a number nor a name", None),
        ("MAX(1: 2, 3)", ":", "unexpected colon", None),
        ("IF(1: 2, 3)", ")", "unexpected parenthesis", None),
        ("1e999", "1e999", "too large", None),
        ("1 +", "", "ends too early", None),
        ("", "", "empty", None),
        ("AKISPL(TIME, 0, tabel)", "tabel", "unknown spline", Some("table")),
        ("AKISPL(TIME, 1, table)", "1", "z must be 0", None),
        ("CUBSPL(TIME, 0, table, 3)", "3", "0, 1 or 2", None),
        ("LINSPL(TIME, 2)", "2", "name of a spline", None),
        ("2*ATAN2(,1)", ",", "missing", None),
        ("DX(a, 3 mm)", "3 mm", "are names", None),
    ] {
        let splines = table(&[0.0, 1.0], &[0.0, 1.0]);
        let error = Program::new(source, &splines).unwrap_err();
        assert!(error.message.contains(message), "{source}: {error}");
        assert_eq!(&source[error.span.start..error.span.end], text, "{source}");
        assert_eq!(error.suggestion.as_deref(), suggestion, "{source}");
    }
    let error = parse("1 + * 2").unwrap_err();
    assert_eq!(error.expected, ["a number", "a name", "("]);
    assert_eq!(error.show("1 + * 2"), "unexpected operator, expected a number or a name or (\n  1 + * 2\n      ^");
    let error = Program::new("SNI(2)", &Scope::default()).unwrap_err();
    assert_eq!(error.to_string(), "unknown function SNI; did you mean SIN?");
}

#[test]
fn faults_name_the_operation_and_its_operands() {
    for (source, x, text, what, values) in [
        ("2 + 1/VARVAL(x)", 0.0, "1/VARVAL(x)", "division by zero", vec![1.0, 0.0]),
        ("SIN(SQRT(VARVAL(x) - 1))", 0.0, "SQRT(VARVAL(x) - 1)", "square root of a negative number in SQRT", vec![-1.0]),
        ("LOG(VARVAL(x))", 0.0, "LOG(VARVAL(x))", "logarithm of zero in LOG", vec![0.0]),
        ("VARVAL(x)**0.5", -2.0, "VARVAL(x)**0.5", "fractional power of a negative number", vec![-2.0, 0.5]),
        ("1 + STEP(3, VARVAL(x), 0, 1, 2)", 1.0, "STEP(3, VARVAL(x), 0, 1, 2)", "division by zero in STEP", vec![2.0, 0.0]),
        ("EXP(VARVAL(x))", 1e4, "EXP(VARVAL(x))", "the result is too large for a number in EXP", vec![1e4]),
        ("VARVAL(x) + 1", f64::INFINITY, "VARVAL(x)", "VARVAL(x) is not finite", vec![f64::INFINITY]),
    ] {
        let fault = program(source).diagnose(&[x]).unwrap_or_else(|| panic!("no fault in {source}"));
        assert_eq!(&source[fault.span.start..fault.span.end], text);
        assert_eq!((fault.what.as_str(), fault.values), (what, values));
    }
    assert_eq!(program("1/VARVAL(x)").diagnose(&[2.0]), None);
    let fault = program("1 + SQRT(VARVAL(x))").diagnose_gradient(&[0.0]).unwrap();
    assert_eq!((fault.what.as_str(), fault.values), ("the derivative is not finite in SQRT", vec![0.0]));
    assert_eq!(program("VARVAL(x)**2 + SQRT(0)").diagnose_gradient(&[-1.0]), None);
    assert_eq!(program("1/0").diagnose(&[]).unwrap().values, [1.0, 0.0]);
    assert_eq!(program("VARVAL(x) != 0 && 1/VARVAL(x) > 2").diagnose(&[0.0]), None);
    assert!(eval("IF(SQRT(VARVAL(x)) > 1, 1, 2)", &[-1.0]).is_nan());
}
