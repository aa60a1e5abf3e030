//! Modules with one rule broken, for those who say what is valid.

use laneproof_generator::{Constant, Generated, Numbers, Operand, Statement, Tree};
use laneproof_semantics::{Scalar, Type};

/// The module with one instruction made wrong; `None` where there is nothing to break.
pub fn broken(generated: &Generated, numbers: &mut Numbers) -> Option<Generated> {
    let mut count = 0u64;
    generated.tree.each(&mut |statement| {
        count += u64::from(matches!(statement, Statement::Instruction(_)));
    });
    if count == 0 {
        return None;
    }
    let (wanted, how) = (numbers.below(count), numbers.below(4));
    let mut tree = generated.tree.clone();
    let mut seen = 0;
    tree.each_mut(&mut |statement| {
        if let Statement::Instruction(it) = statement {
            if seen == wanted {
                match how {
                    // A result of another type.
                    0 => it.result.ty = other(&it.result.ty),
                    // An operand of another type.
                    1 | 2 => {
                        if let Some(operand) = it.operands.last_mut() {
                            let ty = Type::Vector { element: Scalar::float(32), count: 3 };
                            *operand = Operand::Constant(Constant::splat(ty, 0));
                        }
                    }
                    // An operand less.
                    _ => {
                        it.operands.pop();
                    }
                }
            }
            seen += 1;
        }
    });
    let tree: Tree = tree;
    Some(Generated::new(tree, generated.inputs.clone()))
}

fn other(ty: &Type) -> Type {
    match ty {
        Type::Scalar(Scalar::Bool) => Type::U32,
        _ => Type::BOOL,
    }
}
