//! Sources that compile, and messages for those that do not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use laneproof_frontends::{Language, MAX_SOURCE_BYTES, compile};
use laneproof_module::Program;

fn program(language: Language, text: &str) -> Program {
    compile(language, text, "it").unwrap_or_else(|error| panic!("{error}"))
}

fn names(program: &Program) -> Vec<&str> {
    program.functions.iter().filter_map(|function| function.name.as_deref()).collect()
}

const SUBGROUP: &str = "#version 460\n#extension GL_KHR_shader_subgroup_arithmetic : require\n";

#[test]
fn every_function_of_a_shader_without_main_survives() {
    let text = format!(
        "{SUBGROUP}struct Pair {{ uint a; uvec2 b[3]; }};
        uint helper(const uint x) {{ return x; }}
        uint src(in uint x, inout Pair p) {{ return subgroupAdd(x) + p.b[1].y; }}
        uint tgt(uint x, inout Pair p) {{ return helper(subgroupAdd(x)) + p.b[1].y; }}"
    );
    let program = program(Language::Glsl, &text);
    assert_eq!(names(&program), ["helper", "src", "tgt"]);
    assert!(program.entry_points.is_empty(), "nobody has written one");
}

#[test]
fn a_shader_with_main_stays_as_it_is() {
    let text = "#version 460
        layout(local_size_x = 8) in;
        layout(std430, set = 0, binding = 0) buffer Data { uint values[]; };
        uint twice(uint x) { return x * 2; }
        void main() { values[gl_LocalInvocationIndex] = twice(3); }";
    let program = program(Language::Glsl, text);
    assert_eq!(names(&program), ["main", "twice"]);
    assert_eq!(program.entry_points[0].local_size, Some([8, 1, 1]));
}

#[test]
fn glsl_without_a_version_is_the_newest() {
    let program = program(Language::Glsl, "uint src(uint x) { return bitCount(x) + x >> 1; }");
    assert_eq!(program.preamble.version, (1, 6));
}

#[test]
fn every_function_of_wgsl_survives_and_the_directive_is_known() {
    let text = "enable subgroups;\n\
        fn src(x: u32) -> u32 { return subgroupAdd(x); }\n\
        fn tgt(x: u32) -> u32 { return subgroupMax(x); }\n\
        @compute @workgroup_size(4) fn main(@builtin(subgroup_size) size: u32) { _ = src(size); }";
    let program = program(Language::Wgsl, text);
    assert_eq!(names(&program), ["src", "tgt", "main"]);
    assert_eq!(program.entry_points[0].name, "main");
}

/// What is wrong, and how the message begins.
const REFUSED: &[(Language, &str, &str)] = &[
    (
        Language::Glsl,
        "#version 460\nuint src(uint x) {\n    return y + z;\n}",
        "it:3: 'y' : undeclared identifier (and 2 more errors)",
    ),
    (Language::Glsl, "uint src(uint x) { return x }", "it:1: syntax error"),
    (Language::Glsl, "// é\nuint src() { return é; }", "it:2: "),
    (Language::Glsl, "uint\0", "it:1: "),
    (Language::Glsl, "#version 330 compatibility\n", "it: #version: compute shaders require"),
    (Language::Glsl, "#include \"other.glsl\"\n", "it:1: `#include` is not supported"),
    (
        Language::Glsl,
        "#version 460\nuint src() { return gl_SubgroupSize; }\n",
        "it:2: `gl_SubgroupSize` needs GL_KHR_shader_subgroup_basic; add `#extension \
         GL_KHR_shader_subgroup_basic : require`",
    ),
    (
        Language::Glsl,
        "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n\
         #extension GL_KHR_shader_subgroup_arithmetic : require\n\
         int16_t src(int16_t x) { return subgroupAdd(x); }\n",
        "it:4: a built-in of `int16_t` needs GL_EXT_shader_subgroup_extended_types_int16; add",
    ),
    (
        Language::Glsl,
        "#version 460\n#extension GL_KHR_shader_subgroup_arithmetic : require\n\
         #extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n\
         uint64_t src(uint64_t x) { return subgroupAdd(x + x); }",
        "it:4: a built-in of `uint64_t` needs GL_EXT_shader_subgroup_extended_types_int64; add",
    ),
    // A file that there is, in the folder in which tests run.
    (
        Language::Glsl,
        "#version 460\n#extension GL_GOOGLE_include_directive : require\n#include \"Cargo.toml\"\n",
        "it:3: `#include` is not supported, a claim is one file: paste the text, or expand it with \
         `glslang -E`",
    ),
    (
        Language::Glsl,
        "#version 460\nuint src(uint x) { return x; }\nvoid main() {}",
        "it: glslang leaves out `src`, which `main` does not call: call it there",
    ),
    (
        Language::Glsl,
        "#version 460\nvoid f(image2D i) {}",
        "it: the `main` that is added to call every function: ",
    ),
    (
        Language::Wgsl,
        "fn src(x: u32) -> u32 {\n    return y;\n}",
        "it:2: no definition in scope for identifier: `y`",
    ),
    (
        Language::Wgsl,
        "fn src(x: u32) -> u32 { return 1i; }",
        "it:1: Function 'src' is invalid: The `return` expression does not match the declared return type",
    ),
    (Language::Wgsl, "fn src() -> u32 {\n\n}", "it:1: "),
    (Language::Wgsl, "enable nothing;", "it:1: "),
];

/// naga has no polyfill for these, and panics; the line is that of the statement, wherever it is.
#[test]
fn what_breaks_naga_is_refused_with_its_place() {
    let bodies = [
        "return firstLeadingBit(x);",
        "var y = x + 1;\n y = y * 2;\n y = countLeadingZeros(y);\n return y;",
        "if x > 1 {\n return x;\n } else {\n return\ncountLeadingZeros(x); }",
        "var y = x;\n loop {\n y = y + 1; if y > 9 { break; }\n continuing {\n let z = countLeadingZeros(y);\n \
         break if z > 3; } }\n return y;",
        "var y = x; switch u32(x) { case 1: { y = 2; }\n default: {\n y = firstLeadingBit(y); } }\n return y;",
        "var y = x;\n loop { y = y + 1; continuing { break if y > 9; } }\n y = countLeadingZeros(y);\n return y;",
    ];
    let mut wrong = Vec::new();
    for body in bodies {
        let text = format!(
            "fn before(x: u64) -> u64 {{\n return x + 1;\n}}\n\nfn src(x: u64) -> u64 {{\n{body}\n}}"
        );
        let at = text.find("firstLeadingBit").or(text.find("countLeadingZeros")).unwrap();
        let line = text[..at].matches('\n').count() + 1;
        let error = compile(Language::Wgsl, &text, "it").expect_err(&text).to_string();
        let says = format!("it:{line}: not supported by naga, which compiles WGSL: it ends with");
        if !error.starts_with(&says) {
            wrong.push(format!("{text}\n{error}\nexpected {says}"));
        }
        let narrow = text.replace("u64", "u32");
        assert!(compile(Language::Wgsl, &narrow, "it").is_ok(), "{narrow}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_source_that_is_nested_too_deep_is_refused_in_plain_words() {
    let deep = format!("{}x{}", "(".repeat(50_000), ")".repeat(50_000));
    for (language, text, says) in [
        (Language::Glsl, format!("uint src(uint x) {{ return {deep}; }}"), "glslang's parser"),
        (Language::Wgsl, format!("fn src(x: u32) -> u32 {{ return {deep}; }}"), "naga's parser"),
    ] {
        let error = compile(language, &text, "it").expect_err(says).to_string();
        assert!(error.ends_with(&format!("nested too deep for {says}")), "{error}");
    }
}

#[test]
fn a_source_that_does_not_compile_is_refused_in_the_compilers_words() {
    let mut wrong = Vec::new();
    for (language, text, message) in REFUSED {
        let error = compile(*language, text, "it").expect_err(text).to_string();
        if !error.starts_with(message) {
            wrong.push(format!("{text:?}\n{error}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(REFUSED.len(), 16);
}

#[test]
fn nothing_makes_a_compiler_take_the_process_down() {
    let sum = format!("uint src(uint x) {{ return x{}; }}", "+x".repeat(120_000));
    let nest = format!("uint src(uint x) {{ return {}x; }}", "(".repeat(100_000));
    let blocks = format!("void src() {}", "{".repeat(100_000));
    let macros = "#define a(x) a(a(x))\nuint src() { return a(a(a(a(1)))); }".to_owned();
    let long = " ".repeat(MAX_SOURCE_BYTES + 1);
    let run = move || {
        for text in [&sum, &nest, &blocks, &macros, &long] {
            for language in [Language::Glsl, Language::Wgsl] {
                // Whether it is refused is up to the compiler.
                let _ = compile(language, text, "it");
                let _ =
                    compile(language, &text.replace("uint src(uint x)", "fn src(x: u32)"), "it");
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(run).unwrap();
    thread.join().unwrap();
}
