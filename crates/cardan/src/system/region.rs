//! A part of a system, or all of it: blocks of its matrix, and the elements that write them.
//!
//! Elements write blocks between any two of their bodies. Those on marked bodies are all here, and so
//!
//! ```text
//! blocks (i, j) with i and j marked are complete; those with one unmarked may lack what other elements add to them     (1)
//! ```
//!
//! which is enough for factors that are renewed in these blocks alone (`linear/marks`).

use super::System;
use super::flat::BodyList;
use crate::bodies::MarkerId;
use crate::constraints::Constraint;
use crate::forces::ForceLaw;

/// Elements, by their places in the lists of the system.
#[derive(Debug, Default)]
pub struct Region {
    /// Bodies of the elements, the marked ones among them.
    pub(super) bodies: BodyList,
    pub(super) spatial: Vec<u32>,
    pub(super) planar: Vec<u32>,
    pub(super) by_rows: Vec<u32>,
    pub(super) forces: Vec<u32>,
    pub(super) rod_markers: Vec<u32>,
    /// Those of rods included.
    pub(super) markers: Vec<u32>,
    /// Values of the matrix that are sums: start and end.
    pub(super) sums: Vec<(u32, u32)>,
    /// Which bodies are here; the ground is behind the others.
    touched: Vec<bool>,
}

impl System {
    /// All of the system: a region that has room for any part of it.
    pub fn whole(&self) -> Region {
        let mut region = Region::default();
        self.choose(&vec![true; self.pattern.block_rows()], &mut region);
        region
    }

    /// Makes a region of the blocks that are marked: those of bodies, then of constraints, then of differential states.
    pub fn choose(&self, blocks: &[bool], region: &mut Region) {
        let (marked, others) = blocks.split_at(self.bodies.len());
        let on = |marker: &MarkerId| self.markers[marker.index()].body;
        region.touched.clear();
        region.touched.resize(marked.len() + 1, false);
        region.touched[..marked.len()].copy_from_slice(marked);
        let mut touch = Touch { marked, touched: &mut region.touched };
        let flat = &self.flat;
        fill(&mut region.spatial, flat.spatial.len(), |k| touch.element(false, flat.spatial[k].at.bodies.into_iter()));
        fill(&mut region.planar, flat.planar.len(), |k| touch.element(false, flat.planar[k].at.bodies.into_iter()));
        fill(&mut region.by_rows, self.by_rows.len(), |k| {
            let constraint = self.by_rows[k];
            touch.element(others[constraint], self.constraints[constraint].element.markers().iter().filter_map(on))
        });
        fill(&mut region.forces, self.forces.len(), |k| touch.element(false, self.forces[k].markers().iter().filter_map(on)));
        self.gather(others, region);
    }

    /// What belongs to the bodies at hand.
    fn gather(&self, others: &[bool], region: &mut Region) {
        let Region { touched, bodies, rod_markers, markers, sums, .. } = region;
        let (touched, first) = (&touched[..], self.bodies.len());
        self.flat.bodies.list(touched, bodies);
        let is_here = |marker: &&usize| self.markers[**marker].body.is_none_or(|b| touched[b]);
        rod_markers.clear();
        rod_markers.extend(self.rod_markers.iter().filter(is_here).map(|marker| *marker as u32));
        markers.clear();
        markers.extend(self.read_markers.iter().filter(is_here).map(|marker| *marker as u32));
        markers.extend_from_slice(rod_markers);
        let has = |block: usize| if block < first { touched[block] } else { others[block - first] };
        sums.clear();
        for (row, column, values) in self.pattern.placed() {
            if values.start < self.summed && has(row) && has(column) {
                sums.push((values.start as u32, values.end as u32));
            }
        }
        sums.sort_unstable();
        sums.dedup_by(|next, last| {
            let joins = next.0 == last.1;
            if joins {
                last.1 = next.1;
            }
            joins
        });
    }
}

/// Finds the elements of marked bodies, and the other bodies of these elements.
struct Touch<'a> {
    marked: &'a [bool],
    touched: &'a mut [bool],
}

impl Touch<'_> {
    /// Whether an element on these bodies belongs to the region, as it does if its own block is marked.
    fn element(&mut self, own: bool, bodies: impl Iterator<Item = usize> + Clone) -> bool {
        let belongs = own || bodies.clone().any(|b| self.marked.get(b) == Some(&true));
        if belongs {
            bodies.for_each(|b| self.touched[b] = true);
        }
        belongs
    }
}

/// The places of the chosen ones among so many.
fn fill(places: &mut Vec<u32>, count: usize, mut chosen: impl FnMut(usize) -> bool) {
    places.clear();
    places.extend((0..count).filter(|k| chosen(*k)).map(|k| k as u32));
}
