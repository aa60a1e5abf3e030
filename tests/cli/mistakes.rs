//! Whatever is wrong with a call, one message says it: which file, where, why, what fits.

use std::path::{Path, PathBuf};

use crate::laneproof::{json, laneproof};

/// A call, and what its message must contain.
type Mistake = (&'static [&'static str], &'static [&'static str]);

/// A module whose target has a loop, and is decided in a moment.
const OWN_TRIP_COUNT: &str = "../../../proofs/theorems/loop/own-trip-count.mutant-2.spvasm";

/// Calls with a mistake in the words themselves or in a file of the fixtures. `EMPTY`, `RANDOM`,
/// `HEADER` and `DEEP` are generated files.
const MISTAKES: &[Mistake] = &[
    // Files that are not modules.
    (&["verify", "nowhere.spvasm"], &["nowhere.spvasm", "cannot be read", "No such file"]),
    (&["verify", "."], &[".: cannot be read", "directory"]),
    (&["verify", "EMPTY"], &["EMPTY: is empty", "expected SPIR-V"]),
    (&["verify", "RANDOM"], &["RANDOM", "not SPIR-V"]),
    (&["verify", "HEADER"], &["HEADER", "truncated", "words"]),
    (&["verify", "truncated.spv"], &["truncated.spv", "word 145"]),
    (&["verify", "four_lanes.json"], &["four_lanes.json", "not SPIR-V", ".comp", ".wgsl"]),
    (&["verify", "malformed.spvasm"], &["malformed.spvasm:"]),
    (
        &["verify", "next_lane.spvasm", "EMPTY", "--function", "src"],
        &["EMPTY: is empty", "expected SPIR-V"],
    ),
    (&["verify", "next_lane.spvasm", ".", "--function", "src"], &["directory"]),
    (&["run", "nowhere.spvasm", "--function", "f"], &["nowhere.spvasm", "No such file"]),
    (&["run", ".", "--function", "f"], &["directory"]),
    (&["run", "EMPTY", "--function", "f"], &["EMPTY: is empty", "expected SPIR-V"]),
    (&["run", "RANDOM", "--function", "f"], &["RANDOM", "not SPIR-V"]),
    (&["run", "HEADER", "--function", "f"], &["HEADER", "truncated"]),
    (&["prove", "-"], &["`-`", "not read from standard input"]),
    (&["prove", "nowhere"], &["`nowhere`", "neither a file, nor a folder"]),
    (&["prove", "EMPTY"], &["EMPTY:1", "expected a comment"]),
    (&["prove", "RANDOM"], &["RANDOM", "UTF-8"]),
    (&["prove", "next_lane.spvasm"], &["next_lane.spvasm:1", "`expect`"]),
    // Sources that do not compile, or from which too little comes.
    (&["verify", "undeclared.comp"], &["undeclared.comp:9: 'subgroupSum' : no matching"]),
    (&["verify", "undeclared.wgsl"], &["undeclared.wgsl:4: no definition in scope", "subgroupSum"]),
    (&["run", "undeclared.wgsl"], &["undeclared.wgsl:4"]),
    (&["verify", "leading_zeros_of_64_bits.wgsl"], &["of_64_bits.wgsl:6: not supported by naga"]),
    (&["run", "leading_zeros_of_64_bits.wgsl"], &["of_64_bits.wgsl:6: not supported by naga"]),
    (&["compile", "leading_zeros_of_64_bits.wgsl"], &["of_64_bits.wgsl:6: not supported by naga"]),
    (&["prove", "leading_zeros_of_64_bits.wgsl"], &["of_64_bits.wgsl:6: not supported by naga"]),
    (&["verify", "uncalled.comp"], &["uncalled.comp", "leaves out `tgt`", "`main`"]),
    // Modules that make no claim, or not the requested one.
    (&["verify", "before_and_after.spvasm"], &["before_and_after.spvasm", "`src`", "`before`"]),
    (&["verify", "next_lane.spvasm", "--function", "src"], &["--target-function", "second file"]),
    (&["verify", "next_lane.spvasm", "--function", "f"], &["no function `f`", "`src`, `tgt`"]),
    (
        &["verify", "next_lane.spvasm", "next_lane.spvasm", "--function", "f"],
        &["next_lane.spvasm", "no function `f`", "`src`, `tgt`"],
    ),
    (
        &["verify", "before_and_after.spvasm", "before_and_after.spvasm"],
        &["nor a single entry point here (0)", "--function"],
    ),
    (
        &["run", "function_with_memory.comp", "--function", "src", "--inputs", "four_lanes.json"],
        &["function_with_memory.comp", "binding 1.3 is missing from --inputs"],
    ),
    (
        &["run", "function_with_memory.comp", "--function", "src", "--inputs", "no_binding.json"],
        &["no_binding.json: parameters", "a member for each parameter"],
    ),
    (
        &["run", "lesser_of_inactive.comp", "--function", "tgt", "--inputs", "float_beyond.json"],
        &["float_beyond.json: parameters.x.lanes[1]", "1e+39 is not a value of type f32"],
    ),
    (&["run", "next_lane.spvasm"], &["no entry point", "--function", "`src`, `tgt`"]),
    (&["run", "next_lane.spvasm", "--function", "f"], &["no function `f`", "`src`, `tgt`"]),
    (&["run", "kernel.spvasm", "--entry", "f"], &["no entry point `f`", "it has `"]),
    (&["run", "next_lane.spvasm", "--entry", "f"], &["no entry point `f`", "it has none", "`src`"]),
    (&["run", "kernel.spvasm", "--entry", "f", "--function", "g"], &["cannot be used with"]),
    (&["verify", "nameless.spvasm"], &["`%src`, `%tgt`", "no name", "`OpName`"]),
    (&["verify", "named_twice.spvasm"], &["`src` names 2 functions", "`%first`, `%second`"]),
    (
        &["verify", "property_of_numbers.comp"],
        &["expected a `property` that returns a Boolean", "`u32`"],
    ),
    // Inputs.
    (&["run", "next_lane.spvasm", "--function", "tgt"], &["`x` needs values", "\"lanes\": [1"]),
    (&["run", "next_lane.spvasm", "--function", "tgt", "--inputs", "nowhere"], &["No such file"]),
    (&["run", "next_lane.spvasm", "--function", "tgt", "--inputs", "."], &["directory"]),
    (&["run", "next_lane.spvasm", "--function", "tgt", "--inputs", "EMPTY"], &["not a JSON"]),
    (&["run", "next_lane.spvasm", "--function", "tgt", "--inputs", "RANDOM"], &["UTF-8"]),
    (
        &["run", "next_lane.spvasm", "--function", "tgt", "--inputs", "cut_off.json"],
        &["cut_off.json", "line 2"],
    ),
    (
        &["run", "next_lane.spvasm", "--function", "tgt", "--inputs", "DEEP"],
        &["DEEP", "not a JSON document", "recursion limit"],
    ),
    (
        &["run", "next_lane.spvasm", "--function", "tgt", "--inputs", "misspelt.json"],
        &["unknown key", "`parameters`"],
    ),
    (
        &["run", "next_lane.spvasm", "--function", "tgt", "--inputs", "kernel.json"],
        &["`arguments` goes with an entry point"],
    ),
    (
        &["run", "next_lane.spvasm", "--function", "tgt", "--inputs", "twice.json"],
        &["twice.json", "`x` is repeated", "line 2"],
    ),
    (
        &["run", "next_lane.spvasm", "--function", "tgt", "--inputs", "negative.json"],
        &["negative.json", "parameters.x.lanes[1]", "-30 is not a value of type u32"],
    ),
    (
        &["run", "next_lane.spvasm", "--function", "tgt", "--inputs", "no_lanes.json"],
        &["no_lanes.json: parameters.x: `lanes` is empty", "[1, 2, 3, 4]"],
    ),
    (
        &["run", "next_lane.spvasm", "--function", "tgt", "--inputs", "wide_vector.json"],
        &["wide_vector.json: parameters.x: expected the type `u32`", "`u32x99999999`"],
    ),
    (
        &["run", "next_lane.spvasm", "--function", "tgt", "--inputs", "other_word.json"],
        &["other_word.json: parameters.x: expected the type `u32`, found `uint`"],
    ),
    (
        &[
            "check",
            "next_lane.spvasm",
            "--function",
            "tgt",
            "--inputs",
            "four_lanes.json",
            "--observed",
            "other_type.json",
        ],
        &["other_type.json: result: expected the type `u32`, found `f32`"],
    ),
    (
        &[
            "check",
            "next_lane.spvasm",
            "--function",
            "tgt",
            "--inputs",
            "four_lanes.json",
            "--observed",
            "nothing.json",
        ],
        &["nothing.json: nothing in it was observed"],
    ),
    (&["run", "kernelless.comp", "--inputs", "no_binding.json"], &["binding 0.4 is missing"]),
    // Claims that are not what they look like.
    (&["verify", "overloaded.comp"], &["`src` names 2 functions", "`src(u32)`", "`src(f32)`"]),
    (&["verify", "workgroups.wgsl"], &["64 × 1 × 1", "32 × 1 × 1"]),
    (&["verify", "types.wgsl"], &["a parameter is `y: f32` in the source and `y: u32`"]),
    (
        &["verify", "types.wgsl", "--function", "src", "--target-function", "returns"],
        &["the source returns `u32`, the target `f32x2`"],
    ),
    (
        &["verify", "types.wgsl", "--function", "src", "--target-function", "fewer"],
        &["the source has 2 parameters, the target 1 parameter"],
    ),
    (
        &["verify", "into.comp", "pointer.spvasm", "--outputs"],
        &["parameter `x` goes in only in one of the two", "--outputs", "laneproof compile"],
    ),
    (&["verify", "really.comp"], &["really.comp: looks like WGSL", "says GLSL", ".wgsl"]),
    (&["verify", "really.wgsl"], &["really.wgsl: looks like GLSL", "says WGSL", ".comp"]),
    (&["verify", "output_of_one.comp"], &["parameter `y` is an output of one of them only"]),
    (
        &["verify", "next_lane.spvasm", "--invariant", "(((("],
        &["invariant `((((`", "column 4", "unexpected end"],
    ),
    (&["verify", "next_lane.spvasm", "--invariant", "x = )"], &["invariant `x = )`", "column 5"]),
    (
        &["verify", OWN_TRIP_COUNT, "--sizes", "2", "--invariant", "1"],
        &["invariant `1` is ill-formed", "the result must be a Boolean"],
    ),
    (
        &["verify", OWN_TRIP_COUNT, "--sizes", "2", "--invariant", "nosuch"],
        &["invariant `nosuch` is ill-formed", "there is no `nosuch`"],
    ),
    // Sizes, masks, numbers.
    (
        &["verify", "next_lane.spvasm", "--sizes", "0"],
        &["'0'", "--sizes", "power of two up to 128"],
    ),
    (&["verify", "next_lane.spvasm", "--sizes", "3"], &["'3'", "power of two up to 128"]),
    (&["verify", "next_lane.spvasm", "--sizes", "129"], &["'129'", "power of two up to 128"]),
    (&["verify", "next_lane.spvasm", "--sizes", "256"], &["'256'", "power of two up to 128"]),
    (&["verify", "next_lane.spvasm", "--sizes", "1,,2"], &["''", "power of two up to 128"]),
    (&["verify", "next_lane.spvasm", "--sizes", "four"], &["'four'", "power of two up to 128"]),
    (&["verify", "next_lane.spvasm", "--sizes", "4294967296"], &["power of two up to 128"]),
    (&["verify", "next_lane.spvasm", "--sizes", "4-8"], &["'4-8'", "commas between them"]),
    (&["run", "next_lane.spvasm", "--subgroup-size", "0"], &["'0'", "power of two up to 128"]),
    (&["run", "next_lane.spvasm", "--subgroup-size", "129"], &["'129'", "power of two up to 128"]),
    (&["run", "next_lane.spvasm", "--max-size", "6"], &["'6'", "power of two up to 128"]),
    (&["run", "next_lane.spvasm", "--function", "tgt", "--active", "0"], &["mask", "0xff"]),
    (&["run", "next_lane.spvasm", "--function", "tgt", "--active", "lanes"], &["'lanes'", "0xff"]),
    (
        &[
            "run",
            "next_lane.spvasm",
            "--function",
            "tgt",
            "--active",
            "1ffffffffffffffffffffffffffffffff",
        ],
        &["mask", "0xff"],
    ),
    (
        &[
            "run",
            "next_lane.spvasm",
            "--function",
            "tgt",
            "--inputs",
            "four_lanes.json",
            "--active",
            "f0",
        ],
        &["--active 0xf0 names lane 4", "are 0 to 3"],
    ),
    (
        &[
            "run",
            "next_lane.spvasm",
            "--function",
            "tgt",
            "--inputs",
            "four_lanes.json",
            "--max-size",
            "2",
        ],
        &["--max-size 2 is less than the subgroup size, 4"],
    ),
    (&["run", "kernel.spvasm", "--max-size", "2"], &["--max-size 2", "subgroup size, 32"]),
    (
        &[
            "run",
            "next_lane.spvasm",
            "--function",
            "tgt",
            "--inputs",
            "four_lanes.json",
            "--subgroup-size",
            "2",
        ],
        &["four_lanes.json: parameters.x", "a list of 2, a value for each lane; found 4"],
    ),
    // Standard output is taken.
    (&["compile", "next_lane.spvasm", "-o", "-"], &["-: standard output", "name a file"]),
    (&["compile", "next_lane.spvasm", "-o", "/dev/stdout"], &["/dev/stdout: standard output"]),
    (&["verify", "next_lane.spvasm", "--sizes", "2", "--sarif", "/dev/fd/1"], &["/dev/fd/1"]),
    (
        &["verify", "next_lane.spvasm", "--sizes", "2", "--save-counterexample", "/dev/stdout"],
        &["/dev/stdout: standard output"],
    ),
    (&["man", "next_lane.spvasm"], &["next_lane.spvasm: cannot be written", "not a folder"]),
    (&["run", "kernel.spvasm", "--workgroup", "0"], &["'0'", "positive numbers"]),
    (&["run", "kernel.spvasm", "--workgroup", "1,2,3,4"], &["one to three positive numbers"]),
    (
        &["run", "kernel.spvasm", "--inputs", "kernel.json", "--workgroup", "65536,65536"],
        &["1 to 16384 invocations"],
    ),
    (&["verify", "next_lane.spvasm", "--timeout", "0"], &["'0'", "a number of seconds above 0"]),
    (&["verify", "next_lane.spvasm", "--timeout", "soon"], &["'soon'", "number of seconds"]),
    (&["verify", "next_lane.spvasm", "--total-timeout", "nan"], &["'nan'", "number of seconds"]),
    (&["verify", "next_lane.spvasm", "--jobs", "0"], &["'0'", "--jobs", "1..="]),
    (&["prove", "rotate/", "--jobs", "many"], &["'many'", "--jobs"]),
    (&["prove", "rotate/", "--shard", "0/2"], &["'0/2'", "1 <= I <= N"]),
    (&["prove", "rotate/", "--shard", "half"], &["'half'", "I/N"]),
    // Modules to be validated.
    (
        &["validate", "--environment", "vulkan", "output_of_one.comp"],
        &["output_of_one.comp: GLSL", "laneproof compile output_of_one.comp -o module.spv"],
    ),
    (&["validate", "--environment", "vulkan", "workgroups.wgsl"], &["WGSL", "laneproof compile"]),
    (
        &["validate", "--environment", "vulkan", "--device", "/dev/zero", "whole.spv"],
        &["too large"],
    ),
    (
        &["validate", "--environment", "vulkan", "--device", "no_vendor.toml", "whole.spv"],
        &["no_vendor.toml:1:16", "did you mean `GroupNonUniformRotateKHR`"],
    ),
    (&["fuzz", "--tool", "self", "--count", "1", "--known", "/dev/zero"], &["too large"]),
    (&["fuzz", "--list", "--tools", "unquoted.toml"], &["unquoted.toml:3:8: "]),
    (
        &["ambiguities", "OpGroupNonUniformRotateKHR", "--triage", "unquoted.toml"],
        &["unquoted.toml:3:8: "],
    ),
    (&["fuzz", "--list", "--tools", "/dev/zero"], &["too large"]),
    // Names.
    (&["verify", "next_lane.spvasm", "--profile", "webgpu"], &["`webgpu`", "vulkan"]),
    (&["prove", "rotate/", "--profile", "webgpu"], &["--profile", "`webgpu`", "vulkan"]),
    (&["verify", "next_lane.spvasm", "--active", "some"], &["'some'", "--active"]),
    (&["verify", "next_lane.spvasm", "--reading", "unmet-must"], &["NAME=ALTERNATIVE"]),
    (&["verify", "next_lane.spvasm", "--reading", "moon=full"], &["`moon`", "unmet-must"]),
    (
        &["verify", "next_lane.spvasm", "--reading", "unmet-must=perhaps"],
        &["`unmet-must`", "`perhaps`", "undefined-behavior"],
    ),
    (&["spec", "OpGroupNonUniformRotat3"], &["did you mean `OpGroupNonUniformRotateKHR`"]),
    (&["spec", "subgroupShuffel"], &["did you mean `subgroupShuffle`"]),
    (&["spec", ""], &["a value is required", "INSTRUCTION"]),
    (&["ambiguities", ""], &["a value is required", "INSTRUCTION"]),
    (&["prove", ""], &["a value is required", "PATTERN|PATH"]),
    (&["spec", "qqqq"], &["`qqqq`", "lists the names"]),
    (&["spec", "--smt2", "--profile", "webgpu"], &["--profile", "`webgpu`", "vulkan"]),
    (&["spec", "--profile", "vulkan"], &["--smt2"]),
    (&["spec", "--environment", "vulcan"], &["no environment `vulcan`", "did you mean `vulkan`"]),
    // Specifications of the user's own.
    (&["spec", "--spec", "nowhere.lps"], &["nowhere.lps", "No such file"]),
    (&["spec", "--spec", "."], &["directory"]),
    (&["spec", "--spec", "EMPTY"], &["EMPTY", "is empty"]),
    (&["spec", "--spec", "RANDOM"], &["RANDOM", "UTF-8"]),
    (&["spec", "--spec", "four_lanes.json"], &["four_lanes.json:1:1", "a declaration"]),
    (&["spec", "--spec", "DEEP"], &["DEEP:1:1", "a declaration"]),
    (&["spec", "--spec", "broken.lps"], &["broken.lps:5:13", "`banana`", "types are"]),
    (&["verify", "twice.spvasm", "--spec", "broken.lps"], &["broken.lps:5:13", "`banana`"]),
    (&["prove", "rotate/", "--spec", "broken.lps"], &["broken.lps:5:13", "`banana`"]),
    (&["run", "twice.spvasm", "--spec", "broken.lps"], &["broken.lps:5:13", "`banana`"]),
    (
        &["spec", "--spec", "without_an_end.lps"],
        &["without_an_end.lps:8:7", "a quoted text without an end"],
    ),
    (&["spec", "--spec", "twice.lps", "--spec", "twice.lps"], &["twice.lps:3:1", "two"]),
    (
        &["spec", "--spec", "kind_again.lps"],
        &["kind_again.lps:2:1", "there are two kinds `invalid-data`"],
    ),
    (
        &["validate", "--environment", "opencl", "kernel.spvasm", "--spec", "kind_again.lps"],
        &["kind_again.lps:2:1", "there are two kinds `invalid-data`"],
    ),
    // Words.
    (&["verifi"], &["'verifi'"]),
    (&["verify"], &["<FILE|SOURCE>"]),
    (&["verify", "a", "b", "c"], &["'c'"]),
    (&["verify", "next_lane.spvasm", "--no-such-flag"], &["--no-such-flag"]),
    (&["verify", "next_lane.spvasm", "--smt2", "next_lane.spvasm/x"], &["cannot be written"]),
];

fn made(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mistakes");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Numbers that look random and are the same each time.
fn random(count: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        // Never text.
        0x80 | state as u8
    };
    (0..count).map(|_| next()).collect()
}

/// Exit status 2 and one message, for people on standard error and for programs as a document.
fn message_of(words: &[&str]) -> String {
    let output = laneproof(words);
    assert_eq!((output.exit, output.out.as_str()), (2, ""), "{words:?}: {}", output.err);
    assert!(!output.err.is_empty(), "{words:?}");
    let (exit, document) = json(words);
    assert_eq!(exit, 2, "{words:?}");
    assert_eq!(document.as_object().unwrap().len(), 1, "{document}");
    let message = document["error"].as_str().unwrap().to_owned();
    assert!(!message.contains("internal error in laneproof"), "{words:?}: {message}");
    message
}

#[test]
fn every_mistake_is_told() {
    let made = [
        ("EMPTY", made("EMPTY", b"")),
        ("RANDOM", made("RANDOM", &random(400))),
        ("HEADER", made("HEADER", &[0x03, 0x02, 0x23, 0x07])),
        ("DEEP", made("DEEP", &b"[".repeat(1 << 17))),
    ];
    let mut wrong = Vec::new();
    for (words, fragments) in MISTAKES {
        let real = |word: &str| {
            let made = made.iter().find(|(name, _)| *name == word);
            made.map_or_else(|| word.to_owned(), |(_, path)| path.display().to_string())
        };
        let real: Vec<String> = words.iter().map(|word| real(word)).collect();
        let message = message_of(&real.iter().map(String::as_str).collect::<Vec<_>>());
        for fragment in *fragments {
            if !message.contains(fragment) {
                wrong.push(format!("{words:?}: no {fragment:?} in: {message}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(MISTAKES.len(), 149);
}

/// Every beginning of a real binary, byte by byte.
#[test]
fn a_binary_that_is_cut_off_anywhere_is_told() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/fixtures/whole.spv");
    let whole = std::fs::read(path).unwrap();
    assert_eq!(laneproof(&["verify", "whole.spv", "--sizes", "1"]).exit, 0);
    let mut cut = 0;
    for length in 0..whole.len() {
        let path = made("cut.spv", &whole[..length]);
        let output = laneproof(&["verify", path.to_str().unwrap()]);
        assert_eq!((output.exit, output.out.as_str()), (2, ""), "{length} bytes");
        assert!(output.err.contains("cut.spv"), "{length} bytes: {}", output.err);
        assert!(
            !output.err.contains("internal error in laneproof"),
            "{length} bytes: {}",
            output.err
        );
        cut += 1;
    }
    assert_eq!(cut, 208);
}
