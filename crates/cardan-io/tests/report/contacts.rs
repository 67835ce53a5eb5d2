//! Contacts: their points and forces in the view, their table and their plots.

use serde_json::{Value, json};

use crate::models;
use crate::{open, plotted, scrub};

/// The colours of arrows: normal forces and friction.
const NORMAL: &str = "#d8453e";
const FRICTION: &str = "#f0a202";

#[test]
fn touches_are_drawn_through_bodies_while_they_last() {
    let Some((mut browser, _file)) = open(&models::sliding_ball(), "touches") else { return };
    assert_eq!(browser.evaluate("cardan.touches()"), json!([]), "nothing touches at the start");
    let count = |browser: &mut crate::browser::Browser| {
        let view = browser.picture("#view");
        [NORMAL, FRICTION].map(|color| view.count(color, 45))
    };
    // The axes of the world have similar colours.
    let before = count(&mut browser);
    let count = |browser: &mut crate::browser::Browser| [0, 1].map(|k| count(browser)[k].saturating_sub(before[k]));
    scrub(&mut browser, 1.75);
    browser.settle();
    let [normal, friction] = count(&mut browser);
    assert!(normal > 150 && friction > 30, "{normal} and {friction} pixels of arrows, the one within the ball among them");
    browser
        .evaluate("(() => { const s = document.getElementById('contact-scale'); s.value = -0.4; s.dispatchEvent(new Event('input')); })()");
    browser.settle();
    let [smaller, _] = count(&mut browser);
    assert!(smaller > 0 && 2 * smaller < normal, "the slider makes arrows smaller: {smaller} of {normal}");
    browser.evaluate(
        "(() => { const s = document.getElementById('contact-lengths'); s.value = 'none'; s.dispatchEvent(new Event('change')); })()",
    );
    browser.settle();
    assert!(count(&mut browser).iter().all(|left| *left < 20), "arrows are switched off");
    let with = browser.picture("#view");
    browser.key("k");
    assert!(with.differences(&browser.picture("#view")) > 10, "and so are points");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn touches_move_between_samples_and_say_what_they_are() {
    let Some((mut browser, _file)) = open(&models::sliding_ball(), "between") else { return };
    let t = 1.7525;
    scrub(&mut browser, t);
    browser.settle();
    let touches = browser.evaluate("cardan.touches()");
    let Some([touch]) = touches.as_array().map(Vec::as_slice) else { panic!("one touch is expected: {touches}") };
    assert_eq!((&touch[0], &touch[1]), (&json!("ball.shell"), &json!("ground.floor")));
    let vector = |k: usize| -> [f64; 3] { serde_json::from_value(touch[k].clone()).unwrap() };
    let [x, y, _] = models::hop(t);
    let expected = [[x, y, 0.0], [0.0, 0.0, 20.0], [-5.0, 0.0, 0.0]];
    for (k, expected) in expected.iter().enumerate() {
        assert!((0..3).all(|c| (vector(2 + k)[c] - expected[c]).abs() < 1e-6), "{touch} instead of {expected:?}");
    }
    let at: [f64; 2] = serde_json::from_value(browser.evaluate(&format!("cardan.project('ground', [{x}, {y}, 0])"))).unwrap();
    let [left, top, width, height] = browser.place("#view");
    browser.hover((left + (0.5 + 0.5 * at[0]) * width, top + (0.5 - 0.5 * at[1]) * height));
    let words = "ball.shell on ground.floor: 20.0 N normal, 5.00 N friction";
    assert_eq!(browser.evaluate("document.getElementById('tip').textContent"), words);
}

#[test]
fn contacts_have_a_table_and_plots() {
    let Some((mut browser, _file)) = open(&models::sliding_ball(), "contact-table") else { return };
    assert!(plotted(&mut browser).as_array().unwrap().contains(&json!(["floor.normal"])), "normal forces are plotted from the start");
    browser.click("[data-tab=contacts]");
    let rows = browser
        .evaluate("[...document.querySelectorAll('#contact-table tbody tr')].map((row) => [...row.children].map((c) => c.textContent))");
    let idle = json!(["post", "none", "–", "–", "–", "–", "0", "0"]);
    assert_eq!(rows, json!([["floor", "3", "0.500", "20.00", "30.00", "2.50", "41", "2"], idle]));
    assert_eq!(plotted(&mut browser), json!([["floor.normal"]]), "those that touched");
    browser.click("#contact-table tbody tr:nth-child(2) button");
    assert_eq!(plotted(&mut browser), json!([["floor.normal", "post.normal"]]));
    browser.click("#contact-table tbody tr:nth-child(1) button");
    assert_eq!(plotted(&mut browser), json!([["post.normal"]]));
    browser.click("#contact-table tbody tr:nth-child(1) td:nth-child(4) button");
    assert_eq!(browser.number("cardan.time()"), 1.75, "a click on a peak goes there");
    browser.picture("html");
    for (width, height) in [(1280, 800), (390, 844)] {
        browser.resize(width, height);
        browser.settle();
        let wide = browser.number("document.documentElement.scrollWidth");
        assert!(wide <= f64::from(width), "the page is {wide} wide in a window of {width}");
    }
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn what_has_no_contacts_has_no_tab_for_them() {
    let Some((mut browser, _file)) = open(&models::pendulum(), "no-contacts") else { return };
    let hidden = "['[data-tab=contacts]', '#contacts-rows'].map((name) => document.querySelector(name).hidden)";
    assert_eq!(browser.evaluate(hidden), json!([true, true]));
    assert_eq!(browser.evaluate("cardan.touches()"), Value::Array(Vec::new()));
}
