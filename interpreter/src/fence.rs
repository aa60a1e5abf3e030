//! Memory barriers around a barrier of the workgroup: together they order memory that the barrier itself
//! does not name.

use std::cell::RefCell;

/// Of memory of one kind: how far the lanes have come, all of whom execute the same.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    /// The subgroups that have released it since it was touched last.
    released: u128,
    /// All have, and then waited for each other.
    waited: bool,
    /// The subgroups that have acquired it since.
    acquired: u128,
}

/// What a memory barrier does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fence {
    pub releases: bool,
    pub acquires: bool,
}

/// The same of memory of the workgroup, of buffers and of images.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fences {
    ways: RefCell<[Way; 3]>,
}

impl Fences {
    /// Some lane touches memory of this kind.
    pub fn touch(&self, kind: usize) {
        self.ways.borrow_mut()[kind] = Way::default();
    }

    /// All lanes of `all`, a set of subgroups, wait for each other.
    pub fn wait(&self, all: u128) {
        for way in self.ways.borrow_mut().iter_mut() {
            let waited = way.released == all || way.waited;
            *way = Way { waited, released: way.released, acquired: 0 };
        }
    }

    /// All lanes of a subgroup execute a memory barrier for these kinds; of which kinds all
    /// subgroups, which are `all`, have put in order now what was done before.
    pub fn fence(&self, fence: Fence, group: usize, all: u128, kinds: [bool; 3]) -> [bool; 3] {
        let mut ordered = [false; 3];
        let mut ways = self.ways.borrow_mut();
        for (kind, way) in ways.iter_mut().enumerate().filter(|(kind, _)| kinds[*kind]) {
            if way.waited && fence.acquires {
                way.acquired |= 1 << group;
            }
            if fence.releases {
                way.released |= 1 << group;
            }
            if way.waited && way.acquired == all {
                ordered[kind] = true;
                // What was released then, and since, may be waited for again.
                *way = Way { released: way.released, ..Way::default() };
            }
        }
        ordered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUFFERS: [bool; 3] = [false, true, false];
    const BOTH: Fence = Fence { releases: true, acquires: true };

    #[test]
    fn released_waited_for_and_acquired_is_ordered() {
        let fences = Fences::default();
        assert_eq!(fences.fence(BOTH, 0, 0b11, BUFFERS), [false; 3]);
        assert_eq!(fences.fence(BOTH, 1, 0b11, BUFFERS), [false; 3]);
        fences.wait(0b11);
        assert_eq!(fences.fence(BOTH, 0, 0b11, BUFFERS), [false; 3]);
        assert_eq!(fences.fence(BOTH, 1, 0b11, BUFFERS), BUFFERS);
    }

    #[test]
    fn what_is_touched_in_between_is_not() {
        for touched in 0..3 {
            let fences = Fences::default();
            let touch = |moment: i32| {
                if moment == touched {
                    fences.touch(1);
                }
            };
            touch(2);
            fences.fence(BOTH, 0, 1, BUFFERS);
            touch(0);
            fences.wait(1);
            touch(1);
            let ordered = fences.fence(BOTH, 0, 1, BUFFERS);
            assert_eq!(ordered == BUFFERS, touched == 2, "{touched}");
        }
    }

    #[test]
    fn one_side_alone_orders_nothing() {
        let [release, acquire] =
            [(true, false), (false, true)].map(|(releases, acquires)| Fence { releases, acquires });
        for (before, behind, expected) in
            [(release, acquire, true), (acquire, acquire, false), (release, release, false)]
        {
            let fences = Fences::default();
            fences.fence(before, 0, 1, BUFFERS);
            fences.wait(1);
            assert_eq!(fences.fence(behind, 0, 1, BUFFERS) == BUFFERS, expected);
        }
    }
}
