//! A form as the assembly of a module with one function, whose body is the instruction.

use std::fmt::Write as _;

use laneproof_module::Named;
use laneproof_module::spirv::Capability;
use laneproof_semantics::denote::Argument;
use laneproof_semantics::{FloatFormat, Scalar, Type};

use crate::form::{Form, is_memory};
use crate::target::CheckedSubject;
use laneproof_semantics::ModuleKind;

/// The function's name.
pub const FUNCTION: &str = "subject";

/// Scopes that an operand may name, and their numbers.
pub const SCOPES: [(&str, u64); 4] =
    [("Device", 1), ("Workgroup", 2), ("Subgroup", 3), ("Invocation", 4)];

/// A capability's name, in assembly: the oldest, which every assembler knows.
fn capability_name(capability: Capability) -> String {
    capability.names().last().copied().unwrap_or_default().to_owned()
}

/// The module of a form, at a version of SPIR-V.
pub(crate) fn module_text(form: &Form, version: (u8, u8)) -> String {
    let mut writer = Writer::new(form);
    let body = writer.subject();
    writer.linkable = true;
    writer.module(version, &body)
}

pub(crate) struct Writer<'f> {
    pub(crate) form: &'f Form,
    pub(crate) declarations: String,
    /// Decorations of the types among them.
    pub(crate) decorations: String,
    /// The module has no entry point.
    linkable: bool,
    /// Entry points and their modes.
    pub(crate) entries: String,
    /// Capabilities beyond those of the form.
    pub(crate) capabilities: Vec<String>,
    /// Types that have an id, which is their place here.
    types: Vec<Type>,
    /// Constants that have an id, likewise.
    constants: Vec<(Type, u64)>,
}

impl<'f> Writer<'f> {
    pub(crate) fn new(form: &'f Form) -> Self {
        Self {
            form,
            declarations: String::new(),
            decorations: String::new(),
            linkable: false,
            entries: String::new(),
            capabilities: Vec::new(),
            types: Vec::new(),
            constants: Vec::new(),
        }
    }

    /// The function whose body is the instruction.
    pub(crate) fn subject(&mut self) -> String {
        match &self.form.target.subject {
            CheckedSubject::Instruction(_) => self.instruction(),
            CheckedSubject::BuiltIn(_) => self.built_in(),
        }
    }

    /// All that was declared, then functions.
    pub(crate) fn module(&self, version: (u8, u8), functions: &str) -> String {
        let (major, minor) = version;
        let Self { declarations, .. } = self;
        format!("; Version: {major}.{minor}\n{}{declarations}{functions}", self.preamble())
    }
}

impl Writer<'_> {
    fn preamble(&self) -> String {
        let mut text = String::new();
        let scalars = self.types.iter().filter_map(Type::element);
        let wide = |scalar: Scalar| match scalar {
            Scalar::Int { width: 8, .. } => Some("Int8"),
            Scalar::Int { width: 16, .. } => Some("Int16"),
            Scalar::Int { width: 64, .. } => Some("Int64"),
            Scalar::Float(FloatFormat::Half) => Some("Float16"),
            Scalar::Float(FloatFormat::Bfloat16) => Some("BFloat16TypeKHR"),
            Scalar::Float(FloatFormat::Double) => Some("Float64"),
            Scalar::Float(FloatFormat::Single) | Scalar::Bool | Scalar::Int { .. } => None,
        };
        let mut capabilities: Vec<String> = scalars.filter_map(wide).map(str::to_owned).collect();
        capabilities.extend(self.form.capabilities.iter().map(|it| capability_name(*it)));
        capabilities.extend(self.capabilities.iter().cloned());
        if self.linkable {
            capabilities.push("Linkage".into());
        }
        capabilities.extend(match self.form.module_kind {
            ModuleKind::Shader => vec!["Shader".to_owned()],
            ModuleKind::Kernel => ["Kernel", "Addresses", "Vector16"].map(str::to_owned).to_vec(),
        });
        if matches!(self.form.target.subject, CheckedSubject::BuiltIn(_)) {
            capabilities.push("GroupNonUniform".into());
        }
        let narrow = |scalar: Scalar| scalar.width() < 32 && scalar != Scalar::Bool;
        let memory = self.form.arguments.iter().find(|argument| is_memory(argument));
        match (memory, self.form.module_kind) {
            (Some(Argument::Pointer(ty)), module_kind) => {
                let element = ty.element().unwrap_or(Scalar::Bool);
                if element.is_int() && element.width() == 64 {
                    capabilities.push("Int64Atomics".into());
                }
                if module_kind == ModuleKind::Shader && narrow(element) {
                    capabilities.push(format!("StorageBuffer{}BitAccess", element.width()));
                    text += &format!("OpExtension \"SPV_KHR_{}bit_storage\"\n", element.width());
                }
            }
            (Some(_), _) => {
                capabilities.extend(["ImageBasic", "ImageReadWrite"].map(str::to_owned));
            }
            (None, _) => {}
        }
        capabilities.sort();
        capabilities.dedup();
        let extensions = std::mem::take(&mut text);
        for capability in capabilities {
            let _ = writeln!(text, "OpCapability {capability}");
        }
        text += &extensions;
        for extension in &self.form.extensions {
            let _ = writeln!(text, "OpExtension \"{extension}\"");
        }
        if let Some((set, _)) = self.form.target.name().split_once(' ') {
            let _ = writeln!(text, "%set = OpExtInstImport \"{set}\"");
        }
        text += match self.form.module_kind {
            ModuleKind::Shader => "OpMemoryModel Logical GLSL450\n",
            ModuleKind::Kernel => "OpMemoryModel Physical64 OpenCL\n",
        };
        text += &self.entries;
        let _ = writeln!(text, "OpName %{FUNCTION} \"{FUNCTION}\"");
        text += &self.decorations;
        for decoration in &self.form.decorations {
            let _ = writeln!(text, "OpDecorate %result {decoration}");
        }
        if let CheckedSubject::BuiltIn(built_in) = &self.form.target.subject {
            let _ = writeln!(text, "OpDecorate %variable BuiltIn {}", built_in.name);
        }
        text
    }

    /// The id of a type, declared when it is first used.
    pub(crate) fn ty(&mut self, ty: &Type) -> String {
        if let Some(known) = self.types.iter().position(|it| it == ty) {
            return format!("%t{known}");
        }
        let declaration = match ty {
            Type::Scalar(Scalar::Bool) => "OpTypeBool".to_owned(),
            Type::Scalar(Scalar::Int { width, signed }) => {
                format!("OpTypeInt {width} {}", u32::from(*signed))
            }
            Type::Scalar(Scalar::Float(format)) => match format {
                FloatFormat::Bfloat16 => "OpTypeFloat 16 BFloat16KHR".to_owned(),
                FloatFormat::Half | FloatFormat::Single | FloatFormat::Double => {
                    format!("OpTypeFloat {}", format.width())
                }
            },
            Type::Vector { element, count } => {
                format!("OpTypeVector {} {count}", self.ty(&Type::Scalar(*element)))
            }
            Type::Array { element, length } => {
                let element = self.ty(element);
                let length = self.constant(&Type::U32, u64::from(*length));
                format!("OpTypeArray {element} {length}")
            }
            Type::Struct(members) => {
                let members: Vec<String> = members.iter().map(|it| self.ty(it)).collect();
                format!("OpTypeStruct {}", members.join(" "))
            }
        };
        let id = format!("%t{}", self.types.len());
        self.types.push(ty.clone());
        let _ = writeln!(self.declarations, "{id} = {declaration}");
        id
    }

    /// The id of an integer constant, declared when it is first used.
    pub(crate) fn constant(&mut self, ty: &Type, bits: u64) -> String {
        let wanted = (ty.clone(), bits);
        if let Some(known) = self.constants.iter().position(|it| *it == wanted) {
            return format!("%c{known}");
        }
        let ty = self.ty(ty);
        let id = format!("%c{}", self.constants.len());
        self.constants.push(wanted);
        let _ = writeln!(self.declarations, "{id} = OpConstant {ty} {bits}");
        id
    }

    fn instruction(&mut self) -> String {
        let mut parameters = Vec::new();
        let mut operands = Vec::new();
        let mut chains = String::new();
        let form = self.form;
        for (number, (argument, constant)) in form.arguments.iter().zip(&form.constants).enumerate()
        {
            let mut parameter = |ty: String| {
                parameters.push(ty);
                format!("%p{}", parameters.len() - 1)
            };
            match (argument, constant) {
                (Argument::Absent, _) => {}
                (Argument::Opaque, _) => operands.push(self.opaque(number, &mut chains)),
                (Argument::Pointer(ty), _) => {
                    let [block, element] = self.pointers(ty);
                    let base = parameter(block);
                    let index = parameter(self.ty(&Type::U32));
                    let zero = self.constant(&Type::U32, 0);
                    let chain = match form.module_kind {
                        ModuleKind::Kernel => format!("OpPtrAccessChain {element} {base} {index}"),
                        ModuleKind::Shader => {
                            format!("OpAccessChain {element} {base} {zero} {index}")
                        }
                    };
                    let _ = writeln!(chains, "%at = {chain}");
                    operands.push("%at".to_owned());
                }
                (Argument::Image, _) => {
                    let void = self.void();
                    let image = format!("OpTypeImage {void} 2D 0 0 0 0 Unknown ReadWrite");
                    let _ = writeln!(self.declarations, "%image = {image}");
                    operands.push(parameter("%image".to_owned()));
                }
                (Argument::Enumerant(names), _) => {
                    if let Some(name) = names.first() {
                        match SCOPES.iter().find(|(scope, _)| **scope == **name) {
                            Some((_, number)) => operands.push(self.constant(&Type::U32, *number)),
                            None => operands.push(name.to_string()),
                        }
                    }
                }
                (Argument::Literals(literals), _) => {
                    operands.extend(literals.iter().map(u32::to_string));
                }
                (Argument::Value(ty), Some(bits)) => operands.push(self.constant(ty, *bits)),
                (Argument::Value(ty), None) => operands.push(parameter(self.ty(ty))),
                (Argument::Values(types), _) => {
                    operands.extend(types.iter().map(|ty| parameter(self.ty(ty))));
                }
            }
        }
        let event = matches!(&form.target.subject, CheckedSubject::Instruction(it)
            if it.has_opaque_result());
        let result = match &form.result {
            Some(ty) if &**form.target.name() == "OpCopyLogical" => self.copied_type(ty),
            Some(ty) => self.ty(ty),
            None => self.void(),
        };
        let function = format!("OpTypeFunction {result} {}", parameters.join(" "));
        let _ = writeln!(self.declarations, "%function = {function}");
        let mut body = format!("%{FUNCTION} = OpFunction {result} None %function\n");
        for (number, ty) in parameters.iter().enumerate() {
            let _ = writeln!(body, "%p{number} = OpFunctionParameter {ty}");
        }
        let name = form.target.name();
        let operands = operands.join(" ");
        let _ = write!(body, "%label = OpLabel\n{chains}");
        body + &match form.result {
            Some(_) => {
                let computed = match name.split_once(' ') {
                    Some((_, name)) => format!("OpExtInst {result} %set {name}"),
                    None => format!("{name} {result}"),
                };
                format!("%result = {computed} {operands}\nOpReturnValue %result\n")
            }
            None if event => format!("%result = {name} %event {operands}\nOpReturn\n"),
            None => format!("{name} {operands}\nOpReturn\n"),
        } + "OpFunctionEnd\n"
    }

    /// An operand that no clause uses, by its name: an event, a list of events, memory of the
    /// workgroup or of all.
    fn opaque(&mut self, operand: usize, locals: &mut String) -> String {
        let CheckedSubject::Instruction(instruction) = &self.form.target.subject else {
            return String::new();
        };
        let name = &*instruction.operands[operand].name;
        let declare_event = !self.declarations.contains("%event =");
        if name.starts_with("Event") && declare_event {
            self.declarations += "%event = OpTypeEvent\n";
        }
        match name {
            "Event" => self.declarations += "%Event = OpConstantNull %event\n",
            "EventsList" => {
                self.declarations += "%events = OpTypePointer Function %event\n";
                *locals += "%EventsList = OpVariable %events Function\n";
            }
            _ => {
                let class = if name == "Source" { "CrossWorkgroup" } else { "Workgroup" };
                let word = self.ty(&Type::U32);
                let _ = writeln!(
                    self.declarations,
                    "%to{name} = OpTypePointer {class} {word}\n%{name} = OpVariable %to{name} {class}"
                );
            }
        }
        format!("%{name}")
    }

    pub(crate) fn void(&mut self) -> String {
        if !self.declarations.contains("%void =") {
            self.declarations += "%void = OpTypeVoid\n";
        }
        "%void".into()
    }

    /// The types of a pointer parameter and of a pointer to one element behind it.
    fn pointers(&mut self, ty: &Type) -> [String; 2] {
        let element = self.ty(ty);
        let stride = ty.element().map_or(4, |scalar| scalar.width() / 8);
        let (declared, pointers) = match self.form.module_kind {
            ModuleKind::Kernel => (
                format!("%element = OpTypePointer CrossWorkgroup {element}\n"),
                ["%element", "%element"],
            ),
            ModuleKind::Shader => {
                self.decorations = format!(
                    "OpDecorate %array ArrayStride {stride}\nOpDecorate %block Block\n\
                     OpMemberDecorate %block 0 Offset 0\n"
                );
                let declared = format!(
                    "%array = OpTypeRuntimeArray {element}\n%block = OpTypeStruct %array\n\
                     %whole = OpTypePointer StorageBuffer %block\n\
                     %element = OpTypePointer StorageBuffer {element}\n"
                );
                (declared, ["%whole", "%element"])
            }
        };
        self.declarations += &declared;
        pointers.map(str::to_owned)
    }

    /// An aggregate type declared a second time: the same to every engine, another id.
    fn copied_type(&mut self, ty: &Type) -> String {
        let declaration = match ty {
            Type::Struct(members) => {
                let members: Vec<String> = members.iter().map(|it| self.ty(it)).collect();
                format!("OpTypeStruct {}", members.join(" "))
            }
            Type::Array { element, length } => {
                let element = self.ty(element);
                let length = self.constant(&Type::U32, u64::from(*length));
                format!("OpTypeArray {element} {length}")
            }
            _ => return self.ty(ty),
        };
        let _ = writeln!(self.declarations, "%copied = {declaration}");
        "%copied".into()
    }

    fn built_in(&mut self) -> String {
        let ty = self.form.result.clone().unwrap_or(Type::U32);
        let ty = self.ty(&ty);
        let _ = writeln!(
            self.declarations,
            "%pointer = OpTypePointer Input {ty}\n%variable = OpVariable %pointer Input\n\
             %function = OpTypeFunction {ty}"
        );
        format!(
            "%{FUNCTION} = OpFunction {ty} None %function\n%label = OpLabel\n\
             %result = OpLoad {ty} %variable\nOpReturnValue %result\nOpFunctionEnd\n"
        )
    }
}
