//! Switches: cases of one literal and of several, a default, cases that fall through, always or for
//! some lanes; what is done in them looks at other lanes.

use super::Body;

/// What kind of switch, and what is done in it, each by number.
pub struct Kind {
    pub shape: u8,
    pub work: u8,
}

impl Body {
    pub(super) fn switch(&mut self, kind: &Kind, a: &str, b: &str, p: &str) {
        let variable = self.variable();
        let [zero, other, merge] = std::array::from_fn(|_| self.fresh());
        self.line(&format!("OpStore {variable} {b}"));
        self.line(&format!("OpSelectionMerge {merge} None"));
        let shape = kind.shape % 7;
        let targets = match shape {
            0 => format!("{other} 0 {zero} 2 {other}"),
            1 => format!("{other} 0 {zero}"),
            2 => format!("{merge} 1 {zero} 2 {zero} 0 {other}"),
            3 => format!("{merge} 0 {zero} 1 {other}"),
            4 => format!("{other} 0 {zero} 3 {zero}"),
            5 => format!("{zero} 1 {other} 2 {other}"),
            _ => other.clone(),
        };
        self.line(&format!("OpSwitch {a} {targets}"));
        if shape != 6 {
            self.label(&zero);
            self.work(kind.work, &variable, b);
            match shape {
                3 => self.line(&format!("OpBranch {other}")),
                4 | 5 => self.line(&format!("OpBranchConditional {p} {other} {merge}")),
                _ => self.line(&format!("OpBranch {merge}")),
            }
        }
        self.label(&other);
        self.work(kind.work / 3, &variable, b);
        self.join(&merge);
        self.push_number(&format!("OpLoad {variable}"));
    }

    /// Something that depends on which lanes do it together, mostly.
    fn work(&mut self, work: u8, variable: &str, b: &str) {
        let held = self.result("two", &format!("OpLoad {variable}"));
        let found = match work % 4 {
            0 => format!("OpGroupNonUniformIAdd %subgroup Reduce {held}"),
            1 => format!("OpGroupNonUniformBroadcastFirst %subgroup {held}"),
            2 => format!("OpGroupNonUniformBitwiseXor %subgroup InclusiveScan {b}"),
            _ => format!("OpIAdd {held} {b}"),
        };
        let found = self.result("two", &found);
        self.line(&format!("OpStore {variable} {found}"));
    }
}
