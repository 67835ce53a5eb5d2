//! The report as a user meets it: opened in a browser, looked at, clicked. With `CARDAN_PICTURES` set to a folder, every picture
//! that a test looks at is kept there.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod browser;
mod contacts;
mod models;
mod picture;
mod plots;

use std::path::PathBuf;

use browser::Browser;
use cardan_io::report::{self, Report};
use models::Run;
use serde_json::{Value, json};

/// A report on disk, removed at the end.
struct File(PathBuf);

impl File {
    fn new(run: &Run, name: &str) -> Self {
        Self::of(&run.report(), name)
    }

    fn of(report: &Report, name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("cardan-report-{}-{name}.html", std::process::id()));
        report::write(report, &path).unwrap();
        Self(path)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The page of a run in a window of a small laptop, and the file it is in. `None` where there is no browser.
fn open(run: &Run, name: &str) -> Option<(Browser, File)> {
    let mut browser = Browser::start(1280, 800)?;
    let file = File::new(run, name);
    browser.open(&file.0);
    Some((browser, file))
}

/// Names of the curves of the plots that are seen.
fn plotted(browser: &mut Browser) -> Value {
    browser.evaluate("cardan.plotted().map((plot) => plot.map((curve) => curve.name))")
}

/// Sets the time slider as a user does.
fn scrub(browser: &mut Browser, time: f64) {
    browser.evaluate(&format!(
        "(() => {{ const s = document.getElementById('slider'); s.value = {time}; s.dispatchEvent(new Event('input')); }})()"
    ));
    browser.settle();
}

#[test]
fn opens_quietly_and_shows_the_mechanism() {
    let Some((mut browser, _file)) = open(&models::pendulum(), "quiet") else { return };
    let view = browser.picture("#view");
    for color in ["#4f86c6", "#e08e45"] {
        assert!(view.count(color, 40) > 400, "arm of color {color} is not seen");
    }
    assert!(view.colors() > 500, "shading, grid and shadow give many colors");
    assert_eq!(browser.evaluate("document.title"), "double-pendulum");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn one_of_several_cases_is_chosen_in_a_box() {
    let (slow, mut quick) = (models::pendulum(), models::pendulum());
    quick.description = "twice as quick".into();
    quick.columns[0].iter_mut().for_each(|t| *t *= 0.5);
    let report = Report { cases: vec![slow.case(), quick.case()], shown: 1, ..slow.report() };
    let Some(mut browser) = Browser::start(1280, 800) else { return };
    let file = File::of(&report, "cases");
    browser.open(&file.0);
    let end = "Number(document.getElementById('slider').max)";
    assert_eq!(browser.number(end), *quick.columns[0].last().unwrap());
    assert_eq!(browser.evaluate("document.getElementById('cases').selectedOptions[0].textContent"), "twice as quick");
    browser.evaluate("(() => { const b = document.getElementById('cases'); b.value = '1'; b.dispatchEvent(new Event('change')); })()");
    browser.wait_for(&format!("window.cardan !== undefined && {end} === {}", slow.columns[0].last().unwrap()));
    assert_eq!(browser.evaluate("document.getElementById('cases').value"), "1");
    assert!(browser.picture("#view").count("#4f86c6", 40) > 400);
    let Some((mut alone, _file)) = open(&slow, "alone") else { return };
    assert_eq!(alone.evaluate("document.getElementById('cases').hidden"), true, "one case needs no box");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn playing_moves_the_mechanism_and_scrubbing_sets_the_time() {
    let Some((mut browser, _file)) = open(&models::pendulum(), "play") else { return };
    let before = browser.picture("#view");
    browser.click("#play");
    browser.wait_for("cardan.time() > 0.3");
    browser.key(" ");
    assert_eq!(browser.evaluate("cardan.playing()"), false);
    let after = browser.picture("#view");
    assert!(before.differences(&after) > 1000);
    let time = browser.number("cardan.time()");
    browser.settle();
    assert_eq!(browser.number("cardan.time()"), time, "a paused animation stands still");
    scrub(&mut browser, 2.5);
    assert_eq!(browser.number("cardan.time()"), 2.5);
    assert_eq!(browser.evaluate("document.getElementById('time').textContent"), "2.500");
    browser.key("ArrowRight");
    assert!((browser.number("cardan.time()") - 2.505).abs() < 1e-9, "one sample is 5 ms");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn the_camera_follows_what_travels_far() {
    let mut run = Run::new("cart", 101, 10.0);
    run.pose("cart", |t| [0.0, 0.0, 30.0 * t], |_| 0.0);
    run.scene.bodies.push(models::arm("cart", 0.5));
    let Some((mut browser, _file)) = open(&run, "travel") else { return };
    let before: [f64; 2] = serde_json::from_value(browser.evaluate("cardan.project('cart', [0, 0, 0])")).unwrap();
    scrub(&mut browser, 8.0);
    let after: [f64; 2] = serde_json::from_value(browser.evaluate("cardan.project('cart', [0, 0, 0])")).unwrap();
    assert!((0..2).all(|k| before[k].abs() < 0.9 && (before[k] - after[k]).abs() < 1e-3), "{before:?} {after:?}");
    assert!(browser.picture("#view").count("#4f86c6", 40) > 400);
}

#[test]
fn the_run_panel_shows_messages_statistics_and_checks() {
    let Some((mut browser, _file)) = open(&models::pendulum_with_sensors(), "run") else { return };
    browser.click("[data-tab=run]");
    let text = browser.evaluate("document.getElementById('run').innerText");
    for part in ["two rows are redundant", "Second message", "Rejected steps", "1.25×10⁻⁵", "Degrees of freedom"] {
        assert!(text.as_str().unwrap().contains(part), "{part} is missing in {text}");
    }
    let checks = json!([["total.energy"], ["constraints.position_violation", "constraints.velocity_violation"]]);
    assert_eq!(plotted(&mut browser), checks);
}

#[test]
fn the_camera_obeys_and_bodies_answer() {
    let Some((mut browser, _file)) = open(&models::pendulum(), "camera") else { return };
    let [left, top, width, height] = browser.place("#view");
    let far = (left + 0.2 * width, top + 0.8 * height);
    let yaw = browser.number("cardan.look().yaw");
    browser.drag(far, (far.0 + 100.0, far.1));
    assert!(browser.number("cardan.look().yaw") < yaw - 0.5, "dragging to the right turns the scene to the right");
    let distance = browser.number("cardan.look().distance");
    browser.wheel(far, -200.0);
    assert!(browser.number("cardan.look().distance") < 0.9 * distance);
    browser.key("1");
    browser.wait_for("cardan.look().yaw === 0 && cardan.look().pitch === 0");
    browser.settle();
    let center = browser.evaluate("cardan.project('upper', [0, -0.25, 0])");
    let center: [f64; 2] = serde_json::from_value(center).unwrap();
    let at = (left + (0.5 + 0.5 * center[0]) * width, top + (0.5 - 0.5 * center[1]) * height);
    browser.hover(at);
    assert_eq!(browser.evaluate("document.getElementById('tip').textContent"), "upper");
    browser.click_at(at.0, at.1);
    assert!(browser.evaluate("document.getElementById('card').innerText").as_str().unwrap().contains("position"));
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn two_fingers_zoom() {
    let Some((mut browser, _file)) = open(&models::pendulum(), "pinch") else { return };
    let distance = browser.number("cardan.look().distance");
    let [left, top, width, height] = browser.place("#view");
    browser.pinch((left + width / 2.0, top + height / 2.0), 40.0, 80.0);
    let ratio = browser.number("cardan.look().distance") / distance;
    assert!((ratio - 0.5).abs() < 0.02, "fingers twice as far apart, {ratio} of the distance");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn forces_markers_names_and_traces_are_drawn_on_request() {
    let Some((mut browser, _file)) = open(&models::pendulum(), "toggles") else { return };
    for key in ["v", "m", "n", "j", "g", "o"] {
        let before = browser.picture("#view");
        browser.key(key);
        let after = browser.picture("#view");
        assert!(before.differences(&after) > 30, "key {key} changes nothing");
    }
    let before = browser.picture("#view");
    browser
        .evaluate("(() => { const t = document.getElementById('trace'); t.value = 'lower.tip'; t.dispatchEvent(new Event('change')); })()");
    browser.settle();
    assert!(before.differences(&browser.picture("#view")) > 30, "no trace is drawn");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn dark_follows_the_system_and_the_switch() {
    let Some((mut browser, _file)) = open(&models::pendulum(), "dark") else { return };
    assert!(browser.picture("html").brightness() > 200.0);
    browser.prefer("dark");
    browser.settle();
    assert!(browser.picture("html").brightness() < 60.0);
    let [color, data] = ["cardan.plotted()[0][0].color", "cardan.plotted()[0][0].points.length"].map(|e| browser.evaluate(e));
    assert!(browser.picture("#plots .plot .area").count(color.as_str().unwrap(), 30) > 100, "curves are drawn again, {data} numbers");
    browser.click("#theme");
    assert!(browser.picture("html").brightness() > 200.0);
}

#[test]
fn nothing_is_cut_off_at_usual_sizes() {
    let Some((mut browser, file)) = open(&models::pendulum_with_sensors(), "sizes") else { return };
    for (width, height) in [(1920, 1080), (1280, 800), (390, 844)] {
        browser.resize(width, height);
        browser.open(&file.0);
        let wide = browser.number("document.documentElement.scrollWidth");
        assert!(wide <= f64::from(width), "the page is {wide} wide in a window of {width}");
        for selector in ["#play", "#loop", "#speed", "#theme", ".view-tools", "#add-plot", ".plot .tools"] {
            let [left, _, size, _] = browser.place(selector);
            assert!(size > 0.0 && left >= 0.0 && left + size <= f64::from(width), "{selector} is cut off at {width}");
        }
        assert!(browser.place("#view")[3] > 200.0);
    }
}

#[test]
fn what_was_fitted_into_the_view_stays_in_it_when_the_window_gets_narrow() {
    let Some((mut browser, _file)) = open(&models::pendulum_with_sensors(), "narrow") else { return };
    let before = browser.number("cardan.look().distance");
    browser.resize(900, 900);
    browser.settle();
    let after = browser.number("cardan.look().distance");
    assert!(after > 1.05 * before, "the camera steps back: {before} {after}");
    let [left, top, width, height] = browser.place("#scene");
    browser.drag((left + width / 2.0, top + height / 2.0), (left + width / 2.0 + 30.0, top + height / 2.0));
    let chosen = browser.number("cardan.look().distance");
    browser.resize(1280, 800);
    browser.settle();
    assert_eq!(browser.number("cardan.look().distance"), chosen, "the user's view is kept");
}

#[test]
fn plots_work_without_webgl() {
    let Some(mut browser) = Browser::start(1280, 800) else { return };
    let broken = "const get = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === 'webgl2' ? null : get.call(this, kind, ...rest); };";
    browser.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": broken }));
    let file = File::new(&models::pendulum(), "no-webgl");
    browser.open(&file.0);
    assert!(browser.evaluate("document.getElementById('view').innerText").as_str().unwrap().contains("needs WebGL2"));
    scrub(&mut browser, 1.0);
    assert_eq!(browser.number("cardan.time()"), 1.0);
    let color = browser.evaluate("cardan.plotted()[0][0].color");
    assert!(browser.picture("#plots .plot .area").count(color.as_str().unwrap(), 30) > 100);
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn two_hundred_bodies_stay_quick() {
    let Some((mut browser, _file)) = open(&models::field(200, 1000), "field") else { return };
    assert!(browser.picture("#view").colors() > 500);
    let time = browser.number("cardan.renderTime(5)");
    assert!(time < 16.0, "a frame takes {time} ms of the processor");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn hostile_names_stay_text() {
    let mut run = models::pendulum();
    let evil = "</script><script>broken = 1</script><img src=x onerror='broken = 2'>{{script}}";
    run.title = evil.into();
    run.description = evil.into();
    run.scene.bodies[1].name = evil.into();
    run.channel(evil, "<b>m</b>", |t| t);
    run.messages.push(evil.into());
    let Some((mut browser, _file)) = open(&run, "hostile") else { return };
    assert_eq!(browser.evaluate("document.title"), evil);
    assert_eq!(browser.evaluate("window.broken === undefined"), true);
    assert_eq!(plotted(&mut browser)[0], json!([evil]));
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn a_run_that_failed_at_once_still_opens() {
    let mut run = models::pendulum();
    run.columns.iter_mut().for_each(|column| column.truncate(1));
    run.messages = vec!["The initial conditions conflict.".into()];
    let Some((mut browser, file)) = open(&run, "one-sample") else { return };
    assert_eq!(browser.complaints(), [""; 0]);
    run.columns.iter_mut().for_each(Vec::clear);
    report::write(&run.report(), &file.0).unwrap();
    browser.open(&file.0);
    assert!(browser.evaluate("document.body.innerText").as_str().unwrap().contains("The initial conditions conflict."));
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn incomplete_samples_are_refused() {
    let path = std::env::temp_dir().join("cardan-report-refused.html");
    let refused = |change: fn(&mut Run)| {
        let mut run = models::pendulum();
        change(&mut run);
        report::write(&run.report(), &path).unwrap_err().to_string()
    };
    assert!(refused(|run| run.columns.truncate(29)).contains("30 channels are named but 29 columns"));
    assert!(refused(|run| run.columns[3].truncate(800)).contains("channel `upper.position.z` has 800 samples"));
    assert!(refused(|run| run.channels[0].name = "t".into()).contains("must be `time`, not `t`"));
}
