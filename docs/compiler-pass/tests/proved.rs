//! What the pass writes is proved to do what the module said before.

use compiler_pass::lower_rotations;
use laneproof_verifier::{Profile, Verdict, Verifier, assert_refines};
use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Module};
use rspirv::spirv::{
    AddressingModel, Capability, Decoration, FunctionControl, LinkageType, MemoryModel, Scope,
};

/// A function `f` that rotates its parameter by a number.
fn rotation(delta: u32) -> Module {
    let mut b = Builder::new();
    b.set_version(1, 6);
    for capability in
        [Capability::Shader, Capability::Linkage, Capability::GroupNonUniformRotateKHR]
    {
        b.capability(capability);
    }
    b.extension("SPV_KHR_subgroup_rotate");
    b.memory_model(AddressingModel::Logical, MemoryModel::GLSL450);
    let uint = b.type_int(32, 0);
    let subgroup = b.constant_bit32(uint, Scope::Subgroup as u32);
    let delta = b.constant_bit32(uint, delta);
    let ty = b.type_function(uint, [uint]);
    let f = b.begin_function(uint, None, FunctionControl::NONE, ty).unwrap();
    b.name(f, "f");
    let export = [
        rspirv::dr::Operand::LiteralString("f".to_owned()),
        rspirv::dr::Operand::LinkageType(LinkageType::Export),
    ];
    b.decorate(f, Decoration::LinkageAttributes, export);
    let x = b.function_parameter(uint).unwrap();
    b.begin_block(None).unwrap();
    let rotated =
        b.group_non_uniform_rotate_khr(uint, None, subgroup, x, delta, None).unwrap();
    b.ret_value(rotated).unwrap();
    b.end_function().unwrap();
    b.module()
}

fn verifier() -> Verifier {
    Verifier::new().sizes([4, 32, 64]).profile(Profile::Vulkan).function("f")
}

#[test]
fn rotations_are_lowered_rightly() {
    for delta in [0, 1, 5] {
        let before = rotation(delta);
        let mut after = before.clone();
        lower_rotations(&mut after);
        let (before, after) = (before.assemble(), after.assemble());
        assert_ne!(before, after);
        assert_refines!(verifier(), before.as_slice(), after.as_slice());
    }
}

/// The test above can fail.
#[test]
fn another_rotation_is_told_apart() {
    let mut after = rotation(2);
    lower_rotations(&mut after);
    let (before, after) = (rotation(1).assemble(), after.assemble());
    let report = verifier().verify(before.as_slice(), after.as_slice()).unwrap();
    assert_eq!(report.verdict(), Verdict::Refuted, "{report}");
}
