//! The text of a module: types and constants once each, built-ins that are used, the code.

use std::collections::BTreeMap;

/// An SSA value with its type in GLSL's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) id: String,
    pub(super) ty: String,
}

/// What is written so far.
#[derive(Default)]
pub(super) struct Module {
    next: u32,
    names: Vec<String>,
    decorations: Vec<String>,
    /// Types, constants and variables, each after those it is made of.
    globals: Vec<String>,
    known: BTreeMap<String, String>,
    shared: BTreeMap<String, (String, String)>,
    code: Vec<String>,
}

const HEAD: &str = "OpCapability Shader
OpCapability Linkage
OpCapability Int64
OpCapability Int16
OpCapability Int8
OpCapability Float64
OpCapability GroupNonUniform
OpCapability GroupNonUniformVote
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformShuffleRelative
OpCapability GroupNonUniformClustered
OpCapability ExpectAssumeKHR
OpExtension \"SPV_KHR_expect_assume\"
%std = OpExtInstImport \"GLSL.std.450\"
OpMemoryModel Logical GLSL450
";

impl Module {
    pub(super) fn fresh(&mut self, name: &str) -> String {
        self.next += 1;
        format!("%{name}_{}", self.next)
    }

    pub(super) fn line(&mut self, line: &str) {
        self.code.push(line.to_owned());
    }

    /// Where the next line goes.
    pub(super) fn place(&self) -> usize {
        self.code.len()
    }

    pub(super) fn insert(&mut self, place: usize, lines: Vec<String>) {
        self.code.splice(place..place, lines);
    }

    pub(super) fn named(&mut self, function: &str) {
        self.names.push(format!("OpName %{function} \"{function}\""));
    }

    /// A type or constant by its instruction, once.
    pub(super) fn constant(&mut self, instruction: &str) -> String {
        if let Some(id) = self.known.get(instruction) {
            return id.clone();
        }
        let id = self.fresh("g");
        self.globals.push(format!("{id} = {instruction}"));
        self.known.insert(instruction.to_owned(), id.clone());
        id
    }

    /// A type by GLSL's name.
    pub(super) fn ty(&mut self, name: &str) -> Option<String> {
        let vector = |element: &str, length: u32, this: &mut Self| {
            let element = this.ty(element)?;
            Some(this.constant(&format!("OpTypeVector {element} {length}")))
        };
        let instruction = match name {
            "void" => "OpTypeVoid",
            "bool" => "OpTypeBool",
            "uint" => "OpTypeInt 32 0",
            "int" => "OpTypeInt 32 1",
            "uint64_t" => "OpTypeInt 64 0",
            "int64_t" => "OpTypeInt 64 1",
            "uint16_t" => "OpTypeInt 16 0",
            "float" => "OpTypeFloat 32",
            "double" => "OpTypeFloat 64",
            "uvec2" => return vector("uint", 2, self),
            "uvec4" => return vector("uint", 4, self),
            "bvec4" => return vector("bool", 4, self),
            _ => return None,
        };
        Some(self.constant(instruction))
    }

    /// A number of a type.
    pub(super) fn number(&mut self, ty: &str, number: &str) -> Option<Value> {
        let id = match ty {
            "bool" => {
                let of = self.ty("bool")?;
                let name = if number == "true" { "OpConstantTrue" } else { "OpConstantFalse" };
                self.constant(&format!("{name} {of}"))
            }
            "uvec2" | "uvec4" => {
                let one = self.number("uint", number)?.id;
                let of = self.ty(ty)?;
                let parts = vec![one; if ty == "uvec2" { 2 } else { 4 }].join(" ");
                self.constant(&format!("OpConstantComposite {of} {parts}"))
            }
            _ => {
                let of = self.ty(ty)?;
                self.constant(&format!("OpConstant {of} {number}"))
            }
        };
        Some(Value { id, ty: ty.to_owned() })
    }

    /// A built-in variable that is read.
    pub(super) fn built_in(&mut self, name: &str, ty: &str) -> Option<String> {
        let of = self.ty(ty)?;
        let pointer = self.constant(&format!("OpTypePointer Input {of}"));
        let key = format!("{name}:");
        if let Some(id) = self.known.get(&key) {
            return Some(id.clone());
        }
        let id = self.fresh(name);
        self.globals.push(format!("{id} = OpVariable {pointer} Input"));
        self.decorations.push(format!("OpDecorate {id} BuiltIn {name}"));
        self.known.insert(key, id.clone());
        Some(id)
    }

    /// An array that the workgroup shares.
    pub(super) fn shared(&mut self, name: &str, ty: &str, length: &str) -> Option<()> {
        let (of, length) = (self.ty(ty)?, self.number("uint", length)?.id);
        let array = self.constant(&format!("OpTypeArray {of} {length}"));
        let pointer = self.constant(&format!("OpTypePointer Workgroup {array}"));
        let id = self.fresh(name);
        self.globals.push(format!("{id} = OpVariable {pointer} Workgroup"));
        self.shared.insert(name.to_owned(), (id, ty.to_owned()));
        Some(())
    }

    /// The variable of a shared array, and the type of its elements.
    pub(super) fn array(&self, name: &str) -> Option<(String, String)> {
        self.shared.get(name).cloned()
    }

    pub(super) fn finish(self) -> String {
        let lines = [self.names, self.decorations, self.globals, self.code].concat();
        HEAD.to_owned() + &lines.join("\n") + "\n"
    }
}
