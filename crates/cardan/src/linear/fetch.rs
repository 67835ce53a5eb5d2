//! Numbers asked for before they are needed.
//!
//! A processor sees for itself that an array is read from end to end, and brings what comes next. Blocks that lie here and there would be waited
//! for one after the other.

/// Has the memory send these numbers, where the processor can ask for it.
#[inline(always)]
pub fn fetch<T>(numbers: &[T]) {
    #[cfg(target_arch = "x86_64")]
    if let Some(processor) = pulp::core_arch::x86::Sse::try_new() {
        /// Bytes in a line of the cache.
        const LINE: usize = 64;
        /// To the nearest cache.
        const NEAREST: i32 = 3;
        let lines = numbers.iter().step_by(LINE / size_of::<T>());
        lines.for_each(|first| processor._mm_prefetch::<NEAREST>(std::ptr::from_ref(first).cast()));
    }
}
