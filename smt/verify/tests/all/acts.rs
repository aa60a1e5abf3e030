//! A few acts on one Boolean a lane: votes and scans of a subgroup or of the whole workgroup, what
//! lanes store and load in its memory, barriers of either scope.

use std::fmt::Write as _;

/// Numbers that are the same in every run.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % end
    }

    pub fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

/// What all lanes do next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Act {
    /// An instruction of all lanes of a group, on the Boolean.
    Group(&'static str),
    /// The Boolean is combined with one that tells lanes apart.
    Mix(&'static str, &'static str),
    /// The lanes for which something holds store it.
    Store(&'static str, &'static str),
    /// All lanes load another one.
    Load(&'static str),
    Barrier(&'static str),
    /// A barrier where something holds: in all lanes of a group or in none, or lane by lane.
    BarrierWhere(&'static str, &'static str),
}

const GROUP: [&str; 12] = [
    "OpGroupAny %bool %workgroup {v}",
    "OpGroupAll %bool %workgroup {v}",
    "OpGroupBroadcast %bool %workgroup {v} %u0",
    "OpGroupBroadcast %bool %workgroup {v} %u1",
    "OpGroupBroadcast %bool %workgroup {v} %row",
    "OpGroupLogicalXorKHR %bool %workgroup ExclusiveScan {v}",
    "OpGroupLogicalOrKHR %bool %workgroup InclusiveScan {v}",
    "OpGroupNonUniformAny %bool %subgroup {v}",
    "OpGroupNonUniformAll %bool %subgroup {v}",
    "OpGroupNonUniformBroadcastFirst %bool %subgroup {v}",
    "OpGroupNonUniformLogicalXor %bool %subgroup ExclusiveScan {v}",
    "OpGroupAll %bool %subgroup {v}",
];
const WHO: [&str; 5] = ["{x}", "{first}", "{leader}", "{early}", "%true"];
const WHERE: [&str; 4] = ["%u0", "%u1", "{g}", "{l}"];
const MIX: [&str; 3] = ["OpLogicalAnd", "OpLogicalOr", "OpLogicalNotEqual"];
const BARRIERS: [&str; 5] = [
    "%workgroup %workgroup %ordered",
    "%workgroup %workgroup %ordered",
    "%subgroup %workgroup %ordered",
    "%workgroup %subgroup %ordered",
    "%workgroup %workgroup %u0",
];
const CONDITION: [&str; 5] = [
    "OpGroupAny %bool %workgroup {v}",
    "OpGroupAll %bool %workgroup {v}",
    "OpGroupNonUniformAny %bool %subgroup {v}",
    "OpCopyObject %bool {early}",
    "OpCopyObject %bool {v}",
];

fn barrier(numbers: &mut Numbers) -> Act {
    match numbers.below(4) {
        0 => Act::BarrierWhere(numbers.of(&CONDITION), numbers.of(&BARRIERS)),
        _ => Act::Barrier(numbers.of(&BARRIERS)),
    }
}

fn act(numbers: &mut Numbers) -> Act {
    match numbers.below(9) {
        0 | 1 => Act::Group(numbers.of(&GROUP)),
        2 => Act::Mix(numbers.of(&MIX), numbers.of(&WHO)),
        3 | 4 => Act::Store(numbers.of(&WHO), numbers.of(&WHERE)),
        5 | 6 => Act::Load(numbers.of(&WHERE)),
        _ => barrier(numbers),
    }
}

/// A few acts that may well behave: what is stored is waited for before it is loaded.
pub fn acts(numbers: &mut Numbers) -> Vec<Act> {
    match numbers.below(3) {
        0 => (0..1 + numbers.below(4)).map(|_| act(numbers)).collect(),
        _ => {
            let mut acts: Vec<Act> = (0..numbers.below(2)).map(|_| act(numbers)).collect();
            acts.push(Act::Store(numbers.of(&WHO[1..4]), numbers.of(&WHERE)));
            acts.push(barrier(numbers));
            acts.push(Act::Load(numbers.of(&WHERE)));
            acts.extend((0..numbers.below(2)).map(|_| act(numbers)));
            acts
        }
    }
}

/// The same, or something else in one place.
pub fn changed(source: &[Act], numbers: &mut Numbers) -> Vec<Act> {
    let mut acts = source.to_vec();
    let place = numbers.below(acts.len() as u64) as usize;
    match numbers.below(5) {
        0 => {}
        1 => {
            acts.remove(place);
        }
        2 => acts.insert(place, act(numbers)),
        3 if place > 0 => acts.swap(place - 1, place),
        _ => acts[place] = act(numbers),
    }
    acts
}

/// What the acts come to, on the Boolean in `value`: their text, and where the Boolean is then. The
/// names that they use begin with what stands in the text's `prologue`.
pub fn body(acts: &[Act], tag: &str, first: &str) -> (String, String) {
    let mut text = String::new();
    let mut value = first.to_owned();
    for (number, act) in acts.iter().enumerate() {
        let named = |what: &str, value: &str| {
            let mut what = what.replace("{v}", value);
            for name in ["x", "g", "l", "first", "leader", "early"] {
                what = what.replace(&format!("{{{name}}}"), &format!("%{name}{tag}"));
            }
            what
        };
        let to = format!("%place{tag}{number}");
        let next = format!("%value{tag}{number}");
        match act {
            Act::Group(form) => writeln!(text, "{next} = {}", named(form, &value)).unwrap(),
            Act::Mix(operator, who) => {
                writeln!(text, "{next} = {operator} %bool {value} {}", named(who, &value)).unwrap();
            }
            Act::Store(who, place) => {
                let (who, place) = (named(who, &value), named(place, &value));
                write!(
                    text,
                    "OpSelectionMerge %meet{tag}{number} None\n\
                     OpBranchConditional {who} %then{tag}{number} %meet{tag}{number}\n\
                     %then{tag}{number} = OpLabel\n\
                     {to} = OpAccessChain %to_slot %scratch {place}\nOpStore {to} {value}\n\
                     OpBranch %meet{tag}{number}\n%meet{tag}{number} = OpLabel\n"
                )
                .unwrap();
                continue;
            }
            Act::Load(place) => {
                let place = named(place, &value);
                writeln!(text, "{to} = OpAccessChain %to_slot %scratch {place}").unwrap();
                writeln!(text, "{next} = OpLoad %bool {to}").unwrap();
            }
            Act::BarrierWhere(condition, operands) => {
                let condition = named(condition, &value);
                write!(
                    text,
                    "%where{tag}{number} = {condition}\n\
                     OpSelectionMerge %meet{tag}{number} None\n\
                     OpBranchConditional %where{tag}{number} %then{tag}{number} %meet{tag}{number}\n\
                     %then{tag}{number} = OpLabel\nOpControlBarrier {operands}\n\
                     OpBranch %meet{tag}{number}\n%meet{tag}{number} = OpLabel\n"
                )
                .unwrap();
                continue;
            }
            Act::Barrier(operands) => {
                writeln!(text, "OpControlBarrier {operands}").unwrap();
                continue;
            }
        }
        value = next;
    }
    (text, value)
}

/// Names for what tells lanes apart.
pub fn prologue(tag: &str) -> String {
    format!(
        "%i{tag} = OpLoad %u32 %id\n%g{tag} = OpLoad %u32 %number\n%l{tag} = OpLoad %u32 %index\n\
         %first{tag} = OpIEqual %bool %i{tag} %u0\n%early{tag} = OpIEqual %bool %g{tag} %u0\n\
         %leader{tag} = OpIEqual %bool %l{tag} %u0\n"
    )
}
