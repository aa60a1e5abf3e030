//! Modules in which lanes write, wait at a barrier and read.

use laneproof_forms::{FUNCTION, Prepared, SCOPES};
use laneproof_semantics::denote::Argument;
use laneproof_semantics::language::ast::Storage;
use laneproof_semantics::{Scalar, Type};

/// Memory that lanes write before a barrier and read after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    /// Behind a pointer parameter.
    Buffer,
    /// A workgroup's variable.
    Workgroup,
    /// An image parameter.
    Image,
}

impl Around {
    /// Each of them.
    pub const ALL: [Self; 3] = [Self::Buffer, Self::Workgroup, Self::Image];

    /// What would have to be in order there.
    pub fn storage(self) -> Storage {
        match self {
            Self::Buffer => Storage::Buffers,
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

const TYPES: &str = "%void = OpTypeVoid
%uint = OpTypeInt 32 0
%uvec2 = OpTypeVector %uint 2
%buffer = OpTypePointer CrossWorkgroup %uint
%image = OpTypeImage %void 2D 0 0 0 0 Unknown ReadWrite
%zero = OpConstant %uint 0
%origin = OpConstantComposite %uvec2 %zero %zero
";

const LANE: &str = "OpDecorate %lane BuiltIn SubgroupLocalInvocationId\n";

const VARIABLES: &str = "%input = OpTypePointer Input %uint
%lane = OpVariable %input Input
%length = OpConstant %uint 32
%row = OpTypeArray %uint %length
%tiled = OpTypePointer Workgroup %row
%own = OpTypePointer Workgroup %uint
%tile = OpVariable %tiled Workgroup
";

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
        Around::Buffer => ("buffer", "uint"),
        Around::Workgroup => ("", "uint"),
        Around::Image => ("image", "uvec2"),
    };
    let pass = match around {
        Around::Buffer => format!(
            "{write} %memory %data\n{barrier}\n%at = OpPtrAccessChain %buffer %memory %from\n\
             %read = {read} %uint %at\n"
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
    format!(
        "{HEAD}OpName %{FUNCTION} \"{FUNCTION}\"\n{LANE}{TYPES}{constants}{VARIABLES}\
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
    format!(
        "{HEAD}OpName %src \"src\"\nOpName %tgt \"tgt\"\n\
         {LANE}{TYPES}{constants}{VARIABLES}\
         %one = OpConstant %uint 1\n%four = OpConstant %uint 4\n\
         %function = OpTypeFunction %uint {memory} %uint\n{}{}",
        function("src"),
        function("tgt")
    )
}
