//! Smaller trees: what a reducer tries.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_semantics::Type;

use crate::tree::copy::{arms, definitions, operands};
use crate::tree::{
    End, LoopKind, Tree, TreeBlock, TreeConstant, TreeOperand, TreeStatement, TreeValue, ends_dead,
};

/// Trees that are smaller than this one, the boldest first. Not each is meaningful, but each is
/// structured: a validator has the last word.
pub fn shrunk(tree: &Tree) -> Vec<Tree> {
    let count = statements(tree);
    let mut found = Vec::new();
    // Halves, quarters, … of all statements, then each.
    let mut length = count;
    while length > 1 {
        length = length.div_ceil(2);
        for first in (0..count).step_by(length) {
            found.extend(edited(tree, &mut Edit::Remove { first, length }));
        }
        if length == 1 {
            break;
        }
    }
    if count == 1 {
        found.extend(edited(tree, &mut Edit::Remove { first: 0, length: 1 }));
    }
    for number in 0..count {
        for arm in 0..4 {
            found.extend(edited(tree, &mut Edit::Unwrap { number, arm }));
        }
    }
    for number in 0..count {
        found.extend(edited(tree, &mut Edit::Plain { number }));
    }
    found.extend(without_constants(tree));
    let mut called = BTreeSet::new();
    tree.each(&mut |statement| {
        if let TreeStatement::Foreign { function, .. } = statement {
            called.insert(*function);
        }
    });
    let foreign = tree.foreign.iter();
    let foreign = foreign.flat_map(|it| it.without_one(&called).into_iter().chain(it.shorter()));
    found.extend(foreign.map(|it| Tree { foreign: Some(Arc::new(it)), ..tree.clone() }));
    found
}

/// How many statements there are.
fn statements(tree: &Tree) -> usize {
    let mut count = 0;
    tree.each(&mut |_| count += 1);
    count
}

/// What is done to a tree.
enum Edit {
    /// Statements with these numbers go.
    Remove { first: usize, length: usize },
    /// A construct becomes one of its arms.
    Unwrap { number: usize, arm: usize },
    /// A construct becomes simpler: ends of its arms, kinds of loops.
    Plain { number: usize },
}

struct Editor<'e> {
    edit: &'e Edit,
    seen: usize,
    changed: bool,
    /// The replacements of removed results.
    instead: BTreeMap<TreeValue, TreeOperand>,
}

fn edited(tree: &Tree, edit: &mut Edit) -> Option<Tree> {
    let mut tree = tree.clone();
    let mut editor = Editor { edit, seen: 0, changed: false, instead: BTreeMap::new() };
    for function in &mut tree.functions {
        editor.block(&mut function.body);
    }
    editor.block(&mut tree.body);
    if !editor.changed {
        return None;
    }
    let instead = editor.instead;
    let replace = |operand: &mut TreeOperand| {
        // A replacement may itself be removed.
        for _ in 0..64 {
            match operand {
                TreeOperand::Value(value) if instead.contains_key(value) => {
                    *operand = instead[value].clone();
                }
                _ => break,
            }
        }
    };
    for function in &mut tree.functions {
        operands(&mut function.body, &mut |operand| replace(operand));
    }
    operands(&mut tree.body, &mut |operand| replace(operand));
    Some(tree)
}

fn zero(ty: &Type) -> TreeOperand {
    TreeOperand::Constant(TreeConstant::splat(ty.clone(), 0))
}

impl Editor<'_> {
    fn block(&mut self, block: &mut TreeBlock) {
        let mut kept = Vec::new();
        for mut statement in std::mem::take(&mut block.statements) {
            let number = self.seen;
            self.seen += 1;
            match self.edit {
                Edit::Remove { first, length } if (*first..first + length).contains(&number) => {
                    self.seen += nested(&statement);
                    self.changed = true;
                    self.forget(&mut statement);
                    continue;
                }
                Edit::Unwrap { number: wanted, arm } if *wanted == number => {
                    if let Some(inner) = self.unwrap(&statement, *arm) {
                        self.seen += nested(&statement);
                        self.changed = true;
                        kept.extend(inner);
                        continue;
                    }
                }
                Edit::Plain { number: wanted } if *wanted == number => self.plain(&mut statement),
                _ => {}
            }
            for arm in arms(&mut statement) {
                self.block(arm);
            }
            kept.push(statement);
        }
        block.statements = kept;
        if block.end == End::Unreachable && !ends_dead(&block.statements) {
            block.end = End::Return(None);
        }
    }

    /// Replaces the results of a statement by zeros.
    fn forget(&mut self, statement: &mut TreeStatement) {
        let types = defined_types(statement);
        let values: Vec<TreeValue> =
            definitions(statement).into_iter().map(|value| *value).collect();
        let zeros = types.iter().map(zero);
        self.instead.extend(values.into_iter().zip(zeros));
    }

    /// The statements of an arm that yields, its values in the place of the results.
    fn unwrap(&mut self, statement: &TreeStatement, arm: usize) -> Option<Vec<TreeStatement>> {
        let mut copy = statement.clone();
        let blocks: Vec<TreeBlock> =
            arms(&mut copy).into_iter().map(|block| block.clone()).collect();
        let block = blocks.get(arm)?;
        let End::Yield(values) = &block.end else { return None };
        if let TreeStatement::Loop(it) = statement {
            let mut leaves = false;
            block.each(&mut |statement| {
                leaves |= match statement {
                    TreeStatement::If(it) => [&it.then, &it.otherwise].iter().any(|it| jumps(it)),
                    TreeStatement::Switch(it) => it.cases.iter().any(|case| jumps(&case.body)),
                    _ => false,
                }
            });
            if leaves {
                return None;
            }
            self.instead.insert(it.counter, TreeOperand::Constant(TreeConstant::word(0)));
            for carried in &it.carried {
                self.instead.insert(carried.definition.value, carried.initial.clone());
            }
        }
        let results = match statement {
            TreeStatement::If(it) => &it.results,
            TreeStatement::Switch(it) => &it.results,
            TreeStatement::Loop(it) => &it.results,
            _ => return None,
        };
        let values = results.iter().map(|result| result.value).zip(values.iter().cloned());
        self.instead.extend(values);
        Some(block.statements.clone())
    }

    fn plain(&mut self, statement: &mut TreeStatement) {
        match statement {
            TreeStatement::If(it) => {
                let empty = it.otherwise.statements.is_empty();
                if !empty && it.results.is_empty() {
                    it.otherwise =
                        TreeBlock { statements: Vec::new(), end: End::Yield(Vec::new()) };
                    self.changed = true;
                }
            }
            TreeStatement::Switch(it) if it.cases.len() > 1 => {
                let falls = it.cases.iter().any(|case| case.body.end == End::FallThrough);
                if !falls && it.cases.last().is_some_and(|case| !case.default) {
                    it.cases.pop();
                    self.changed = true;
                }
            }
            TreeStatement::Loop(it) if it.kind != LoopKind::Endless => {
                let twice = TreeOperand::Constant(TreeConstant::word(2));
                if it.limit != twice {
                    it.limit = twice;
                    self.changed = true;
                }
            }
            _ => {}
        }
    }
}

/// A block ends in a jump of the loop around it.
fn jumps(block: &TreeBlock) -> bool {
    matches!(block.end, End::Break(_) | End::Continue(_))
}

/// How many statements there are inside a statement.
fn nested(statement: &TreeStatement) -> usize {
    let mut count = 0;
    let mut copy = statement.clone();
    for arm in arms(&mut copy) {
        arm.each(&mut |_| count += 1);
    }
    count
}

/// The types of what a statement defines, in the order of [`definitions`].
fn defined_types(statement: &TreeStatement) -> Vec<Type> {
    match statement {
        TreeStatement::Instruction(it) => vec![it.result.ty.clone()],
        TreeStatement::Load { result, .. }
        | TreeStatement::Atomic { result, .. }
        | TreeStatement::Call { result, .. }
        | TreeStatement::Foreign { result, .. } => vec![result.ty.clone()],
        TreeStatement::If(it) => it.results.iter().map(|it| it.ty.clone()).collect(),
        TreeStatement::Switch(it) => it.results.iter().map(|it| it.ty.clone()).collect(),
        TreeStatement::Loop(it) => {
            let carried = it.carried.iter().map(|it| it.definition.ty.clone());
            let results = it.results.iter().map(|it| it.ty.clone());
            std::iter::once(Type::U32).chain(carried).chain(results).collect()
        }
        _ => Vec::new(),
    }
}

/// Each operand that is a value, as an input or a zero instead.
fn without_constants(tree: &Tree) -> Vec<Tree> {
    let mut types: BTreeMap<TreeValue, Type> = BTreeMap::new();
    tree.each(&mut |statement| {
        let mut copy = statement.clone();
        let defined = defined_types(&copy);
        let values = definitions(&mut copy).into_iter().map(|value| *value).zip(defined);
        types.extend(values);
    });
    let mut count = 0;
    let mut copy = tree.clone();
    operands(&mut copy.body, &mut |_| count += 1);
    let mut found = Vec::new();
    for wanted in 0..count {
        let (mut copy, mut seen, mut changed) = (tree.clone(), 0, false);
        operands(&mut copy.body, &mut |operand| {
            if seen == wanted
                && let TreeOperand::Value(value) = operand
                && let Some(ty) = types.get(value)
            {
                let input = tree.inputs.iter().find(|input| input.ty == *ty);
                *operand = input.map_or_else(|| zero(ty), |input| TreeOperand::Value(input.value));
                changed = true;
            }
            seen += 1;
        });
        if changed {
            found.push(copy);
        }
    }
    found
}
