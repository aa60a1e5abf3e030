//! The JSON forms of values and of functions' inputs and outputs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use laneproof_interpreter::{Call, RunOptions, Sizes, Zeros, call};
use laneproof_oracle::{
    read_arguments, read_memory, read_scalar, scalar_named, write_finished, write_scalar,
};
use laneproof_semantics::Scalar;
use serde_json::{Value, json};

fn scalar(name: &str) -> Scalar {
    scalar_named(name).expect("a type").0
}

#[test]
fn scalars_are_read_as_their_type_says() {
    let good = [
        ("u32", json!(42), 42),
        ("u32", json!("0x2a"), 42),
        ("u32", json!("42"), 42),
        ("i32", json!(-1), 0xffff_ffff),
        ("i8", json!(-2), 0xfe),
        ("u64", json!(u64::MAX), u64::MAX),
        ("bool", json!(true), 1),
        ("bool", json!(0), 0),
        ("f32", json!(1.5), 0x3fc0_0000),
        ("f32", json!(1), 0x3f80_0000),
        ("f32", json!("0x7fc00001"), 0x7fc0_0001),
        ("f32", json!("-inf"), 0xff80_0000),
        ("f32", json!(0.1), 0x3dcc_cccd),
        ("f16", json!(-0.5), 0xb800),
        ("f16", json!(65519), 0x7bff),
        ("f32", json!("3.4028235e38"), 0x7f7f_ffff),
        ("bf16", json!(1.0), 0x3f80),
        ("f64", json!("inf"), 0x7ff0_0000_0000_0000),
    ];
    for (name, value, bits) in &good {
        assert_eq!(read_scalar(value, scalar(name), "here"), Ok(Some(*bits)), "{name} {value}");
    }
    let bad = [
        // Infinity is asked for by its name.
        ("f16", json!(65520)),
        ("f32", json!(1e39)),
        ("f32", json!("-1e39")),
        ("bf16", json!(1e39)),
        ("u32", json!(1.5)),
        ("u32", json!(-1)),
        ("u32", json!("-30")),
        ("i32", json!(2_147_483_648_u32)),
        ("u32", json!(4_294_967_296_u64)),
        ("u8", json!("0x100")),
        ("i8", json!(-129)),
        ("bool", json!(2)),
        ("u32", json!("inf")),
        ("f32", json!("half")),
        ("u32", json!([1])),
        ("u32", json!(true)),
    ];
    for (name, value) in &bad {
        let error = read_scalar(value, scalar(name), "here").expect_err(name);
        assert_eq!(error.place, "here");
    }
    assert_eq!(read_scalar(&Value::Null, scalar("u32"), ""), Ok(None));
}

#[test]
fn every_scalar_of_sixteen_bits_survives_being_written_and_read() {
    let mut count = 0u32;
    for name in ["u16", "i16", "f16", "bf16"] {
        let scalar = scalar(name);
        for bits in 0..=u64::from(u16::MAX) {
            let written = write_scalar(Some(bits), scalar);
            assert_eq!(read_scalar(&written, scalar, ""), Ok(Some(bits)), "{name} {written}");
            count += 1;
        }
    }
    assert_eq!(count, 4 << 16);
}

#[test]
fn names_of_types_are_those_of_the_contract() {
    for name in
        ["bool", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"]
    {
        let (scalar, count) = scalar_named(name).expect(name);
        assert_eq!((scalar.to_string().as_str(), count), (name, 1));
        assert_eq!(scalar_named(&format!("{name}x4")), Some((scalar, 4)));
    }
    for name in ["", "u", "u7", "f8", "x4", "u32x", "u32x1", "u32x0", "é", "bools", "u32x4x4"] {
        assert_eq!(scalar_named(name), None, "{name}");
    }
}

/// Else a few bytes would ask for all the memory that there is.
#[test]
fn vectors_have_as_many_components_as_modules_can_declare() {
    for count in [2, 3, 4, 8, 16] {
        assert!(scalar_named(&format!("f16x{count}")).is_some(), "{count}");
    }
    for count in ["17", "99999999", "4294967295", "4294967296"] {
        let buffer = json!({ "type": format!("u32x{count}"), "values": [null] });
        let error = read_memory(&json!({ "bindings": { "0.0": buffer } })).unwrap_err();
        assert!(error.to_string().starts_with("bindings.0.0: expected as `type`"), "{error}");
    }
}

const FUNCTION: &str = r#"
OpCapability Shader
OpCapability Linkage
OpCapability GroupNonUniformShuffle
OpMemoryModel Logical GLSL450
OpName %f "f"
OpName %x "x"
OpName %delta "delta"
%uint = OpTypeInt 32 0
%uvec2 = OpTypeVector %uint 2
%subgroup = OpConstant %uint 3
%pdelta = OpTypePointer Function %uint
%fn = OpTypeFunction %uvec2 %uvec2 %pdelta
%f = OpFunction %uvec2 None %fn
%x = OpFunctionParameter %uvec2
%delta = OpFunctionParameter %pdelta
%start = OpLabel
%d = OpLoad %uint %delta
%r = OpGroupNonUniformShuffleXor %uvec2 %subgroup %x %d
OpStore %delta %subgroup
OpReturnValue %r
OpFunctionEnd
"#;

#[test]
fn a_function_s_inputs_and_outputs_have_one_form() {
    let program = laneproof_module::load_bytes(FUNCTION.as_bytes(), "test").unwrap();
    let function = program.function("f").unwrap();
    let document = json!({ "parameters": {
        "x": { "type": "u32x2", "lanes": [[1, 2], [3, null], [5, 6], [7, 8]] },
        "delta": { "type": "u32", "value": 1 },
    } });
    let arguments = read_arguments(&document, function, 4).unwrap();
    let sizes = Sizes::full(4);
    let call_it = Call { program: &program, function: function.id, sizes, active: 7, arguments };
    let finished = call(&call_it, &RunOptions::default(), &mut Zeros).unwrap();
    assert_eq!(
        write_finished(&finished, function),
        json!({
            "result": { "type": "u32x2", "lanes": [[3, null], [1, 2], [null, null], null] },
            "outputs": { "delta": { "type": "u32", "lanes": [3, 3, 3, 1] } },
        })
    );
}

#[test]
fn what_is_wrong_with_an_input_is_said_with_its_place() {
    let program = laneproof_module::load_bytes(FUNCTION.as_bytes(), "test").unwrap();
    let function = program.function("f").unwrap();
    let x = json!({ "type": "u32x2", "lanes": [[1, 2], [3, 4]] });
    let cases = [
        (json!({}), "parameters"),
        (json!({ "parameters": { "x": x } }), "parameters.delta"),
        (json!({ "parameters": { "x": x, "y": 1 } }), "parameters.y"),
        (json!({ "parameters": { "x": { "lanes": [1] }, "delta": {} } }), "parameters.x"),
        (json!({ "parameters": { "x": { "lanes": [[1, 2], 3] } } }), "parameters.x.lanes[1]"),
        (json!({ "parameters": { "x": { "value": [1, "a"] } } }), "parameters.x.value[1]"),
        (json!({ "parameters": { "x": { "type": "f32x2", "value": [1, 2] } } }), "parameters.x"),
        (json!({ "parameters": { "x": x, "delta": {} } }), "parameters.delta"),
        (json!({ "parameters": { "x": x, "delta": { "vale": 1 } } }), "parameters.delta"),
        (json!({ "parameters": { "x": { "value": [1, 2], "lanes": [] } } }), "parameters.x"),
        (json!({ "parameters": { "x": { "value": [1, 2], "lane": 3 } } }), "parameters.x"),
    ];
    for (document, place) in &cases {
        let error = read_arguments(document, function, 2).expect_err(place);
        assert_eq!(&error.place, place, "{error}");
    }
}

#[test]
fn what_is_wrong_with_a_buffer_is_said_with_its_place() {
    let cases = [
        (json!({ "bindings": 1 }), "bindings"),
        (json!({ "bindings": { "0": {} } }), "bindings.0"),
        (json!({ "bindings": { "0.0": { "type": "u3", "values": [] } } }), "bindings.0.0"),
        (json!({ "bindings": { "0.0": { "type": "u32" } } }), "bindings.0.0"),
        (
            json!({ "bindings": { "0.1": { "type": "u8", "values": [1, 256] } } }),
            "bindings.0.1.values[1]",
        ),
        (json!({ "arguments": {} }), "arguments"),
        (json!({ "arguments": [{ "type": "u32" }] }), "arguments[0]"),
        (json!({ "arguments": [{ "buffer": { "type": "u32" } }] }), "arguments[0].buffer"),
        (json!({ "arguments": [{ "type": "u32", "value": 1, "lane": 0 }] }), "arguments[0]"),
        (json!({ "arguments": [{ "buffer": {}, "value": 1 }] }), "arguments[0]"),
        (
            json!({ "push_constants": { "type": "u32", "values": [], "offset": 4 } }),
            "push_constants",
        ),
        (
            json!({ "bindings": { "0.0": { "image":
                { "width": 1, "height": 1, "depth": 1, "words": [0] } } } }),
            "bindings.0.0.image",
        ),
        (json!({ "bindings": { "00.1": { "type": "u8", "values": [] } } }), "bindings.00.1"),
        (json!({ "bindings": { "0.+1": { "type": "u8", "values": [] } } }), "bindings.0.+1"),
    ];
    for (document, place) in &cases {
        let error = read_memory(document).expect_err(place);
        assert_eq!(&error.place, place, "{error}");
    }
}
