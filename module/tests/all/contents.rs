//! What a program says about a module: constants, layouts, entry points, names.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use laneproof_module::spirv::{BuiltIn, Capability, ExecutionMode, Op, Scope, StorageClass};
use laneproof_module::{
    Constant, Derivation, Id, Item, Layout, LoadError, ModuleType, Operand, Program, Terminator,
    load, load_bytes, load_text_unvalidated,
};
use laneproof_semantics::{FloatFormat, Scalar, Type as Data};

fn accepted(file: &str) -> Program {
    load(format!("{}/tests/accept/{file}.spvasm", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn named(program: &Program, name: &str) -> Id {
    *program.debug.names.iter().find(|(_, found)| *found == name).unwrap().0
}

/// A line holds from `OpLine` to the next one, to `OpNoLine` or to the end of its block.
#[test]
fn instructions_come_from_the_lines_of_a_source() {
    let text = "OpCapability Shader
        OpCapability Linkage
        OpMemoryModel Logical GLSL450
        %file = OpString \"a.glsl\"
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %type = OpTypeFunction %uint %uint
        OpLine %file 3 1
        %f = OpFunction %uint None %type
        %x = OpFunctionParameter %uint
        %entry = OpLabel
        OpLine %file 4 1
        %a = OpIAdd %uint %x %x
        OpNoLine
        %b = OpIAdd %uint %a %a
        OpLine %file 5 1
        %c = OpIAdd %uint %b %b
        OpBranch %next
        %next = OpLabel
        %d = OpIAdd %uint %c %c
        OpLine %file 0 0
        %e = OpIAdd %uint %d %d
        OpReturnValue %e
        OpFunctionEnd";
    let program = load_text_unvalidated(text, "lines").unwrap();
    let blocks = program.functions[0].body.blocks();
    let lines: Vec<Option<u32>> = blocks
        .flat_map(|block| &block.instructions)
        .map(|it| program.debug.lines.get(&it.place.word).map(|line| line.line))
        .collect();
    assert_eq!(lines, [Some(4), None, Some(5), None, None]);
    let function = &program.debug.lines[&program.functions[0].place.word];
    assert_eq!((&*function.file, function.line), ("a.glsl", 3));
}

#[test]
fn constants_have_the_bits_of_their_leaves() {
    let program = accepted("constants");
    let minus_seven = u64::from(-7_i32 as u32);
    let expected: &[(&str, &[Option<u64>])] = &[
        ("i8_minus_two", &[Some(0xfe)]),
        ("u64_big", &[Some(0x1234_5678_9abc_def0)]),
        ("f16_one", &[Some(0x3c00)]),
        ("f64_half", &[Some(0.5_f64.to_bits())]),
        ("bf_one", &[Some(0x3f80)]),
        ("yes", &[Some(1)]),
        ("pair", &[Some(3), Some(0)]),
        ("null", &[Some(0), Some(0), Some(0)]),
        ("open", &[None]),
        ("partly", &[Some(3), None]),
        ("seven", &[Some(minus_seven)]),
        ("shifted", &[Some(0xffff_ffff)]),
        ("quotient", &[Some(0xffff_fffe)]),
        ("modulo", &[Some(2)]),
        ("chosen", &[Some(minus_seven)]),
        ("second", &[Some(3)]),
        ("inserted", &[Some(3), Some(minus_seven)]),
        ("shuffled", &[Some(minus_seven), Some(3)]),
        ("less", &[Some(1)]),
        ("wide", &[Some(-7_i64 as u64)]),
    ];
    for (name, leaves) in expected {
        assert_eq!(program.constants[&named(&program, name)].leaves, *leaves, "{name}");
    }
    let bfloat = Scalar::Float(FloatFormat::Bfloat16);
    assert_eq!(program.constants[&named(&program, "bf_one")].ty, Data::Scalar(bfloat));
    assert_eq!(program.constants[&named(&program, "seven")].spec_id, Some(3));
    assert_eq!(program.constants[&named(&program, "quotient")].spec_id, None);
}

#[test]
fn a_constant_that_has_no_value_is_not_modelled() {
    let head = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n\
                %u = OpTypeInt 32 0\n%zero = OpConstant %u 0\n%wide = OpConstant %u 32\n";
    for operation in ["UDiv %zero %zero", "UMod %wide %zero", "ShiftLeftLogical %wide %wide"] {
        let text = format!("{head}%bad = OpSpecConstantOp %u {operation}\n");
        let program = load_text_unvalidated(&text, "bad").unwrap();
        assert_eq!(program.unmodelled.len(), 1, "{operation}");
        assert_eq!(program.unmodelled[0].0.line, 7);
        assert_eq!(program.constants.len(), 2);
    }
}

#[test]
fn integers_of_odd_widths_load_without_the_validator() {
    let mut count = 0;
    for width in 1..=64 {
        let text = format!(
            "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%t = OpTypeInt {width} 1\n\
             %v = OpTypeVector %t 2\n%c = OpConstant %t -1\n"
        );
        let program = load_text_unvalidated(&text, "odd").unwrap();
        let constant = program.constants.values().next().unwrap();
        assert_eq!(constant.ty, Data::Scalar(Scalar::Int { width, signed: true }));
        assert_eq!(constant.leaves, [Some(u64::MAX >> (64 - width))]);
        count += 1;
    }
    assert_eq!(count, 64);
}

#[test]
fn an_undefined_type_is_an_error_without_the_validator() {
    let text = "OpMemoryModel Logical GLSL450\n%f = OpFunction %void None %fn\nOpFunctionEnd\n";
    let error = load_text_unvalidated(text, "undefined").unwrap_err();
    assert!(matches!(error, LoadError::Malformed { .. }), "{error}");
    assert!(error.to_string().contains("line 2"), "{error}");
}

#[test]
fn buffers_have_offsets_strides_and_bindings() {
    let program = accepted("compute_buffers");
    let input = &program.globals[&named(&program, "in")];
    assert_eq!(input.binding, Some((0, 0)));
    assert_eq!(program.globals[&named(&program, "out")].binding, Some((0, 1)));
    let (storage, pointee) = input.ty.pointee().unwrap();
    assert_eq!(storage, StorageClass::StorageBuffer);
    assert_eq!(pointee.data(), None);
    let ModuleType::Laid(layout) = pointee else { panic!("{pointee:?}") };
    let Layout::Struct(members) = &**layout else { panic!("{layout:?}") };
    let [(count, 0), (ModuleType::Laid(values), 16)] = members.as_slice() else {
        panic!("{members:?}")
    };
    assert_eq!(*count, ModuleType::Data(Data::U32));
    let float = ModuleType::Data(Data::Scalar(Scalar::F32));
    assert_eq!(**values, Layout::Array(float, None, 4));

    let shared = &program.globals[&named(&program, "shared")];
    assert_eq!(shared.ty.pointee().unwrap().1.data().unwrap().leaf_count(), 192);
    assert_eq!(program.entry_points[0].local_size, Some([64, 1, 1]));
    assert_eq!(program.preamble.version, (1, 3));
}

#[test]
fn kernels_lay_structures_out_by_the_rules_of_c() {
    let program = accepted("kernel_shuffle");
    assert!(program.is_kernel());
    let pair = &program.types[&named(&program, "struct.pair")];
    assert_eq!(pair.size_and_alignment(program.pointer_bytes()), Some((12, 4)));
    let helper = program.function("helper").unwrap();
    assert_eq!(helper.parameters[0].ty.size_and_alignment(8), Some((4, 4)));
    let holder = program.types.values().find_map(|ty| match ty {
        ModuleType::Laid(layout) => Some(layout),
        _ => None,
    });
    let Some(Layout::Struct(members)) = holder.map(|holder| &**holder) else { panic!("a holder") };
    assert_eq!(members.iter().map(|(_, offset)| *offset).collect::<Vec<_>>(), [0, 8]);

    let vector = Data::Vector { element: Scalar::uint(16), count: 3 };
    assert_eq!(ModuleType::Data(vector).size_and_alignment(8), Some((8, 8)));
}

#[test]
fn events_are_values_without_scalars_that_only_variables_of_a_lane_hold() {
    let text = "OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
%uint = OpTypeInt 32 0
%two = OpConstant %uint 2
%event = OpTypeEvent
%list = OpTypeArray %event %two
%record = OpTypeStruct %uint %list
%own = OpTypePointer Function %list
%any = OpTypePointer Generic %event
%shared = OpTypePointer Workgroup %event
%global = OpTypePointer CrossWorkgroup %list
%none = OpConstantNull %list
";
    let program = load_text_unvalidated(text, "events").unwrap();
    let leaves = |ty: &ModuleType| ty.data().map(|data| data.leaf_count());
    let mut found: Vec<_> = program
        .types
        .values()
        .map(|ty| match ty {
            ModuleType::Pointer { storage, pointee } => (format!("{storage:?}"), leaves(pointee)),
            ModuleType::Opaque(opcode) => (format!("{opcode:?}"), None),
            other => (format!("{other:?}"), leaves(other)),
        })
        .collect();
    found.drain(..3);
    let expected = [
        ("TypeStruct", None),
        ("Function", Some(0)),
        ("Generic", Some(0)),
        ("Workgroup", None),
        ("CrossWorkgroup", None),
    ];
    assert_eq!(found, expected.map(|(name, leaves)| (name.to_owned(), leaves)));
    let none = program.constants.values().find(|constant| constant.leaves.is_empty());
    assert!(none.is_some_and(Constant::is_fixed), "{:?}", program.constants);
}

#[test]
fn names_come_from_debug_names_or_linkage() {
    let shader = accepted("rotate_as_shuffle");
    assert_eq!(shader.function("src").unwrap().parameters[1].name, "delta");
    assert!(shader.function("tgt").is_some());
    assert!(shader.function("src(u1;u1;").is_none());

    let kernel = accepted("kernel_shuffle");
    assert!(kernel.function("scale").unwrap().import.is_none());
    let imported = kernel.function("_Z13sub_group_anyi").unwrap();
    assert_eq!(imported.import.as_deref(), Some("_Z13sub_group_anyi"));
    assert!(imported.body.items.is_empty() && imported.unmodelled.is_none());
}

#[test]
fn capabilities_are_closed_over_what_they_imply() {
    let program = accepted("loop_break_continue");
    for capability in [
        Capability::GroupNonUniformBallot,
        Capability::GroupNonUniform,
        Capability::Shader,
        Capability::Matrix,
    ] {
        assert!(program.preamble.capabilities.contains(&capability), "{capability:?}");
    }
    assert!(!program.is_kernel());
}

#[test]
fn debug_and_non_semantic_instructions_are_dropped() {
    let program = accepted("debug_information");
    let entry = &program.entry_points[0];
    assert!(entry.maximally_reconverges);
    assert_eq!(entry.local_size, Some([4, 2, 2]));
    assert_eq!(entry.modes[1], (ExecutionMode::MaximallyReconvergesKHR, vec![]));
    let function = program.function_by_id(entry.function).unwrap();
    let mut opcodes = Vec::new();
    for item in &function.body.items {
        let Item::Block(block) = item else { panic!("no loops here") };
        opcodes.extend(block.instructions.iter().map(|instruction| instruction.opcode));
        for instruction in &block.instructions {
            if instruction.opcode == Op::GroupNonUniformAny {
                let scope = instruction.operands[0].id_ref_any().unwrap();
                assert_eq!(program.scope(scope), Some(Scope::Subgroup));
                assert_eq!(instruction.ty, Some(ModuleType::Data(Data::BOOL)));
            }
        }
    }
    let expected =
        [Op::AccessChain, Op::Load, Op::INotEqual, Op::GroupNonUniformAny, Op::ExtInst, Op::Store];
    assert_eq!(opcodes, expected);
}

#[test]
fn built_in_variables_are_known() {
    let program = accepted("rotate_as_shuffle");
    let id = &program.globals[&named(&program, "gl_SubgroupInvocationID")];
    assert_eq!(id.built_in, Some(BuiltIn::SubgroupLocalInvocationId));
    assert_eq!(id.storage, StorageClass::Input);
}

#[test]
fn switch_literals_have_the_width_of_the_selector() {
    let program = accepted("switch_fall_through");
    let expected: [(&str, &[u64]); 3] =
        [("fall", &[0, 7]), ("wide", &[u64::MAX]), ("narrow", &[0xfe, 3])];
    for (name, expected) in expected {
        let Some(Item::Block(entry)) = program.function(name).unwrap().body.items.first() else {
            panic!("a block");
        };
        let Terminator::Switch { cases, .. } = &entry.terminator else { panic!("a switch") };
        assert_eq!(cases.iter().map(|(value, _)| *value).collect::<Vec<_>>(), expected, "{name}");
    }
}

#[test]
fn compilers_modules_say_what_their_sources_say() {
    let glslang = accepted("from_glslang");
    assert_eq!(glslang.entry_points[0].local_size, Some([1, 2, 1]));
    assert_eq!(glslang.preamble.version, (1, 3));
    for name in ["src", "tgt"] {
        let function = glslang.function(name).unwrap();
        assert_eq!(function.parameters.len(), 2);
        for parameter in &function.parameters {
            let (storage, pointee) = parameter.ty.pointee().unwrap();
            assert_eq!((storage, pointee), (StorageClass::Function, &ModuleType::Data(Data::U32)));
        }
    }

    let naga = accepted("from_naga");
    assert_eq!(naga.entry_points[0].local_size, Some([64, 1, 1]));
    let helper = naga.function("helper").unwrap();
    assert_eq!(helper.result, ModuleType::Data(Data::U32));
    let names: Vec<&str> = helper.parameters.iter().map(|found| found.name.as_str()).collect();
    assert_eq!(names, ["x", "lim"]);
}

/// Assembly need not have names for debuggers: an entry point has one of its own.
#[test]
fn a_function_is_found_by_the_name_of_its_entry_point() {
    let module = |names: &str| {
        let text = format!(
            "OpCapability Shader\nOpMemoryModel Logical GLSL450\n\
             OpEntryPoint GLCompute %f \"entry\"\nOpExecutionMode %f LocalSize 1 1 1\n{names}\
             %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%f = OpFunction %void None %fn\n\
             %l = OpLabel\nOpReturn\nOpFunctionEnd\n\
             %g = OpFunction %void None %fn\n%m = OpLabel\nOpReturn\nOpFunctionEnd\n"
        );
        laneproof_module::load_text_unvalidated(&text, "names").unwrap()
    };
    let found = |names: &str, asked: &str| {
        let program = module(names);
        let ids = |id: u32| if id == program.entry_points[0].function { 'f' } else { 'g' };
        let named = program.functions_named(asked);
        named.into_iter().map(|function| ids(function.id)).collect::<String>()
    };
    assert_eq!(found("", "entry"), "f");
    assert_eq!(found("OpName %f \"other\"\n", "entry"), "f");
    assert_eq!(found("OpName %f \"other\"\n", "other"), "f");
    // What a debugger calls so comes first.
    assert_eq!(found("OpName %g \"entry\"\n", "entry"), "g");
    assert_eq!(found("", "f"), "");
}

/// `%c` has the number 1, which is also the literal of the extraction.
const LITERAL: &str = "
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %1 SpecId 0
%2 = OpTypeInt 32 0
%3 = OpTypeVector %2 2
%1 = OpSpecConstant %2 7
%4 = OpSpecConstantComposite %3 %1 %1
%5 = OpSpecConstantOp %2 CompositeExtract %4 1
%6 = OpSpecConstantOp %3 VectorShuffle %4 %4 3 1
";

#[test]
fn literals_of_an_operation_on_constants_are_no_ids() {
    let program = load_bytes(LITERAL.as_bytes(), "literal").unwrap();
    let operands = |id: u32| match &program.constants[&id].derived {
        Some(Derivation::Operation(_, operands)) => operands.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(operands(5), [Operand::IdRef(4), Operand::LiteralBit32(1)]);
    let pair = [Operand::IdRef(4), Operand::IdRef(4)];
    assert_eq!(operands(6), [&pair[..], &[3, 1].map(Operand::LiteralBit32)].concat());
}
