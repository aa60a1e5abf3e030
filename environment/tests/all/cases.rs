//! Every rule that a module can show: a module that passes, and the same with a change in one place
//! that does not. And mistakes planted in the rules, which these cases must notice.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use crate::support::sweep::{recorded, sweeps, tokens};
use crate::support::{Case, File, Prepared, by_rules, files, found, lines, prepared};
use laneproof_environment::{Body, Device, Diagnostic, Environment, Status, citation, table};
use laneproof_module::list_bytes;
use laneproof_semantics::Specification;
use laneproof_semantics::as_written::AsWritten;
use laneproof_semantics::language::rule::{Circumstance, Demand, Force, Rule, Values};

impl Case {
    fn prepared(&self, file: &File) -> Prepared {
        prepared(&self.text(file), self.device.as_deref().unwrap_or(&file.device))
    }

    fn is_met(&self, found: &[Diagnostic]) -> bool {
        let has = |text: &str, part: &Option<String>| part.iter().all(|part| text.contains(part));
        let mut of_rule = found
            .iter()
            .filter(|it| it.rule == self.rule && has(&it.message, &self.says) && self.is_cited(it));
        match &*self.severity {
            "none" => of_rule.next().is_none(),
            severity => of_rule.any(|it| it.severity.name() == severity),
        }
    }

    /// Whether the sentence is cited, and not one whose number only begins like its number.
    fn is_cited(&self, found: &Diagnostic) -> bool {
        self.cites.iter().all(|part| {
            found
                .citation
                .split_once(part.as_str())
                .is_some_and(|(_, rest)| !rest.starts_with(|next: char| next.is_ascii_digit()))
        })
    }
}

/// The files, with what is said of each of their cases: two tests share it.
pub static SAID: LazyLock<Vec<(File, Vec<Vec<Diagnostic>>)>> = LazyLock::new(|| {
    let said = |file: File| {
        let body = Body::new(file.environment.parse().unwrap(), Specification::built_in());
        let said = file.case.iter().map(|case| found(&body, &case.prepared(&file))).collect();
        (file, said)
    };
    files().into_iter().map(said).collect()
});

#[test]
fn a_change_in_one_place_breaks_the_rule_that_it_should() {
    let mut wrong = Vec::new();
    for (file, said) in &*SAID {
        let environment: Environment = file.environment.parse().unwrap();
        let body = Body::new(environment, Specification::built_in());
        let base = found(&body, &prepared(&file.base, &file.device));
        if !base.is_empty() {
            wrong.push(format!("{environment}: the base does not pass: {:#?}", lines(&base)));
        }
        for (case, found) in file.case.iter().zip(said) {
            if !case.is_met(found) {
                let (rule, severity) = (&case.rule, &case.severity);
                let change = &case.change;
                let cited = found.iter().map(|it| format!("{}: {}", it.rule, it.citation));
                let said = (lines(found), cited.collect::<Vec<_>>());
                wrong.push(format!("{severity} {rule} by {change:?}, but {said:#?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where a list ends on just those devices on which it has what stands in a module, every device
/// takes that, and there is nothing to say; what the list lacks depends on the device.
#[test]
fn what_every_device_takes_is_no_note() {
    let text = |value: &str| {
        format!(
            "; Version: 1.3\nOpCapability Kernel\nOpCapability Addresses\nOpCapability Groups\n\
             OpMemoryModel Physical64 OpenCL\n%u32 = OpTypeInt 32 0\n%pair = OpTypeVector %u32 2\n\
             %subgroup = OpConstant %u32 3\n%u = OpConstantNull %u32\n%v = OpConstantNull %pair\n\
             %sum = OpGroupIAdd {value}\n"
        )
    };
    let body = Body::new(Environment::LevelZero, Specification::built_in());
    let said = |value: &str| {
        let found = found(&body, &prepared(&text(value), ""));
        found.iter().filter(|it| it.rule == "level-zero/value-type").count()
    };
    assert_eq!(said("%u32 %subgroup Reduce %u"), 0);
    assert_eq!(said("%pair %subgroup Reduce %v"), 1);
}

/// What a list does not have where it is asked, several may have elsewhere: each place is named.
#[test]
fn every_place_where_a_value_would_be_accepted_is_named() {
    let text = "; Version: 1.3\nOpCapability Kernel\nOpCapability Addresses\n\
        OpCapability GroupNonUniform\nOpMemoryModel Physical64 OpenCL\n";
    let body = Body::new(Environment::OpenCl, Specification::built_in());
    let found = found(&body, &prepared(text, "opencl_plain"));
    let said = found.iter().find(|it| it.message.contains("`GroupNonUniform`")).unwrap();
    for place in ["cl_khr_subgroup_non_uniform_vote", "the device names this capability"] {
        assert!(said.message.contains(place), "{place} is not in {:?}", said.message);
    }
}

/// What is said of the body of a kernel on a device that is described here.
fn said_of(environment: Environment, device: &str, head: &str, body: &str) -> Vec<String> {
    let text = format!(
        "; Version: 1.3\nOpCapability Kernel\nOpCapability Addresses\nOpCapability Groups\n{head}\n\
         %void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%pair = OpTypeVector %u32 2\n\
         %zero = OpConstant %u32 0\n%two = OpConstant %u32 2\n%subgroup = OpConstant %u32 3\n\
         %four = OpConstant %u32 4\n%many = OpConstant %u32 64\n\
         %at_2 = OpConstantComposite %pair %two %zero\n%at_4 = OpConstantComposite %pair %four %zero\n\
         %image = OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly\n\
         %fn = OpTypeFunction %void %u32 %image\n%main = OpFunction %void None %fn\n\
         %a = OpFunctionParameter %u32\n%target = OpFunctionParameter %image\n\
         %start = OpLabel\n{body}\nOpReturn\nOpFunctionEnd\n"
    );
    let body = Body::new(environment, Specification::built_in());
    let listing = list_bytes(text.as_bytes(), "case", &[]).unwrap();
    let device = Some(Device::parse(device, "device").unwrap());
    lines(&found(&body, &Prepared { listing, device }))
}

/// Each pair of modules differs in one place; of the second one something is said, of the first
/// nothing that has these words.
#[test]
fn what_a_device_and_constants_decide_is_said() {
    let old = "spirv_version = \"1.3\"\napi_version = \"1.2\"\n\
        extensions = [\"cl_intel_spirv_subgroups\"]\ncapabilities = [\"Groups\"]\n";
    let new = "spirv_version = \"1.3\"\napi_version = \"3.0\"\nsubgroups = true\n\
        extensions = [\"cl_intel_spirv_subgroups\", \"cl_khr_subgroup_rotate\"]\n\
        [subgroup]\nsizes = [16, 32]\n";
    let counted = "OpExtension \"SPV_INTEL_subgroups\"\nOpCapability SubgroupShuffleINTEL\n\
        OpMemoryModel Physical64 OpenCL\nOpDecorate %v BuiltIn NumEnqueuedSubgroups";
    let says = |said: Vec<String>, words: &str| said.iter().any(|it| it.contains(words));
    let enqueued = |device| {
        let said = said_of(Environment::OpenCl, device, counted, "%v = OpUndef %u32");
        says(said, "`NumEnqueuedSubgroups`")
    };
    assert_eq!([enqueued(new), enqueued(old)], [false, true]);
    let rotated = |size: &str| {
        let head = "OpCapability GroupNonUniformRotateKHR\nOpExtension \"SPV_KHR_subgroup_rotate\"\n\
            OpMemoryModel Physical64 OpenCL";
        let body = format!("%r = OpGroupNonUniformRotateKHR %u32 %subgroup %a %two %{size}");
        says(said_of(Environment::OpenCl, new, head, &body), "not larger than the subgroup")
    };
    assert_eq!([rotated("four"), rotated("many")], [false, true]);
    let written = |place: &str| {
        let head = "OpCapability SubgroupImageBlockIOINTEL\nOpExtension \"SPV_INTEL_subgroups\"\n\
            OpMemoryModel Physical64 OpenCL";
        let body = format!("OpSubgroupImageBlockWriteINTEL %target %{place} %a");
        let device = "spirv_version = \"1.3\"\nimages = true\n";
        says(said_of(Environment::LevelZero, device, head, &body), "multiple of 4 bytes")
    };
    assert_eq!([written("at_4"), written("at_2")], [false, true]);
}

/// Where there is no memory model of Vulkan, variables with numbers of a ray's subgroup are volatile: in
/// the stages whose entry points name them.
#[test]
fn numbers_of_a_rays_subgroup_are_volatile() {
    let said = |stages: [&str; 2], decoration: &str| {
        let text = format!(
            "; Version: 1.4\nOpCapability Shader\nOpCapability RayTracingKHR\n\
             OpMemoryModel Logical GLSL450\nOpEntryPoint {} %one \"one\" %size\n\
             OpEntryPoint {} %two \"two\"\nOpDecorate %size BuiltIn SubgroupSize\n{decoration}\n\
             %void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%fn = OpTypeFunction %void\n\
             %input = OpTypePointer Input %u32\n%size = OpVariable %input Input\n\
             %one = OpFunction %void None %fn\n%a = OpLabel\n%x = OpLoad %u32 %size\nOpReturn\n\
             OpFunctionEnd\n%two = OpFunction %void None %fn\n%b = OpLabel\nOpReturn\nOpFunctionEnd\n",
            stages[0], stages[1]
        );
        let body = Body::new(Environment::Vulkan, Specification::built_in());
        let found = found(&body, &prepared(&text, "vulkan_full"));
        let rules = ["vulkan/volatile", "vulkan/memory-access"];
        found.iter().filter(|it| rules.contains(&&*it.rule)).count()
    };
    assert_eq!(said(["RayGenerationKHR", "AnyHitKHR"], ""), 1);
    assert_eq!(said(["RayGenerationKHR", "AnyHitKHR"], "OpDecorate %size Volatile"), 0);
    assert_eq!(said(["AnyHitKHR", "RayGenerationKHR"], ""), 0);
}

/// A rule with one demand changed.
fn mutants(rule: &Rule) -> Vec<(String, Rule)> {
    let mut out = Vec::new();
    for (at, demand) in rule.demands.iter().enumerate() {
        if demand.force == Force::Mentions {
            continue;
        }
        let mut with = |what: &str, changed: &dyn Fn(&mut Rule)| {
            let mut mutant = rule.clone();
            changed(&mut mutant);
            out.push((format!("{} {at}: {what}", rule.id), mutant));
        };
        with("left out", &|rule| {
            rule.demands.remove(at);
        });
        let other = match demand.force {
            Force::Requires => Some(Force::Forbids),
            Force::Forbids => Some(Force::Requires),
            _ => None,
        };
        if let Some(other) = other {
            with("the opposite", &|rule| rule.demands[at].force = other.clone());
        }
        if demand.when != Circumstance::ALWAYS {
            with("never", &|rule| rule.demands[at].when = Circumstance::Any(Vec::new()));
        }
        if let Some(Values::Words(words)) = demand.values.first()
            && words.len() > 1
        {
            with("a value less", &|rule| {
                if let Some(Values::Words(words)) = rule.demands[at].values.first_mut() {
                    words.pop();
                }
            });
        }
    }
    out
}

/// What is said of one module in this many is compared, of each where `LANEPROOF_WHOLE` is set.
const MODULE_STRIDE: usize = 5;

/// What is said of the variants of the modules is as it was; `LANEPROOF_UPDATE=1` records it anew.
#[test]
fn what_is_said_of_every_variant_is_recorded() {
    let update = std::env::var_os("LANEPROOF_UPDATE").is_some();
    let whole = update || std::env::var_os("LANEPROOF_WHOLE").is_some();
    for (file, modules) in &*MODULES {
        let environment: Environment = file.environment.parse().unwrap();
        let asked = || modules.iter().step_by(if whole { 1 } else { MODULE_STRIDE });
        let said = recorded(&Body::new(environment, Specification::built_in()), asked(), found);
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/sweeps")
            .join(format!("{}.txt", file.environment));
        if update {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &said).unwrap();
        }
        let of_asked =
            |line: &&str| asked().any(|(name, _)| line.starts_with(&format!("{name}: ")));
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        let before: String =
            before.lines().filter(of_asked).map(|line| format!("{line}\n")).collect();
        let changed = said.lines().zip(before.lines()).find(|(now, then)| now != then);
        assert!(said == before, "{environment}: {changed:?}");
    }
}

/// Variants of a file's module, with their names.
type Variants = Vec<(String, Prepared)>;

/// The files and their variants: they are large, so two tests share them.
static MODULES: LazyLock<Vec<(File, Variants)>> = LazyLock::new(|| {
    let swept = |file: File| {
        let modules = sweeps(&file, &all_rules());
        (file, modules)
    };
    files().into_iter().map(swept).collect()
});

pub fn all_rules() -> Vec<&'static Arc<Rule>> {
    let texts = &AsWritten::built_in().specification;
    texts.rules.iter().chain(&Specification::built_in().rules).collect()
}

/// Modules of one token each, generated from the lists of a rule.
fn probes(rule: &Rule) -> Vec<Prepared> {
    let texts = tokens(rule).into_iter().filter_map(|(kind, word)| match &*kind {
        "Capability" => Some(format!("; Version: 1.6\nOpCapability {word}\n")),
        "Extension" => Some(format!("; Version: 1.6\nOpExtension \"{word}\"\n")),
        "ExtInstImport" => Some(format!("; Version: 1.6\n%1 = OpExtInstImport \"{word}\"\n")),
        "Version" => Some(format!("; Version: {word}\nOpCapability Kernel\n")),
        _ => None,
    });
    // Documents have names that the grammar has not.
    let listing = |text: String| list_bytes(text.as_bytes(), "probe", &[]).ok();
    texts.filter_map(listing).map(|listing| Prepared { listing, device: None }).collect()
}

/// One in this many planted mistakes is tried, all of them if `LANEPROOF_ALL_MUTANTS` is set.
const STRIDE: usize = 197;

/// How many planted mistakes may go unnoticed, of all, as the cases are now.
const SURVIVORS: f64 = 0.1;

#[test]
fn planted_mistakes_are_noticed() {
    let specification = Specification::built_in();
    let texts = &AsWritten::built_in().specification;
    let rules = all_rules();
    let stride = if std::env::var_os("LANEPROOF_ALL_MUTANTS").is_some() { 1 } else { STRIDE };
    let (mut survivors, mut tried, mut all) = (BTreeSet::new(), 0, 0);
    for (file, swept) in &*MODULES {
        let environment: Environment = file.environment.parse().unwrap();
        let base = prepared(&file.base, &file.device);
        let body = Body::new(environment, specification);
        let describes = |document: &str| {
            let mut known = specification.documents.iter().filter(|it| !it.environments.is_empty());
            known.any(|it| &*it.name == document && it.holds_in(environment.name()))
        };
        let of_body = &body;
        let said: Vec<LazyCell<String, _>> = swept
            .iter()
            .map(|it| LazyCell::new(move || recorded(of_body, [it], by_rules)))
            .collect();
        // A case can notice a mistake in a rule if its finding cites that rule, if a list ends by
        // it, or if nothing must be said.
        let cases: Vec<(&Case, Prepared, String)> = file
            .case
            .iter()
            .map(|case| {
                let module = case.prepared(file);
                let found = by_rules(&body, &module);
                let met = found.iter().filter(|it| it.rule == case.rule);
                let cited: Vec<String> = met.map(|it| it.citation.clone()).collect();
                (case, module, cited.join("; "))
            })
            .collect();
        let unchecked: BTreeSet<String> = table(&body)
            .into_iter()
            .filter(|row| matches!(row.status, Status::Host | Status::NotChecked))
            .map(|row| row.id)
            .collect();
        let own = rules
            .iter()
            .enumerate()
            .filter(|(_, it)| describes(&it.document) && !unchecked.contains(&*it.id));
        for (at, rule) in own {
            for (name, mutant) in mutants(rule) {
                all += 1;
                if all % stride != 0 {
                    continue;
                }
                tried += 1;
                let changed = rules.iter().enumerate();
                let changed = changed.map(|(it, rule)| if it == at { &mutant } else { &**rule });
                let with = Body::of(environment, [specification, texts], changed);
                let cites = citation(rule);
                let complete = |it: &Demand| matches!(it.force, Force::Complete | Force::Closed);
                let ends = rule.demands.iter().any(complete);
                let differs =
                    |it: &Prepared| lines(&by_rules(&body, it)) != lines(&by_rules(&with, it));
                let noticed = !by_rules(&with, &base).is_empty()
                    || probes(rule).iter().any(differs)
                    || cases.iter().any(|(case, module, cited)| {
                        let could = ends || case.severity == "none" || cited.contains(&cites);
                        could && !case.is_met(&by_rules(&with, module))
                    })
                    || swept
                        .iter()
                        .zip(&said)
                        .any(|(it, said)| recorded(&with, [it], by_rules) != **said);
                if !noticed {
                    survivors.insert(name);
                }
            }
        }
    }
    println!("{} of {tried} survive: {survivors:#?}", survivors.len());
    // A small sample may have one more than its share.
    assert!((survivors.len() as f64) < SURVIVORS * f64::from(tried) + 1.0, "{survivors:#?}");
}
