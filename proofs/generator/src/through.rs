//! Targets that take a way through another type: by component, by halves, through a wider one.

use crate::detour::Detour;
use crate::family::Family;
use crate::shader::parse;
use crate::shader::{Function, Module};
use crate::style::{ActivityAssumption, Operator, Payload};
use crate::write::Writer;

impl Detour {
    /// The payload of the source, and that of what the target calls.
    fn payloads(self) -> Option<[Payload; 2]> {
        Some(match self {
            Self::Direct => return None,
            Self::Components => [Payload::Uvec2, Payload::Uint],
            Self::OfVector => [Payload::Uint, Payload::Uvec2],
            Self::Signs => [Payload::Int, Payload::Uint],
            Self::Wider => [Payload::Uint, Payload::Uint64],
            Self::Halves => [Payload::Uint64, Payload::Uint],
            Self::Complement => [Payload::Uint, Payload::Uint],
        })
    }

    /// Operators for which it is right.
    fn takes(self, operator: Operator) -> bool {
        match self {
            Self::Halves => matches!(operator, Operator::And | Operator::Or | Operator::Xor),
            Self::Complement => operator.dual().is_some(),
            _ => true,
        }
    }

    /// The payload that its source has, where it has a choice of operators in a family.
    pub(crate) fn of(self, family: &Family) -> Option<(Payload, Vec<Operator>)> {
        let [own, other] = self.payloads()?;
        // A family that is written for some operators only may rest on what they do to a type.
        let fits = family.uses.operator && family.uses.detours;
        let fits = fits && family.payloads.contains(&own) && family.payloads.contains(&other);
        let mut operators = family.operators.to_vec();
        operators.retain(|it| {
            self.takes(*it)
                && it
                    .dual()
                    .is_none_or(|dual| self != Self::Complement || family.operators.contains(&dual))
        });
        (fits && !operators.is_empty()).then_some((own, operators))
    }

    /// The writer of what the target calls.
    pub(crate) fn writer(self, writer: &Writer) -> Option<Writer> {
        let [_, payload] = self.payloads()?;
        let operator = match self {
            Self::Complement => writer.operator.dual()?,
            _ => writer.operator,
        };
        Some(Writer { payload, operator, ..*writer })
    }

    /// The source, and a target that calls `inner`'s.
    pub(crate) fn join(
        self,
        source: Function,
        inner: Module,
        operator: Operator,
    ) -> Option<Module> {
        // The second call would write while other lanes still read.
        let twice = matches!(self, Self::Components | Self::Halves);
        if twice && !inner.shared.is_empty() {
            return None;
        }
        let flipped = matches!(operator, Operator::Min | Operator::Max);
        let body = match self {
            Self::Direct => "return part(x);",
            Self::Components => "return uvec2(part(x.x), part(x.y));",
            Self::OfVector => "return part(uvec2(x, x ^ 5u)).x;",
            Self::Signs if flipped => "return int(part(uint(x) ^ 0x80000000u) ^ 0x80000000u);",
            Self::Signs => "return int(part(uint(x)));",
            Self::Wider => "return uint(part(uint64_t(x)));",
            Self::Halves => {
                "return (uint64_t(part(uint(x >> 32))) << 32) | uint64_t(part(uint(x & 0xffffffffUL)));"
            }
            Self::Complement => "return ~part(~x);",
        };
        let mut helpers = inner.helpers;
        helpers.push(Function { name: "part".to_owned(), ..inner.target });
        let target = Function {
            result: source.result.clone(),
            name: "tgt".to_owned(),
            parameters: source.parameters.clone(),
            body: parse::body(body),
        };
        Some(Module { shared: inner.shared, helpers, source, target })
    }
}

/// How many ways there are to say that all lanes are active.
pub(crate) const SPELLINGS: usize = 3;

/// An assumption in front of the source, in one of these ways.
pub(crate) fn assumed(source: &mut Function, of: ActivityAssumption, spelling: usize) {
    if of == ActivityAssumption::Assumption {
        let assumption = [
            "assumeEXT(subgroupBallotBitCount(subgroupBallot(true)) == gl_SubgroupSize);",
            "assumeEXT(subgroupAdd(1u) == gl_SubgroupSize);",
            "uvec4 entered = subgroupBallot(true);\n\
             assumeEXT(uint(bitCount(entered.x) + bitCount(entered.y) + bitCount(entered.z) \
             + bitCount(entered.w)) == gl_SubgroupSize);",
        ][spelling % SPELLINGS];
        source.body.splice(0..0, parse::body(assumption));
    }
}
