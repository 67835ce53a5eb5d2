//! Plots: the right curves in the right panels, as SVG and PNG.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::results::Channel;
use cardan_io::plot::{PlotError, draw, select};
use cardan_io::results::Table;

fn table() -> Table {
    let channel = |name: &str, unit: &str| Channel { name: name.into(), unit: unit.into() };
    let time: Vec<f64> = (0..500).map(|k| f64::from(k) * 0.01).collect();
    let of = |f: fn(f64) -> f64| time.iter().map(|t| f(*t)).collect::<Vec<f64>>();
    Table {
        channels: vec![
            channel("time", "s"),
            channel("crank.position.x", "m"),
            channel("crank.position.y", "m"),
            channel("pin.force.x", "N"),
            channel("still", "N"),
        ],
        columns: vec![time.clone(), of(f64::cos), of(f64::sin), of(|t| 2e5 * (3.0 * t).sin()), vec![0.0; 500]],
    }
}

fn names(patterns: &[&str]) -> Vec<String> {
    patterns.iter().map(|p| (*p).into()).collect()
}

#[test]
fn channels_of_one_unit_share_a_panel() {
    let panels = select(&table(), &names(&["pin.*", "crank.position.*", "still", "crank.position.x"]), "time").unwrap();
    let found: Vec<(&str, Vec<usize>)> = panels.panels.iter().map(|p| (p.unit.as_str(), p.columns.clone())).collect();
    assert_eq!((found, panels.against), (vec![("N", vec![3, 4]), ("m", vec![1, 2])], 0));
    let PlotError::Unknown { similar, .. } = select(&table(), &names(&["crank.postion.x"]), "time").unwrap_err() else { panic!() };
    assert_eq!(similar.as_deref(), Some("crank.position.x"));
    assert!(select(&table(), &names(&["nothing.*"]), "time").is_err() && select(&table(), &names(&["still"]), "tyme").is_err());
}

#[test]
fn pictures_name_their_curves_and_axes_once() {
    let folder = std::env::temp_dir().join(format!("cardan-plots-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let panels = select(&table(), &names(&["crank.position.*", "pin.force.x", "still"]), "time").unwrap();
    draw(&table(), &panels, "four-bar", &folder.join("a.svg")).unwrap();
    let svg = std::fs::read_to_string(folder.join("a.svg")).unwrap();
    for text in ["four-bar", "crank.position.x", "crank.position.y", "pin.force.x", "still", "time [s]", "[m]", "[N]"] {
        assert_eq!(svg.lines().filter(|line| line.trim() == text).count(), 1, "{text}");
    }
    assert_eq!(svg.matches("stroke-width=\"2\"").count().min(4), 4, "four curves");
    draw(&table(), &panels, "four-bar", &folder.join("a.png")).unwrap();
    assert!(std::fs::metadata(folder.join("a.png")).unwrap().len() > 10_000);
    assert!(matches!(draw(&table(), &panels, "", &folder.join("a.pdf")), Err(PlotError::Format { .. })));
    std::fs::remove_dir_all(folder).unwrap();
}
