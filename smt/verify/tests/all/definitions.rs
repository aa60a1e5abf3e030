//! The specification as SMT-LIB 2: every script is one that Z3 reads, and its definitions give in
//! each lane what the evaluator gives there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::support::by_extent;
use laneproof_queries::definition::{Definition, FEW_LANES, definitions};
use laneproof_queries::model_check::Clauses;
use laneproof_semantics::denote::Argument;
use laneproof_semantics::evaluate::{Bits, LaneResult, Subgroup, evaluate, evaluate_built_in};
use laneproof_semantics::language::ast::Operand;
use laneproof_semantics::{Scalar, Specification, Type};
use z3::{SatResult, Solver};

/// The least number of scripts, and of lanes compared.
const SCRIPTS: usize = 190;
const LANES: usize = 800;

fn everything(specification: &Specification) -> Vec<(Clauses<'_>, Definition)> {
    let instructions = specification.instructions.values().map(|it| Clauses::Instruction(it));
    let built_ins = specification.built_ins.values().map(|it| Clauses::BuiltIn(it));
    let of = |clauses| {
        let all = definitions(specification, clauses, None).into_iter();
        all.map(move |definition| (clauses, definition))
    };
    instructions.chain(built_ins).flat_map(of).collect()
}

/// Whether something beside a script's definitions can be true.
fn check(text: &str, assertion: &str) -> SatResult {
    let solver = Solver::new();
    solver.from_string(format!("{text}\n(assert {assertion})"));
    // A script that does not parse asserts nothing.
    assert_eq!(solver.get_assertions().len(), 1, "{assertion} beside\n{text}");
    solver.check()
}

#[test]
fn every_instruction_has_a_script_or_a_reason() {
    let specification = Specification::built_in();
    let mut scripts = 0;
    let mut without: BTreeMap<String, String> = BTreeMap::new();
    for (_, definition) in everything(specification) {
        match &definition.text {
            Ok(text) => {
                assert!(text.starts_with(&format!("; {} (", definition.name)), "{text}");
                let clause = format!("/{}/", definition.name);
                assert!(text.contains(&clause), "no clause is named\n{text}");
                scripts += 1;
            }
            Err(why) => {
                without.insert(definition.name, why.to_string());
            }
        }
    }
    println!("{scripts} scripts; without: {without:#?}");
    assert!(scripts >= SCRIPTS, "only {scripts} scripts");
    let memory = without.values().filter(|why| why.contains("memory")).count();
    for (name, why) in &without {
        assert!(why.contains("is not supported"), "{name}: {why}");
    }
    assert!(memory > 10, "{without:#?}");
    let floating = without.values().filter(|why| why.contains("floating-point")).count();
    assert!(without.len() - floating < 40, "{without:#?}");
}

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    /// Mostly small, as lane numbers and sizes are.
    fn value(&mut self, scalar: Scalar) -> u64 {
        let wide = if self.below(4) == 0 { self.below(u64::MAX) } else { self.below(9) };
        match scalar.width() {
            64 => wide,
            width => wide & ((1 << width) - 1),
        }
    }
}

fn scalars(argument: &Argument) -> Vec<Scalar> {
    match argument {
        Argument::Value(ty) => ty.leaves(),
        Argument::Values(types) => types.iter().flat_map(Type::leaves).collect(),
        _ => Vec::new(),
    }
}

/// Any state of up to four lanes.
fn state(definition: &Definition, operands: &[Operand], numbers: &mut Numbers) -> Subgroup {
    let existing = 1 + numbers.below(u64::from(FEW_LANES)) as u32;
    let size = existing.next_power_of_two() << numbers.below(2);
    let max_size = size << numbers.below(2);
    let active = 1 + numbers.below((1 << existing) - 1);
    let of = |(argument, operand): (&Argument, &Operand)| -> Vec<Vec<Bits>> {
        let scalars = scalars(argument);
        let mut lane = || -> Vec<Bits> {
            let values = scalars.iter().map(|scalar| {
                let undefined = !operand.constant && numbers.below(6) == 0;
                let value = numbers.value(*scalar);
                if undefined { None } else { Some(value) }
            });
            values.collect()
        };
        let first = lane();
        (0..existing).map(|_| if operand.constant { first.clone() } else { lane() }).collect()
    };
    let operands = definition.instance.arguments.iter().zip(operands).map(of).collect();
    let memory = BTreeMap::new();
    Subgroup {
        existing,
        size,
        max_size,
        active: u128::from(active),
        operands,
        memory,
        workgroup: None,
    }
}

fn literal(value: u64, scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool => (value & 1 == 1).to_string(),
        _ => format!("(_ bv{value} {})", scalar.width()),
    }
}

/// What is drawn: other values for other questions.
fn drawn(operand: usize, leaf: usize, lane: u32, width: u32) -> u64 {
    let mixed = (operand as u64 * 31 + leaf as u64 * 7 + u64::from(lane) + 3).pow(5);
    if width >= 64 { mixed } else { mixed & ((1 << width) - 1) }
}

/// The state as conditions on what a script declares.
fn state_condition(
    definition: &Definition,
    operands: &[Operand],
    subgroup: &Subgroup,
    lane: u32,
) -> String {
    let text = definition.text.as_ref().unwrap();
    let Subgroup { existing, size, max_size, active, .. } = subgroup;
    let mut out = format!(
        "(= id (_ bv{lane} 32)) (= active (_ bv{active} 128)) (= SubgroupSize (_ bv{size} 32)) \
         (= SubgroupMaxSize (_ bv{max_size} 32)) (= ExistingLanes (_ bv{existing} 32))"
    );
    if text.contains("(declare-fun SubgroupId ") {
        out.push_str(" (= SubgroupId (_ bv0 32))");
    }
    if text.contains("(declare-fun NumSubgroups ") {
        out.push_str(" (= NumSubgroups (_ bv1 32))");
    }
    let all = definition.instance.arguments.iter().zip(operands).enumerate();
    for (index, (argument, operand)) in all {
        let scalars = scalars(argument);
        // SMT-LIB's own words are small.
        let small = operand.name.starts_with(|c: char| c.is_ascii_lowercase());
        let operand = format!("{}{}", if small { "operand." } else { "" }, operand.name);
        for (leaf, scalar) in scalars.iter().enumerate() {
            let name = match scalars.len() {
                1 => operand.clone(),
                _ => format!("{operand}.{leaf}"),
            };
            for lane in 0..*existing {
                let value = subgroup.operands[index][lane as usize][leaf];
                let bits = literal(value.unwrap_or(0), *scalar);
                let given = format!("(= ({name} (_ bv{lane} 32)) {bits})");
                let marked = format!("(= ({name}.undefined (_ bv{lane} 32)) {})", value.is_none());
                let random = literal(drawn(index, leaf, lane, scalar.width()), *scalar);
                let random = format!("(= ({name}.drawn (_ bv{lane} 32)) {random})");
                let constant = format!("(= {name} {bits})");
                for (declared, condition) in [
                    (format!("(declare-fun {name} ((_"), given),
                    (format!("(declare-fun {name}.undefined ((_"), marked),
                    (format!("(declare-fun {name}.drawn ((_"), random),
                    (format!("(declare-fun {name} () "), constant),
                ] {
                    if text.contains(&declared) {
                        let _ = write!(out, " {condition}");
                    }
                }
            }
        }
    }
    out
}

/// What the evaluator found, as a condition.
fn expected(result: &LaneResult, ty: Option<&Type>) -> String {
    match result {
        LaneResult::UndefinedBehavior(_) => "undefined-behavior".to_owned(),
        LaneResult::Silence(_) => "(and silence (not undefined-behavior))".to_owned(),
        LaneResult::Illegal => "false".to_owned(),
        LaneResult::Value(leaves) => {
            let mut out = "(and (not undefined-behavior) (not silence)".to_owned();
            let scalars = ty.map(Type::leaves).unwrap_or_default();
            for (number, (leaf, scalar)) in leaves.iter().zip(scalars).enumerate() {
                let name =
                    if leaves.len() == 1 { "result".into() } else { format!("result.{number}") };
                match leaf {
                    None => write!(out, " {name}.undefined").unwrap(),
                    Some(value) => {
                        let value = literal(*value, scalar);
                        write!(out, " (not {name}.undefined) (= {name} {value})").unwrap();
                    }
                }
            }
            out + ")"
        }
    }
}

#[test]
fn definitions_give_what_the_evaluator_gives() {
    let specification = Specification::built_in();
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let [mut lanes, mut undefined, mut behavior] = [0; 3];
    for (clauses, definition) in everything(specification) {
        let Ok(text) = &definition.text else { continue };
        // What the text leaves open the evaluator chooses, and the script does not.
        if text.contains("(define-fun relation ") {
            continue;
        }
        let operands = match clauses {
            Clauses::Instruction(it) => &it.operands[..],
            Clauses::BuiltIn(_) => &[],
        };
        for _ in 0..by_extent(3, 1) {
            let subgroup = state(&definition, operands, &mut numbers);
            let (settled, instance) = (&definition.settled, &definition.instance);
            let results = match clauses {
                Clauses::Instruction(it) => {
                    evaluate(specification, settled, it, instance, &subgroup, &mut drawn, None)
                }
                Clauses::BuiltIn(it) => {
                    evaluate_built_in(specification, settled, it, instance, &subgroup)
                }
            };
            let Ok(results) = results else { continue };
            for (lane, result) in (0..).zip(&results) {
                let Some(result) = result else { continue };
                let state_condition = state_condition(&definition, operands, &subgroup, lane);
                let expected = expected(result, definition.instance.result.as_ref());
                let refuted = format!("(and {state_condition} (not (and state {expected})))");
                let answer = check(text, &refuted);
                assert_eq!(answer, SatResult::Unsat, "lane {lane} of {subgroup:?}\n{text}");
                lanes += 1;
                match result {
                    LaneResult::Value(leaves) => undefined += usize::from(leaves.contains(&None)),
                    LaneResult::UndefinedBehavior(_) => behavior += 1,
                    LaneResult::Silence(_) | LaneResult::Illegal => {}
                }
            }
        }
    }
    println!(
        "{lanes} lanes, {undefined} with undefined values, {behavior} with undefined behavior"
    );
    let least = by_extent((LANES, 40, 100), (LANES / 3, 12, 30));
    assert!(
        lanes >= least.0 && undefined > least.1 && behavior > least.2,
        "{lanes} {undefined} {behavior}"
    );
}
