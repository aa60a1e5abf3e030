//! Modules with one broken rule, for validators.

use laneproof_generator::{
    Generated, Numbers, Tree, TreeConstant, TreeInstruction, TreeOperand, TreeStatement, TreeValue,
};
use laneproof_semantics::{Scalar, Type};
use rspirv::spirv::{GroupOperation, Scope};

/// One way to break an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Breakage {
    /// A result of another type.
    Result,
    /// An operand of another type.
    Operand,
    /// An operand less.
    Fewer,
    /// The capability is not declared.
    Capability,
    /// The extension is not declared.
    Extension,
    /// A scope that there is not.
    Scope,
    /// A group operation without its own operand, or one that the instruction does not have.
    Operation,
    /// The size of clusters is no constant.
    Cluster,
    /// A value that is defined later, or elsewhere.
    Dominance,
}

const ALL: [Breakage; 9] = [
    Breakage::Result,
    Breakage::Operand,
    Breakage::Fewer,
    Breakage::Capability,
    Breakage::Extension,
    Breakage::Scope,
    Breakage::Operation,
    Breakage::Cluster,
    Breakage::Dominance,
];

/// How often another instruction and another breakage are tried, where one does not fit the other.
const TRIES: usize = 12;

/// The module with one instruction broken; `None` if nothing can be broken.
pub fn broken(generated: &Generated, numbers: &mut Numbers) -> Option<Generated> {
    let values = values(&generated.tree);
    if values.is_empty() {
        return None;
    }
    for _ in 0..TRIES {
        let wanted = numbers.below(values.len() as u64) as usize;
        let how = ALL[numbers.below(ALL.len() as u64) as usize];
        if let Some(broken) = broken_at(generated, how, wanted, &values[wanted..], numbers) {
            return Some(broken);
        }
    }
    None
}

/// What the instructions of a module define.
fn values(tree: &Tree) -> Vec<(TreeValue, Type)> {
    let mut values = Vec::new();
    tree.each(&mut |statement| {
        if let TreeStatement::Instruction(it) = statement {
            values.push((it.result.value, it.result.ty.clone()));
        }
    });
    values
}

/// The module with the instruction of that number made wrong in one way, if it can be.
fn broken_at(
    generated: &Generated,
    how: Breakage,
    wanted: usize,
    later: &[(TreeValue, Type)],
    numbers: &mut Numbers,
) -> Option<Generated> {
    let mut tree = generated.tree.clone();
    let (mut seen, mut changed) = (0, None);
    tree.each_mut(&mut |statement| {
        if let TreeStatement::Instruction(it) = statement {
            if seen == wanted {
                let whole = it.clone();
                changed = change(it, how, (generated.tree.lane, later), numbers).then_some(whole);
            }
            seen += 1;
        }
    });
    undeclare(&mut tree, &changed?, how);
    Some(Generated::new(tree, generated.inputs.clone()))
}

/// Makes an instruction wrong; whether that can be done so. `lane` is the lane's
/// number, `later` what is defined from here on.
fn change(
    it: &mut TreeInstruction,
    how: Breakage,
    (lane, later): (TreeValue, &[(TreeValue, Type)]),
    numbers: &mut Numbers,
) -> bool {
    match how {
        Breakage::Result => it.result.ty = other(&it.result.ty),
        Breakage::Operand => {
            let Some(at) = any(it, numbers, |_| true) else { return false };
            let ty = Type::Vector { element: Scalar::F32, count: 3 };
            it.operands[at] = TreeOperand::Constant(TreeConstant::splat(ty, 0));
        }
        Breakage::Fewer => return it.operands.pop().is_some(),
        // These are seen to where all instructions are in sight.
        Breakage::Capability => return !it.capabilities.is_empty(),
        Breakage::Extension => return it.extension.is_some(),
        Breakage::Scope => match it.operands.first_mut() {
            Some(TreeOperand::Constant(scope)) if *scope == subgroup() => scope.bits = vec![77],
            _ => return false,
        },
        Breakage::Operation => {
            let operation = it.operands.iter_mut().find_map(|operand| match operand {
                TreeOperand::Operation(operation) => Some(operation),
                _ => None,
            });
            match operation {
                Some(GroupOperation::ClusteredReduce) | None => return false,
                Some(operation) => *operation = GroupOperation::ClusteredReduce,
            }
        }
        Breakage::Cluster => {
            let clustered = TreeOperand::Operation(GroupOperation::ClusteredReduce);
            let is_clustered = it.operands.contains(&clustered);
            match it.operands.last_mut() {
                Some(_) if !is_clustered => return false,
                Some(size) => *size = TreeOperand::Value(lane),
                None => return false,
            }
        }
        Breakage::Dominance => {
            let fits = |operand: &TreeOperand| matches!(operand, TreeOperand::Value(_));
            let Some(at) = any(it, numbers, fits) else { return false };
            let alike: Vec<TreeValue> = later
                .iter()
                .filter(|(_, ty)| *ty == it.result.ty)
                .map(|(value, _)| *value)
                .collect();
            let Some(value) = alike.last() else { return false };
            it.operands[at] = TreeOperand::Value(*value);
        }
    }
    true
}

/// Takes what an instruction needs out of the module, also where others need it.
fn undeclare(tree: &mut Tree, whole: &TreeInstruction, how: Breakage) {
    tree.each_mut(&mut |statement| {
        if let TreeStatement::Instruction(it) = statement {
            match how {
                Breakage::Capability => {
                    it.capabilities.retain(|it| Some(it) != whole.capabilities.first());
                }
                Breakage::Extension if it.extension == whole.extension => it.extension = None,
                _ => {}
            }
        }
    });
}

/// The place of an operand that fits.
fn any(
    it: &TreeInstruction,
    numbers: &mut Numbers,
    fits: fn(&TreeOperand) -> bool,
) -> Option<usize> {
    let places: Vec<usize> = (0..it.operands.len()).filter(|at| fits(&it.operands[*at])).collect();
    let count = places.len() as u64;
    (count > 0).then(|| places[numbers.below(count) as usize])
}

fn subgroup() -> TreeConstant {
    TreeConstant::word(Scope::Subgroup as u32)
}

fn other(ty: &Type) -> Type {
    match ty {
        Type::Scalar(Scalar::Bool) => Type::U32,
        _ => Type::BOOL,
    }
}

#[cfg(test)]
mod tests {
    use laneproof_generator::{ModuleProfile, Request, generate_seeded};
    use laneproof_semantics::ModuleKind;

    use super::*;
    use crate::reference::Subject;

    /// Each breakage makes modules invalid, and most of what is broken is.
    #[test]
    fn each_breakage_breaks() {
        let request = Request::new(ModuleProfile::Single, ModuleKind::Shader, 8);
        for how in ALL {
            let (mut made, mut invalid) = (0, 0);
            for seed in 0..120 {
                let Some(generated) = generate_seeded(&request, seed) else { continue };
                let values = values(&generated.tree);
                let numbers = &mut Numbers::new(seed);
                let broken = (0..values.len())
                    .find_map(|at| broken_at(&generated, how, at, &values[at..], numbers));
                let Some(broken) = broken else { continue };
                made += 1;
                invalid += u32::from(Subject::load(&broken.words, &broken).is_err());
            }
            println!("{how:?}: {invalid} of {made}");
            assert!(invalid > 0, "{how:?}: none of {made} is invalid");
        }
    }
}
