//! Loops: state in a phi and in a variable, a value that is used after the loop, lanes that
//! leave by what they hold, lanes that return or go on early, loops that never end.

use super::Body;

/// What decides and what is done, each by number.
pub struct Kind {
    /// Lanes may return, or go on to the next iteration, in the middle.
    pub early: bool,
    pub leave: u8,
    pub work: u8,
}

/// Operands: two numbers and two truths.
pub struct Taken<'a> {
    pub a: &'a str,
    pub b: &'a str,
    pub p: &'a str,
    pub q: &'a str,
}

impl Body {
    pub(super) fn iterate(&mut self, kind: &Kind, taken: &Taken<'_>) {
        let Taken { a, b, p, q } = taken;
        let counter = self.variable();
        let [head, body, again, merge, held] = std::array::from_fn(|_| self.fresh());
        self.line(&format!("OpStore {counter} %c0"));
        let longer = self.local("%local_uint");
        self.line(&format!("OpStore {longer} %n0"));
        let from = self.block.clone();
        self.line(&format!("OpBranch {head}"));
        self.label(&head);
        let next = self.fresh();
        self.line(&format!("{held} = OpPhi %two {a} {from} {next} {again}"));
        self.line(&format!("OpLoopMerge {merge} {again} None"));
        self.line(&format!("OpBranch {body}"));
        self.label(&body);
        let iteration = self.result("two", &format!("OpLoad {counter}"));
        let work = match kind.work % 6 {
            0 => format!("OpIAdd {held} {b}"),
            1 => format!("OpGroupNonUniformBroadcastFirst %subgroup {b}"),
            2 => format!("OpGroupNonUniformIAdd %subgroup Reduce {held}"),
            3 => format!("OpGroupNonUniformShuffleXor %subgroup {held} {iteration}"),
            4 => format!("OpGroupNonUniformBitwiseXor %subgroup InclusiveScan {b}"),
            _ => format!("OpIAdd {held} %c1"),
        };
        let work = self.result("two", &work);
        let one_more = self.result("two", &format!("OpIAdd {iteration} %c1"));
        self.line(&format!("OpStore {counter} {one_more}"));
        if kind.early {
            let (then, rest) = (self.fresh(), self.fresh());
            self.line(&format!("OpSelectionMerge {rest} None"));
            self.line(&format!("OpBranchConditional {q} {then} {rest}"));
            self.label(&then);
            if kind.work.is_multiple_of(2) {
                self.give_back(&work, &iteration, p);
            } else {
                let stop = self.result("bool", &format!("OpIEqual {iteration} %c2"));
                self.line(&format!("OpBranchConditional {stop} {merge} {again}"));
            }
            self.label(&rest);
        }
        let leaves = match kind.leave % 6 {
            0 => self.result("bool", &format!("OpIEqual {iteration} {b}")),
            1 => {
                let first = format!("OpGroupNonUniformBroadcastFirst %subgroup {b}");
                let first = self.result("two", &first);
                self.result("bool", &format!("OpIEqual {b} {first}"))
            }
            2 => self.result("bool", &format!("OpIEqual {iteration} %c1")),
            3 => self.result("bool", &format!("OpULessThan {b} {work}")),
            // More iterations than the first unrolling has.
            4 => {
                let count = self.result("uint", &format!("OpLoad {longer}"));
                let one_more = self.result("uint", &format!("OpIAdd {count} %n1"));
                self.line(&format!("OpStore {longer} {one_more}"));
                self.result("bool", &format!("OpIEqual {count} %n4"))
            }
            _ => (*p).to_owned(),
        };
        self.line(&format!("OpBranchConditional {leaves} {merge} {again}"));
        self.label(&again);
        self.line(&format!("{next} = OpCopyObject %two {work}"));
        self.line(&format!("OpBranch {head}"));
        self.label(&merge);
        self.numbers.push(work);
        let iterations = self.result("two", &format!("OpLoad {counter}"));
        self.numbers.extend([iterations, held]);
    }
}
