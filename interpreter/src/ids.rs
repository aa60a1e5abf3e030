//! Maps by `<id>`.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use laneproof_module::Id;

/// Hashes `<id>`s: they are small and dense, one multiplication spreads them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, id: u32) {
        self.0 = (self.0.rotate_left(29) ^ u64::from(id)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// A map by `<id>`.
pub(crate) type IdMap<T> = HashMap<Id, T, BuildHasherDefault<IdHasher>>;
