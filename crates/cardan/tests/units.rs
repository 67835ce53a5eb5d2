//! Units: factors, dimensions, spelling.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::units::{Dimension, UNITS, Unit, length_of_unit};

#[test]
fn products_and_powers() {
    for (text, factor, dimension) in [
        ("mm", 1e-3, Dimension::LENGTH),
        ("kN/mm", 1e6, Dimension::STIFFNESS),
        ("kg*m^2", 1.0, Dimension::INERTIA),
        ("N*m/deg", 180.0 / std::f64::consts::PI, Dimension::ROTATIONAL_STIFFNESS),
        ("km/h", 1.0 / 3.6, Dimension::VELOCITY),
        ("m/s^2", 1.0, Dimension::ACCELERATION),
        ("s^-1", 1.0, Dimension::TIME.to_the(-1)),
        ("1/s", 1.0, Dimension::TIME.to_the(-1)),
        ("min", 60.0, Dimension::TIME),
        ("GPa", 1e9, Dimension::PRESSURE),
        ("g/cm^3", 1000.0, Dimension::DENSITY),
        ("N·m", 1.0, Dimension::TORQUE),
    ] {
        let unit = Unit::parse(text).unwrap();
        assert!((unit.factor / factor - 1.0).abs() < 1e-14, "{text}: {}", unit.factor);
        assert_eq!(unit.dimension, dimension, "{text}");
        assert_eq!(length_of_unit(text), if text.starts_with('1') { 0 } else { text.len() }, "{text}");
    }
}

#[test]
fn a_unit_ends_where_no_unit_follows() {
    for (text, length) in [
        ("N*x", 1),
        ("mm * m", 2),
        ("m/s*TIME", 3),
        ("mm)", 2),
        ("sin(x)", 0),
        ("m.tip", 0),
        ("s_1", 0),
        ("N**2", 1),
        ("m^2*k", 3),
        ("", 0),
    ] {
        assert_eq!(length_of_unit(text), length, "{text}");
    }
}

#[test]
fn spelling_mistakes_are_named() {
    let error = Unit::parse("kN/Mm2").unwrap_err();
    assert_eq!(error.to_string(), "'Mm2' is not a unit");
    assert_eq!(Unit::parse("pa").unwrap_err().suggestion, Some("Pa"));
    assert!(Unit::parse("").is_err());
    assert!(Unit::parse("m^300").is_err());
}

#[test]
fn every_dimension_is_written_as_a_unit_that_reads_back() {
    for entry in UNITS {
        let text = entry.dimension.to_string();
        let back = Unit::parse(&text).unwrap();
        assert_eq!((back.factor, back.dimension), (1.0, entry.dimension), "{text}");
    }
}

#[test]
fn angles_may_be_left_out_but_not_added() {
    let per_second = Unit::parse("s^-1").unwrap().dimension;
    assert!(per_second.fits(Dimension::ANGULAR_VELOCITY));
    assert!(!Dimension::ANGLE.fits(Dimension::LENGTH) && !Dimension::ANGLE.fits(Dimension::NONE));
    assert!(Dimension::NONE.fits(Dimension::ANGLE));
}
