//! Large arrays of numbers, on huge pages where the operating system has them.
//!
//! A processor finds the place of a page in memory by a table, and remembers some thousand entries of it. Pages of 4 KiB make that a few
//! megabytes; arrays which are larger and read from end to end in every iteration take a walk through the table every 512 numbers, and in a
//! virtual machine a walk through two tables. Pages of 2 MiB avoid that. Linux gives them to those who ask.

use bytemuck::Pod;
use std::ops::{Deref, DerefMut};

/// Numbers, zero at first.
#[derive(Debug)]
pub struct Pages<T = f64> {
    memory: Memory<T>,
}

#[derive(Debug)]
enum Memory<T> {
    Heap(Vec<T>),
    #[cfg(target_os = "linux")]
    Mapped(mapped::Mapped<T>),
}

impl<T: Pod> Pages<T> {
    /// So many zeros.
    pub fn zeros(len: usize) -> Self {
        #[cfg(target_os = "linux")]
        if let Some(mapped) = mapped::Mapped::zeros(len) {
            return Self { memory: Memory::Mapped(mapped) };
        }
        Self { memory: Memory::Heap(vec![T::zeroed(); len]) }
    }
}

impl<T: Pod> Deref for Pages<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.memory {
            Memory::Heap(numbers) => numbers,
            #[cfg(target_os = "linux")]
            Memory::Mapped(mapped) => mapped.numbers(),
        }
    }
}

impl<T: Pod> DerefMut for Pages<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.memory {
            Memory::Heap(numbers) => numbers,
            #[cfg(target_os = "linux")]
            Memory::Mapped(mapped) => mapped.numbers_mut(),
        }
    }
}

impl<T: Pod> Clone for Pages<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::zeros(self.len());
        copy.copy_from_slice(self);
        copy
    }
}

#[cfg(target_os = "linux")]
mod mapped {
    use bytemuck::Pod;
    use memmap2::{Advice, MmapMut};
    use std::marker::PhantomData;
    use std::ops::Range;

    /// Bytes.
    const HUGE_PAGE: usize = 2 << 20;
    /// Smaller arrays gain too little.
    const LARGE: usize = 2 * HUGE_PAGE;

    /// Memory from the operating system.
    #[derive(Debug)]
    pub struct Mapped<T> {
        map: MmapMut,
        /// Those bytes that hold the numbers; they start on a huge page.
        bytes: Range<usize>,
        kind: PhantomData<T>,
    }

    impl<T: Pod> Mapped<T> {
        /// So many zeros, if these are many and memory is given.
        pub fn zeros(len: usize) -> Option<Self> {
            let bytes = len * size_of::<T>();
            if bytes < LARGE {
                return None;
            }
            let map = MmapMut::map_anon(bytes + HUGE_PAGE).ok()?;
            let start = map.as_ptr().align_offset(HUGE_PAGE);
            // What is left over after whole huge pages stays on small ones, so that no memory is wasted. Without the advice all does.
            let _ = map.advise_range(Advice::HugePage, start, bytes / HUGE_PAGE * HUGE_PAGE);
            Some(Self { map, bytes: start..start + bytes, kind: PhantomData })
        }

        #[inline]
        pub fn numbers(&self) -> &[T] {
            bytemuck::cast_slice(&self.map[self.bytes.clone()])
        }

        #[inline]
        pub fn numbers_mut(&mut self) -> &mut [T] {
            bytemuck::cast_slice_mut(&mut self.map[self.bytes.clone()])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_and_small_arrays_are_zero_and_keep_their_numbers() {
        let large = (4 << 20) / size_of::<f64>();
        for len in [0, 1, 1000, large - 1, large, large + 1, 2 * large - 1] {
            let mut pages = Pages::zeros(len);
            assert!(pages.len() == len && pages.iter().all(|x| *x == 0.0));
            pages.iter_mut().enumerate().for_each(|(k, x)| *x = k as f64);
            let copy = pages.clone();
            pages.fill(-1.0);
            assert!(copy.iter().enumerate().all(|(k, x)| *x == k as f64) && pages.iter().all(|x| *x == -1.0));
        }
    }
}
