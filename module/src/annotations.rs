//! Decorations, by what they decorate.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rspirv::dr::Operand;
use rspirv::spirv::{
    BuiltIn, Decoration, FPRoundingMode, FunctionParameterAttribute, LinkageType, Op,
};

use crate::decode::Decoded;
use crate::program::Id;

/// A decoration with its literals and ids.
type Entry = (Decoration, Vec<Operand>);

/// All decorations of a module. Groups are followed on look-up, one level as SPIR-V allows.
#[derive(Debug, Default)]
pub(crate) struct Annotations {
    of: HashMap<Id, Vec<Entry>>,
    of_members: HashMap<(Id, u32), Vec<Entry>>,
    groups: HashMap<Id, Vec<Id>>,
    member_groups: HashMap<(Id, u32), Vec<Id>>,
}

impl Annotations {
    /// Takes in an instruction, if it is an annotation.
    pub(crate) fn add(&mut self, instruction: &Decoded) {
        let Some(target) = instruction.id(0) else { return };
        let entry = |from: usize| match instruction.operands.get(from) {
            Some(Operand::Decoration(decoration)) => {
                Some((*decoration, instruction.operands[from + 1..].to_vec()))
            }
            _ => None,
        };
        match instruction.opcode {
            Op::Decorate | Op::DecorateId | Op::DecorateString => {
                self.of.entry(target).or_default().extend(entry(1));
            }
            Op::MemberDecorate | Op::MemberDecorateString => {
                if let Some(member) = instruction.literal(1) {
                    self.of_members.entry((target, member)).or_default().extend(entry(2));
                }
            }
            Op::GroupDecorate => {
                for decorated in instruction.ids(1) {
                    self.groups.entry(decorated).or_default().push(target);
                }
            }
            Op::GroupMemberDecorate => {
                for pair in instruction.operands[1..].chunks_exact(2) {
                    if let [Operand::IdRef(decorated), Operand::LiteralBit32(member)] = pair {
                        let groups = self.member_groups.entry((*decorated, *member)).or_default();
                        groups.push(target);
                    }
                }
            }
            _ => {}
        }
    }

    fn all(&self, id: Id) -> impl Iterator<Item = &Entry> {
        let groups = self.groups.get(&id).into_iter().flatten().copied();
        std::iter::once(id).chain(groups).filter_map(|id| self.of.get(&id)).flatten()
    }

    fn find(&self, id: Id, decoration: Decoration) -> Option<&[Operand]> {
        first(self.all(id), decoration)
    }

    /// The decorations that change what the instruction with this result computes. Less precision
    /// is not among them: it may be had, and the full one is always allowed.
    pub(crate) fn altering(&self, opcode: Op, id: Id) -> Vec<Decoration> {
        let usual = match opcode {
            Op::ConvertFToU | Op::ConvertFToS => FPRoundingMode::RTZ,
            _ => FPRoundingMode::RTE,
        };
        let altering = self.all(id).filter(|(decoration, operands)| match decoration {
            Decoration::NoSignedWrap
            | Decoration::NoUnsignedWrap
            | Decoration::SaturatedConversion => true,
            Decoration::FPFastMathMode => {
                !matches!(operands[..], [Operand::FPFastMathMode(mode)] if mode.is_empty())
            }
            Decoration::FPRoundingMode => operands[..] != [Operand::FPRoundingMode(usual)],
            _ => false,
        });
        altering.map(|(decoration, _)| *decoration).collect()
    }

    fn find_member(&self, id: Id, member: u32, decoration: Decoration) -> Option<&[Operand]> {
        let groups = self.member_groups.get(&(id, member)).into_iter().flatten();
        let grouped = groups.filter_map(|group| self.of.get(group));
        let entries = self.of_members.get(&(id, member)).into_iter().chain(grouped).flatten();
        first(entries, decoration)
    }

    /// All ids that have the decoration.
    pub(crate) fn decorated(&self, decoration: Decoration) -> BTreeSet<Id> {
        let ids = self.of.keys().chain(self.groups.keys()).copied();
        ids.filter(|id| self.has(*id, decoration)).collect()
    }

    /// All ids that are decorated `FPFastMathMode`, with its bits.
    pub(crate) fn fast_math(&self) -> BTreeMap<Id, u32> {
        let bits = |id| match self.find(id, Decoration::FPFastMathMode) {
            Some([Operand::FPFastMathMode(mode)]) => Some((id, mode.bits())),
            _ => None,
        };
        self.decorated(Decoration::FPFastMathMode).into_iter().filter_map(bits).collect()
    }

    /// All ids that are decorated `FPRoundingMode`, with the mode.
    pub(crate) fn rounding(&self) -> BTreeMap<Id, FPRoundingMode> {
        let mode = |id| match self.find(id, Decoration::FPRoundingMode) {
            Some([Operand::FPRoundingMode(mode)]) => Some((id, *mode)),
            _ => None,
        };
        self.decorated(Decoration::FPRoundingMode).into_iter().filter_map(mode).collect()
    }

    /// The first decoration of an id of which this holds.
    pub(crate) fn first_on(&self, id: Id, holds: fn(Decoration) -> bool) -> Option<Decoration> {
        self.all(id).map(|(decoration, _)| *decoration).find(|it| holds(*it))
    }

    /// The same of some of the ids, or of a member.
    pub(crate) fn first_of(
        &self,
        is_among: impl Fn(Id) -> bool,
        holds: fn(Decoration) -> bool,
    ) -> Option<Decoration> {
        let ids = self.of.keys().chain(self.groups.keys()).copied().filter(|id| is_among(*id));
        let of_ids = ids.filter_map(|id| self.first_on(id, holds)).min();
        let groups = self.member_groups.values().flatten().filter_map(|it| self.of.get(it));
        let entries = self.of_members.values().chain(groups).flatten();
        let of_members = entries.map(|(decoration, _)| *decoration).filter(|it| holds(*it)).min();
        of_ids.or(of_members)
    }

    /// True when the id has the decoration.
    pub(crate) fn has(&self, id: Id, decoration: Decoration) -> bool {
        self.find(id, decoration).is_some()
    }

    /// True when a parameter is decorated `FuncParamAttr` with this attribute, maybe beside others.
    pub(crate) fn has_attribute(&self, id: Id, attribute: FunctionParameterAttribute) -> bool {
        self.all(id).any(|(decoration, operands)| {
            *decoration == Decoration::FuncParamAttr
                && operands[..] == [Operand::FunctionParameterAttribute(attribute)]
        })
    }

    /// The constant that the decoration names.
    pub(crate) fn named(&self, id: Id, decoration: Decoration) -> Option<Id> {
        self.find(id, decoration)?.first()?.id_ref_any()
    }

    /// The decoration's first literal.
    pub(crate) fn literal(&self, id: Id, decoration: Decoration) -> Option<u32> {
        literal(self.find(id, decoration)?)
    }

    /// The `Offset` of a structure's member, in bytes.
    pub(crate) fn offset(&self, id: Id, member: u32) -> Option<u32> {
        literal(self.find_member(id, member, Decoration::Offset)?)
    }

    /// A member of the structure has the decoration.
    pub(crate) fn has_of_member(&self, id: Id, member: u32, decoration: Decoration) -> bool {
        self.find_member(id, member, decoration).is_some()
    }

    /// The `BuiltIn` decoration of an id.
    pub(crate) fn built_in(&self, id: Id) -> Option<BuiltIn> {
        match self.find(id, Decoration::BuiltIn)?.first() {
            Some(Operand::BuiltIn(built_in)) => Some(*built_in),
            _ => None,
        }
    }

    /// The name in the linkage attributes and whether it is imported, exported or weak.
    pub(crate) fn linkage(&self, id: Id) -> Option<(&str, LinkageType)> {
        match self.find(id, Decoration::LinkageAttributes)? {
            [Operand::LiteralString(name), Operand::LinkageType(linkage), ..] => {
                Some((name, *linkage))
            }
            _ => None,
        }
    }
}

fn first<'a>(
    mut entries: impl Iterator<Item = &'a Entry>,
    decoration: Decoration,
) -> Option<&'a [Operand]> {
    entries.find(|(found, _)| *found == decoration).map(|(_, operands)| operands.as_slice())
}

fn literal(operands: &[Operand]) -> Option<u32> {
    match operands.first() {
        Some(Operand::LiteralBit32(value)) => Some(*value),
        _ => None,
    }
}
