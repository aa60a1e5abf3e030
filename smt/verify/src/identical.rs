//! Two functions that are the same, instruction by instruction: whatever the one does, the other may do.

use std::collections::BTreeMap;

use laneproof_module::{
    Block, Function, Id, Instruction, Item, Operand, Parameter, Program, Region, Terminator,
};

use crate::options::Side;

/// The functions, what they call, and what their modules ask of arithmetic and memory are the same
/// but for the numbers of `<id>`s. False where that does not show.
pub(crate) fn identical(source: Side<'_>, target: Side<'_>) -> bool {
    let mut pairs = Pairs {
        programs: [source.program, target.program],
        known: BTreeMap::new(),
        taken: BTreeMap::new(),
    };
    let modes = |side: Side<'_>| -> Vec<_> {
        let entries = side.program.entry_points.iter();
        let own = entries.filter(|entry| entry.function == side.function.id);
        own.map(|entry| (entry.model, entry.modes.clone())).collect()
    };
    modes(source) == modes(target)
        && pairs.preambles()
        && pairs.functions(source.function, target.function)
}

/// What is known to stand for each other.
struct Pairs<'p> {
    programs: [&'p Program; 2],
    known: BTreeMap<Id, Id>,
    taken: BTreeMap<Id, Id>,
}

impl<'p> Pairs<'p> {
    fn preambles(&self) -> bool {
        let [a, b] = self.programs.map(|program| &program.preamble);
        let modes = self.programs.map(|program| {
            program.entry_points.iter().map(|entry| (entry.model, &entry.modes)).collect::<Vec<_>>()
        });
        (a.addressing, a.memory_model, &a.capabilities, a.version)
            == (b.addressing, b.memory_model, &b.capabilities, b.version)
            && modes[0] == modes[1]
    }

    fn functions(&mut self, a: &'p Function, b: &'p Function) -> bool {
        let parameter = |pairs: &mut Self, (a, b): (&Parameter, &Parameter)| {
            (&a.ty, a.uniform, a.volatile, a.coherent, a.alone, a.promises, a.direction)
                == (&b.ty, b.uniform, b.volatile, b.coherent, b.alone, b.promises, b.direction)
                && pairs.bind(a.id, b.id)
        };
        a.import == b.import
            && a.result == b.result
            && a.parameters.len() == b.parameters.len()
            && a.unmodelled.is_none()
            && b.unmodelled.is_none()
            && a.parameters.iter().zip(&b.parameters).all(|pair| parameter(self, pair))
            && self.regions(&a.body, &b.body)
    }

    fn regions(&mut self, a: &'p Region, b: &'p Region) -> bool {
        a.items.len() == b.items.len()
            && a.items.iter().zip(&b.items).all(|pair| match pair {
                (Item::Block(a), Item::Block(b)) => self.blocks(a, b),
                (Item::Loop(a), Item::Loop(b)) => {
                    self.ids(a.header, b.header)
                        && self.ids(a.merge, b.merge)
                        && self.ids(a.continue_target, b.continue_target)
                        && self.regions(&a.body, &b.body)
                }
                _ => false,
            })
    }

    fn blocks(&mut self, a: &'p Block, b: &'p Block) -> bool {
        let options = [(a.selection_merge, b.selection_merge), (a.switch_join, b.switch_join)];
        a.phis.len() == b.phis.len()
            && a.instructions.len() == b.instructions.len()
            && self.ids(a.label, b.label)
            && a.phis.iter().zip(&b.phis).all(|(a, b)| {
                a.ty == b.ty
                    && a.incoming.len() == b.incoming.len()
                    && self.results(a.result, b.result)
                    && a.incoming
                        .iter()
                        .zip(&b.incoming)
                        .all(|(a, b)| self.ids(a.0, b.0) && self.ids(a.1, b.1))
            })
            && a.instructions.iter().zip(&b.instructions).all(|(a, b)| self.instructions(a, b))
            && options.into_iter().all(|pair| match pair {
                (Some(a), Some(b)) => self.ids(a, b),
                (a, b) => a == b,
            })
            && self.terminators(&a.terminator, &b.terminator)
    }

    fn instructions(&mut self, a: &'p Instruction, b: &'p Instruction) -> bool {
        a.opcode == b.opcode
            && a.ty == b.ty
            && a.decorations == b.decorations
            && a.operands.len() == b.operands.len()
            && a.operands.iter().zip(&b.operands).all(|(a, b)| self.operands(a, b))
            && match (a.result, b.result) {
                (Some(a), Some(b)) => self.results(a, b),
                (a, b) => a == b,
            }
    }

    fn operands(&mut self, a: &Operand, b: &Operand) -> bool {
        match (a.id_ref_any(), b.id_ref_any()) {
            (Some(x), Some(y)) => {
                std::mem::discriminant(a) == std::mem::discriminant(b) && self.ids(x, y)
            }
            (None, None) => a == b,
            _ => false,
        }
    }

    fn terminators(&mut self, a: &Terminator, b: &Terminator) -> bool {
        use Terminator::*;
        match (a, b) {
            (Branch(a), Branch(b)) | (ReturnValue(a), ReturnValue(b)) => self.ids(*a, *b),
            (
                Conditional { condition, then, otherwise },
                Conditional { condition: c, then: t, otherwise: o },
            ) => self.ids(*condition, *c) && self.ids(*then, *t) && self.ids(*otherwise, *o),
            (
                Switch { selector, default, cases },
                Switch { selector: s, default: d, cases: other },
            ) => {
                let same = |pairs: &mut Self, (a, b): (&(u64, Id), &(u64, Id))| {
                    a.0 == b.0 && pairs.ids(a.1, b.1)
                };
                cases.len() == other.len()
                    && self.ids(*selector, *s)
                    && self.ids(*default, *d)
                    && cases.iter().zip(other).all(|pair| same(self, pair))
            }
            (Return, Return) | (Kill, Kill) | (Terminate, Terminate) => true,
            (Unreachable, Unreachable) => true,
            _ => false,
        }
    }

    /// Results, with what is said of each.
    fn results(&mut self, a: Id, b: Id) -> bool {
        let [one, other] = self.programs.map(|it| &it.decorations);
        one.uncontracted.contains(&a) == other.uncontracted.contains(&b)
            && one.relaxed.contains(&a) == other.relaxed.contains(&b)
            && one.fast_math.get(&a) == other.fast_math.get(&b)
            && one.strides.get(&a) == other.strides.get(&b)
            && self.ids(a, b)
    }

    fn ids(&mut self, a: Id, b: Id) -> bool {
        if self.known.contains_key(&a) || self.taken.contains_key(&b) {
            return self.known.get(&a) == Some(&b) && self.taken.get(&b) == Some(&a);
        }
        let [one, other] = self.programs;
        if let (Some(f), Some(g)) = (one.function_by_id(a), other.function_by_id(b)) {
            return self.bind(a, b) && self.functions(f, g);
        }
        self.of_module(a, b).unwrap_or(true) && self.bind(a, b)
    }

    /// What stands outside of functions is the same; `None` where neither does.
    fn of_module(&self, a: Id, b: Id) -> Option<bool> {
        let [one, other] = self.programs;
        let outside = |program: &Program, id: Id| {
            program.types.contains_key(&id)
                || program.constants.contains_key(&id)
                || program.globals.contains_key(&id)
                || program.preamble.instruction_sets.contains_key(&id)
                || program.function_by_id(id).is_some()
        };
        if !outside(one, a) && !outside(other, b) {
            return None;
        }
        if std::ptr::eq(one, other) {
            return Some(a == b);
        }
        if let (Some(a), Some(b)) = (one.constants.get(&a), other.constants.get(&b)) {
            return Some(a == b && a.derived.is_none());
        }
        if let (Some(a), Some(b)) = (one.types.get(&a), other.types.get(&b)) {
            return Some(a == b);
        }
        if let (Some(a), Some(b)) = (one.globals.get(&a), other.globals.get(&b)) {
            let named = a.binding.is_some() || a.built_in.is_some();
            let same = (&a.ty, a.storage, a.built_in, a.aliased, a.volatile, a.coherent, a.binding)
                == (&b.ty, b.storage, b.built_in, b.aliased, b.volatile, b.coherent, b.binding);
            return Some(named && same && a.initializer.is_none() && b.initializer.is_none());
        }
        let set = |program: &'p Program, id| program.preamble.instruction_sets.get(&id);
        Some(set(one, a).is_some() && set(one, a) == set(other, b))
    }

    fn bind(&mut self, a: Id, b: Id) -> bool {
        *self.known.entry(a).or_insert(b) == b && *self.taken.entry(b).or_insert(a) == a
    }
}
