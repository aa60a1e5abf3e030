//! `OpSpecConstantOp` is folded without the clauses. What the clauses say of the same operands is the
//! same: of all values at small widths, of border cases at the others, and of composites.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_module::spirv::Op;
use laneproof_module::{Derivation, Named, Operand, Program, fold_scalars, load_bytes};
use laneproof_semantics::denote::{Argument, Instance, Settled};
use laneproof_semantics::evaluate::{Bits, LaneResult, Subgroup, evaluate};
use laneproof_semantics::language::ast::OperandType;
use laneproof_semantics::{Scalar, Specification, Type};

/// All values of these are tried.
const SMALL: [u32; 4] = [2, 3, 4, 5];
/// Of these, border cases.
const LARGE: [u32; 4] = [8, 16, 32, 64];
/// Values that are evaluated together, as lanes.
const LANES: usize = 128;

/// What an operation takes and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Negation,
    Conversion,
    Arithmetic,
    Shift,
    Comparison,
    LogicalNot,
    Logic,
    Choice,
}

/// Every operation on scalars that is folded.
const OPERATIONS: [(Op, Form); 34] = [
    (Op::SNegate, Form::Negation),
    (Op::Not, Form::Negation),
    (Op::UConvert, Form::Conversion),
    (Op::SConvert, Form::Conversion),
    (Op::IAdd, Form::Arithmetic),
    (Op::ISub, Form::Arithmetic),
    (Op::IMul, Form::Arithmetic),
    (Op::UDiv, Form::Arithmetic),
    (Op::SDiv, Form::Arithmetic),
    (Op::UMod, Form::Arithmetic),
    (Op::SRem, Form::Arithmetic),
    (Op::SMod, Form::Arithmetic),
    (Op::BitwiseAnd, Form::Arithmetic),
    (Op::BitwiseOr, Form::Arithmetic),
    (Op::BitwiseXor, Form::Arithmetic),
    (Op::ShiftLeftLogical, Form::Shift),
    (Op::ShiftRightLogical, Form::Shift),
    (Op::ShiftRightArithmetic, Form::Shift),
    (Op::IEqual, Form::Comparison),
    (Op::INotEqual, Form::Comparison),
    (Op::ULessThan, Form::Comparison),
    (Op::ULessThanEqual, Form::Comparison),
    (Op::UGreaterThan, Form::Comparison),
    (Op::UGreaterThanEqual, Form::Comparison),
    (Op::SLessThan, Form::Comparison),
    (Op::SLessThanEqual, Form::Comparison),
    (Op::SGreaterThan, Form::Comparison),
    (Op::SGreaterThanEqual, Form::Comparison),
    (Op::LogicalNot, Form::LogicalNot),
    (Op::LogicalAnd, Form::Logic),
    (Op::LogicalOr, Form::Logic),
    (Op::LogicalEqual, Form::Logic),
    (Op::LogicalNotEqual, Form::Logic),
    (Op::Select, Form::Choice),
];

/// The types of operands and result of a form, at some widths.
fn signatures(form: Form, widths: &[u32]) -> Vec<(Vec<Scalar>, Scalar)> {
    let int = Scalar::uint;
    let alone = |of: fn(Scalar) -> (Vec<Scalar>, Scalar)| {
        widths.iter().map(|&width| of(int(width))).collect::<Vec<_>>()
    };
    let pairs = || widths.iter().flat_map(|&one| widths.iter().map(move |&other| (one, other)));
    match form {
        Form::Negation => alone(|it| (vec![it], it)),
        Form::Arithmetic => alone(|it| (vec![it, it], it)),
        Form::Comparison => alone(|it| (vec![it, it], Scalar::Bool)),
        Form::Choice => {
            let mut all = alone(|it| (vec![Scalar::Bool, it, it], it));
            all.push((vec![Scalar::Bool; 3], Scalar::Bool));
            all
        }
        Form::Conversion => {
            let apart = pairs().filter(|(from, to)| from != to);
            apart.map(|(from, to)| (vec![int(from)], int(to))).collect()
        }
        Form::Shift => pairs().map(|(a, b)| (vec![int(a), int(b)], int(a))).collect(),
        Form::LogicalNot => vec![(vec![Scalar::Bool], Scalar::Bool)],
        Form::Logic => vec![(vec![Scalar::Bool; 2], Scalar::Bool)],
    }
}

/// All values of a type, or border cases of a wide one.
fn values(scalar: Scalar) -> Vec<u64> {
    let width = scalar.width();
    if width <= SMALL[3] {
        return (0..1 << width).collect();
    }
    let (most, top, bits) = (u64::MAX >> (64 - width), 1 << (width - 1), u64::from(width));
    let all = [0, 1, 2, 3, 7, bits - 1, bits, bits + 1, top - 1, top, top + 1, most - 1, most];
    let all: BTreeSet<u64> = all.into_iter().chain([0x5555_5555_5555_5555 & most]).collect();
    all.into_iter().collect()
}

/// Every list of one value of each type.
fn combinations(operands: &[Scalar]) -> Vec<Vec<u64>> {
    operands.iter().fold(vec![Vec::new()], |lists, &scalar| {
        let values = values(scalar);
        let longer = |list: Vec<u64>| {
            let values = values.clone();
            values.into_iter().map(move |value| [list.as_slice(), &[value]].concat())
        };
        lists.into_iter().flat_map(longer).collect()
    })
}

/// What the clauses of an instruction say of each list of operands, by leaf; `None` where there is no
/// value.
fn by_clauses(
    opcode: Op,
    (arguments, result): (Vec<Argument>, Type),
    lists: &[Vec<Vec<Bits>>],
) -> Vec<Option<Vec<Bits>>> {
    let specification = Specification::built_in();
    let settled = Settled::by(&specification.profiles["vulkan"]);
    let instruction = &specification.instructions[opcode.name()];
    let count = arguments.len();
    let instance = Instance {
        arguments,
        result: Some(result),
        capabilities: Arc::new(BTreeSet::from(["Shader".to_owned()])),
        modes: Arc::default(),
        version: (1, 6),
        decorations: BTreeSet::new(),
    };
    let mut found = Vec::new();
    for lanes in lists.chunks(LANES) {
        let existing = lanes.len() as u32;
        let of = |operand: usize| lanes.iter().map(|list| list[operand].clone()).collect();
        let subgroup = Subgroup {
            existing,
            size: LANES as u32,
            max_size: LANES as u32,
            active: u128::MAX >> (LANES as u32 - existing),
            workgroup: None,
            operands: (0..count).map(of).collect(),
            memory: BTreeMap::new(),
        };
        let draw = &mut |_, _, _, _| 0;
        let lanes =
            evaluate(specification, &settled, instruction, &instance, &subgroup, draw, None);
        found.extend(lanes.unwrap().into_iter().map(|lane| match lane {
            Some(LaneResult::Value(leaves)) => Some(leaves),
            Some(LaneResult::UndefinedBehavior(_)) => None,
            other => panic!("{opcode:?}: {other:?}"),
        }));
    }
    found
}

/// A folded operation: opcode, operands, the first one's width, type of the result.
type Folding<'f> = &'f dyn Fn(Op, &[u64], u32, Scalar) -> Option<u64>;

/// An operation on scalars, the width of its first operand, the type of its result, its operands, and
/// what the clauses say of these.
type ScalarCase = (Op, u32, Scalar, Vec<u64>, Option<u64>);

/// Every case of each operation.
fn said() -> Vec<ScalarCase> {
    let mut all = Vec::new();
    for (opcode, form) in OPERATIONS {
        for (operands, result) in
            [&SMALL, &LARGE].into_iter().flat_map(|widths| signatures(form, widths))
        {
            let lists = combinations(&operands);
            let leaves: Vec<Vec<Vec<Bits>>> = lists
                .iter()
                .map(|list| list.iter().map(|&value| vec![Some(value)]).collect())
                .collect();
            let arguments = operands.iter().map(|&it| Argument::Value(Type::Scalar(it))).collect();
            let found = by_clauses(opcode, (arguments, Type::Scalar(result)), &leaves);
            let width = operands[0].width();
            let found = found.into_iter().map(|leaves| leaves.and_then(|leaves| leaves[0]));
            all.extend(
                lists
                    .into_iter()
                    .zip(found)
                    .map(|(list, found)| (opcode, width, result, list, found)),
            );
        }
    }
    all
}

#[test]
fn scalars_are_what_the_clauses_say() {
    let said = said();
    let wrong = |fold: Folding<'_>| {
        let differs = said.iter().filter(|(opcode, width, result, list, found)| {
            fold(*opcode, list, *width, *result) != *found
        });
        differs.map(|(opcode, ..)| *opcode).collect::<BTreeSet<Op>>()
    };
    assert_eq!(wrong(&fold_scalars), BTreeSet::new());
    assert_eq!(said.len(), 69_538);
    // A mistake in any of them is seen: the last bit of one result, or a value where there is none.
    for (planted, _) in OPERATIONS {
        let of_planted: Vec<_> = said.iter().filter(|it| it.0 == planted).collect();
        for defined in [true, false] {
            let Some((.., list, _)) = of_planted.iter().rev().find(|it| it.4.is_some() == defined)
            else {
                continue;
            };
            let fold = |opcode: Op, operands: &[u64], width, result| {
                let value = fold_scalars(opcode, operands, width, result);
                match opcode == planted && operands == list {
                    true => Some(value.map_or(0, |it| it ^ 1)),
                    false => value,
                }
            };
            assert_eq!(wrong(&fold), BTreeSet::from([planted]));
        }
    }
}

#[test]
fn every_folded_operation_is_listed() {
    let listed: BTreeSet<Op> = OPERATIONS.iter().map(|(opcode, _)| *opcode).collect();
    let folded = (0..8192).filter_map(Op::from_u32).filter(|opcode| {
        let operands: [&[u64]; 3] = [&[1], &[1, 1], &[1, 1, 1]];
        operands.iter().any(|it| fold_scalars(*opcode, it, 4, Scalar::uint(4)).is_some())
    });
    assert_eq!(folded.collect::<BTreeSet<Op>>(), listed);
}

/// Operations on composites, of constants of which one can be specialized.
const COMPOSITES: &str = "
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %s SpecId 0
OpDecorate %t SpecId 1
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%v2 = OpTypeVector %u32 2
%v3 = OpTypeVector %u32 3
%b2 = OpTypeVector %bool 2
%c2 = OpConstant %u32 2
%c5 = OpConstant %u32 5
%c40 = OpConstant %u32 40
%array = OpTypeArray %v2 %c2
%inner = OpTypeStruct %bool %u32
%outer = OpTypeStruct %u32 %array %inner
%u = OpUndef %u32
%s = OpSpecConstant %u32 7
%t = OpSpecConstantTrue %bool
%f = OpConstantFalse %bool
%sv = OpSpecConstantComposite %v2 %s %c5
%su = OpSpecConstantComposite %v2 %s %u
%cv = OpConstantComposite %v2 %c2 %c40
%sb = OpSpecConstantComposite %b2 %t %f
%sa = OpSpecConstantComposite %array %sv %cv
%si = OpSpecConstantComposite %inner %t %c5
%so = OpSpecConstantComposite %outer %c40 %sa %si
%r0 = OpSpecConstantOp %u32 CompositeExtract %sv 0
%r1 = OpSpecConstantOp %u32 CompositeExtract %sv 1
%r2 = OpSpecConstantOp %array CompositeExtract %so 1
%r3 = OpSpecConstantOp %u32 CompositeExtract %so 1 1 0
%r4 = OpSpecConstantOp %bool CompositeExtract %so 2 0
%r5 = OpSpecConstantOp %u32 CompositeExtract %su 1
%r6 = OpSpecConstantOp %v2 CompositeInsert %s %cv 1
%r7 = OpSpecConstantOp %outer CompositeInsert %s %so 1 0 1
%r8 = OpSpecConstantOp %outer CompositeInsert %si %so 2
%r9 = OpSpecConstantOp %array CompositeInsert %cv %sa 0
%r10 = OpSpecConstantOp %v2 VectorShuffle %sv %cv 3 0
%r11 = OpSpecConstantOp %v3 VectorShuffle %cv %sv 2 4294967295 1
%r12 = OpSpecConstantOp %v3 VectorShuffle %su %sv 1 1 2
%r13 = OpSpecConstantOp %v2 Select %sb %sv %cv
%r14 = OpSpecConstantOp %v2 IAdd %sv %cv
%r15 = OpSpecConstantOp %v2 ShiftLeftLogical %cv %sv
%r16 = OpSpecConstantOp %b2 ULessThan %sv %cv
%r17 = OpSpecConstantOp %b2 LogicalNot %sb
%r18 = OpSpecConstantOp %v2 SNegate %sv
";

/// The leaves of a folded constant by the clauses of its operation.
fn composite_by_clauses(
    program: &Program,
    opcode: Op,
    operands: &[Operand],
    ty: &Type,
) -> Vec<Bits> {
    let specification = Specification::built_in();
    let (mut arguments, mut leaves) = (Vec::new(), Vec::new());
    for (at, operand) in specification.instructions[opcode.name()].operands.iter().enumerate() {
        if operand.ty == OperandType::Literals {
            let literal = |it: &Operand| match it {
                Operand::LiteralBit32(number) => *number,
                other => panic!("{other}"),
            };
            arguments.push(Argument::Literals(operands[at..].iter().map(literal).collect()));
            leaves.push(Vec::new());
        } else {
            let constant = &program.constants[&operands[at].unwrap_id_ref()];
            arguments.push(Argument::Value(constant.ty.clone()));
            leaves.push(constant.leaves.clone());
        }
    }
    by_clauses(opcode, (arguments, ty.clone()), &[leaves])[0].clone().unwrap()
}

#[test]
fn composites_are_what_the_clauses_say() {
    let program = load_bytes(COMPOSITES.as_bytes(), "composites").unwrap();
    let mut seen = BTreeSet::new();
    let (mut folded, mut wrong) = (0, Vec::new());
    for (id, constant) in &program.constants {
        let Some(Derivation::Operation(opcode, operands)) = &constant.derived else { continue };
        let expected = composite_by_clauses(&program, *opcode, operands, &constant.ty);
        if constant.leaves != expected {
            wrong.push((program.name_of(*id), *opcode));
        }
        seen.insert(*opcode);
        folded += 1;
    }
    assert_eq!(wrong, []);
    assert_eq!((folded, seen.len()), (19, 9));
}
