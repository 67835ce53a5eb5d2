use super::*;
use crate::math::random::Random;

fn line(x: f64, y: f64) -> Piece {
    Piece::Line { to: [x, y] }
}

fn arc(center: [f64; 2], to: [f64; 2], turn: Turn) -> Piece {
    Piece::Arc { center, to, turn }
}

fn spline(points: &[[f64; 2]]) -> Piece {
    Piece::Spline { points: points.to_vec(), directions: [None; 2] }
}

/// Lines, arcs of both kinds, a spline, smooth joints, convex and concave corners.
fn plate() -> Profile {
    Profile::closed(
        [-0.5, -0.4],
        vec![
            line(0.4, -0.4),
            arc([0.4, -0.2], [0.6, -0.2], Turn::Left),
            line(0.6, 0.1),
            spline(&[[0.5, 0.3], [0.3, 0.42], [0.1, 0.35]]),
            line(0.0, 0.1),
            line(-0.1, 0.4),
            arc([-0.3, 0.4], [-0.5, 0.4], Turn::Right),
            line(-0.5, -0.4),
        ],
    )
}

/// A cam of a spline only, and the wall of a round hole with a bump.
fn cam() -> Profile {
    let at = |k: i32| std::f64::consts::TAU * f64::from(k) / 24.0;
    let radius = |a: f64| 0.4 + 0.08 * (2.0 * a).cos() + 0.05 * a.sin();
    let points: Vec<[f64; 2]> = (0..=24).map(|k| [radius(at(k)) * at(k).cos(), radius(at(k)) * at(k).sin()]).collect();
    Profile::closed(points[0], vec![spline(&points[1..])])
}

fn hole() -> Profile {
    Profile::closed(
        [1.0, 0.0],
        vec![arc([0.0, 0.0], [0.0, -1.0], Turn::Right), line(-0.2, -0.7), line(-0.6, -0.8), arc([0.0, 0.0], [1.0, 0.0], Turn::Right)],
    )
}

/// The distance to a line of many points, without the sign.
fn sampled(profile: &Profile, c: &Vec2) -> f64 {
    let chords = profile.form().chords(400);
    let distance = |p: &Vec2, q: &Vec2| {
        let s = ((c - p).dot(&(q - p)) / (q - p).norm_squared()).clamp(0.0, 1.0);
        (c - p - (q - p) * s).norm()
    };
    chords.iter().map(|(_, [p, q])| distance(p, q)).fold(f64::INFINITY, f64::min)
}

#[test]
fn the_nearest_distance_is_that_of_the_curve() {
    let mut random = Random::new(5);
    for profile in [plate(), cam(), hole()] {
        assert_eq!(profile.own_mistake(), None);
        for _ in 0..400 {
            let c = Vec2::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0));
            let at = profile.form().nearest(&c).unwrap();
            assert!((at.distance.abs() - sampled(&profile, &c)).abs() < 1e-5, "{c}: {} {}", at.distance, sampled(&profile, &c));
            let inside = c.norm() < 0.3 && profile.pieces().len() == 1;
            assert!(!inside || at.distance < 0.0, "{c}");
        }
    }
    let inside = |c: [f64; 2]| plate().form().nearest(&c.into()).unwrap().distance < 0.0;
    assert!(inside([0.0, 0.0]) && inside([-0.48, 0.2]) && !inside([0.0, 0.25]) && !inside([-0.3, 0.35]));
    let [free, wall] = [[0.3, 0.2], [0.9, 0.9]].map(|c| hole().form().nearest(&c.into()).unwrap().distance);
    assert!(free > 0.0 && wall < 0.0);
}

/// The force of a circle is continuous along any path on which its centre stays outside.
#[test]
fn touches_go_over_into_each_other_without_jumps() {
    let rho = 0.12;
    for profile in [plate(), cam(), hole()] {
        let force = |c: &Vec2| {
            let mut sum = Vec2::zeros();
            profile.form().nearby(c, rho, |_, at| sum += at.normal * (rho - at.distance).max(0.0));
            sum
        };
        // Around the outline at several heights above it, in small steps.
        for height in [0.02, 0.06, 0.115] {
            let points: Vec<Vec2> =
                profile.form().chords(3000).iter().map(|(_, [p, q])| p + outward(&(q - p).normalize()) * height).collect();
            for pair in points.windows(2) {
                let count = 1 + ((pair[1] - pair[0]).norm() / 2e-4) as usize;
                for k in 0..count {
                    let at = |k: usize| pair[0] + (pair[1] - pair[0]) * (k as f64 / count as f64);
                    let [a, b] = [at(k), at(k + 1)];
                    let outside = [a, b].iter().all(|c| profile.form().nearest(c).is_some_and(|at| at.distance > 1e-3));
                    let jump = (force(&b) - force(&a)).norm();
                    assert!(!outside || jump < 60.0 * (b - a).norm(), "at {a}: {jump}");
                }
            }
        }
    }
}

#[test]
fn a_circle_between_two_flanks_touches_both() {
    let mut found = Vec::new();
    plate().form().nearby(&Vec2::new(0.0, 0.3), 0.1, |_, at| found.push(at.distance));
    assert_eq!(found.len(), 2, "{found:?}");
    // Deep in the groove a circle that is small touches both as well.
    let mut found = Vec::new();
    plate().form().nearby(&Vec2::new(0.0, 0.12), 0.02, |_, at| found.push(at.distance));
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn thickness_is_that_of_the_solid() {
    // The edge between the groove and the round notch.
    let depth = plate().form().depth;
    assert!((0.02..0.1).contains(&depth), "{depth}");
    assert!((cam().form().depth - 0.5 * 0.63).abs() < 0.05, "{}", cam().form().depth);
    assert!(hole().form().depth > 0.05);
    let disk = Profile::closed([0.3, 0.0], vec![arc([0.0, 0.0], [0.3, 0.0], Turn::Left)]);
    assert!((disk.form().depth - 0.3).abs() < 1e-3);
}

#[test]
fn a_spline_of_a_circle_is_round() {
    let count = 36;
    let at = |k: i32| std::f64::consts::TAU * f64::from(k) / f64::from(count);
    let points: Vec<[f64; 2]> = (0..=count).map(|k| [at(k).cos(), at(k).sin()]).collect();
    let profile = Profile::closed(points[0], vec![spline(&points[1..])]);
    for k in 0..500 {
        let angle = 0.0131 * f64::from(k);
        let near = profile.form().nearest(&(Vec2::new(angle.cos(), angle.sin()) * 1.2)).unwrap();
        assert!((near.distance - 0.2).abs() < 3e-6, "{}", near.distance);
        let curvature = near.bend.trace();
        assert!((curvature - 1.0 / 1.2).abs() < 5e-3, "{curvature}");
    }
}

/// Flanks are a tooth's thickness apart, gears of the same module touch along the line of action wherever they stand, and wheels are what they are.
#[test]
fn gears_have_involutes() {
    for (teeth, backlash) in [(12, 0.0), (30, 1e-4), (60, 0.0)] {
        let (m, alpha) = (0.004, 20_f64.to_radians());
        for teeth_point in [Teeth::Outwards, Teeth::Inwards] {
            let gear = Gear { backlash, teeth_point, ..Gear::new(m, teeth) };
            let profile = gear.profile().unwrap();
            assert_eq!(profile.own_mistake(), None);
            let radius = 0.5 * m * teeth as f64;
            let sign = if teeth_point == Teeth::Outwards { 1.0 } else { -1.0 };
            let half = 0.25 * (std::f64::consts::PI * m - sign * backlash) / radius;
            for side in [-1.0, 1.0] {
                let at = profile.form().nearest(&(Vec2::new((half * side).cos(), (half * side).sin()) * radius)).unwrap();
                assert!(at.distance.abs() < 1e-12, "{teeth}: {}", at.distance);
                // The normal makes the pressure angle with the tangent of the pitch circle.
                let tangent = Vec2::new(-(half * side).sin(), (half * side).cos());
                assert!((at.normal.dot(&tangent).abs() - alpha.cos()).abs() < 1e-9);
            }
            let thick = 0.5 * std::f64::consts::PI * m;
            assert!((0.1 * thick..0.6 * thick).contains(&profile.form().depth), "{teeth} {}", profile.form().depth / thick);
        }
    }
    assert!(Gear::new(0.001, 200).profile().is_ok() && Gear { heights: [1.6, 1.25], ..Gear::new(0.004, 12) }.profile().is_err());
}

#[test]
fn wheels_and_cams_are_what_they_are() {
    let sprocket = Sprocket { teeth: 14, pin_circle: 1.12349, seat_radius: 0.085, flank_angle: 25_f64.to_radians(), tip_radius: 1.22 };
    let profile = sprocket.profile().unwrap();
    assert_eq!(profile.own_mistake(), None);
    let pin = profile.form().nearest(&Vec2::new(1.12349, 0.0)).unwrap().distance;
    assert!((pin - 0.085).abs() < 1e-12, "{pin}");
    let pointed = Sprocket { tip_radius: 1.6, ..sprocket }.profile().unwrap();
    assert_eq!(pointed.own_mistake(), None);
    for slots in [4, 6] {
        let geneva = Geneva { slots, center_distance: 0.1, slot_width: 0.0102, lock_radius: 0.035 };
        let profile = geneva.profile().unwrap();
        assert_eq!(profile.own_mistake(), None);
        let bottom = 0.1 * (1.0 - (std::f64::consts::PI / slots as f64).sin());
        assert!((profile.form().nearest(&Vec2::new(bottom, 0.0)).unwrap().distance - 0.0051).abs() < 1e-12);
        assert_eq!(geneva_lock(slots, 0.1, 0.0349).unwrap().own_mistake(), None);
    }
    let points: Vec<(f64, f64)> = (0..36).map(|k| (std::f64::consts::TAU * f64::from(k) / 36.0, 0.03)).collect();
    let round = super::cam(&points).unwrap();
    assert!((round.form().nearest(&Vec2::new(0.04, 0.001)).unwrap().distance - (0.04_f64.hypot(0.001) - 0.03)).abs() < 1e-7);
}

#[test]
fn what_is_no_profile_is_said() {
    let mistake = |profile: Profile| profile.own_mistake().unwrap_or_default();
    let open = mistake(Profile::closed([0.0, 0.0], vec![line(1.0, 0.0), line(1.0, 1.0)]));
    assert!(open.contains("ends where it starts"), "{open}");
    let point = mistake(Profile::open([0.0, 0.0], vec![line(1.0, 0.0), line(1.0, 0.0)]));
    assert!(point.contains("piece 2 (line)") && point.contains("no length"), "{point}");
    let off = mistake(Profile::open([0.0, 0.0], vec![arc([1.0, 0.0], [1.0, 1.1], Turn::Right)]));
    assert!(off.contains("piece 1 (arc)") && off.contains("does not reach its end"), "{off}");
    let crossed = mistake(Profile::closed([0.0, 0.0], vec![line(1.0, 0.0), line(0.0, 1.0), line(1.0, 1.0), line(0.0, 0.0)]));
    assert!(crossed.contains("pieces 2 and 4 cross"), "{crossed}");
    let twice = mistake(Profile::open([0.0, 0.0], vec![spline(&[[1.0, 0.0], [1.0, 0.0]])]));
    assert!(twice.contains("point 2"), "{twice}");
    assert!(mistake(plate().wide(-1.0)).contains("width"));
    assert_eq!(plate().wide(0.1).own_mistake(), None);
}
