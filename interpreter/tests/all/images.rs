//! Images as arguments of kernels: documents in, blocks read and written, documents out.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::support::run_only_entry;
use laneproof_oracle::read_memory;
use serde_json::{Value, json};

/// Copies the block of two rows at `(from, 0)` of the first image to `(to, 0)` of the second.
fn module(format: &str) -> String {
    // Only shaders name formats.
    let capabilities = match format {
        "Unknown" => "",
        _ => "OpCapability Shader\nOpCapability StorageImageExtendedFormats\n",
    };
    format!(
        r#"; Version: 1.2
{capabilities}OpCapability Kernel
OpCapability Addresses
OpCapability ImageBasic
OpCapability ImageReadWrite
OpCapability SubgroupImageBlockIOINTEL
OpExtension "SPV_INTEL_subgroups"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %copy "copy"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%uint2 = OpTypeVector %uint 2
%zero = OpConstant %uint 0
%image = OpTypeImage %void 2D 0 0 0 0 {format} ReadWrite
%fn = OpTypeFunction %void %image %image %uint %uint
%copy = OpFunction %void None %fn
%a = OpFunctionParameter %image
%b = OpFunctionParameter %image
%from = OpFunctionParameter %uint
%to = OpFunctionParameter %uint
%start = OpLabel
%source = OpCompositeConstruct %uint2 %from %zero
%target = OpCompositeConstruct %uint2 %to %zero
%data = OpSubgroupImageBlockReadINTEL %uint2 %a %source
OpSubgroupImageBlockWriteINTEL %b %target %data
OpReturn
OpFunctionEnd
"#
    )
}

fn image(words: &Value) -> Value {
    json!({ "image": { "width": 4, "height": 2, "words": words } })
}

/// The second image after the copy by two lanes, or the error.
fn copied(format: &str, from: i64, to: i64) -> Value {
    let document = json!({ "arguments": [
        image(&json!([1, 2, 3, 4, 5, 6, null, 8])),
        image(&json!([0, 0, 0, 0, 0, 0, 0, 0])),
        { "type": "i32", "value": from },
        { "type": "i32", "value": to },
    ] });
    let left = run_only_entry(&module(format), [2, 1, 1], 2, &document);
    match left.pointer("/arguments/1") {
        Some(image) => image.clone(),
        None => left,
    }
}

#[test]
fn blocks_move_between_images() {
    let cases = [
        (0, 0, json!([1, 2, 0, 0, 5, 6, 0, 0])),
        // Byte 4 is the second word; an undefined word stays one.
        (4, 8, json!([0, 0, 2, 3, 0, 0, 6, null])),
        // Positions to the right of the image read its last word, those to the left its first.
        (12, 0, json!([4, 4, 0, 0, 8, 8, 0, 0])),
        (-4, 0, json!([1, 1, 0, 0, 5, 5, 0, 0])),
        // What is written outside is dropped.
        (0, 12, json!([0, 0, 0, 1, 0, 0, 0, 5])),
        (0, -4, json!([2, 0, 0, 0, 6, 0, 0, 0])),
        // A read may begin inside a word.
        (1, 0, json!([0x0200_0000, 0x0300_0000, 0, 0, 0x0600_0000, null, 0, 0])),
    ];
    for (from, to, expected) in cases {
        for format in ["Unknown", "Rgba8", "R32ui"] {
            assert_eq!(copied(format, from, to), image(&expected), "{from} to {to}");
        }
    }
}

#[test]
fn a_write_begins_at_a_word() {
    let stopped = copied("Unknown", 0, 2);
    let behavior = &stopped["undefined_behavior"];
    assert_eq!(behavior["instruction"], "OpSubgroupImageBlockWriteINTEL", "{stopped}");
    assert_eq!(behavior["lanes"], json!([0, 1]), "{stopped}");
}

#[test]
fn elements_of_other_sizes_are_not_modelled() {
    for format in ["R8", "R16f", "Rgba32f", "Rg32ui"] {
        let stopped = copied(format, 0, 0).to_string();
        assert!(!stopped.contains("image"), "{format}: {stopped}");
    }
}

#[test]
fn what_is_wrong_with_an_image_is_said_with_its_place() {
    let cases = [
        (json!([{ "image": {} }]), "arguments[0].image"),
        (json!([{ "image": { "width": 1, "height": 0, "words": [] } }]), "arguments[0].image"),
        (json!([{ "image": { "width": 2, "height": 1, "words": [1] } }]), "arguments[0].image"),
        (json!([{ "image": { "width": 1, "height": 1 } }]), "arguments[0].image"),
        (
            json!([{ "image": { "width": 2, "height": 1, "words": [1, "x"] } }]),
            "arguments[0].image.words[1]",
        ),
    ];
    for (arguments, place) in cases {
        let error = read_memory(&json!({ "arguments": arguments })).expect_err(place);
        assert_eq!(error.place, place, "{error}");
    }
}
