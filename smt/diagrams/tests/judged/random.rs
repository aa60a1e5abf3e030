//! Random cases that are the same in each run.

/// Bytes picked at random, always the same.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn bytes(&mut self) -> [u8; 64] {
        let mut bytes = [0; 64];
        for byte in &mut bytes {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            *byte = (self.0 >> 32) as u8;
        }
        bytes
    }
}
