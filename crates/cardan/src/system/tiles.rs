//! The order of an evaluation. Bodies are placed, joints evaluated and forces balanced in portions that stay in the cache: a large model
//! comes from memory once an evaluation, not once for each of the three.
//!
//! A tile is a number of bodies that follow each other in the model, with the flat joints whose later body is among them. A body is done in
//! the tile of its last joint, which is its own one in chains, and not much later in trees. Bodies that any other
//! elements act on are done after these, at the end.

use super::System;
use super::flat::{BodyList, Portion};
use std::ops::Range;

/// Bodies of a tile: about 100 kB of numbers.
const SIZE: usize = 64;

/// Bodies and joints that are evaluated together.
#[derive(Debug, Clone, Default)]
pub(super) struct Tile {
    pub bodies: Portion,
    /// Joints, by their places in the lists.
    pub spatial: Range<usize>,
    pub planar: Range<usize>,
    pub rods: Range<usize>,
    /// Those bodies of `Tiles::done` on which all elements have acted.
    pub done: Portion,
}

/// All of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Tiles {
    pub tiles: Vec<Tile>,
    /// Bodies in the order in which they are done.
    pub done: BodyList,
    /// The last of these, which wait for other elements.
    pub late: Portion,
}

/// The later one of two bodies, of which one may be the ground behind all others.
fn later(bodies: [usize; 2], ground: usize) -> usize {
    bodies.into_iter().filter(|b| *b < ground).max().unwrap_or(0)
}

impl Tiles {
    /// The tiles of a system whose flat joints are in the order of their later bodies.
    pub fn new(system: &System) -> Self {
        let (flat, count) = (&system.flat, system.bodies.len());
        let mut done = BodyList::default();
        let mut tiles = Vec::new();
        let last = last_tiles(system);
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|body| last[*body]);
        let mut waiting = order.into_iter().peekable();
        let mut finish = |tile: usize| {
            let from = done.census();
            while let Some(body) = waiting.next_if(|body| last[*body] <= tile) {
                flat.bodies.add_to(&mut done, body);
            }
            Portion { from, to: done.census() }
        };
        for k in 0..count.div_ceil(SIZE) {
            let bodies = k * SIZE..((k + 1) * SIZE).min(count);
            let among = |joint: [usize; 2]| later(joint, count) < bodies.end;
            let Tile { spatial, planar, rods, .. } = tiles.last().cloned().unwrap_or_default();
            tiles.push(Tile {
                bodies: flat.bodies.portion(bodies.clone()),
                spatial: spatial.end..flat.spatial.partition_point(|j| among(j.at.bodies)),
                planar: planar.end..flat.planar.partition_point(|j| among(j.at.bodies)),
                rods: rods.end..flat.rods.partition_point(|rod| among(rod.bodies)),
                done: finish(k),
            });
        }
        let late = finish(usize::MAX);
        Self { tiles, done, late }
    }
}

/// The tile in which each body is done; those that other elements act on have none.
fn last_tiles(system: &System) -> Vec<usize> {
    let (flat, count) = (&system.flat, system.bodies.len());
    let mut last: Vec<usize> = (0..count).map(|body| body / SIZE).collect();
    let joints = flat.spatial.iter().map(|j| j.at.bodies).chain(flat.planar.iter().map(|j| j.at.bodies));
    for bodies in joints.chain(flat.rods.iter().map(|rod| rod.bodies)) {
        let tile = later(bodies, count) / SIZE;
        bodies.into_iter().filter(|b| *b < count).for_each(|b| last[b] = last[b].max(tile));
    }
    system.read_markers.iter().filter_map(|marker| system.markers[*marker].body).for_each(|b| last[b] = usize::MAX);
    last
}
