//! What is there for each instruction that the documents are about: clauses, engines, checks.
//!
//! Which instructions those are follows from the grammar: those that need one of the documents' capabilities; and from what the documents
//! name (its facts), built-in variables among it. An [`Others`] supplies the columns of Z3 and the catalogue.

use std::collections::BTreeSet;
use std::sync::Arc;

use arbitrary::Unstructured;
use laneproof_forms::{
    CheckedSubject, Numbers, Prepared, Target, has_memory, orders_memory, state, targets,
};
use laneproof_module::Named;
use laneproof_module::grammar::{INSTRUCTION_TABLE, OperandKind, OperandQuantifier};
use laneproof_module::spirv::{Capability, Op};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;
use laneproof_semantics::evaluate::{Execution, LaneResult, Subgroup};
use laneproof_semantics::language::ast::{Clause, SpecInstruction};

use crate::compare::compare;

use crate::memory::{agrees_with_memory, executed, observe_memory};
use crate::observe::{evaluated, given, observe};
use crate::passage::{Passage, ordered};
use crate::passage_text::{Around, neighbours};

/// The capabilities that the documents define or require for work of groups of lanes.
const CAPABILITIES: [Capability; 26] = [
    Capability::Groups,
    Capability::GroupNonUniform,
    Capability::GroupNonUniformVote,
    Capability::GroupNonUniformArithmetic,
    Capability::GroupNonUniformBallot,
    Capability::GroupNonUniformShuffle,
    Capability::GroupNonUniformShuffleRelative,
    Capability::GroupNonUniformClustered,
    Capability::GroupNonUniformQuad,
    Capability::GroupNonUniformPartitionedEXT,
    Capability::GroupNonUniformRotateKHR,
    Capability::GroupUniformArithmeticKHR,
    Capability::QuadControlKHR,
    Capability::SubgroupBallotKHR,
    Capability::SubgroupVoteKHR,
    Capability::SubgroupShuffleINTEL,
    Capability::SubgroupBufferBlockIOINTEL,
    Capability::SubgroupImageBlockIOINTEL,
    Capability::AtomicFloat16AddEXT,
    Capability::AtomicFloat32AddEXT,
    Capability::AtomicFloat64AddEXT,
    Capability::AtomicFloat16MinMaxEXT,
    Capability::AtomicFloat32MinMaxEXT,
    Capability::AtomicFloat64MinMaxEXT,
    Capability::AtomicFloat16VectorNV,
    Capability::BFloat16ConversionINTEL,
];

/// An extension that shares a capability, which no document is about.
const ELSEWHERE: &str = "SPV_AMD_shader_ballot";

/// The columns, in the order of [`MatrixRow::cells`].
pub const COLUMNS: [&str; 6] =
    ["clauses", "evaluator", "Z3", "interpreter", "cross-checked", "theorem"];

/// An instruction with one group operation, or with none; or a built-in variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixRow {
    /// Its name in the specification or, where it is not there, in the grammar.
    pub name: Arc<str>,
    /// The group operation.
    pub operation: Option<Arc<str>>,
    /// File and line of its first clause, which instructions of one table share.
    pub family: Option<String>,
    /// What there is, by column.
    pub cells: [bool; 6],
}

/// What this crate knows nothing of.
pub trait Others {
    /// The solver finds in these lanes what the evaluator found.
    fn solver_agrees(
        &mut self,
        prepared: &Prepared,
        subgroup: &Subgroup,
        lanes: &[Option<LaneResult>],
    ) -> bool;

    /// The same of an instruction with memory, lanes in the order of [`serialization`].
    ///
    /// [`serialization`]: crate::serialization
    fn solver_agrees_on_memory(
        &mut self,
        prepared: &Prepared,
        subgroup: &Subgroup,
        execution: &Execution,
    ) -> bool;

    /// In a module whose functions `src` and `tgt` do the same, the solver finds a state in which
    /// `src` behaves; `None` where it does not know.
    fn solver_finds_order(&mut self, module: &str) -> Option<bool>;

    /// A theorem uses it.
    fn theorem(&mut self, name: &str, operation: Option<&str>) -> bool;
}

/// The matrix, each cell found by trying: modules are made, and run by each engine.
pub fn matrix(
    specification: &Specification,
    settled: &Settled,
    others: &mut dyn Others,
) -> Vec<MatrixRow> {
    let (targets, _) = targets(specification);
    wanted(specification)
        .into_iter()
        .map(|(name, operation)| {
            let known = clauses(specification, &name);
            let modelled = known.iter().any(|clause| !clause.statements.is_empty());
            let target = targets
                .iter()
                .find(|target| *target.name() == name && target.operation == operation);
            let [evaluator, solver, interpreter, checked] = match target {
                Some(target) => tried(specification, settled, target, others),
                None => [false; 4],
            };
            let theorem = others.theorem(&name, operation.as_deref());
            let cells = [modelled, evaluator, solver, interpreter, checked, theorem];
            let place = known.first().and_then(|clause| specification.locate(clause.span));
            let family = place.map(|(file, line)| format!("{file}:{line}"));
            MatrixRow { name, operation, family, cells }
        })
        .collect()
}

/// Of an instruction or a built-in variable.
fn clauses<'a>(specification: &'a Specification, name: &str) -> &'a [Arc<Clause>] {
    let instruction = specification.instructions.get(name).map(|it| &it.clauses);
    let built_in = || specification.built_ins.get(name).map(|it| &it.clauses);
    instruction.or_else(built_in).map_or(&[], |clauses| clauses)
}

/// Whether evaluator, solver and interpreter have something to say, and whether it is the same.
fn tried(
    specification: &Specification,
    settled: &Settled,
    target: &Target,
    others: &mut dyn Others,
) -> [bool; 4] {
    let mut numbers = Numbers::new(1);
    let mut found = [false, false, false, true];
    for _ in 0..3 {
        let bytes = numbers.bytes(1024);
        let mut u = Unstructured::new(&bytes);
        let Ok(prepared) = Prepared::arbitrary(target, &mut u) else { return [false; 4] };
        let Ok(subgroup) = state(&prepared, 4, &mut u) else { return [false; 4] };
        if has_memory(&prepared) {
            let left = observe_memory(&prepared, &subgroup);
            found[2] |= left.is_ok();
            let agrees = left.is_ok_and(|left| {
                agrees_with_memory(specification, settled, &prepared, &subgroup, &left).is_ok()
            });
            found[0] |= agrees;
            found[3] &= agrees;
            if let (false, CheckedSubject::Instruction(instruction)) = (found[1], &target.subject)
                && let Ok(execution) =
                    executed(specification, settled, instruction, &prepared, &subgroup)
            {
                found[1] = others.solver_agrees_on_memory(&prepared, &subgroup, &execution);
            }
            continue;
        }
        let observed = observe(&prepared, &subgroup);
        let given = given(&observed);
        if let Ok(lanes) = evaluated(specification, settled, &prepared, &subgroup, given) {
            found[0] = true;
            // One question is enough to see that there are terms.
            found[1] = found[1] || others.solver_agrees(&prepared, &subgroup, &lanes);
        }
        found[2] |= observed.is_ok();
        found[3] &= compare(specification, settled, &prepared, &subgroup).is_ok();
        if let CheckedSubject::Instruction(instruction) = &target.subject
            && orders_memory(instruction)
        {
            let passes = past(specification, settled, (instruction, &prepared), others);
            for (found, passes) in found.iter_mut().zip(passes) {
                *found &= passes;
            }
        }
    }
    found
}

/// The same of memory around a barrier.
fn past(
    specification: &Specification,
    settled: &Settled,
    (barrier, prepared): (&SpecInstruction, &Prepared),
    others: &mut dyn Others,
) -> [bool; 4] {
    let mut numbers = Numbers::new(2);
    let (mut clause_order, mut observed, mut agree) = (true, true, true);
    for _ in 0..8 {
        let passage = Passage::arbitrary(&mut numbers);
        let ours = passage.clause_order(specification, settled, barrier, prepared);
        let theirs = passage.observed(prepared);
        clause_order &= ours.is_ok();
        observed &= theirs.is_ok();
        agree &= matches!((ours, theirs), (Ok(ours), Ok(theirs)) if ours == theirs);
    }
    let solver = Around::ALL.into_iter().all(|around| {
        let order = ordered(specification, settled, (barrier, prepared), around, 2);
        order.is_ok_and(|execution| {
            let found = others.solver_finds_order(&neighbours(prepared, around));
            // Scopes that are not modelled are not known.
            found.is_none_or(|found| found == execution.orders.contains(&around.storage()))
        })
    });
    [clause_order, solver, observed, agree && solver]
}

/// The rows that grammar and documents call for.
fn wanted(specification: &Specification) -> Vec<(Arc<str>, Option<Arc<str>>)> {
    const SCANS: [&str; 3] = ["Reduce", "InclusiveScan", "ExclusiveScan"];
    let mut rows = Vec::new();
    for entry in INSTRUCTION_TABLE.iter() {
        let ours = entry.capabilities.iter().any(|it| CAPABILITIES.contains(it));
        let ours = ours && !entry.extensions.contains(&ELSEWHERE);
        let name = named_in(specification, entry.opcode);
        let named = specification.facts_of(&name).next().is_some();
        if !ours && (!named || clauses(specification, &name).is_empty()) {
            continue;
        }
        let takes = |kind| entry.operands.iter().any(|operand| operand.kind == kind);
        if !takes(OperandKind::GroupOperation) {
            rows.push((name, None));
            continue;
        }
        let more = entry.operands.iter().any(|it| it.quantifier == OperandQuantifier::ZeroOrOne);
        let known = specification.enumerants.get("GroupOperation").into_iter().flatten();
        for operation in known.filter(|it| more || SCANS.contains(&&***it)) {
            rows.push((name.clone(), Some(operation.clone())));
        }
    }
    let built_ins = specification.facts.iter().filter(|fact| &*fact.kind == "BuiltIn");
    let known = built_ins.filter(|fact| laneproof_tokens::named(&fact.kind, &fact.token).is_some());
    let names: BTreeSet<&Arc<str>> = known.map(|fact| &fact.token).collect();
    rows.extend(names.into_iter().map(|name| (name.clone(), None)));
    rows
}

/// The specification's name for an instruction of the grammar; extensions rename some.
fn named_in(specification: &Specification, opcode: Op) -> Arc<str> {
    let mut names = opcode.names().iter().copied();
    let known = names.find(|name| specification.instructions.contains_key(*name));
    known.unwrap_or(opcode.name()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Capabilities that documents name for modules of their kind, with groups or without.
    const OF_ANY_MODULE: [Capability; 3] =
        [Capability::Kernel, Capability::Addresses, Capability::LiteralSampler];

    #[test]
    fn every_capability_that_a_document_names_counts() {
        let facts = Specification::built_in().facts.iter();
        let named: BTreeSet<String> = facts
            .filter(|fact| &*fact.kind == "Capability")
            .filter_map(|fact| laneproof_tokens::named(&fact.kind, &fact.token))
            .map(|token| token.name)
            .collect();
        assert_eq!(named.len(), 38);
        let all = INSTRUCTION_TABLE.iter().flat_map(|entry| entry.capabilities);
        let allowing: BTreeSet<Capability> =
            all.copied().filter(|it| named.contains(it.name())).collect();
        let counted = |it: &&Capability| CAPABILITIES.contains(it) || OF_ANY_MODULE.contains(it);
        let missing: Vec<_> = allowing.iter().filter(|it| !counted(it)).collect();
        assert!(missing.is_empty(), "these allow instructions: {missing:?}");
    }
}
