//! Forces and torques that expressions read: what an element exerts on its marker i.
//!
//! ```text
//! joint, constraint   w = −Σ_r λ_r g_r            ∂w/∂x_b = −Σ_r λ_r H_r,ib,   ∂w/∂λ_r = −g_r            (1)
//! force               w and its tangent as the force gives them
//! ```
//!
//! A part of it is s = e·f with e an axis of a marker, whose rotation adds e × f, or s = |f|.

use super::{ExpressionWork, part_of};
use crate::bodies::MarkerId;
use crate::constraints::Constraint;
use crate::forces::ForceLaw;
use crate::math::{Mat6, Vec3, Vec6};
use crate::measures::{Component, Context};
use crate::system::System;

/// Force or torque.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::system) enum LoadKind {
    Force,
    Torque,
}

/// The element whose force is read.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::system) enum LoadElement {
    /// Constraints of one name.
    Constraints(Vec<usize>),
    Force(usize),
    /// A force given by expressions; only values can be read.
    Expression(usize),
}

/// A part of the force of an element.
#[derive(Debug, Clone)]
pub(in crate::system) struct Load {
    pub element: LoadElement,
    pub kind: LoadKind,
    pub part: Component,
    /// The marker whose axes are meant, and its place in the list of markers.
    pub axes: MarkerId,
    pub axes_at: usize,
    /// Places of the element's markers, and of its rows of multipliers.
    pub markers_at: Vec<usize>,
    pub rows_at: Vec<usize>,
}

impl Load {
    /// Named FX, TM, ….
    pub fn named(function: &str) -> (LoadKind, Component) {
        let kind = if function.starts_with('F') { LoadKind::Force } else { LoadKind::Torque };
        let part = match function.chars().last() {
            Some('X') => Component::Axis(0),
            Some('Y') => Component::Axis(1),
            Some('Z') => Component::Axis(2),
            _ => Component::Size,
        };
        (kind, part)
    }

    /// The value, from the wrench.
    pub fn part(&self, wrench: &Vec6, ctx: &Context) -> f64 {
        let f = part_of(wrench, self.kind);
        match self.part {
            Component::Size => f.norm(),
            Component::Axis(k) => ctx.marker(self.axes).r.column(k).dot(&f),
        }
    }

    /// The direction e in which the value changes with the vector.
    fn direction(&self, f: &Vec3, ctx: &Context) -> Vec3 {
        match self.part {
            Component::Size if f.norm() > 0.0 => f.normalize(),
            Component::Size => Vec3::zeros(),
            Component::Axis(k) => ctx.marker(self.axes).r.column(k).into_owned(),
        }
    }

    /// e·(three rows of a matrix).
    fn rows_of(&self, m: &Mat6, e: &Vec3) -> Vec6 {
        match self.kind {
            LoadKind::Force => m.fixed_rows::<3>(0).tr_mul(e),
            LoadKind::Torque => m.fixed_rows::<3>(3).tr_mul(e),
        }
    }
}

impl System {
    /// The multiplier rows and the markers behind an element whose force is read.
    pub(in crate::system) fn load_parts(&self, element: &LoadElement) -> (Vec<MarkerId>, Vec<usize>) {
        match element {
            LoadElement::Constraints(list) => {
                let constraints = list.iter().map(|k| &self.constraints[*k]);
                let markers = constraints.clone().flat_map(|c| c.element.markers().to_vec()).collect();
                (markers, constraints.flat_map(|c| c.first_row..c.first_row + c.element.rows()).collect())
            }
            LoadElement::Force(k) => (self.forces[*k].markers().to_vec(), self.forces[*k].reaction_rows().to_vec()),
            LoadElement::Expression(_) => (vec![], vec![]),
        }
    }

    /// The wrench on marker i (1).
    pub(super) fn load_wrench(&self, load: &Load, ctx: &Context, work: &mut ExpressionWork) -> Vec6 {
        match &load.element {
            LoadElement::Force(k) => self.forces[*k].wrench(ctx)[0],
            LoadElement::Expression(k) => work.wrenches[*k][0],
            LoadElement::Constraints(list) => {
                let mut sum = Vec6::zeros();
                for constraint in list.iter().map(|k| &self.constraints[*k]) {
                    for r in 0..constraint.element.rows() {
                        sum -= row_gradient(&constraint.element, r, ctx, work) * ctx.lambda[constraint.first_row + r];
                    }
                }
                sum
            }
        }
    }

    /// Adds scale · derivatives to the gradients by markers and by multipliers in `work`.
    pub(super) fn add_load_gradient(&self, load: &Load, scale: f64, ctx: &Context, work: &mut ExpressionWork) {
        let f = part_of(&self.load_wrench(load, ctx, work), load.kind);
        let e = load.direction(&f, ctx) * scale;
        if load.part != Component::Size {
            let turn = e.cross(&f);
            (0..3).for_each(|k| work.gradients[load.axes_at].pose[3 + k] += turn[k]);
        }
        match &load.element {
            LoadElement::Constraints(list) => self.add_reaction_gradient(load, list, &e, ctx, work),
            LoadElement::Force(k) => {
                let (force, tangent) = (&self.forces[*k], self.forces[*k].tangent(ctx));
                for b in 0..2 {
                    let gradient = &mut work.gradients[load.markers_at[b]];
                    gradient.pose += load.rows_of(&tangent.position[b], &e);
                    gradient.twist += load.rows_of(&tangent.velocity[b], &e);
                }
                for (row, at) in force.reaction_rows().iter().zip(&load.rows_at) {
                    work.lambda[*at] += part_of(&force.reaction_gradient(ctx, *row)[0], load.kind).dot(&e);
                }
            }
            LoadElement::Expression(_) => {}
        }
    }

    fn add_reaction_gradient(&self, load: &Load, list: &[usize], e: &Vec3, ctx: &Context, work: &mut ExpressionWork) {
        let (mut first, mut row) = (0, 0);
        for constraint in list.iter().map(|k| &self.constraints[*k]) {
            let (element, n) = (&constraint.element, constraint.element.markers().len());
            for r in 0..element.rows() {
                let g = row_gradient(element, r, ctx, work);
                work.lambda[load.rows_at[row]] -= part_of(&g, load.kind).dot(e);
                work.hessian[..n * n].fill(Mat6::zeros());
                element.hessian(ctx, r, &mut work.hessian[..n * n]);
                for b in 0..n {
                    let by = load.rows_of(&work.hessian[b], e) * ctx.lambda[constraint.first_row + r];
                    work.gradients[load.markers_at[first + b]].pose -= by;
                }
                row += 1;
            }
            first += n;
        }
    }
}

/// g of a row on marker i.
fn row_gradient(element: &impl Constraint, row: usize, ctx: &Context, work: &mut ExpressionWork) -> Vec6 {
    let n = element.markers().len();
    work.gradient[..n].fill(Vec6::zeros());
    work.gradient_t[..n].fill(Vec6::zeros());
    element.evaluate(ctx, row, &mut work.gradient[..n], &mut work.gradient_t[..n]);
    work.gradient[0]
}
