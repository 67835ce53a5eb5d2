//! Assembly of known mechanisms: degrees of freedom, redundant rows by name, reactions, conflicts, singular configurations.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[path = "common/rig.rs"]
mod common;

use cardan::analysis::AssemblyError;
use cardan::prelude::*;
use common::*;

fn consistent(system: &System, x: &State) {
    let [phi, phi_dot, acceleration, force] = residuals(system, x);
    assert!(phi < 1e-13, "positions {phi:e}");
    assert!(phi_dot < 1e-12, "velocities {phi_dot:e}");
    assert!(acceleration < 1e-9, "accelerations {acceleration:e}");
    assert!(force < 1e-9, "forces {force:e}");
}

fn counts(system: &System) -> (usize, usize, Assembly) {
    let assembly = assemble(system).unwrap();
    consistent(system, &assembly.state);
    (assembly.redundancy.degrees_of_freedom, assembly.redundancy.redundant.len(), assembly)
}

#[test]
fn planar_four_bar_has_one_degree_of_freedom() {
    let (dof, redundant, assembly) = counts(&four_bar_planar([0.3, 0.9], [1.7, 1.2], 2.0, 0.05).system());
    assert_eq!((dof, redundant), (1, 0));
    assert!(assembly.redundancy.regularization.is_empty() && assembly.warnings.is_empty());
    assert_eq!(assembly.moved.len(), 3);
    assert!(assembly.moved.iter().all(|m| m.distance < 0.2 && m.rotation < 0.2), "{:?}", assembly.moved);
}

#[test]
fn spatial_four_bar_has_three_redundant_rows_out_of_plane() {
    for error in [0.0, 0.05] {
        let (dof, redundant, assembly) = counts(&four_bar_rigid([0.3, 0.9], [1.7, 1.2], 2.0, error).system());
        assert_eq!((dof, redundant), (1, 3), "error {error}");
        let mut names: Vec<(&str, &str)> =
            assembly.redundancy.redundant.iter().map(|r| (r.constraint.as_str(), r.direction.as_str())).collect();
        names.sort_unstable();
        assert_eq!(names, [("D", "rotation about x"), ("D", "rotation about y"), ("D", "z")]);
        assert_eq!(assembly.redundancy.redundant[0].joints.len(), 4, "{:?}", assembly.redundancy.redundant[0].joints);
        assert!(assembly.warnings.is_empty(), "{:?}", assembly.warnings);
        // Reactions in the plane are unique: x and y of every joint.
        for joint in 0..4 {
            let shared = |row: usize| assembly.redundancy.non_unique_rows.contains(&(5 * joint + row));
            assert!(!shared(0) && !shared(1) && shared(2) && shared(3) && shared(4), "joint {joint}");
        }
    }
}

#[test]
fn slider_crank() {
    let mut rig = Rig::new("slider-crank").off_by(0.03, 2);
    let crank = rig.planar("crank", [0.3, 0.4], 0.9);
    let rod = rig.planar("rod", [1.5, 0.4], -0.4);
    let slider = rig.planar("slider", [2.4, 0.0], 0.0);
    rig.joint("main", Revolute, crank, BodyId::GROUND, [0.0; 3], Quat::identity());
    rig.joint("pin", Revolute, rod, crank, [0.6, 0.8, 0.0], Quat::identity());
    rig.joint("wrist", Revolute, slider, rod, [2.4, 0.0, 0.0], Quat::identity());
    rig.joint("guide", Translational, slider, BodyId::GROUND, [2.4, 0.0, 0.0], z_to([1.0, 0.0, 0.0]));
    let (dof, redundant, _) = counts(&rig.system());
    assert_eq!((dof, redundant), (1, 0));
}

#[test]
fn parallelogram_with_a_third_crank_moves_although_it_is_overconstrained() {
    let mut rig = Rig::new("parallelogram").off_by(0.02, 7);
    let tip = [0.6, 0.8];
    let coupler = rig.planar("coupler", [tip[0] + 1.0, tip[1]], 0.0);
    for (k, x) in [0.0, 1.0, 2.0].into_iter().enumerate() {
        let crank = rig.planar(&format!("crank{k}"), [x + 0.5 * tip[0], 0.5 * tip[1]], 0.9);
        rig.joint(&format!("foot{k}"), Revolute, crank, BodyId::GROUND, [x, 0.0, 0.0], Quat::identity());
        rig.joint(&format!("head{k}"), Revolute, coupler, crank, [x + tip[0], tip[1], 0.0], Quat::identity());
    }
    let (dof, redundant, assembly) = counts(&rig.system());
    assert_eq!((dof, redundant), (1, 1));
    assert_eq!(assembly.redundancy.redundant[0].constraint, "head2");
    assert!(assembly.warnings.is_empty(), "{:?}", assembly.warnings);
}

#[test]
fn bennett_linkage_moves_although_mobility_formulas_deny_it() {
    // Opposite links equal, a/sin α = b/sin β: 4 × 5 rows on 18 velocities, rank 17.
    let (a, alpha): (f64, f64) = (1.0, 0.7);
    let beta: f64 = 1.3;
    let b = a * beta.sin() / alpha.sin();
    let theta: f64 = 0.8;
    let k = (0.5 * (beta + alpha)).sin() / (0.5 * (beta - alpha)).sin();
    let phi = 2.0 * (k / (0.5 * theta).tan()).atan();
    let mut frame = nalgebra::Isometry3::<f64>::identity();
    let mut frames = vec![];
    for (length, twist, angle) in [(a, alpha, theta), (b, beta, phi), (a, alpha, -theta), (b, beta, -phi)] {
        frames.push(frame);
        let turn = nalgebra::Isometry3::rotation(Vec3::z() * angle);
        let shift = nalgebra::Isometry3::translation(length, 0.0, 0.0);
        frame = frame * turn * shift * nalgebra::Isometry3::rotation(Vec3::x() * twist);
    }
    assert!(frame.translation.vector.norm() < 1e-12 && (frame.rotation * Vec3::z() - Vec3::z()).norm() < 1e-12, "{frame}");
    let mut rig = Rig::new("Bennett").off_by(0.01, 4);
    let mut links = vec![BodyId::GROUND];
    for k in 1..4 {
        links.push(rig.rigid(&format!("link{k}"), frames[k].translation.vector.into(), frames[k].rotation));
    }
    for k in 0..4 {
        rig.joint(
            &format!("joint{k}"),
            Revolute,
            links[(k + 1) % 4],
            links[k],
            frames[(k + 1) % 4].translation.vector.into(),
            frames[(k + 1) % 4].rotation,
        );
    }
    let (dof, redundant, assembly) = counts(&rig.system());
    assert_eq!((dof, redundant), (1, 3));
    assert!(assembly.warnings.is_empty());
}

#[test]
fn door_on_two_hinges_has_its_upper_hinge_redundant() {
    for error in [0.0, 0.1] {
        let system = door(error).system();
        let (dof, redundant, assembly) = counts(&system);
        assert_eq!((dof, redundant), (1, 5), "error {error}");
        let rows: Vec<usize> = assembly.redundancy.redundant.iter().map(|r| r.row).collect();
        assert_eq!(rows, [5, 6, 7, 8, 9]);
        assert!(assembly.redundancy.redundant.iter().all(|r| r.constraint == "upper hinge"));
        assert!(assembly.redundancy.redundant[0].joints.contains(&"lower hinge".to_string()));
        assert_eq!(assembly.redundancy.non_unique_rows, (0..10).collect::<Vec<_>>());
    }
}

#[test]
fn redundant_reactions_are_the_smallest() {
    let rigs = [("door", door(0.1)), ("four-bar", four_bar_rigid([0.3, 0.9], [1.7, 1.2], 2.0, 0.1))];
    for (name, rig) in rigs {
        let system = rig.system();
        let assembly = assemble(&system).unwrap();
        let x = &assembly.state;
        let g = dense_gradient(&system, x);
        let lambda = nalgebra::DVector::from_column_slice(&x.lambda);
        let force = g.transpose() * &lambda;
        // The pseudo-inverse solution is the part of λ in the range of G, spanned by the eigenvectors of G Gᵀ.
        let eigen = (&g * g.transpose()).symmetric_eigen();
        let range = eigen.eigenvectors.column_iter().zip(&eigen.eigenvalues).filter(|(_, e)| **e > 1e-9);
        let smallest: nalgebra::DVector<f64> = range.map(|(u, _)| u * u.dot(&lambda)).sum();
        let size = smallest.amax();
        assert!(size > 1.0, "{name}: nothing to share");
        assert!((&lambda - &smallest).amax() < 1e-9 * size, "{name}: {}", (&lambda - &smallest).amax() / size);
        // Equation (3) of the report: orthogonal to the null space of Gᵀ.
        for redundant in &assembly.redundancy.redundant {
            let terms = redundant.combination.iter().map(|(r, n)| n * lambda[*r]);
            let (sum, all): (f64, f64) = (terms.clone().sum(), terms.map(f64::abs).sum());
            assert!(sum.abs() <= 1e-9 * all.max(1e-12 * size), "{name}: {sum:e} of {all:e}");
        }
        // Gᵀλ against a dense solve in independent rows.
        let kept: Vec<usize> = (0..system.rows()).filter(|r| assembly.redundancy.redundant.iter().all(|x| x.row != *r)).collect();
        let basis = g.select_rows(&kept).transpose();
        let fit = basis.clone().svd(true, true).solve(&force, 1e-12).unwrap();
        assert!((basis * fit - &force).amax() < 1e-9 * size);
    }
}

#[test]
fn a_symmetric_door_shares_its_weight_evenly() {
    let system = door(0.0).system();
    let assembly = assemble(&system).unwrap();
    let (lower, upper) = (assembly.state.lambda[1], assembly.state.lambda[6]);
    assert!((lower - upper).abs() < 1e-9 && (lower + upper + 2.0 * 9.81).abs() < 1e-9, "{lower} {upper}");
}

#[test]
fn a_link_too_short_for_its_pins_names_both() {
    let mut rig = Rig::new("short");
    let link = rig.planar("link", [0.5, 0.0], 0.0);
    rig.joint("left pin", Revolute, link, BodyId::GROUND, [0.0; 3], Quat::identity());
    let end = rig.marker(link, [1.0, 0.0, 0.0], Quat::identity());
    let pin = rig.marker(BodyId::GROUND, [1.2, 0.3, 0.0], Quat::identity());
    rig.model.add_joint(Joint::new("right pin", Revolute, end, pin));
    let error = assemble(&rig.system()).unwrap_err();
    let AssemblyError::Positions { mut joints, gap, .. } = error.clone() else { panic!("{error}") };
    joints.sort();
    assert_eq!(joints, ["left pin", "right pin"]);
    // The pins are 1.2369 m apart, the link 1 m long: the gap is shared between two joints and two directions.
    assert!(gap > 0.05 && gap < 0.237, "{gap}");
    assert!(error.to_string().contains("'left pin'") && error.to_string().contains("cannot be assembled"), "{error}");
}

#[test]
fn a_rod_between_two_fixed_bodies_names_the_rod() {
    let mut rig = Rig::new("rod");
    let [a, b] = [0.0, 1.0].map(|x| rig.rigid(&format!("block{x}"), [x, 0.0, 0.0], Quat::identity()));
    rig.joint("weld a", Fixed, a, BodyId::GROUND, [0.0; 3], Quat::identity());
    rig.joint("weld b", Fixed, b, BodyId::GROUND, [1.0, 0.0, 0.0], Quat::identity());
    let (i, j) = (rig.marker(a, [0.0; 3], Quat::identity()), rig.marker(b, [1.0, 0.0, 0.0], Quat::identity()));
    rig.model.add_joint(Joint::new("rod", Rod { length: 0.7 }, i, j));
    let error = assemble(&rig.system()).unwrap_err();
    assert!(matches!(&error, AssemblyError::Positions { joints, .. } if joints.contains(&"rod".into())), "{error}");
}

fn driven_twice(first: TimeFunction, second: TimeFunction) -> AssemblyError {
    let mut rig = Rig::new("two motors");
    let crank = rig.rigid("crank", [0.5, 0.0, 0.0], Quat::identity());
    let joint = rig.joint("shaft", Revolute, crank, BodyId::GROUND, [0.0; 3], Quat::identity());
    rig.model.add_constraint(Motion::rotation("motor 1", joint, first));
    rig.model.add_constraint(Motion::rotation("motor 2", joint, second));
    assemble(&rig.system()).unwrap_err()
}

#[test]
fn two_motions_on_one_joint_are_named_at_every_level() {
    let both = |mut joints: Vec<String>| {
        joints.truncate(2);
        joints.sort();
        assert_eq!(joints, ["motor 1", "motor 2"]);
    };
    match driven_twice(0.1.into(), 0.3.into()) {
        AssemblyError::Positions { joints, gap, .. } => {
            both(joints);
            assert!((gap - 0.1).abs() < 1e-6, "{gap}");
        }
        other => panic!("{other}"),
    }
    match driven_twice(TimeFunction::new(|t| t * 2.0), TimeFunction::new(|t| t * 3.0)) {
        AssemblyError::Velocities { joints, mismatch, .. } => {
            both(joints);
            assert!((mismatch - 1.0).abs() < 1e-9, "{mismatch}");
        }
        other => panic!("{other}"),
    }
    match driven_twice(TimeFunction::new(|t| t * 2.0), TimeFunction::new(|t| t * 2.0 + t * t)) {
        AssemblyError::Accelerations { joints, mismatch, .. } => {
            both(joints);
            assert!((mismatch - 2.0).abs() < 1e-9, "{mismatch}");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_flat_parallelogram_is_reported_as_singular() {
    // Crank, coupler and rocker all along x: at this configuration the mechanism can fold two ways.
    let rigs = [four_bar_planar([1.0, 0.0], [3.0, 0.0], 2.0, 0.0), four_bar_rigid([1.0, 0.0], [3.0, 0.0], 2.0, 0.0)];
    for (rig, redundant) in rigs.into_iter().zip([1, 4]) {
        let (dof, found, assembly) = counts(&rig.system());
        assert_eq!((dof, found), (2, redundant));
        let [warning] = assembly.warnings.as_slice() else { panic!("{:?}", assembly.warnings) };
        assert!(warning.contains("singular") && warning.contains("2 degrees of freedom") && warning.contains("beside it 1"), "{warning}");
        assert!(["'A'", "'B'", "'C'", "'D'"].iter().all(|j| warning.contains(j)), "{warning}");
    }
}

#[test]
fn motions_far_from_the_start_are_reached_with_their_turns() {
    for angle in [2.5, 14.0, -9.0] {
        let mut rig = Rig::new("turns");
        let crank = rig.rigid("crank", [0.5, 0.0, 0.0], Quat::identity());
        let joint = rig.joint("shaft", Revolute, crank, BodyId::GROUND, [0.0; 3], Quat::identity());
        rig.model.add_constraint(Motion::rotation("motor", joint, angle));
        let (dof, _, assembly) = counts(&rig.system());
        assert_eq!(dof, 0);
        assert!((assembly.state.memory.values()[0] - angle).abs() < 1e-12, "{:?}", assembly.state.memory.values());
    }
}

#[test]
fn models_without_constraints_or_bodies() {
    let empty = Rig::new("empty").system();
    let assembly = assemble(&empty).unwrap();
    assert_eq!(assembly.redundancy.degrees_of_freedom, 0);
    assert!(assembly.state.q.is_empty() && assembly.moved.is_empty() && assembly.warnings.is_empty());
    let mut rig = Rig::new("free").off_by(0.1, 1);
    rig.model.set_gravity([0.0, 0.0, -9.81]);
    rig.rigid("stone", [0.0; 3], Quat::identity());
    let system = rig.system();
    let assembly = assemble(&system).unwrap();
    assert_eq!(assembly.redundancy.degrees_of_freedom, 6);
    assert_eq!((&assembly.state.q, &assembly.state.v), (&system.initial().q, &system.initial().v));
    assert!((assembly.state.a[2] + 9.81).abs() < 1e-14 && assembly.moved.is_empty());
}
