//! The data that the engine reads fits to itself and to the grammar.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use laneproof_environment::{Body, Device, Environment, Facts, Status, table, validate};
use laneproof_module::list_bytes;
use laneproof_semantics::Specification;
use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::rule::{Circumstance, Demand, Fact, Force, Values};

#[test]
fn every_quoted_circumstance_has_a_meaning() {
    let texts = &AsWritten::built_in().specification.rules;
    let rules = texts.iter().chain(&Specification::built_in().rules);
    let mut unknown = Vec::new();
    for demand in rules.flat_map(|rule| &rule.demands) {
        let mut facts = Vec::new();
        demand.when.facts(&mut facts);
        for fact in facts {
            if let Fact::Words(words) = fact
                && !Facts::built_in().words.contains_key(&**words)
            {
                unknown.push(words.to_string());
            }
        }
    }
    assert_eq!(unknown, Vec::<String>::new());
}

#[test]
fn every_built_in_device_reads() {
    assert_eq!(Device::names().len(), 6);
    for name in Device::names() {
        let text = Device::built_in(&name).unwrap();
        Device::parse(text, &name).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn most_rules_are_checked() {
    for environment in Environment::ALL {
        let body = Body::new(environment, Specification::built_in());
        let rows = table(&body);
        let of = |status| rows.iter().filter(|row| row.status == status).count();
        println!(
            "{environment}: {} checked, {} by a device's fact, {} the host's, {} not",
            of(Status::Checked),
            of(Status::DeviceFact),
            of(Status::Host),
            of(Status::NotChecked)
        );
        assert!(of(Status::NotChecked) * 4 < rows.len());
    }
}

/// A sentence that is left to another document is one of the rules, and accepts something.
#[test]
fn what_is_presupposed_is_a_rule_that_accepts() {
    #[derive(serde::Deserialize)]
    struct File {
        presupposed: Vec<std::collections::BTreeMap<String, String>>,
    }
    let file: File = toml::from_str(include_str!("../../data/presupposed.toml")).unwrap();
    let texts = &AsWritten::built_in().specification.rules;
    for it in &file.presupposed {
        let rule = texts.iter().find(|rule| *rule.id == *it["rule"]).unwrap();
        assert!(rule.demands.iter().any(|demand| demand.force == Force::Accepts), "{it:?}");
        let said_by = &it["said_by"];
        let rules = &Specification::built_in().rules;
        assert!(rules.iter().any(|rule| *rule.document == **said_by), "{it:?}");
    }
}

/// The full device of Vulkan takes every SPIR-V extension that Vulkan has: a module that declares one, with
/// a capability that the device names, passes.
#[test]
fn the_full_device_of_vulkan_takes_each_extension_of_its_table() {
    let text = Device::built_in("vulkan_full").unwrap();
    let device = Device::parse(text, "vulkan_full").unwrap();
    let body = Body::new(Environment::Vulkan, Specification::built_in());
    let rules = Specification::built_in().rules.iter().filter(|rule| &*rule.document == "Vulkan");
    let mut asked = 0;
    for demand in rules.flat_map(|rule| &rule.demands) {
        let words = demand.values.iter().filter_map(|values| match values {
            Values::Words(words) if demand.force == Force::Accepts => Some(words),
            _ => None,
        });
        for name in words.flatten().filter(|name| name.starts_with("SPV_")) {
            let text = format!(
                "; Version: 1.6\nOpCapability Shader\nOpExtension \"{name}\"\n\
                 OpMemoryModel Logical GLSL450\n"
            );
            let listing = list_bytes(text.as_bytes(), "extension", &[]).unwrap();
            let found = validate(&body, &listing, Some(&device));
            let said = found.iter().find(|it| it.rule == "vulkan/extension");
            assert!(said.is_none(), "{name}: {said:?}");
            asked += 1;
        }
    }
    assert!(asked > 100, "{asked}");
}

/// What a device file says that no device can be, each with the place and what is said of it.
#[test]
fn mistakes_in_device_files_are_found_where_they_stand() {
    let mistakes = [
        ("fp16 = \"yes\"", "1:8: `fp16`: expected `true` or `false`"),
        ("fpl6 = true", "1:1: there is no key `fpl6`"),
        ("spirv_version = 1.3", "1:17: `spirv_version`: expected a version in quotes, as \"1.3\""),
        ("spirv_version = \"9.9\"", "1:17: `spirv_version`: there is no version 9.9"),
        ("spirv_version = \"1.+3\"", "1:17: `spirv_version`: there is no version 1.+3"),
        ("api_version = \"2.3\"", "1:15: `api_version`: there is no version 2.3"),
        ("address_bits = 48", "1:16: `address_bits`: 48 is not a possible value"),
        ("subgroup = 3", "1:12: `subgroup`: expected a table, as [subgroup]"),
        ("[subgroup]\nsizes = []", "2:9: `subgroup.sizes`: expected at least one"),
        ("[subgroup]\nsizes = [32, 24]", "2:9: `subgroup.sizes`: 24 is not a possible value"),
        ("[subgroup]\nsizes = [256]", "2:9: `subgroup.sizes`: 256 is not a possible value"),
        ("[subgroup]\nstages = [\"pixel\"]", "2:10: `subgroup.stages` has no member `pixel`"),
        // Names of nothing, and such as differ from a name by letters alone.
        ("capabilities = [\"Flaot16\"]", "1:16: `capabilities`: there is no `Flaot16`"),
        ("capabilities = [\"Kernel\", \"Nothing\"]", "1:16: `capabilities`: there is no `Nothing`"),
        (
            "extensions = [\"cl_khr_subgroup_shufle\"]",
            "1:14: `extensions`: there is no `cl_khr_subgroup_shufle`",
        ),
        ("extensions = [\"khr_fp16\"]", "1:14: `extensions`: `khr_fp16` is no such name"),
        (
            "spirv_extensions = [\"SPV_KHR_expect_asume\"]",
            "1:20: `spirv_extensions`: there is no `SPV_KHR_expect_asume`",
        ),
        (
            "spirv_extensions = [\"cl_khr_fp16\"]",
            "1:20: `spirv_extensions`: `cl_khr_fp16` is no such name",
        ),
        (
            "fp16 = false\nextensions = [\"cl_khr_fp16\"]",
            "2:1: `extensions` with cl_khr_fp16 contradicts that there is no `fp16`",
        ),
        (
            "read_write_images = true\nimages = false",
            "2:1: `read_write_images` contradicts that there is no `images`",
        ),
        (
            "fp64 = false\n[float_atomics]\nfp64 = [\"local_add\"]",
            "3:1: `float_atomics.fp64` with local_add contradicts that there is no `fp64`",
        ),
        (
            "api_version = \"3.0\"\nfence_scopes = [\"Device\"]",
            "2:1: `api_version` at least 3.0 contradicts that there is no `fence_scopes` with Workgroup",
        ),
        (
            "api_version = \"2.1\"\nsubgroups = false",
            "2:1: `api_version` = 2.1 contradicts that there is no `subgroups`",
        ),
    ];
    for (text, said) in mistakes {
        let found = Device::parse(text, "file").err().map(|it| it.to_string());
        assert_eq!(found.as_deref(), Some(&*format!("file:{said}")), "{text}");
    }
    let right = [
        "",
        "fp16 = true\nextensions = [\"cl_khr_fp16\"]",
        // What is left out contradicts nothing.
        "extensions = [\"cl_khr_fp16\"]",
        "[float_atomics]\nfp64 = [\"local_add\"]",
        "address_bits = 32\n[subgroup]\nsizes = [1, 128]",
        // Rules speak of no such extension, and it may be newer than they are.
        "extensions = [\"cl_khr_gl_sharing\", \"VK_KHR_maintenance7\", \"cl_intel_subgroups_char\"]",
        "spirv_extensions = [\"SPV_KHR_of_tomorrow\", \"SPV_QCOM_image_processing4\"]",
        "spirv_extensions = [\"SPV_INTEL_bfloat16_conversion\", \"SPV_INTEL_bloat16_conversion\"]",
        "instruction_sets = [\"NonSemantic.Anything\"]",
    ];
    for text in right {
        Device::parse(text, "file").unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

/// What something needs that a file states, and what a version of the API requires, the device has.
#[test]
fn what_is_needed_is_had() {
    let read = |text: &str| Device::parse(text, "file").unwrap();
    for [stated, more] in [
        ["extensions = [\"cl_khr_fp16\"]", "fp16 = true"],
        ["api_version = \"3.1\"", "subgroups = true"],
        ["capabilities = [\"ImageBasic\"]", "images = true"],
        ["read_write_images = true", "images = true"],
        [
            "api_version = \"2.1\"",
            "fence_scopes = [\"CrossDevice\", \"Device\", \"Workgroup\", \"Invocation\"]\n\
             fence_orders = [\"Relaxed\", \"AcquireRelease\", \"SequentiallyConsistent\"]\n\
             atomic_scopes = [\"CrossDevice\", \"Device\", \"Workgroup\"]\n\
             atomic_orders = [\"Relaxed\", \"AcquireRelease\", \"SequentiallyConsistent\"]",
        ],
    ] {
        assert_eq!(read(stated), read(&format!("{stated}\n{more}")), "{stated}");
    }
    let stated = "api_version = \"3.0\"";
    assert_ne!(read(stated), read(&format!("{stated}\nsubgroups = true")));
}

/// A capability has several names: a device file may have each of them.
#[test]
fn a_device_file_spells_capabilities_in_any_way() {
    let read = |name: &str| Device::parse(&format!("capabilities = [\"{name}\"]"), "file").unwrap();
    for [one, other] in [
        ["OptNoneINTEL", "OptNoneEXT"],
        ["DotProductKHR", "DotProduct"],
        ["RayTracingKHR", "RayTracingKHR"],
    ] {
        assert_eq!(read(one), read(other), "{one}");
    }
    assert_ne!(read("DotProduct"), read("DotProductInputAll"));
}

/// What the reference validator calls undefined behavior makes no module invalid.
#[test]
fn undefined_behavior_is_no_error_of_the_reference_validators() {
    let said = |size: u32, more: &str| {
        let text = format!(
            "; Version: 1.3\nOpCapability Shader\nOpCapability GroupNonUniformRotateKHR\n\
             OpExtension \"SPV_KHR_subgroup_rotate\"\nOpMemoryModel Logical GLSL450\n\
             OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n\
             %void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%subgroup = OpConstant %u32 3\n\
             %size = OpConstant %u32 {size}\n%fn = OpTypeFunction %void\n\
             %main = OpFunction %void None %fn\n%a = OpLabel\n\
             %r = OpGroupNonUniformRotateKHR %u32 %subgroup %subgroup %subgroup {more}\n\
             OpReturn\nOpFunctionEnd\n"
        );
        let body = Body::new(Environment::Vulkan, Specification::built_in());
        let listing = list_bytes(text.as_bytes(), "case", &[]).unwrap();
        let text = Device::built_in("vulkan_full").unwrap();
        let device = Device::parse(text, "vulkan_full").unwrap();
        let found = validate(&body, &listing, Some(&device));
        found
            .into_iter()
            .map(|it| (it.severity.name(), it.rule.split_once('/').unwrap().1.to_owned()))
            .collect::<Vec<_>>()
    };
    assert_eq!(said(4, "%size"), []);
    for size in [0, 3] {
        let found = said(size, "%size");
        let undefined = |it: &(&str, String)| *it == ("warning", "undefined-behavior".to_owned());
        assert!(!found.is_empty() && found.iter().all(undefined), "{size}: {found:?}");
    }
}

/// A sentence that contradicts the reference validator is one of the rules, and accepts something on
/// some devices.
#[test]
fn what_contradicts_the_reference_validator_is_a_rule_that_accepts() {
    #[derive(serde::Deserialize)]
    struct File {
        contradicted: Vec<std::collections::BTreeMap<String, String>>,
    }
    let file: File = toml::from_str(include_str!("../../data/reference.toml")).unwrap();
    for it in &file.contradicted {
        let rules = &Specification::built_in().rules;
        let rule = rules.iter().find(|rule| *rule.id == *it["by"]).unwrap();
        let accepts =
            |demand: &Demand| demand.force == Force::Accepts && demand.when != Circumstance::ALWAYS;
        assert!(rule.demands.iter().any(accepts), "{it:?}");
    }
}

/// What an extension adds that the reference validator does not know of is no error of its, and what a
/// rule says already is not said twice.
#[test]
fn the_reference_validator_is_heard_where_no_sentence_contradicts() {
    let said = |environment, device: &str, text: &str| {
        let body = Body::new(environment, Specification::built_in());
        let listing = list_bytes(text.as_bytes(), "case", &[]).unwrap();
        let device = Device::parse(device, "device").unwrap();
        let found = validate(&body, &listing, Some(&device));
        found.into_iter().map(|it| it.rule).collect::<Vec<_>>()
    };
    let kernel = "; Version: 1.0\nOpCapability Addresses\nOpCapability Kernel\n\
        OpCapability ImageBasic\nOpCapability Linkage\nOpMemoryModel Physical64 OpenCL\n\
        %void = OpTypeVoid\n%image = OpTypeImage %void 2D 0 0 1 0 Unknown ReadOnly\n";
    let device = "api_version = \"3.0\"\nimages = true\n";
    let shared = format!("{device}extensions = [\"cl_khr_gl_msaa_sharing\"]\n");
    assert_eq!(said(Environment::OpenCl, &shared, kernel), Vec::<String>::new());
    assert_eq!(said(Environment::OpenCl, device, kernel), ["opencl/ms"]);
    // A capability that the device names is none of the validator's table.
    let named = format!("{device}capabilities = [\"Matrix\"]\n");
    let matrices =
        kernel.replace("OpCapability Linkage", "OpCapability Linkage\nOpCapability Matrix");
    let matrices = matrices.replace("0 0 1 0", "0 0 0 0");
    assert_eq!(said(Environment::OpenCl, &named, &matrices), Vec::<String>::new());
    assert_eq!(said(Environment::OpenCl, device, &matrices), ["opencl/capability"]);
    let shader = "; Version: 1.0\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n\
        OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n\
        %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%main = OpFunction %void None %fn\n\
        %a = OpLabel\n%b = OpFunctionCall %void %turn\nOpReturn\nOpFunctionEnd\n\
        %turn = OpFunction %void None %fn\n%c = OpLabel\n%d = OpFunctionCall %void %turn\n\
        OpReturn\nOpFunctionEnd\n";
    assert_eq!(said(Environment::Vulkan, "", shader), ["vulkan/call-graph"]);
    // What no sentence here has, it says alone.
    let fragment = "; Version: 1.0\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n\
        OpEntryPoint Fragment %main \"main\"\nOpExecutionMode %main OriginUpperLeft\n\
        %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%main = OpFunction %void None %fn\n\
        %a = OpLabel\nOpReturn\nOpFunctionEnd\n";
    assert_eq!(said(Environment::Vulkan, "", fragment), Vec::<String>::new());
    let elsewhere = fragment.replace("OpExecutionMode %main OriginUpperLeft\n", "");
    assert_eq!(said(Environment::Vulkan, "", &elsewhere), ["universal/spirv-val"]);
    let integer = fragment.replace(
        "%fn =",
        "%u32 = OpTypeInt 32 0\n%in = OpTypePointer Input %u32\n\
        %v = OpVariable %in Input\n%fn =",
    );
    let flat = integer.replace("\"main\"", "\"main\" %v").replace(
        "%void = OpTypeVoid",
        "OpDecorate %v Location 0\nOpDecorate %v Flat\n%void = OpTypeVoid",
    );
    assert_eq!(said(Environment::Vulkan, "", &flat), Vec::<String>::new());
    let smooth = flat.replace("OpDecorate %v Flat\n", "");
    assert_eq!(said(Environment::Vulkan, "", &smooth), ["universal/vulkan"]);
}

/// The page on validation ends with the rules that are not checked; `LANEPROOF_UPDATE=1` writes them
/// anew.
#[test]
fn the_page_lists_the_rules_that_are_not_checked() {
    let mut rows: Vec<(String, Vec<&str>)> = Vec::new();
    for environment in Environment::ALL {
        for row in table(&Body::new(environment, Specification::built_in())) {
            if !matches!(row.status, Status::Host | Status::NotChecked) {
                continue;
            }
            let numbers: Vec<String> = row.sentences.iter().map(u32::to_string).collect();
            let place = format!("{}, {}, {}", row.document, row.section, numbers.join(", "));
            let why = row.why.unwrap_or_default();
            let text = format!("| {place} | {} | {why} |", row.wording);
            match rows.iter_mut().find(|(known, _)| *known == text) {
                Some((_, environments)) => environments.push(environment.name()),
                None => rows.push((text, vec![environment.name()])),
            }
        }
    }
    let mut section = "| document, section, sentence | sentence | why | environments |\n\
                       | --- | --- | --- | --- |\n"
        .to_owned();
    for (text, environments) in rows {
        section += &format!("{text} {} |\n", environments.join(", "));
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/validate.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, written) = page.split_once("## Rules that are not checked\n\n").unwrap();
    if std::env::var_os("LANEPROOF_UPDATE").is_some() {
        let page = format!("{before}## Rules that are not checked\n\n{section}");
        std::fs::write(&path, page).unwrap();
    } else {
        assert_eq!(written, section, "{} is out of date", path.display());
    }
}
