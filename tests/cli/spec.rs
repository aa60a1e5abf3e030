//! `laneproof spec`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::laneproof::{json, laneproof, recorded};

#[test]
fn an_instruction_is_printed_clause_by_clause() {
    recorded(
        "an_instruction_is_printed_clause_by_clause",
        &[
            &["spec", "OpGroupNonUniformRotateKHR"],
            &["spec", "example_twice", "--spec", "twice.lps"],
            &["spec", "OpGroupNonUniformRotat"],
            &["spec", "OpGroupUniformRotateKHR"],
        ],
    );
}

#[test]
fn the_list_names_every_instruction_by_document() {
    let output = laneproof(&["spec"]);
    assert_eq!(output.exit, 0);
    let (_, document) = json(&["spec"]);
    let instructions = document["instructions"].as_array().unwrap();
    assert_eq!(instructions.len(), 283);
    for instruction in instructions {
        assert!(output.out.contains(instruction["name"].as_str().unwrap()));
    }
    assert!(output.out.contains("SPV_NV_shader_subgroup_partitioned"));
}

#[test]
fn the_document_has_number_capability_extension_and_citations() {
    let (exit, document) = json(&["spec", "opgroupnonuniformrotatekhr"]);
    assert_eq!(exit, 0);
    let instructions = document["instructions"].as_array().unwrap();
    assert_eq!(instructions.len(), 1);
    let rotate = &instructions[0];
    assert_eq!(rotate["opcode"], 4431);
    assert_eq!(rotate["capability"], json!(["GroupNonUniformRotateKHR"]));
    assert_eq!(rotate["extension"], json!(["SPV_KHR_subgroup_rotate"]));
    assert_eq!(rotate["operands"].as_array().unwrap().len(), 4);
    let clauses = rotate["clauses"].as_array().unwrap();
    assert_eq!(clauses.len(), 9);
    for clause in clauses {
        let citation = clause["citation"].as_str().unwrap();
        assert!(citation.starts_with("SPV_KHR_subgroup_rotate, Instructions"), "{citation}");
        assert!(!clause["wording"].as_str().unwrap().is_empty());
    }
}

#[test]
fn every_instruction_has_a_number_of_its_own_and_clauses() {
    let (_, document) = json(&["spec"]);
    let instructions = document["instructions"].as_array().unwrap();
    let mut numbers = BTreeSet::new();
    for instruction in instructions {
        let number = instruction["opcode"].as_u64().expect("the grammar knows it");
        let set = instruction["set"].as_str().unwrap_or_default();
        assert!(numbers.insert((set, number)), "{}", instruction["name"]);
        assert_ne!(instruction["clauses"], json!([]), "{}", instruction["name"]);
        assert!(instruction["capability"].is_array() && instruction["extension"].is_array());
    }
    assert_eq!(numbers.len(), 283);
}

#[test]
fn names_that_differ_from_the_grammars_are_listed() {
    let (_, document) = json(&["spec"]);
    let differences = document["differences"].as_array().unwrap();
    let of = |name: &str| -> Vec<&Value> {
        let fits = |it: &&Value| it["tokens"].as_array().unwrap().contains(&json!(name));
        differences.iter().filter(fits).collect()
    };
    let partition = of("OpGroupNonUniformPartitionNV");
    assert_eq!(partition.len(), 1);
    assert!(partition[0]["difference"].as_str().unwrap().contains("OpGroupNonUniformPartitionEXT"));
    assert!(of("OpGroupNonUniformRotateKHR").is_empty());
}

#[test]
fn what_the_solver_is_given_is_printed() {
    recorded(
        "what_the_solver_is_given_is_printed",
        &[
            &["spec", "--smt2", "OpGroupNonUniformElect"],
            &["spec", "--smt2", "example_twice", "--spec", "twice.lps"],
            &["spec", "--smt2", "OpAtomicStore"],
        ],
    );
}

#[test]
fn each_form_of_an_instruction_has_a_script() {
    let (exit, document) = json(&["spec", "--smt2", "OpGroupNonUniformIAdd"]);
    assert_eq!(exit, 0);
    let definitions = document["definitions"].as_array().unwrap();
    for operation in ["Reduce", "InclusiveScan", "ExclusiveScan", "ClusteredReduce"] {
        let form = format!("Operation = {operation},");
        let of = |it: &&Value| it["form"].as_str().unwrap().contains(&form);
        let found: Vec<&Value> = definitions.iter().filter(of).collect();
        // What a cluster is differs between shaders and kernels.
        let expected = match operation {
            "ClusteredReduce" => vec![json!(["Shader"]), json!(["Kernel"])],
            _ => vec![json!(["Shader", "Kernel"])],
        };
        let capabilities: Vec<Value> = found.iter().map(|it| it["capabilities"].clone()).collect();
        assert_eq!(capabilities, expected, "{operation}");
        for found in found {
            assert_eq!(found["bounded"], true);
            assert!(found["smt2"].as_str().unwrap().contains("(define-fun result "));
        }
    }
    let rotate = json(&["spec", "--smt2", "OpGroupNonUniformRotateKHR"]).1;
    let forms = rotate["definitions"].as_array().unwrap();
    // With a cluster size or without, and what a group is depends on the kind of module.
    assert_eq!(forms.len(), 4, "{forms:#?}");
}

/// The differences, by kind and token, in order.
fn listed(arguments: &[&str]) -> Vec<String> {
    let (exit, document) = json(arguments);
    assert_eq!(exit, 0);
    let differences = document["differences"].as_array().unwrap();
    let line = |it: &Value| {
        let list = |name: &str| {
            let items = it[name].as_array().unwrap().iter();
            items.map(|item| item.as_str().unwrap()).collect::<Vec<_>>().join(", ")
        };
        assert!(!list("citations").is_empty() && !list("documents").is_empty());
        let (kind, difference) = (it["kind"].as_str().unwrap(), it["difference"].as_str().unwrap());
        format!("{kind} {}: {difference}", list("tokens"))
    };
    differences.iter().map(line).collect()
}

#[test]
fn what_the_documents_say_of_tokens_is_held_beside_the_grammar() {
    let listed = listed(&["spec"]).join("\n");
    insta::with_settings!({ prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("differences", listed);
    });
    let (_, document) = json(&["spec"]);
    assert_eq!(document["facts"].as_array().unwrap().len(), 239);
}

#[test]
fn every_kind_of_difference_is_found() {
    let own = listed(&["spec"]);
    let more = listed(&["spec", "--spec", "facts.lps"]);
    let new: Vec<_> = more.into_iter().filter(|line| !own.contains(line)).collect();
    insta::with_settings!({ prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("every_kind_of_difference_is_found", new.join("\n"));
    });
}

/// The precision of an environment is listed with each instruction that rounds, and with no other.
#[test]
fn an_instruction_has_what_its_environment_allows() {
    let allows = |name: &str, environment: &str| {
        let (_, document) = json(&["spec", name, "--environment", environment]);
        let margins = document["instructions"][0]["arithmetic"].as_array().cloned();
        let margins = margins.unwrap_or_default().into_iter();
        margins.map(|it| it["allows"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let embedded = " (embedded profile)";
    let divided = format!("error 3 of f32, f64 for OpFDiv{embedded}");
    assert!(allows("OpFDiv", "opencl").contains(&divided));
    let allows = |name: &str, environment: &str| {
        let all = allows(name, environment).into_iter();
        all.filter(|it| !it.ends_with(embedded)).collect::<Vec<_>>()
    };
    let half = "toward-zero of f16 for OpFAdd, OpFSub, OpFMul, OpFDiv, OpFRem, OpFMod, OpDot, \
        OpVectorTimesScalar, OpMatrixTimesScalar, OpVectorTimesMatrix, OpMatrixTimesVector, \
        OpMatrixTimesMatrix, OpOuterProduct, OpExtInst, OpGroupFAdd, OpGroupFMulKHR, \
        OpGroupNonUniformFAdd, OpGroupNonUniformFMul, OpAtomicFAddEXT";
    let contracted = "contracted unless ContractionOff";
    let opencl = ["flushed of f16, f32, bf16", contracted, half];
    let divides = ["error 2.5 of f32 for OpFDiv", "error 1 of f16 for OpFDiv"];
    assert_eq!(allows("OpFAdd", "opencl"), [opencl.as_slice(), &[contracted]].concat());
    assert_eq!(allows("OpFDiv", "opencl"), [&opencl, divides.as_slice(), &[contracted]].concat());
    let narrowed = ["out-of-range for OpConvertFToU, OpConvertFToS"];
    assert_eq!(allows("OpConvertFToU", "opencl"), narrowed);
    assert_eq!(allows("OpFDiv", "vulkan").len(), 8);
    for exact in ["OpIAdd", "OpGroupNonUniformShuffle", "OpGroupNonUniformIAdd"] {
        assert_eq!(allows(exact, "vulkan"), Vec::<String>::new(), "{exact}");
    }
    let page = laneproof(&["spec", "OpFDiv", "--environment", "vulkan"]).out;
    assert!(page.contains("    allows error 2.5 of f16, f32, f64 for OpFDiv\n"), "{page}");
}
