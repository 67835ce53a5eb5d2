//! Plots: what they show, how they are zoomed, and their link to the time of the animation.

use serde_json::json;

use crate::browser::Browser;
use crate::models::{self, Run};
use crate::{open, plotted};

/// The point of the page where a time and a value are in the first plot, from the axes of that plot.
fn in_first_plot(browser: &mut Browser, part: f64) -> (f64, f64) {
    let [left, top, width, height] = browser.place("#plots .plot .area");
    (left + 60.0 + part * (width - 76.0), top + height / 2.0)
}

#[test]
fn plots_show_the_data_in_their_colors() {
    let run = models::pendulum();
    let Some((mut browser, _file)) = open(&run, "data") else { return };
    let names = json!([
        ["lower.position.x", "lower.position.y", "lower.position.z"],
        ["total.energy", "total.kinetic_energy", "total.potential_energy"]
    ]);
    assert_eq!(plotted(&mut browser), names, "the first body whose position changes, then energies");
    let curve = browser.evaluate("cardan.plotted()[0][0]");
    let points: Vec<f64> = serde_json::from_value(curve["points"].clone()).unwrap();
    let column = run.channels.iter().position(|channel| channel.name == "lower.position.x").unwrap();
    assert_eq!(points.len(), 2 * run.columns[0].len());
    for (k, point) in points.chunks(2).enumerate() {
        assert!((point[0] - run.columns[0][k]).abs() < 1e-12);
        assert!((point[1] - run.columns[column][k]).abs() < 1e-7);
    }
    let picture = browser.picture("#plots .plot .area");
    for curve in browser.evaluate("cardan.plotted()[0]").as_array().unwrap() {
        let color = curve["color"].as_str().unwrap();
        assert!(picture.count(color, 30) > picture.width / 2, "{} is not drawn", curve["name"]);
    }
}

#[test]
fn a_small_change_of_a_large_value_keeps_its_digits() {
    let Some((mut browser, _file)) = open(&models::pendulum(), "digits") else { return };
    let points: Vec<f64> = serde_json::from_value(browser.evaluate("cardan.plotted()[1][0].points")).unwrap();
    for point in points.chunks(2) {
        let exact = 1.6 + 1e-6 * (20.0 * point[0]).sin();
        assert!((point[1] - exact).abs() < 1e-12, "total energy at {}: {}", point[0], point[1]);
    }
}

#[test]
fn plots_and_animation_share_one_time() {
    let Some((mut browser, _file)) = open(&models::pendulum(), "link") else { return };
    let middle = in_first_plot(&mut browser, 0.5);
    browser.click_at(middle.0, middle.1);
    assert!((browser.number("cardan.time()") - 2.0).abs() < 0.02, "a click in the middle is half of 4 s");
    let cursor = browser.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--cursor')");
    let with = browser.picture("#plots .plot .area").count(cursor.as_str().unwrap().trim(), 60);
    assert!(with > 100, "the cursor is a line of the height of the plot");
    let (from, to) = (in_first_plot(&mut browser, 0.25), in_first_plot(&mut browser, 0.5));
    browser.drag(from, to);
    assert!((browser.number("cardan.window().low") - 1.0).abs() < 0.02);
    assert!((browser.number("cardan.window().high") - 2.0).abs() < 0.02);
    browser.wheel(middle, 200.0);
    assert!(browser.number("cardan.window().high - cardan.window().low") > 1.1, "the wheel zooms out");
    browser.evaluate("document.querySelector('#plots .top').dispatchEvent(new MouseEvent('dblclick'))");
    assert_eq!(browser.evaluate("[cardan.window().low, cardan.window().high]"), json!([0, 4]));
}

#[test]
fn channels_are_found_and_chosen() {
    let Some((mut browser, _file)) = open(&models::pendulum_with_sensors(), "channels") else { return };
    assert_eq!(plotted(&mut browser)[0], json!(["tip_height"]), "sensors come first");
    browser.click("#search");
    browser.type_text("shoulder y");
    browser.click("#tree .chip");
    assert_eq!(plotted(&mut browser)[0], json!(["tip_height", "shoulder.force.y"]));
    browser.click("#tree .chip");
    assert_eq!(plotted(&mut browser)[0], json!(["tip_height"]), "a second click takes it away");
    browser.click("#add-plot");
    browser.click("#tree .quantity");
    assert_eq!(plotted(&mut browser)[3], json!(["shoulder.force.y"]), "a new plot is the active one");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn thinned_curves_keep_their_spikes() {
    let mut run = Run::new("spike", 20_001, 2.0);
    run.channel("signal", "V", |t| if (t - 1.2345).abs() < 1e-6 { 50.0 } else { (3.0 * t).sin() });
    let Some((mut browser, _file)) = open(&run, "spike") else { return };
    let points: Vec<f64> = serde_json::from_value(browser.evaluate("cardan.plotted()[0][0].points")).unwrap();
    assert!(points.len() < 8000, "{} numbers are drawn for 20001 samples", points.len());
    let spike: Vec<&[f64]> = points.chunks(2).filter(|point| point[1] > 2.0).collect();
    assert!(spike.len() == 1 && (spike[0][0] - 1.2345).abs() < 1e-9 && spike[0][1] == 50.0, "{spike:?}");
    assert!(points.chunks(2).is_sorted_by_key(|point| point[0]), "time runs forward");
}

#[test]
fn shown_curves_are_downloaded() {
    let Some((mut browser, _file)) = open(&models::pendulum_with_sensors(), "csv") else { return };
    browser.evaluate("URL.createObjectURL = (blob) => { window.saved = blob; return 'data:,'; }; 0");
    browser.click("#plots .plot .tools :nth-child(2)");
    let text = browser.evaluate("window.saved.text()");
    let lines: Vec<&str> = text.as_str().unwrap().lines().collect();
    assert_eq!((lines[0], lines.len()), ("time [s],tip_height [m]", 802));
    let last: Vec<f64> = lines[801].split(',').map(|field| field.parse().unwrap()).collect();
    let [upper, lower] = models::angles(4.0);
    assert_eq!(last[0], 4.0);
    assert!((last[1] + 0.5 * (upper.cos() + lower.cos())).abs() < 1e-7);
}
