//! Modules in which lanes write, wait at a barrier and read.

use laneproof_forms::{FUNCTION, Prepared, SCOPES};
use laneproof_semantics::denote::Argument;
use laneproof_semantics::language::ast::Storage;
use laneproof_semantics::{Scalar, Type};

/// Memory that lanes write before a barrier and read after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    /// A kernel's buffer, behind a pointer parameter.
    Buffer,
    /// A shader's storage buffer.
    ShaderBuffer,
    /// A workgroup's variable.
    Workgroup,
    /// An image parameter.
    Image,
}

impl Around {
    /// Each of them.
    pub const ALL: [Self; 4] = [Self::Buffer, Self::ShaderBuffer, Self::Workgroup, Self::Image];

    /// The capability of the modules with such memory: which bits order a buffer depends on it.
    pub(crate) fn capability(self) -> &'static str {
        match self {
            Self::ShaderBuffer => "Shader",
            _ => "Kernel",
        }
    }

    /// What would have to be in order there.
    pub fn storage(self) -> Storage {
        match self {
            Self::Buffer | Self::ShaderBuffer => Storage::Buffers,
            Self::Workgroup => Storage::Workgroup,
            Self::Image => Storage::Images,
        }
    }

    /// The instructions that write and read blocks there.
    pub(crate) fn blocks(self) -> [&'static str; 2] {
        match self {
            Self::Image => ["OpSubgroupImageBlockWriteINTEL", "OpSubgroupImageBlockReadINTEL"],
            _ => ["OpSubgroupBlockWriteINTEL", "OpSubgroupBlockReadINTEL"],
        }
    }

    /// The operand that says where in an image.
    pub(crate) fn coordinate(self) -> Option<Argument> {
        let two = Type::Vector { element: Scalar::uint(32), count: 2 };
        (self == Self::Image).then_some(Argument::Value(two))
    }
}

const HEAD: &str = "; Version: 1.6
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability ImageBasic
OpCapability ImageReadWrite
OpCapability SubgroupBufferBlockIOINTEL
OpCapability SubgroupImageBlockIOINTEL
OpExtension \"SPV_INTEL_subgroups\"
OpMemoryModel Physical64 OpenCL
";

const SHADER_HEAD: &str = "; Version: 1.6
OpCapability Shader
OpCapability Linkage
OpCapability VariablePointersStorageBuffer
OpCapability GroupNonUniform
OpMemoryModel Logical GLSL450
";

const SHADER_DECORATIONS: &str = "OpDecorate %lane BuiltIn SubgroupLocalInvocationId
OpDecorate %runtime ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
";

const SHADER_TYPES: &str = "%void = OpTypeVoid
%uint = OpTypeInt 32 0
%runtime = OpTypeRuntimeArray %uint
%block = OpTypeStruct %runtime
%buffer = OpTypePointer StorageBuffer %block
%word = OpTypePointer StorageBuffer %uint
%zero = OpConstant %uint 0
";

const TYPES: &str = "%void = OpTypeVoid
%uint = OpTypeInt 32 0
%uvec2 = OpTypeVector %uint 2
%buffer = OpTypePointer CrossWorkgroup %uint
%image = OpTypeImage %void 2D 0 0 0 0 Unknown ReadWrite
%zero = OpConstant %uint 0
%origin = OpConstantComposite %uvec2 %zero %zero
";

const DECORATIONS: &str = "OpDecorate %lane BuiltIn SubgroupLocalInvocationId\n";

const VARIABLES: &str = "%input = OpTypePointer Input %uint
%lane = OpVariable %input Input
%length = OpConstant %uint 32
%row = OpTypeArray %uint %length
%tiled = OpTypePointer Workgroup %row
%own = OpTypePointer Workgroup %uint
%tile = OpVariable %tiled Workgroup
";

/// What a module begins with before its names, its decorations and its types.
fn preamble(around: Around) -> [&'static str; 3] {
    match around {
        Around::ShaderBuffer => [SHADER_HEAD, SHADER_DECORATIONS, SHADER_TYPES],
        _ => [HEAD, DECORATIONS, TYPES],
    }
}

/// The barrier of a form and the constants that it needs.
fn barrier(prepared: &Prepared) -> (String, String) {
    let form = &prepared.form;
    let (mut constants, mut line) = (String::new(), form.target.name().to_string());
    for (number, (argument, bits)) in form.arguments.iter().zip(&form.constants).enumerate() {
        let scope = match argument {
            Argument::Enumerant(names) => names.first().and_then(|name| {
                SCOPES.iter().find(|(known, _)| **known == **name).map(|(_, number)| *number)
            }),
            _ => *bits,
        };
        constants += &format!("%operand{number} = OpConstant %uint {}\n", scope.unwrap_or(0));
        line += &format!(" %operand{number}");
    }
    (constants, line)
}

/// Words of the workgroup's variable.
pub(crate) const ROW: u32 = 32;

/// Every lane writes its word of a block, waits, and reads one from where its argument says on.
pub(crate) fn program_text(prepared: &Prepared, around: Around) -> String {
    let (constants, barrier) = barrier(prepared);
    let [write, read] = around.blocks();
    let (memory, place) = match around {
        Around::Buffer | Around::ShaderBuffer => ("buffer", "uint"),
        Around::Workgroup => ("", "uint"),
        Around::Image => ("image", "uvec2"),
    };
    let pass = match around {
        Around::Buffer => format!(
            "{write} %memory %data\n{barrier}\n%at = OpPtrAccessChain %buffer %memory %from\n\
             %read = {read} %uint %at\n"
        ),
        Around::ShaderBuffer => format!(
            "%id = OpLoad %uint %lane\n%mine = OpAccessChain %word %memory %zero %id\n\
             OpStore %mine %data\n{barrier}\n%place = OpIAdd %uint %from %id\n\
             %at = OpAccessChain %word %memory %zero %place\n%read = OpLoad %uint %at\n"
        ),
        Around::Workgroup => format!(
            "%id = OpLoad %uint %lane\n%mine = OpAccessChain %own %tile %id\nOpStore %mine %data\n\
             {barrier}\n%place = OpIAdd %uint %from %id\n\
             %at = OpAccessChain %own %tile %place\n%read = OpLoad %uint %at\n"
        ),
        Around::Image => format!(
            "{write} %memory %origin %data\n{barrier}\n%read = {read} %uint %memory %from\n"
        ),
    };
    let (of, parameter) = match memory {
        "" => (String::new(), String::new()),
        memory => (format!("%{memory}"), format!("%memory = OpFunctionParameter %{memory}\n")),
    };
    let [head, decorations, types] = preamble(around);
    format!(
        "{head}OpName %{FUNCTION} \"{FUNCTION}\"\n{decorations}{types}{constants}{VARIABLES}\
         %function = OpTypeFunction %uint {of} %{place} %uint\n\
         %{FUNCTION} = OpFunction %uint None %function\n{parameter}\
         %from = OpFunctionParameter %{place}\n%data = OpFunctionParameter %uint\n\
         %entry = OpLabel\n{pass}OpReturnValue %read\nOpFunctionEnd\n"
    )
}

/// Two functions, `src` and `tgt`, that do the same: every lane writes its place, waits, and reads
/// its neighbour's. They have a state to be compared in only where the barrier puts that in order.
pub fn neighbours(prepared: &Prepared, around: Around) -> String {
    let (constants, barrier) = barrier(prepared);
    let (memory, pass) = match around {
        Around::Buffer => (
            "%buffer",
            "%mine@ = OpPtrAccessChain %buffer %memory@ %id@\n\
             %theirs@ = OpPtrAccessChain %buffer %memory@ %other@\n\
             OpStore %mine@ %data@\nBARRIER\n%read@ = OpLoad %uint %theirs@\n",
        ),
        Around::ShaderBuffer => (
            "%buffer",
            "%mine@ = OpAccessChain %word %memory@ %zero %id@\n\
             %theirs@ = OpAccessChain %word %memory@ %zero %other@\n\
             OpStore %mine@ %data@\nBARRIER\n%read@ = OpLoad %uint %theirs@\n",
        ),
        Around::Workgroup => (
            "%uint",
            "%mine@ = OpAccessChain %own %tile %id@\n\
             %theirs@ = OpAccessChain %own %tile %other@\n\
             OpStore %mine@ %data@\nBARRIER\n%read@ = OpLoad %uint %theirs@\n",
        ),
        Around::Image => (
            "%image",
            "%byte@ = OpIMul %uint %id@ %four\n%next@ = OpIMul %uint %other@ %four\n\
             %back@ = OpISub %uint %next@ %byte@\n\
             %at@ = OpCompositeConstruct %uvec2 %back@ %zero\n\
             OpSubgroupImageBlockWriteINTEL %memory@ %origin %data@\nBARRIER\n\
             %read@ = OpSubgroupImageBlockReadINTEL %uint %memory@ %at@\n",
        ),
    };
    let body = pass.replace("BARRIER", &barrier);
    let function = |name: &str| {
        let text = format!(
            "%memory@ = OpFunctionParameter {memory}\n%data@ = OpFunctionParameter %uint\n\
             %entry@ = OpLabel\n%id@ = OpLoad %uint %lane\n\
             %other@ = OpBitwiseXor %uint %id@ %one\n\
             {body}OpReturnValue %read@\nOpFunctionEnd\n"
        );
        let text = text.replace('@', &format!("_{name}"));
        format!("%{name} = OpFunction %uint None %function\n{text}")
    };
    let [head, decorations, types] = preamble(around);
    format!(
        "{head}OpName %src \"src\"\nOpName %tgt \"tgt\"\n\
         {decorations}{types}{constants}{VARIABLES}\
         %one = OpConstant %uint 1\n%four = OpConstant %uint 4\n\
         %function = OpTypeFunction %uint {memory} %uint\n{}{}",
        function("src"),
        function("tgt")
    )
}
