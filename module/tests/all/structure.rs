//! Regions: the order that an engine follows, on hand-written functions and on random ones.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use laneproof_module::{Function, Id, Item, Program, Region, Terminator, load, load_bytes};
use proptest::prelude::*;

fn accepted(file: &str) -> Program {
    load(format!("{}/tests/accept/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Labels in order, loops in brackets with merge block and continue target.
fn outline(region: &Region) -> String {
    let items = region.items.iter().map(|item| match item {
        Item::Block(block) => block.label.to_string(),
        Item::Loop(found) => {
            format!("[{} >{} ^{}]", outline(&found.body), found.merge, found.continue_target)
        }
    });
    items.collect::<Vec<_>>().join(" ")
}

#[test]
fn hand_written_functions_have_the_expected_outline() {
    let expected = [
        ("switch_fall_through.spvasm", "fall", "10 11 12 13 14"),
        ("switch_fall_through.spvasm", "wide", "30 32 31"),
        (
            "loop_break_continue.spvasm",
            "waterfall",
            "100 [101 102 103 104 109 108 105 106 >107 ^106] 107",
        ),
        (
            "loop_break_continue.spvasm",
            "nested",
            "200 [201 [202 203 206 207 204 >205 ^204] 205 208 >209 ^208] 209",
        ),
        ("kernel_diamond.spvasm", "diamond", "10 11 13 12 14"),
        ("kernel_diamond.spvasm", "count", "30 [31 >32 ^31] 32"),
    ];
    for (file, name, outlined) in expected {
        let program = accepted(file);
        let entry = program.entry_points.iter().find(|entry| entry.name == name);
        let function = match entry {
            Some(entry) => program.function_by_id(entry.function),
            None => program.function(name),
        };
        assert_eq!(outline(&function.unwrap().body), outlined, "{file}: {name}");
    }
}

#[test]
fn a_phi_keeps_only_predecessors_that_can_be_reached() {
    let text = preamble()
        + "%f = OpFunction %uint None %fn\n%x = OpFunctionParameter %uint\n\
           %10 = OpLabel\nOpBranch %12\n%11 = OpLabel\nOpBranch %12\n%12 = OpLabel\n\
           %13 = OpPhi %uint %x %10 %zero %11\nOpReturnValue %13\nOpFunctionEnd\n";
    let program = load_bytes(text.as_bytes(), "phi").unwrap();
    let body = &program.function("f").unwrap().body;
    assert_eq!(outline(body), "10 12");
    let Some(Item::Block(join)) = body.items.last() else { panic!("a block") };
    assert_eq!(join.phis[0].incoming.len(), 1);
    assert_eq!(join.phis[0].incoming[0].1, 10);
}

/// A kernel's function of these blocks, with a condition `%b` and an argument `%x`.
fn kernel(blocks: &str) -> Program {
    let shader_model = "OpMemoryModel Logical GLSL450";
    let kernel_model = "OpCapability Addresses\nOpMemoryModel Physical64 OpenCL";
    let text = preamble()
        .replace("OpCapability Shader", "OpCapability Kernel")
        .replace(shader_model, kernel_model)
        + "%f = OpFunction %uint None %fn\n%x = OpFunctionParameter %uint\n\
           %10 = OpLabel\n%b = OpIEqual %bool %x %zero\n"
        + blocks
        + "OpFunctionEnd\n";
    load_bytes(text.as_bytes(), "kernel").unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn plain_loops_of_kernels_need_no_merge_instruction() {
    let single = "OpBranch %11\n%11 = OpLabel\nOpBranchConditional %b %11 %12\n\
                  %12 = OpLabel\nOpReturnValue %x\n";
    let two_breaks = "OpBranch %11\n%11 = OpLabel\nOpBranchConditional %b %12 %15\n\
                      %12 = OpLabel\nOpBranchConditional %b %15 %14\n\
                      %14 = OpLabel\nOpBranch %11\n%15 = OpLabel\nOpReturnValue %x\n";
    let nested = "OpBranch %11\n%11 = OpLabel\nOpBranch %12\n\
                  %12 = OpLabel\nOpBranchConditional %b %12 %13\n\
                  %13 = OpLabel\nOpBranchConditional %b %11 %14\n\
                  %14 = OpLabel\nOpReturnValue %x\n";
    for (blocks, outlined) in [
        (single, "10 [11 >12 ^11] 12"),
        (two_breaks, "10 [11 12 14 >15 ^14] 15"),
        (nested, "10 [11 [12 >13 ^12] 13 >14 ^13] 14"),
    ] {
        let program = kernel(blocks);
        assert_eq!(program.unmodelled, []);
        assert_eq!(outline(&program.function("f").unwrap().body), outlined);
    }
}

/// Another way around a loop goes before it or behind it, whichever arm of the branch it is: loops hold
/// their own blocks.
#[test]
fn loops_of_kernels_are_found_whatever_the_order_of_arms() {
    let around = "OpBranchConditional %b ARMS\n%11 = OpLabel\nOpBranch %15\n\
                  %12 = OpLabel\nOpBranch %13\n\
                  %13 = OpLabel\nOpBranchConditional %b %14 %15\n\
                  %14 = OpLabel\nOpBranch %13\n%15 = OpLabel\nOpReturnValue %x\n";
    let within = "OpBranch %20\n%20 = OpLabel\nOpBranchConditional %b ARMS\n\
                  %11 = OpLabel\nOpBranch %15\n%12 = OpLabel\nOpBranch %13\n\
                  %13 = OpLabel\nOpBranchConditional %b %14 %15\n\
                  %14 = OpLabel\nOpBranch %13\n\
                  %15 = OpLabel\nOpBranchConditional %b %20 %16\n\
                  %16 = OpLabel\nOpReturnValue %x\n";
    for (blocks, loops) in [(around, 1), (within, 2)] {
        for arms in ["%11 %12", "%12 %11"] {
            for exit in ["%14 %15", "%15 %14"] {
                let blocks = blocks.replace("ARMS", arms).replace("%14 %15", exit);
                let program = kernel(&blocks);
                assert_eq!(program.unmodelled, [], "{blocks}");
                let outline = outline(&program.function("f").unwrap().body);
                assert_eq!(outline.matches('[').count(), loops, "{outline}");
                assert!(outline.contains("[13 14 >15 ^14]"), "{outline}");
            }
        }
    }
}

#[test]
fn lanes_of_a_switch_meet_where_all_ways_lead() {
    let join = |blocks: &str| {
        let program = kernel(blocks);
        let Item::Block(first) = &program.function("f").unwrap().body.items[0] else {
            panic!("a block")
        };
        first.switch_join
    };
    let falls = "OpSwitch %x %14 0 %11 1 %12\n%11 = OpLabel\nOpBranch %12\n\
                 %12 = OpLabel\nOpBranchConditional %b %13 %14\n%13 = OpLabel\nOpBranch %14\n\
                 %14 = OpLabel\nOpReturnValue %x\n";
    assert_eq!(join(falls), Some(14));
    let returns = "OpSwitch %x %14 0 %11 1 %12\n%11 = OpLabel\nOpReturnValue %x\n\
                   %12 = OpLabel\nOpBranch %14\n%14 = OpLabel\nOpReturnValue %x\n";
    assert_eq!(join(returns), None);
    let declared = format!("OpSelectionMerge %14 None\n{falls}");
    assert_eq!(join(&declared), Some(14));
}

#[test]
fn other_cycles_of_kernels_are_not_modelled() {
    let irreducible = "OpBranchConditional %b %11 %12\n%11 = OpLabel\nOpBranch %12\n\
                       %12 = OpLabel\nOpBranchConditional %b %11 %13\n\
                       %13 = OpLabel\nOpReturnValue %x\n";
    let two_exits = "OpBranch %11\n%11 = OpLabel\nOpBranchConditional %b %12 %13\n\
                     %12 = OpLabel\nOpBranchConditional %b %11 %14\n\
                     %13 = OpLabel\nOpReturnValue %x\n%14 = OpLabel\nOpReturnValue %zero\n";
    let endless = "OpBranch %11\n%11 = OpLabel\nOpBranch %11\n";
    for blocks in [irreducible, two_exits, endless] {
        let program = kernel(blocks);
        let function = program.function("f").unwrap();
        assert!(function.body.items.is_empty(), "{}", outline(&function.body));
        assert!(function.unmodelled.is_some());
        assert_eq!(program.unmodelled.len(), 1);
        assert_eq!(program.unmodelled[0].0, function.place);
    }
}

fn preamble() -> String {
    "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n\
     OpName %f \"f(u1;\"\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n\
     %fn = OpTypeFunction %uint %uint\n%zero = OpConstant %uint 0\n"
        .into()
}

/// A statement of a random function.
#[derive(Clone, Debug)]
enum Statement {
    If(Vec<Statement>, Vec<Statement>),
    Switch(Vec<(Vec<Statement>, bool)>),
    Loop(Vec<Statement>),
    Break,
    Continue,
    Return,
}

fn statements() -> impl Strategy<Value = Vec<Statement>> {
    let leaf = prop_oneof![
        Just(Statement::Break),
        Just(Statement::Continue),
        Just(Statement::Return),
        Just(Statement::If(Vec::new(), Vec::new())),
    ];
    let statement = leaf.prop_recursive(5, 40, 4, |inner| {
        let body = prop::collection::vec(inner, 0..4);
        prop_oneof![
            3 => (body.clone(), body.clone()).prop_map(|(a, b)| Statement::If(a, b)),
            2 => body.clone().prop_map(Statement::Loop),
            1 => prop::collection::vec((body, any::<bool>()), 1..4).prop_map(Statement::Switch),
        ]
    });
    prop::collection::vec(statement, 0..5)
}

/// Writes a function and keeps what its structure must be.
#[derive(Default)]
struct Writer {
    text: String,
    next: Id,
    /// Labels of each construct's blocks, by merge block.
    constructs: BTreeMap<Id, BTreeSet<Id>>,
    /// Headers of loops, by merge block.
    headers: BTreeMap<Id, Id>,
    open: Vec<Id>,
}

impl Writer {
    fn fresh(&mut self) -> Id {
        self.next += 1;
        self.next + 1000
    }

    fn label(&mut self, label: Id) {
        writeln!(self.text, "%{label} = OpLabel").unwrap();
        for merge in &self.open {
            self.constructs.entry(*merge).or_default().insert(label);
        }
    }

    fn branch(&mut self, target: Id) {
        writeln!(self.text, "OpBranch %{target}").unwrap();
    }

    fn condition(&mut self) -> Id {
        let condition = self.fresh();
        writeln!(self.text, "%{condition} = OpIEqual %bool %x %zero").unwrap();
        condition
    }

    /// Writes statements into the open block and, unless they leave, a branch to `next`.
    fn body(&mut self, statements: &[Statement], around: Option<(Id, Id)>, next: Id) {
        for statement in statements {
            match (statement, around) {
                (Statement::Return, _) => {
                    self.text.push_str("OpReturnValue %x\n");
                    return;
                }
                (Statement::Break, Some((merge, _))) => return self.branch(merge),
                (Statement::Continue, Some((_, target))) => return self.branch(target),
                (Statement::Break | Statement::Continue, None) => {}
                (Statement::If(then, otherwise), _) => self.selection(then, otherwise, around),
                (Statement::Switch(cases), _) => self.switch(cases, around),
                (Statement::Loop(body), _) => self.repeat(body),
            }
        }
        self.branch(next);
    }

    fn selection(&mut self, then: &[Statement], otherwise: &[Statement], around: Option<(Id, Id)>) {
        let [a, b, merge] = [self.fresh(), self.fresh(), self.fresh()];
        let condition = self.condition();
        writeln!(self.text, "OpSelectionMerge %{merge} None").unwrap();
        writeln!(self.text, "OpBranchConditional %{condition} %{a} %{b}").unwrap();
        self.open.push(merge);
        self.label(a);
        self.body(then, around, merge);
        self.label(b);
        self.body(otherwise, around, merge);
        self.open.pop();
        self.label(merge);
    }

    fn switch(&mut self, cases: &[(Vec<Statement>, bool)], around: Option<(Id, Id)>) {
        let merge = self.fresh();
        let labels: Vec<Id> = cases.iter().map(|_| self.fresh()).collect();
        writeln!(self.text, "OpSelectionMerge %{merge} None").unwrap();
        write!(self.text, "OpSwitch %x %{merge}").unwrap();
        for (value, label) in labels.iter().enumerate() {
            write!(self.text, " {value} %{label}").unwrap();
        }
        self.text.push('\n');
        self.open.push(merge);
        for (index, (body, falls)) in cases.iter().enumerate() {
            self.label(labels[index]);
            let next = labels.get(index + 1).filter(|_| *falls).copied();
            self.body(body, around, next.unwrap_or(merge));
        }
        self.open.pop();
        self.label(merge);
    }

    fn repeat(&mut self, body: &[Statement]) {
        let [header, first, target, merge] =
            [self.fresh(), self.fresh(), self.fresh(), self.fresh()];
        self.branch(header);
        self.headers.insert(merge, header);
        self.open.push(merge);
        self.label(header);
        let condition = self.condition();
        writeln!(self.text, "OpLoopMerge %{merge} %{target} None").unwrap();
        writeln!(self.text, "OpBranchConditional %{condition} %{first} %{merge}").unwrap();
        self.label(first);
        self.body(body, Some((merge, target)), target);
        self.label(target);
        self.branch(header);
        self.open.pop();
        self.label(merge);
    }
}

/// Labels in order, with the loops around each.
fn flatten(region: &Region, around: &mut Vec<Id>, out: &mut Vec<(Id, Vec<Id>, Vec<Id>)>) {
    for item in &region.items {
        match item {
            Item::Block(block) => {
                let targets = match &block.terminator {
                    Terminator::Branch(target) => vec![*target],
                    Terminator::Conditional { then, otherwise, .. } => vec![*then, *otherwise],
                    Terminator::Switch { default, cases, .. } => {
                        cases.iter().map(|(_, target)| *target).chain([*default]).collect()
                    }
                    _ => Vec::new(),
                };
                out.push((block.label, around.clone(), targets));
            }
            Item::Loop(found) => {
                around.push(found.merge);
                flatten(&found.body, around, out);
                around.pop();
            }
        }
    }
}

fn check(function: &Function, writer: &Writer) {
    let mut blocks = Vec::new();
    flatten(&function.body, &mut Vec::new(), &mut blocks);
    let position: BTreeMap<Id, usize> =
        blocks.iter().enumerate().map(|(place, (label, ..))| (*label, place)).collect();
    assert_eq!(position.len(), blocks.len(), "each block once");
    for (place, (_, around, targets)) in blocks.iter().enumerate() {
        for target in targets {
            let to = position[target];
            let back = around.iter().any(|merge| writer.headers[merge] == *target);
            assert!(to > place || back, "each block after its predecessors");
        }
    }
    for (merge, inside) in &writer.constructs {
        let last = inside.iter().filter_map(|label| position.get(label)).max();
        if let (Some(merge), Some(last)) = (position.get(merge), last) {
            assert!(merge > last, "the merge block after the construct");
        }
        if writer.headers.contains_key(merge) {
            for (label, around, _) in &blocks {
                assert_eq!(around.contains(merge), inside.contains(label), "the loop's blocks");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn random_structured_functions_keep_their_structure(statements in statements()) {
        let mut writer = Writer { text: preamble(), ..Writer::default() };
        let end = writer.fresh();
        writer.text.push_str("%f = OpFunction %uint None %fn\n%x = OpFunctionParameter %uint\n");
        writer.text.push_str("%1000 = OpLabel\n");
        writer.body(&statements, None, end);
        writer.label(end);
        writer.text.push_str("OpReturnValue %zero\nOpFunctionEnd\n");
        let program = load_bytes(writer.text.as_bytes(), "random");
        let program = program.unwrap_or_else(|error| panic!("{error}\n{}", writer.text));
        prop_assert!(program.unmodelled.is_empty(), "{:?}", program.unmodelled);
        check(program.function("f").unwrap(), &writer);
    }
}
