//! One thing written in several ways: what decides must be seen in each of them.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::support::{found, lines, prepared};
use laneproof_environment::{Body, Environment};
use laneproof_semantics::Specification;

/// A kernel, made of what differs between modules.
#[derive(Clone, Copy, Default)]
struct Kernel<'a> {
    head: &'a str,
    decorations: &'a str,
    types: &'a str,
    parameter: &'a str,
    body: &'a str,
}

impl Kernel<'_> {
    /// Errors and warnings on a device that has everything.
    fn said(&self, environment: Environment) -> Vec<String> {
        let Self { head, decorations, types, parameter, body } = self;
        let declared = match parameter.is_empty() {
            true => String::new(),
            false => format!("%p = OpFunctionParameter {parameter}\n"),
        };
        let text = format!(
            "; Version: 1.2\nOpCapability Kernel\nOpCapability Addresses\nOpCapability Groups\n\
             OpCapability Int64\n{head}\nOpMemoryModel Physical64 OpenCL\n\
             OpEntryPoint Kernel %main \"main\"\n{decorations}\n%void = OpTypeVoid\n\
             %bool = OpTypeBool\n%u32 = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n\
             %triple = OpTypeVector %u32 3\n%long_triple = OpTypeVector %u64 3\n\
             %none = OpConstant %u32 0\n%one = OpConstant %u32 1\n%two = OpConstant %u32 2\n\
             %three = OpConstant %u32 3\n%yes = OpConstantTrue %bool\n%no = OpConstantFalse %bool\n\
             {types}\n%fn = OpTypeFunction %void {parameter}\n%main = OpFunction %void None %fn\n\
             {declared}%start = OpLabel\n{body}\nOpReturn\nOpFunctionEnd\n"
        );
        let device = match environment {
            Environment::LevelZero => "level_zero_full",
            _ => "opencl_full",
        };
        let body = Body::new(environment, Specification::built_in());
        lines(&found(&body, &prepared(&text, device)))
    }
}

/// A barrier of the device is an error, and one of a workgroup none, however the number of the scope is
/// computed; where it may be specialized, nothing is known.
#[test]
fn a_scope_is_known_where_no_constant_in_it_may_be_specialized() {
    let said_after = |before: &str, scope: &str| {
        let types = format!(
            "%specialized = OpSpecConstant %u32 1\n%wide = OpConstant %u64 4294967297\n\
             %minus_one = OpSpecConstantOp %u32 Not %none\n\
             %deeper = OpSpecConstantOp %u32 IMul %one %two\n%order = OpSpecConstantOp %bool {}\n\
             %i16 = OpTypeInt 16 1\n%narrow = OpConstant %i16 -1\n%fifteen = OpConstant %i16 15\n\
             %bit = OpSpecConstantOp %i16 ShiftRightLogical %narrow %fifteen\n\
             {before}\n%scope = {scope}",
            "ULessThan %two %three"
        );
        let kernel = Kernel {
            types: &types,
            body: "OpControlBarrier %scope %two %none",
            ..Default::default()
        };
        let of_scope = |it: &String| it.contains("`Execution`");
        [Environment::OpenCl, Environment::LevelZero]
            .map(|environment| kernel.said(environment).iter().filter(|it| of_scope(it)).count())
    };
    let said = |scope: &str| said_after("", scope);
    let device = [
        "OpSpecConstantOp %u32 IAdd %none %one",
        "OpSpecConstantOp %u32 ISub %three %two",
        "OpSpecConstantOp %u32 IMul %one %one",
        "OpSpecConstantOp %u32 UDiv %three %two",
        "OpSpecConstantOp %u32 UMod %three %two",
        "OpSpecConstantOp %u32 BitwiseAnd %three %one",
        "OpSpecConstantOp %u32 BitwiseOr %none %one",
        "OpSpecConstantOp %u32 BitwiseXor %three %two",
        "OpSpecConstantOp %u32 ShiftRightLogical %two %one",
        "OpSpecConstantOp %u32 ShiftLeftLogical %one %none",
        "OpSpecConstantOp %u32 UConvert %wide",
        "OpSpecConstantOp %u32 SNegate %minus_one",
        "OpSpecConstantOp %u32 Select %order %one %two",
        "OpSpecConstantOp %u32 ISub %deeper %one",
        "OpSpecConstantOp %u32 UConvert %bit",
    ];
    for scope in device {
        assert_eq!(said(scope), [1, 1], "{scope}");
    }
    let others = [
        "OpSpecConstantOp %u32 IAdd %one %one",
        "OpSpecConstantOp %u32 Select %order %two %one",
        "OpSpecConstantOp %u32 ShiftLeftLogical %one %one",
        "OpSpecConstantOp %u32 IAdd %specialized %none",
        "OpSpecConstantOp %u32 UDiv %one %none",
        "OpSpecConstantOp %u32 BitwiseAnd %deeper %three",
        "OpSpecConstant %u32 1",
        "OpUndef %u32",
    ];
    for scope in others {
        assert_eq!(said(scope), [0, 0], "{scope}");
    }
    // Each is looked at once, however often others take it.
    let doubled = |at: u32| match at {
        0 => "%d0 = OpSpecConstantOp %u32 IAdd %none %none".to_owned(),
        _ => format!("%d{at} = OpSpecConstantOp %u32 IAdd %d{0} %d{0}", at - 1),
    };
    let chain: Vec<String> = (0..200).map(doubled).collect();
    let scope = "OpSpecConstantOp %u32 IAdd %d199 %one";
    assert_eq!(said_after(&chain.join("\n"), scope), [1, 1]);
}

/// No device has a scope that the environment's lists do not have: that depends on no fact.
#[test]
fn a_scope_that_no_list_has_is_an_error_on_any_device() {
    let said = |scope: u32, instruction: &str, device: &str| {
        let text = format!(
            "; Version: 1.2\nOpCapability Kernel\nOpCapability Addresses\n\
             OpMemoryModel Physical64 OpenCL\n%u32 = OpTypeInt 32 0\n%void = OpTypeVoid\n\
             %scope = OpConstant %u32 {scope}\n%none = OpConstant %u32 0\n\
             %order = OpConstant %u32 0x108\n%p_u32 = OpTypePointer CrossWorkgroup %u32\n\
             %fn = OpTypeFunction %void %p_u32\n%f = OpFunction %void None %fn\n\
             %p = OpFunctionParameter %p_u32\n%a = OpLabel\n{instruction}\nOpReturn\nOpFunctionEnd\n"
        );
        let body = Body::new(Environment::OpenCl, Specification::built_in());
        let said = found(&body, &prepared(&text, device));
        let of_scope = said.iter().filter(|it| it.rule == "opencl/memory-scope");
        of_scope.map(|it| it.severity.name()).collect::<Vec<_>>()
    };
    let (fence, atomic) =
        ("OpMemoryBarrier %scope %order", "%r = OpAtomicIAdd %u32 %p %scope %none %none");
    for device in ["", "opencl_full", "opencl_plain"] {
        for scope in [5, 6] {
            assert_eq!(said(scope, fence, device), ["error"], "{scope} on `{device}`");
            assert_eq!(said(scope, atomic, device), ["error"], "{scope} on `{device}`");
        }
        assert_eq!(said(4, atomic, device), ["error"], "Invocation on `{device}`");
    }
    assert_eq!(said(4, fence, ""), ["note"]);
    assert_eq!(said(4, fence, "opencl_full"), [""; 0]);
    assert_eq!(said(1, atomic, ""), ["note"]);
}

/// A variable is one of the stages whose functions use it, whether or not their interfaces name it.
#[test]
fn a_variable_is_of_the_stages_that_use_it() {
    let said = |used: &str, in_helper: &str| {
        let text = format!(
            "; Version: 1.0\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n\
             OpEntryPoint Fragment %main \"main\"\nOpExecutionMode %main OriginUpperLeft\n\
             OpEntryPoint GLCompute %other \"other\"\nOpExecutionMode %other LocalSize 1 1 1\n\
             %void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%p_u32 = OpTypePointer Workgroup %u32\n\
             %shared = OpVariable %p_u32 Workgroup\n%fn = OpTypeFunction %void\n\
             %main = OpFunction %void None %fn\n%a = OpLabel\n{used}\nOpReturn\nOpFunctionEnd\n\
             %other = OpFunction %void None %fn\n%b = OpLabel\n%v = OpLoad %u32 %shared\n\
             OpReturn\nOpFunctionEnd\n%helper = OpFunction %void None %fn\n%c = OpLabel\n\
             {in_helper}\nOpReturn\nOpFunctionEnd\n"
        );
        let body = Body::new(Environment::Vulkan, Specification::built_in());
        let said = found(&body, &prepared(&text, "vulkan_full"));
        said.iter().filter(|it| it.rule == "vulkan/storage-class").count()
    };
    let (read, call) = ("%w = OpLoad %u32 %shared", "%x = OpFunctionCall %void %helper");
    assert_eq!([said("", ""), said("", read), said(call, "")], [0, 0, 0]);
    assert_eq!([said(read, ""), said(call, read)], [1, 1]);
}

/// A built-in variable belongs to the stages that name or use it, however it is decorated.
#[test]
fn a_built_in_variable_is_of_its_own_stages() {
    let said = |decoration: &str, interfaces: [&str; 2], ty: &str| {
        let text = format!(
            "; Version: 1.3\nOpCapability Shader\nOpCapability GroupNonUniform\n\
             OpMemoryModel Logical GLSL450\n\
             OpEntryPoint GLCompute %main \"main\" {}\nOpEntryPoint Vertex %other \"other\" {}\n\
             OpExecutionMode %main LocalSize 1 1 1\n{decoration}\n%void = OpTypeVoid\n\
             %u32 = OpTypeInt 32 0\n%block = OpTypeStruct %u32\n%p_in = OpTypePointer Input {ty}\n\
             %id = OpVariable %p_in Input\n%fn = OpTypeFunction %void\n\
             %main = OpFunction %void None %fn\n%a = OpLabel\nOpReturn\nOpFunctionEnd\n\
             %other = OpFunction %void None %fn\n%b = OpLabel\nOpReturn\nOpFunctionEnd\n",
            interfaces[0], interfaces[1]
        );
        let body = Body::new(Environment::Vulkan, Specification::built_in());
        let said = found(&body, &prepared(&text, "vulkan_full"));
        said.iter().filter(|it| it.rule == "vulkan/built-in").count()
    };
    let group = "OpDecorate %g BuiltIn SubgroupId\n%g = OpDecorationGroup\nOpGroupDecorate %g %id";
    for (decoration, ty) in [
        ("OpDecorate %id BuiltIn SubgroupId", "%u32"),
        ("OpDecorate %id BuiltIn NumSubgroups", "%u32"),
        (group, "%u32"),
        ("OpMemberDecorate %block 0 BuiltIn SubgroupId", "%block"),
    ] {
        let in_each = [["%id", ""], ["", "%id"], ["%id", "%id"]];
        let counts = in_each.map(|interfaces| said(decoration, interfaces, ty));
        assert_eq!(counts, [0, 1, 1], "{decoration}");
    }
}

/// Decorations in a group decorate what the group is given to.
#[test]
fn a_group_of_decorations_is_as_good_as_its_decorations() {
    let ways = |decoration: &str, target: &str| {
        [
            format!("OpDecorate {target} {decoration}"),
            format!(
                "OpDecorate %group {decoration}\n%group = OpDecorationGroup\n\
                 OpGroupDecorate %group {target}"
            ),
            format!(
                "OpDecorate %group {decoration}\n%group = OpDecorationGroup\n\
                 OpGroupDecorate %group %other {target}"
            ),
        ]
    };
    let environments = [Environment::OpenCl, Environment::LevelZero];
    for way in ways("FuncParamAttr ByVal", "%p") {
        let types = "%pair = OpTypeStruct %u32 %u32\n%private = OpTypePointer Function %pair\n\
            %other = OpTypePointer Function %u32";
        let kernel =
            Kernel { decorations: &way, types, parameter: "%private", ..Default::default() };
        environments.iter().for_each(|it| assert_eq!(kernel.said(*it), [""; 0], "{way}"));
    }
    for (ty, wrong) in [("%long_triple", 0), ("%triple", 1)] {
        let types = format!(
            "%input = OpTypePointer Input {ty}\n%id = OpVariable %input Input\n\
             %input32 = OpTypePointer Input %long_triple\n%other = OpVariable %input32 Input"
        );
        for way in ways("BuiltIn GlobalInvocationId", "%id") {
            let kernel = Kernel { decorations: &way, types: &types, ..Default::default() };
            let said = kernel.said(Environment::OpenCl);
            assert_eq!(said.len(), wrong, "{way}: {said:#?}");
        }
        let members = "OpDecorate %group BuiltIn GlobalInvocationId\n%group = OpDecorationGroup\n\
            OpGroupMemberDecorate %group %ids 1";
        let types = format!("%ids = OpTypeStruct %u32 {ty}");
        let kernel = Kernel { decorations: members, types: &types, ..Default::default() };
        let said = kernel.said(Environment::OpenCl);
        let of_type = said.iter().filter(|it| it.contains("the type of `GlobalInvocationId`"));
        assert_eq!(of_type.count(), wrong, "{said:#?}");
    }
}

/// A module's extension is the one whose name it has: what looks like it is another one.
#[test]
fn an_extension_has_one_spelling() {
    let names = [
        ("SPV_INTEL_subgroups", 0),
        ("SPV_INTEL_subgroup", 2),
        ("SPV_INTEL_Subgroups", 2),
        ("SPV_INTELsubgroups", 2),
    ];
    for environment in [Environment::OpenCl, Environment::LevelZero] {
        for (name, warnings) in names {
            let head = format!("OpCapability SubgroupShuffleINTEL\nOpExtension \"{name}\"");
            let said = Kernel { head: &head, ..Default::default() }.said(environment);
            let warned = said.iter().filter(|it| it.starts_with("warning")).count();
            let errors = said.iter().filter(|it| it.starts_with("error")).count();
            assert_eq!((warned, errors), (warnings, warnings / 2), "{name}: {said:#?}");
        }
    }
}

/// A structure that is passed by value has the members that an argument may have.
#[test]
fn members_of_what_is_passed_by_value_are_those_of_arguments() {
    let said = |environment, members: &str| {
        let types = format!(
            "%list = OpTypeArray %u32 %two\n%inner = OpTypeStruct %u32\n\
             %global = OpTypePointer CrossWorkgroup %u32\n%all = OpTypeStruct {members}\n\
             %private = OpTypePointer Function %all"
        );
        let decorations = "OpDecorate %p FuncParamAttr ByVal";
        let kernel =
            Kernel { decorations, types: &types, parameter: "%private", ..Default::default() };
        kernel.said(environment).iter().filter(|it| it.contains("`MemberType`")).count()
    };
    for environment in [Environment::OpenCl, Environment::LevelZero] {
        let members = [
            ("%u32 %u64", 0),
            ("%inner %global %triple", 0),
            ("%u32 %list", 1),
            ("%bool", 1),
            ("%list %bool", 2),
        ];
        for (members, count) in members {
            assert_eq!(said(environment, members), count, "{environment}: {members}");
        }
    }
}

/// Of extensions that differ in a number, each has its own row in Vulkan's table.
#[test]
fn an_extension_with_another_number_is_another_one() {
    let said = |extension: &str, device: &str| {
        let text = format!(
            "; Version: 1.3\nOpCapability Shader\nOpExtension \"{extension}\"\n\
             OpMemoryModel Logical GLSL450\n"
        );
        let device = format!("spirv_version = \"1.3\"\nextensions = [\"{device}\"]\n");
        let body = Body::new(Environment::Vulkan, Specification::built_in());
        let said = found(&body, &prepared(&text, &device));
        said.iter().filter(|it| it.rule == "vulkan/extension").count()
    };
    let [first, third] = ["SPV_QCOM_image_processing", "SPV_QCOM_image_processing3"];
    let [of_first, of_third] = ["VK_QCOM_image_processing", "VK_QCOM_image_processing3"];
    assert_eq!([said(first, of_first), said(third, of_third)], [0, 0]);
    assert_eq!([said(first, of_third), said(third, of_first)], [1, 1]);
}
