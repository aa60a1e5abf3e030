//! Dominators of activities, in logarithmic time: a switch of thousands of cases is a chain of that
//! length.

use super::ActivityId;

/// For each activity its immediate dominator. An activity has a larger number than those that it is
/// made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Dominators(Vec<Above>);

/// The ancestors of one activity.
#[derive(Clone, Copy, Debug)]
struct Above {
    parent: Option<ActivityId>,
    /// An ancestor, chosen so that any ancestor is reached in logarithmically many jumps.
    jump: Option<ActivityId>,
    /// The number of ancestors.
    depth: u32,
}

impl Dominators {
    /// The next activity has this dominator.
    pub fn push(&mut self, parent: Option<ActivityId>) {
        let Some(above) = parent.map(|parent| self.above(parent)) else {
            self.0.push(Above { parent, jump: None, depth: 0 });
            return;
        };
        // Two jumps of one length are followed by one across both (a skew-binary number of depths).
        let far = above.jump.map(|jump| (above.depth - self.above(jump).depth, self.above(jump)));
        let jump = match far {
            Some((length, further))
                if further
                    .jump
                    .is_some_and(|it| further.depth - self.above(it).depth == length) =>
            {
                further.jump
            }
            _ => parent,
        };
        self.0.push(Above { parent, jump, depth: above.depth + 1 });
    }

    fn above(&self, activity: ActivityId) -> Above {
        self.0[activity.0 as usize]
    }

    /// The highest activity above this one, or itself, of which `is_below` holds; it holds of this
    /// one, and of no activity above one of which it does not.
    fn highest(&self, from: ActivityId, is_below: impl Fn(ActivityId) -> bool) -> ActivityId {
        let mut at = from;
        loop {
            let Above { parent, jump, .. } = self.above(at);
            at = match (jump.filter(|it| is_below(*it)), parent.filter(|it| is_below(*it))) {
                (Some(jump), _) => jump,
                (None, Some(parent)) => parent,
                (None, None) => return at,
            };
        }
    }

    /// The lowest common ancestor of both, which may be one of them.
    pub fn meet(&self, mut a: ActivityId, mut b: ActivityId) -> Option<ActivityId> {
        let depth = self.above(a).depth.min(self.above(b).depth);
        a = self.highest(a, |it| self.above(it).depth >= depth);
        b = self.highest(b, |it| self.above(it).depth >= depth);
        while a != b {
            let (above_a, above_b) = (self.above(a), self.above(b));
            // Activities of one depth have jumps of one length.
            (a, b) = match (above_a.jump, above_b.jump) {
                (Some(a), Some(b)) if a != b => (a, b),
                _ => (above_a.parent?, above_b.parent?),
            };
        }
        Some(a)
    }

    /// `part` is `whole`, or somewhere below it.
    pub fn includes(&self, whole: ActivityId, part: ActivityId) -> bool {
        whole <= part && self.highest(part, |it| it >= whole) == whole
    }

    /// The child of `above` on the path down to `below`.
    pub fn next_below(&self, above: ActivityId, below: ActivityId) -> Option<ActivityId> {
        let next = (below > above).then(|| self.highest(below, |it| it > above))?;
        (self.above(next).parent == Some(above)).then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the walk step by step, in trees that are chains, bushes and things between.
    #[test]
    fn the_way_up_is_the_same_step_by_step() {
        for spread in [1, 2, 3, 10, 200] {
            let parent =
                |it: u32| it.checked_sub(1).map(|last| last - (it * 7 + it / 3) % spread % it);
            let mut dominators = Dominators::default();
            (0..200).for_each(|it| dominators.push(parent(it).map(ActivityId)));
            let path = |it: u32| std::iter::successors(Some(it), |&it| parent(it));
            for a in 0..200 {
                for b in 0..200 {
                    let (of_a, of_b) = (ActivityId(a), ActivityId(b));
                    let meet = path(a).find(|it| path(b).any(|other| other == *it));
                    assert_eq!(dominators.meet(of_a, of_b), meet.map(ActivityId), "{a} {b}");
                    assert_eq!(dominators.includes(of_a, of_b), path(b).any(|it| it == a));
                    let next = path(b).find(|it| parent(*it) == Some(a));
                    assert_eq!(dominators.next_below(of_a, of_b), next.map(ActivityId));
                }
            }
        }
    }
}
