//! Statements and constructs as blocks.

use rspirv::dr::Operand as Word;
use rspirv::spirv::{LoopControl, MemorySemantics, Op, Scope, SelectionControl};

use super::Emitter;
use crate::tree::{
    End, If, LoopKind, Switch, TreeBlock, TreeConstant, TreeDefinition, TreeLoop, TreeOperand,
    TreeStatement,
};

/// An edge: the label that it comes from, and the values that it brings.
type Edge = (u32, Vec<u32>);

/// Where breaks and continues of a loop go, and from where they came so far.
pub(super) struct LoopTarget {
    merge: u32,
    next: u32,
    breaks: Vec<Edge>,
    continues: Vec<Edge>,
}

impl Emitter<'_> {
    /// Writes a block; the edge out of its end if it yields: the current block is open then, as it
    /// is after an end that is `Unreachable`.
    pub(super) fn block(&mut self, block: &TreeBlock) -> Option<Edge> {
        for statement in &block.statements {
            self.statement(statement);
        }
        match &block.end {
            End::Yield(values) => {
                let values = self.ids(values);
                return Some((self.label(), values));
            }
            End::FallThrough => {
                let to = self.next_case.unwrap_or_default();
                self.branch(to);
            }
            End::Break(values) => {
                let edge = (self.label(), self.ids(values));
                let target = self.loops.last_mut().map(|target| {
                    target.breaks.push(edge);
                    target.merge
                });
                self.branch(target.unwrap_or_default());
            }
            End::Continue(values) => {
                let edge = (self.label(), self.ids(values));
                let target = self.loops.last_mut().map(|target| {
                    target.continues.push(edge);
                    target.next
                });
                self.branch(target.unwrap_or_default());
            }
            End::Return(None) => self.terminate(Op::Return, vec![]),
            End::Return(Some(value)) => {
                let value = self.operand(value);
                self.terminate(Op::ReturnValue, vec![Word::IdRef(value)]);
            }
            End::Unreachable => {}
        }
        None
    }

    /// Writes an arm, and goes to `merge` where it yields.
    fn arm(&mut self, arm: &TreeBlock, label: u32, merge: u32, edges: &mut Vec<Edge>) {
        self.start_labelled(label);
        let edge = self.block(arm);
        if let Some(edge) = edge {
            edges.push(edge);
            self.branch(merge);
        } else if arm.end == End::Unreachable {
            self.terminate(Op::Unreachable, vec![]);
        }
    }

    fn ids(&mut self, operands: &[TreeOperand]) -> Vec<u32> {
        operands.iter().map(|operand| self.operand(operand)).collect()
    }

    /// Results as phis at the beginning of the current block.
    fn merge(&mut self, results: &[TreeDefinition], edges: &[Edge]) {
        for (index, result) in results.iter().enumerate() {
            let ty = self.declarations.ty(&result.ty);
            let id = self.declarations.id();
            self.values.insert(result.value, id);
            let incoming: Vec<(u32, u32)> = edges
                .iter()
                .filter_map(|(from, values)| Some((*values.get(index)?, *from)))
                .collect();
            if !incoming.is_empty() {
                self.phi(id, ty, &incoming);
            } else {
                self.push(Op::Undef, Some(ty), Some(id), vec![]);
            }
        }
    }

    fn statement(&mut self, statement: &TreeStatement) {
        match statement {
            TreeStatement::Instruction(it) => {
                self.declarations.needs(&it.capabilities, it.extension);
                let ty = self.declarations.ty(&it.result.ty);
                let operands = it.operands.iter().map(|operand| self.word(operand));
                let operands = operands.collect();
                let id = self.emit(it.op, ty, operands);
                if matches!(it.op, Op::FAdd | Op::FSub | Op::FMul) {
                    self.declarations.no_contraction(id);
                }
                self.values.insert(it.result.value, id);
            }
            TreeStatement::Load { result, from } => {
                let id = self.load(from, &result.ty);
                self.values.insert(result.value, id);
            }
            TreeStatement::Store { to, value } => self.store(to, value),
            TreeStatement::Output { word, value, ty } => self.output(*word, value, ty),
            TreeStatement::Atomic { result, op, word, value } => {
                let id = self.atomic(*op, *word, value);
                self.values.insert(result.value, id);
            }
            TreeStatement::Barrier => self.barrier(),
            TreeStatement::Call { result, function, arguments } => {
                let function = self.functions.get(*function).copied().unwrap_or_default();
                self.call(result, function, arguments);
            }
            TreeStatement::Foreign { result, function, arguments } => {
                let function = self.foreign.get(*function).copied().unwrap_or_default();
                self.call(result, function, arguments);
            }
            TreeStatement::If(it) => self.selection(it),
            TreeStatement::Switch(it) => self.switch(it),
            TreeStatement::Loop(it) => self.counted(it),
        }
    }

    fn call(&mut self, result: &TreeDefinition, function: u32, arguments: &[TreeOperand]) {
        let ty = self.declarations.ty(&result.ty);
        let arguments = self.ids(arguments).into_iter().map(Word::IdRef);
        let operands = std::iter::once(Word::IdRef(function)).chain(arguments).collect();
        let id = self.emit(Op::FunctionCall, ty, operands);
        self.values.insert(result.value, id);
    }

    fn barrier(&mut self) {
        let scope = self.constant(Scope::Workgroup as u32);
        let semantics = MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::WORKGROUP_MEMORY;
        let semantics = self.constant(semantics.bits());
        let operands = [scope, scope, semantics].map(Word::IdRef).to_vec();
        self.push(Op::ControlBarrier, None, None, operands);
    }

    pub(super) fn constant(&mut self, number: u32) -> u32 {
        self.declarations.constant(&TreeConstant::word(number))
    }

    fn selection(&mut self, it: &If) {
        let condition = self.operand(&it.condition);
        let [then, otherwise, merge] = [(); 3].map(|()| self.declarations.id());
        let mut edges = Vec::new();
        // An arm without anything is no block.
        let bare = it.otherwise.statements.is_empty() && it.otherwise.yields();
        self.select(merge);
        let target = if bare { merge } else { otherwise };
        let from = self.label();
        self.terminate(Op::BranchConditional, [condition, then, target].map(Word::IdRef).to_vec());
        self.arm(&it.then, then, merge, &mut edges);
        match &it.otherwise.end {
            End::Yield(values) if bare => {
                let values = self.ids(values);
                edges.push((from, values));
            }
            _ => self.arm(&it.otherwise, otherwise, merge, &mut edges),
        }
        self.start_labelled(merge);
        self.merge(&it.results, &edges);
    }

    fn select(&mut self, merge: u32) {
        let control = Word::SelectionControl(SelectionControl::NONE);
        self.push(Op::SelectionMerge, None, None, vec![Word::IdRef(merge), control]);
    }

    fn switch(&mut self, it: &Switch) {
        let selector = self.operand(&it.selector);
        let labels: Vec<u32> = it.cases.iter().map(|_| self.declarations.id()).collect();
        let merge = self.declarations.id();
        let mut edges = Vec::new();
        let default = it.cases.iter().position(|case| case.default).map(|index| labels[index]);
        if default.is_none() {
            let values = self.ids(&it.unmatched);
            edges.push((self.label(), values));
        }
        self.select(merge);
        let mut operands = vec![Word::IdRef(selector), Word::IdRef(default.unwrap_or(merge))];
        for (case, label) in it.cases.iter().zip(&labels) {
            for literal in &case.literals {
                operands.extend([Word::LiteralBit32(*literal), Word::IdRef(*label)]);
            }
        }
        self.terminate(Op::Switch, operands);
        let outer = self.next_case;
        for (index, case) in it.cases.iter().enumerate() {
            self.next_case = labels.get(index + 1).copied().or(Some(merge));
            self.arm(&case.body, labels[index], merge, &mut edges);
        }
        self.next_case = outer;
        self.start_labelled(merge);
        self.merge(&it.results, &edges);
    }

    fn counted(&mut self, it: &TreeLoop) {
        let limit = self.operand(&it.limit);
        let [header, body, next, merge] = [(); 4].map(|()| self.declarations.id());
        let word = self.declarations.ty(&laneproof_semantics::Type::U32);
        let (counter, counted) = (self.declarations.id(), self.declarations.id());
        let initial: Vec<u32> = it.carried.iter().map(|it| self.operand(&it.initial)).collect();
        let zero = self.constant(0);
        let from = self.label();
        self.branch(header);
        self.start_labelled(header);
        self.values.insert(it.counter, counter);
        self.phi(counter, word, &[(zero, from), (counted, next)]);
        let mut carried = Vec::new();
        for (carry, initial) in it.carried.iter().zip(initial) {
            let ty = self.declarations.ty(&carry.definition.ty);
            let (id, handed) = (self.declarations.id(), self.declarations.id());
            self.values.insert(carry.definition.value, id);
            self.phi(id, ty, &[(initial, from), (handed, next)]);
            carried.push((id, handed, ty));
        }
        let mut exits: Vec<Edge> = Vec::new();
        let condition = (it.kind == LoopKind::While).then(|| {
            exits.push((header, carried.iter().map(|(id, ..)| *id).collect()));
            self.less(counter, limit)
        });
        let control = Word::LoopControl(LoopControl::NONE);
        self.push(Op::LoopMerge, None, None, vec![Word::IdRef(merge), Word::IdRef(next), control]);
        match condition {
            Some(condition) => {
                let operands = [condition, body, merge].map(Word::IdRef).to_vec();
                self.terminate(Op::BranchConditional, operands);
            }
            None => self.branch(body),
        }
        let target = LoopTarget { merge, next, breaks: Vec::new(), continues: Vec::new() };
        self.loops.push(target);
        let outer = self.next_case.take();
        let mut continues = Vec::new();
        self.arm(&it.body, body, next, &mut continues);
        self.next_case = outer;
        if let Some(target) = self.loops.pop() {
            exits.extend(target.breaks);
            continues.extend(target.continues);
        }
        self.continue_block(
            it,
            (header, next, merge),
            (counter, counted, limit),
            &carried,
            &continues,
        );
        if it.kind == LoopKind::DoWhile {
            exits.push((next, carried.iter().map(|(_, handed, _)| *handed).collect()));
        }
        self.start_labelled(merge);
        self.merge(&it.results, &exits);
    }

    fn continue_block(
        &mut self,
        it: &TreeLoop,
        (header, next, merge): (u32, u32, u32),
        (counter, counted, limit): (u32, u32, u32),
        carried: &[(u32, u32, u32)],
        edges: &[Edge],
    ) {
        self.start_labelled(next);
        for (index, (id, handed, ty)) in carried.iter().enumerate() {
            let incoming: Vec<(u32, u32)> = edges
                .iter()
                .filter_map(|(from, values)| Some((*values.get(index)?, *from)))
                .collect();
            if incoming.is_empty() {
                self.push(Op::CopyObject, Some(*ty), Some(*handed), vec![Word::IdRef(*id)]);
            } else {
                self.phi(*handed, *ty, &incoming);
            }
        }
        let word = self.declarations.ty(&laneproof_semantics::Type::U32);
        let one = self.constant(1);
        let operands = vec![Word::IdRef(counter), Word::IdRef(one)];
        self.push(Op::IAdd, Some(word), Some(counted), operands);
        match it.kind {
            LoopKind::DoWhile => {
                let again = self.less(counted, limit);
                let operands = [again, header, merge].map(Word::IdRef).to_vec();
                self.terminate(Op::BranchConditional, operands);
            }
            LoopKind::While | LoopKind::Endless => self.branch(header),
        }
    }

    fn less(&mut self, first: u32, second: u32) -> u32 {
        let ty = self.declarations.ty(&laneproof_semantics::Type::BOOL);
        self.emit(Op::ULessThan, ty, vec![Word::IdRef(first), Word::IdRef(second)])
    }
}
