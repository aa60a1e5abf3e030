//! Which values come from arithmetic on floating point: those may be combined with what computes
//! with them.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_module::spirv::{Op, StorageClass};
use laneproof_module::{
    Block, Id, Instruction, Item, ModuleType, Operand, Program, Region, Terminator,
};

use crate::opcode::{Floats, OpcodeFacts};

/// What a value is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// It comes from arithmetic.
    pub computed: bool,
    /// It comes from a product.
    pub product: bool,
}

impl Origin {
    fn join(&mut self, other: Self) {
        self.computed |= other.computed;
        self.product |= other.product;
    }
}

/// What was stored so far in memory that others may see, by the variable or parameter that the pointer
/// comes from; nothing for other pointers. A load may be replaced by the value that the same invocation
/// stored.
#[derive(Clone, Debug, Default, PartialEq)]
struct Stores(BTreeMap<Option<Id>, Origin>);

impl Stores {
    fn store(&mut self, root: Option<Id>, origin: Origin) {
        self.0.entry(root).or_default().join(origin);
    }

    fn load(&self, root: Option<Id>) -> Origin {
        let mut origin = Origin::default();
        let same = |it: &Option<Id>| root.is_none() || it.is_none() || *it == root;
        self.0.iter().filter(|(it, _)| same(it)).for_each(|(_, it)| origin.join(*it));
        origin
    }

    fn join(&mut self, other: &Self) {
        other.0.iter().for_each(|(root, origin)| self.store(*root, *origin));
    }
}

type Found = (BTreeMap<Id, Origin>, [Origin; 3], Stores, BTreeMap<Id, Stores>);

/// Of every value of a program that is made of something; of all paths together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origins {
    of: BTreeMap<Id, Origin>,
    /// The arithmetic that values are the results of.
    arithmetic: BTreeMap<Id, Instruction>,
    /// Where pointers lead.
    storage: BTreeMap<Id, StorageClass>,
    /// From which variable or parameter pointers come.
    roots: BTreeMap<Id, Id>,
    /// Of all that is stored in memory that one workgroup has for itself.
    stored: Origin,
    /// Of what is stored in other memory by functions that are called, and before they are.
    shared: Stores,
    /// The same by the end of an iteration, by the loop's header.
    iterated: BTreeMap<Id, Stores>,
    /// The function that is gone through returns to another one.
    is_called: bool,
    /// Of all that is passed to functions, and of all that they return.
    passed: Origin,
    returned: Origin,
}

impl Origins {
    /// Follows values through a program until nothing new is found.
    pub fn of(program: &Program) -> Self {
        let blocks = blocks(program);
        let storage = storage(program, &blocks);
        let called = called(&blocks);
        let roots = roots(program, &blocks, &called);
        let mut origins = Self { storage, roots, ..Self::default() };
        loop {
            let before = origins.found();
            for function in &program.functions {
                // The arguments of a function that is called from outside are not computed.
                for parameter in &function.parameters {
                    origins.of.entry(parameter.id).or_default().join(origins.passed);
                }
                // An invocation enters a function that nothing calls once, with nothing stored before.
                origins.is_called = called.contains(&function.id);
                let mut stores = match origins.is_called {
                    true => origins.shared.clone(),
                    false => Stores::default(),
                };
                origins.region(&function.body, &mut stores);
            }
            if before == origins.found() {
                let all = blocks.iter().flat_map(|block| &block.instructions);
                let all = all.filter(|it| {
                    OpcodeFacts::of(it.opcode).floats == Floats::Computes
                        || it.opcode == Op::FNegate
                });
                origins.arithmetic = all.filter_map(|it| Some((it.result?, it.clone()))).collect();
                return origins;
            }
        }
    }

    /// What a value is made of.
    pub fn value(&self, id: Id) -> Origin {
        self.of.get(&id).copied().unwrap_or_default()
    }

    /// The arithmetic that a value is the result of.
    pub fn arithmetic(&self, id: Id) -> Option<&Instruction> {
        self.arithmetic.get(&id)
    }

    /// The results of such arithmetic, and of arithmetic on these.
    pub fn made_of(&self, such: impl Fn(&Instruction) -> bool) -> BTreeSet<Id> {
        let mut made: BTreeSet<Id> =
            self.arithmetic.iter().filter(|(_, it)| such(it)).map(|(id, _)| *id).collect();
        loop {
            let takes_one = |it: &Instruction| {
                it.operands.iter().filter_map(Operand::id_ref_any).any(|id| made.contains(&id))
            };
            let rest = self.arithmetic.iter().filter(|(id, _)| !made.contains(id));
            let further: Vec<Id> =
                rest.filter(|(_, it)| takes_one(it)).map(|(id, _)| *id).collect();
            if further.is_empty() {
                return made;
            }
            made.extend(further);
        }
    }

    /// All that grows until nothing new is found.
    fn found(&self) -> Found {
        let origins = [self.stored, self.passed, self.returned];
        (self.of.clone(), origins, self.shared.clone(), self.iterated.clone())
    }

    /// Goes through a region in its order. What is loaded in a loop may have been stored in an iteration
    /// before.
    fn region(&mut self, region: &Region, stores: &mut Stores) {
        for item in &region.items {
            match item {
                Item::Block(block) => self.block(block, stores),
                Item::Loop(inner) => {
                    let before = self.iterated.entry(inner.header).or_default();
                    stores.join(before);
                    self.region(&inner.body, stores);
                    self.iterated.insert(inner.header, stores.clone());
                }
            }
        }
    }

    fn block(&mut self, block: &Block, stores: &mut Stores) {
        for phi in &block.phis {
            for (incoming, _) in &phi.incoming {
                let origin = self.value(*incoming);
                self.of.entry(phi.result).or_default().join(origin);
            }
        }
        block.instructions.iter().for_each(|instruction| self.instruction(instruction, stores));
        if let Terminator::ReturnValue(id) = block.terminator {
            self.returned.join(self.value(id));
        }
        if self.is_called
            && matches!(block.terminator, Terminator::Return | Terminator::ReturnValue(_))
        {
            self.shared.join(stores);
        }
    }

    fn instruction(&mut self, instruction: &Instruction, stores: &mut Stores) {
        let mut origin = Origin::default();
        for operand in &instruction.operands {
            if let Operand::IdRef(id) = operand {
                origin.join(self.value(*id));
            }
        }
        match instruction.opcode {
            Op::Store if self.is_private(instruction) => self.stored.join(origin),
            Op::Store => stores.store(self.root(instruction, 0), origin),
            Op::CopyMemory => {
                let loaded = stores.load(self.root(instruction, 1));
                stores.store(self.root(instruction, 0), loaded);
                stores.store(self.root(instruction, 0), self.stored);
                self.stored.join(loaded);
            }
            Op::FunctionCall => {
                self.passed.join(origin);
                origin = self.returned;
                self.shared.join(stores);
                stores.join(&self.shared);
            }
            Op::Load => {
                origin = match self.is_private(instruction) {
                    true => self.stored,
                    false => stores.load(self.root(instruction, 0)),
                };
            }
            opcode if OpcodeFacts::of(opcode).floats == Floats::Computes => {
                let sum = matches!(opcode, Op::FAdd | Op::FSub | Op::FDiv | Op::FConvert);
                origin = Origin { computed: true, product: !sum };
            }
            // A number that was made from bits, compared or counted is no number any more.
            opcode if moves(opcode) => {}
            _ => origin = Origin::default(),
        }
        if let Some(id) = instruction.result {
            self.of.entry(id).or_default().join(origin);
        }
    }

    /// From where the pointer comes that is this operand.
    fn root(&self, instruction: &Instruction, operand: usize) -> Option<Id> {
        match instruction.operands.get(operand) {
            Some(Operand::IdRef(pointer)) => self.roots.get(pointer).copied(),
            _ => None,
        }
    }

    /// It loads from, or stores to, memory that a compiler may keep in registers.
    fn is_private(&self, instruction: &Instruction) -> bool {
        let Some(Operand::IdRef(pointer)) = instruction.operands.first() else { return true };
        self.storage.get(pointer).is_none_or(|storage| {
            matches!(
                storage,
                StorageClass::Function | StorageClass::Private | StorageClass::Workgroup
            )
        })
    }
}

fn storage(program: &Program, blocks: &[&Block]) -> BTreeMap<Id, StorageClass> {
    let of = |ty: &ModuleType| match ty {
        ModuleType::Pointer { storage, .. } => Some(*storage),
        _ => None,
    };
    let globals = program.globals.values().map(|global| (global.id, global.storage));
    let parameters = program.functions.iter().flat_map(|function| &function.parameters);
    let parameters = parameters.filter_map(|it| Some((it.id, of(&it.ty)?)));
    let instructions = blocks.iter().flat_map(|block| &block.instructions);
    let instructions = instructions.filter_map(|it| Some((it.result?, of(it.ty.as_ref()?)?)));
    globals.chain(parameters).chain(instructions).collect()
}

/// The variables and parameters from which pointers come. What a function of the program passes may be
/// any pointer.
fn roots(program: &Program, blocks: &[&Block], called: &BTreeSet<Id>) -> BTreeMap<Id, Id> {
    let instructions = || blocks.iter().flat_map(|block| &block.instructions);
    let entered = program.functions.iter().filter(|it| !called.contains(&it.id));
    let parameters = entered.flat_map(|function| &function.parameters).map(|it| it.id);
    let mut by_binding = BTreeMap::new();
    let globals = program.globals.values().filter(|it| !it.aliased).map(|global| {
        let first = global.binding.map(|it| *by_binding.entry(it).or_insert(global.id));
        (global.id, first.unwrap_or(global.id))
    });
    let globals: Vec<(Id, Id)> = globals.collect();
    let variables = instructions().filter(|it| it.opcode == Op::Variable);
    let variables = variables.filter_map(|it| it.result);
    let mut roots: BTreeMap<Id, Id> =
        parameters.chain(variables).map(|id| (id, id)).chain(globals).collect();
    loop {
        let before = roots.len();
        for it in instructions().filter(|it| leads_on(it.opcode)) {
            let root = first(it).and_then(|base| roots.get(&base).copied());
            roots.extend(it.result.zip(root));
        }
        if roots.len() == before {
            return roots;
        }
    }
}

/// The functions that functions of the program call.
fn called(blocks: &[&Block]) -> BTreeSet<Id> {
    let instructions = blocks.iter().flat_map(|block| &block.instructions);
    instructions.filter(|it| it.opcode == Op::FunctionCall).filter_map(first).collect()
}

fn first(instruction: &Instruction) -> Option<Id> {
    match instruction.operands.first() {
        Some(Operand::IdRef(id)) => Some(*id),
        _ => None,
    }
}

/// Its result is a pointer into what its first operand points into.
fn leads_on(opcode: Op) -> bool {
    use Op::*;
    matches!(
        opcode,
        AccessChain
            | InBoundsAccessChain
            | PtrAccessChain
            | InBoundsPtrAccessChain
            | CopyObject
            | Bitcast
            | PtrCastToGeneric
            | GenericCastToPtr
    )
}

fn moves(opcode: Op) -> bool {
    use Op::*;
    matches!(
        opcode,
        Phi | Select
            | CopyObject
            | CopyLogical
            | CompositeExtract
            | CompositeInsert
            | CompositeConstruct
            | VectorShuffle
            | VectorExtractDynamic
            | VectorInsertDynamic
            | FNegate
            | Transpose
            | Bitcast
            | FunctionParameter
    )
}

/// Every block of a program.
pub(super) fn blocks(program: &Program) -> Vec<&Block> {
    let mut blocks = Vec::new();
    program.functions.iter().for_each(|function| collect(&function.body, &mut blocks));
    blocks
}

fn collect<'p>(region: &'p Region, all: &mut Vec<&'p Block>) {
    for item in &region.items {
        match item {
            Item::Block(block) => all.push(block),
            Item::Loop(inner) => collect(&inner.body, all),
        }
    }
}
