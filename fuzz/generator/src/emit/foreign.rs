//! Another module's functions in the module that is being written.

use std::collections::BTreeMap;

use rspirv::dr::{self, Instruction, Operand as Word};
use rspirv::spirv::{BuiltIn, Decoration, Op, StorageClass};

use super::Emitter;
use crate::foreign::{Foreign, is_left_out};

impl Emitter<'_> {
    /// Takes everything over under ids of this module; types are those that there are.
    pub(super) fn adopt(&mut self, foreign: &Foreign) {
        self.adopt_requirements(&foreign.module);
        let mut ids = BTreeMap::new();
        for import in &foreign.module.ext_inst_imports {
            let import = self.renamed(import, &mut ids);
            self.declarations.module.ext_inst_imports.push(import);
        }
        let built_ins = built_ins(&foreign.module);
        for global in &foreign.module.types_global_values {
            self.adopt_global(global, &built_ins, &mut ids);
        }
        for function in &foreign.module.functions {
            let function = self.adopt_function(function, &mut ids);
            self.declarations.module.functions.push(function);
        }
        for annotation in &foreign.module.annotations {
            let about = annotation.operands.first().and_then(Word::id_ref_any);
            let known = about.is_some_and(|id| ids.contains_key(&id));
            if known && !stays_behind(annotation) {
                let annotation = self.renamed(annotation, &mut ids);
                self.declarations.module.annotations.push(annotation);
            }
        }
        // Else a product and a sum may be fused, which is not what the reference does.
        for id in std::mem::take(&mut self.exact) {
            let known = self.declarations.module.annotations.iter().any(|it| {
                it.operands == [Word::IdRef(id), Word::Decoration(Decoration::NoContraction)]
            });
            if !known {
                self.declarations.no_contraction(id);
            }
        }
        let called = foreign.functions.iter();
        self.foreign = called.map(|it| ids.get(&it.id).copied().unwrap_or_default()).collect();
    }

    fn adopt_requirements(&mut self, module: &dr::Module) {
        for it in &module.capabilities {
            if let Some(Word::Capability(capability)) = it.operands.first()
                && !is_left_out(*capability)
            {
                self.declarations.needs(&[*capability], None);
            }
        }
        for it in &module.extensions {
            if let Some(Word::LiteralString(name)) = it.operands.first()
                && name != "SPV_KHR_expect_assume"
            {
                self.declarations.extension(name);
            }
        }
    }

    fn adopt_global(
        &mut self,
        global: &Instruction,
        built_ins: &BTreeMap<u32, BuiltIn>,
        ids: &mut BTreeMap<u32, u32>,
    ) {
        let Some(old) = global.result_id else { return };
        let mut moved = global.clone();
        self.rename_uses(&mut moved, ids);
        let op = global.class.opcode;
        let once = matches!(
            op,
            Op::TypeVoid
                | Op::TypeBool
                | Op::TypeInt
                | Op::TypeFloat
                | Op::TypeVector
                | Op::TypePointer
                | Op::TypeFunction
                | Op::Constant
                | Op::ConstantTrue
                | Op::ConstantFalse
                | Op::ConstantComposite
        );
        if once {
            let new = self.declarations.once(op, moved.result_type, moved.operands);
            ids.insert(old, new);
            return;
        }
        if let Some(built_in) = built_ins.get(&old) {
            if let Some(own) = self.interface.input(*built_in) {
                ids.insert(old, own);
                return;
            }
            let new = self.declarations.id();
            ids.insert(old, new);
            let class = vec![Word::StorageClass(StorageClass::Input)];
            self.declarations.global(op, moved.result_type, new, class);
            self.declarations.decorate(new, Decoration::BuiltIn, vec![Word::BuiltIn(*built_in)]);
            self.interface.more_inputs.push(new);
            return;
        }
        let new = self.declarations.id();
        ids.insert(old, new);
        self.declarations.global(op, moved.result_type, new, moved.operands);
    }

    fn adopt_function(
        &mut self,
        function: &dr::Function,
        ids: &mut BTreeMap<u32, u32>,
    ) -> dr::Function {
        let left_out = |it: &&Instruction| {
            !matches!(it.class.opcode, Op::AssumeTrueKHR | Op::Line | Op::NoLine)
        };
        let mut moved = dr::Function::new();
        moved.def = function.def.as_ref().map(|it| self.renamed(it, ids));
        moved.end = function.end.clone();
        moved.parameters = function.parameters.iter().map(|it| self.renamed(it, ids)).collect();
        for block in &function.blocks {
            let label = block.label.as_ref().map(|it| self.renamed(it, ids));
            let kept = block.instructions.iter().filter(left_out);
            let instructions: Vec<_> = kept.map(|it| self.renamed(it, ids)).collect();
            for it in &instructions {
                if matches!(it.class.opcode, Op::FAdd | Op::FSub | Op::FMul)
                    && let Some(id) = it.result_id
                {
                    self.exact.insert(id);
                }
            }
            moved.blocks.push(dr::Block { label, instructions });
        }
        moved
    }

    /// An instruction under ids of this module.
    fn renamed(&mut self, it: &Instruction, ids: &mut BTreeMap<u32, u32>) -> Instruction {
        let mut moved = it.clone();
        if let Some(id) = &mut moved.result_id {
            *id = self.renamed_id(*id, ids);
        }
        self.rename_uses(&mut moved, ids);
        moved
    }

    fn rename_uses(&mut self, it: &mut Instruction, ids: &mut BTreeMap<u32, u32>) {
        if let Some(id) = &mut it.result_type {
            *id = self.renamed_id(*id, ids);
        }
        for operand in &mut it.operands {
            if let Some(id) = operand.id_ref_any_mut() {
                *id = self.renamed_id(*id, ids);
            }
        }
    }

    fn renamed_id(&mut self, id: u32, ids: &mut BTreeMap<u32, u32>) -> u32 {
        *ids.entry(id).or_insert_with(|| self.declarations.id())
    }
}

/// Which variables are built-in inputs.
fn built_ins(module: &dr::Module) -> BTreeMap<u32, BuiltIn> {
    let annotations = module.annotations.iter();
    annotations
        .filter_map(|it| match it.operands.as_slice() {
            [Word::IdRef(id), Word::Decoration(Decoration::BuiltIn), Word::BuiltIn(built_in)] => {
                Some((*id, *built_in))
            }
            _ => None,
        })
        .collect()
}

/// Decorations that are written anew, or whose capability stays behind.
fn stays_behind(annotation: &Instruction) -> bool {
    annotation.operands.iter().any(|operand| {
        matches!(
            operand,
            Word::Decoration(
                Decoration::LinkageAttributes
                    | Decoration::BuiltIn
                    | Decoration::Uniform
                    | Decoration::UniformId
            )
        )
    })
}
