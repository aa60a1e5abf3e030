//! Two-dimensional images of elements of four bytes.

use super::Buffer;

/// The bytes of an image, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Words of four bytes in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The bytes, `4 * width * height` of them; `None` is one of an undefined value.
    pub bytes: Buffer,
}

impl Image {
    /// True where there are as many bytes as the size says, and some.
    pub(crate) fn is_whole(&self) -> bool {
        let bytes = 4 * u64::from(self.width) * u64::from(self.height);
        bytes > 0 && bytes == self.bytes.len() as u64
    }

    /// The address of byte `x` of row `y`. Outside of the image, that of the nearest word.
    pub(crate) fn nearest(&self, x: i64, y: i64) -> usize {
        let word = x.div_euclid(4).clamp(0, i64::from(self.width) - 1);
        let row = y.clamp(0, i64::from(self.height) - 1);
        // Both are within the image, which is not empty.
        ((row * i64::from(self.width) + word) * 4 + x.rem_euclid(4)) as usize
    }

    /// Where byte `x` of row `y` is, if it is there.
    pub(crate) fn index(&self, x: i64, y: i64) -> Option<usize> {
        let row = 4 * i64::from(self.width);
        let inside = (0..row).contains(&x) && (0..i64::from(self.height)).contains(&y);
        usize::try_from(y * row + x).ok().filter(|_| inside)
    }
}
