//! What a host must know of a module: its kernel's name and workgroup.

const ENTRY_POINT: u32 = 15;
const EXECUTION_MODE: u32 = 16;
const LOCAL_SIZE: u32 = 17;

/// The first entry point of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EntryPoint {
    pub name: String,
    pub local_size: [u32; 3],
}

impl EntryPoint {
    /// Reads a module's; `None` where it has no entry point.
    pub fn of(words: &[u32]) -> Option<Self> {
        let mut found: Option<(u32, String)> = None;
        let mut local_size = [1; 3];
        let mut rest = words.get(5..)?;
        while let Some(first) = rest.first() {
            let length = (first >> 16) as usize;
            let instruction = rest.get(..length).filter(|it| !it.is_empty())?;
            match (first & 0xffff, instruction) {
                (ENTRY_POINT, [_, _, id, name @ ..]) if found.is_none() => {
                    found = Some((*id, string(name)));
                }
                (EXECUTION_MODE, [_, id, LOCAL_SIZE, x, y, z])
                    if found.as_ref().is_some_and(|(entry, _)| entry == id) =>
                {
                    local_size = [*x, *y, *z];
                }
                _ => {}
            }
            rest = &rest[length..];
        }
        found.map(|(_, name)| Self { name, local_size })
    }
}

/// A literal string, which ends with a zero byte.
fn string(words: &[u32]) -> String {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    String::from_utf8_lossy(&bytes.take_while(|byte| *byte != 0).collect::<Vec<_>>()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `OpEntryPoint Kernel %1 "subject"`, `OpExecutionMode %1 LocalSize 8 2 1`.
    const MODULE: [u32; 16] = [
        0x0723_0203,
        0x0001_0300,
        0,
        2,
        0, //
        5 << 16 | ENTRY_POINT,
        6,
        1,
        0x6a62_7573,
        0x0074_6365, //
        6 << 16 | EXECUTION_MODE,
        1,
        LOCAL_SIZE,
        8,
        2,
        1,
    ];

    #[test]
    fn name_and_workgroup_are_read() {
        let expected = EntryPoint { name: "subject".to_owned(), local_size: [8, 2, 1] };
        assert_eq!(EntryPoint::of(&MODULE), Some(expected));
    }

    #[test]
    fn what_is_cut_off_has_no_entry_point() {
        for end in 0..MODULE.len() - 6 {
            assert_eq!(EntryPoint::of(&MODULE[..end]), None, "{end} words");
        }
        assert_eq!(EntryPoint::of(&[0x0723_0203, 0, 0, 0, 0, 0]), None);
    }
}
