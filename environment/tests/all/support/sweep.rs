//! Sweeps: modules with each instruction of the cases for each type, constant and word that its
//! operands could be. They are not validated; rules check one place at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use laneproof_environment::{Body, Diagnostic};
use laneproof_module::list_bytes;
use laneproof_semantics::language::rule::{DemandSubject, Rule, Values};

use super::{File, Prepared, prepared};

/// Interchangeable words.
const WORDS: [&[&str]; 6] = [
    &["Reduce", "InclusiveScan", "ExclusiveScan", "ClusteredReduce"],
    &["1D", "2D", "3D", "Cube", "Rect", "Buffer"],
    &["ReadOnly", "WriteOnly", "ReadWrite"],
    &["Unknown", "Rgba8", "R32ui"],
    &["0", "1", "2", "3", "4", "8", "16", "32", "64"],
    &[
        "Input",
        "Uniform",
        "Workgroup",
        "CrossWorkgroup",
        "Private",
        "Function",
        "Generic",
        "StorageBuffer",
        "UniformConstant",
        "PushConstant",
        "PhysicalStorageBuffer",
        "Output",
    ],
];

/// Stages of entry points.
const MODELS: [&str; 16] = [
    "Vertex",
    "TessellationControl",
    "TessellationEvaluation",
    "Geometry",
    "Fragment",
    "GLCompute",
    "Kernel",
    "TaskNV",
    "MeshNV",
    "TaskEXT",
    "MeshEXT",
    "RayGenerationKHR",
    "IntersectionKHR",
    "AnyHitKHR",
    "ClosestHitKHR",
    "MissKHR",
];

/// Numbers that orders of memory are made of, and a type for which there is no other value.
const CONSTANTS: &str = "%order2 = OpConstant %u32 2\n%order4 = OpConstant %u32 4\n\
    %order8 = OpConstant %u32 8\n%order16 = OpConstant %u32 16\n\
    %order258 = OpConstant %u32 258\n%order328 = OpConstant %u32 0x148\n\
    %order512 = OpConstant %u32 0x208\n%order336 = OpConstant %u32 0x150\n";

/// The words in the lists of a rule about tokens of the whole module, by kind of token.
pub fn tokens(rule: &Rule) -> Vec<(String, String)> {
    let mut tokens = Vec::new();
    for demand in &rule.demands {
        let DemandSubject::Tokens(kind) = &demand.subject else { continue };
        for values in &demand.values {
            let Values::Words(words) = values else { continue };
            tokens.extend(words.iter().map(|word| (kind.to_string(), word.to_string())));
        }
    }
    tokens
}

/// The modules of a file: with its capabilities, with next to none, and with all that any rule
/// names, on a full device, on a plain one, and on an unknown one.
pub fn sweeps(file: &File, rules: &[&Arc<Rule>]) -> Vec<(String, Prepared)> {
    let named: BTreeSet<(String, String)> = rules.iter().flat_map(|rule| tokens(rule)).collect();
    let text = Text::of(file, &named);
    let plain = file.device.replace("full", "plain");
    let mut sweeps = Vec::new();
    let (_, model) = file.base.split_once("OpEntryPoint ").unwrap();
    let model = model.split(' ').next().unwrap();
    let stage = |other: &&&str| assembles(&format!("OpEntryPoint {other} %1 \"main\"\n"));
    for other in MODELS.iter().filter(stage) {
        let entry = |model: &str| format!("OpEntryPoint {model} %main");
        let module = file.base.replace(&entry(model), &entry(other));
        let module = Text::with_more(&module, &file.more);
        for device in [&file.device, ""] {
            sweeps.push((format!("in {other} on `{device}`"), prepared(&module, device)));
        }
    }
    for (kind, head) in [
        ("as it is", text.declared.clone()),
        ("bare", text.bare()),
        ("with everything", Text::with_everything(&named)),
    ] {
        let module = format!("{head}{}", text.rest);
        for device in [&file.device, &plain, ""] {
            sweeps.push((format!("{kind} on `{device}`"), prepared(&module, device)));
        }
    }
    sweeps
}

/// What is said of the modules: each finding once, and how often.
pub fn recorded<'s>(
    body: &Body<'_>,
    sweeps: impl IntoIterator<Item = &'s (String, Prepared)>,
    found: impl Fn(&Body<'_>, &Prepared) -> Vec<Diagnostic>,
) -> String {
    let mut record = String::new();
    for (name, module) in sweeps {
        let mut counts: BTreeMap<(String, &str), BTreeMap<String, u32>> = BTreeMap::new();
        for it in found(body, module) {
            let messages = counts.entry((it.rule, it.severity.name())).or_default();
            *messages.entry(format!("{} {}", it.message, it.citation)).or_default() += 1;
        }
        for ((rule, severity), messages) in counts {
            let total: u32 = messages.values().sum();
            let digest = messages.iter().flat_map(|(message, count)| {
                message.bytes().map(u64::from).chain([u64::from(*count)])
            });
            // FNV-1a: what is said, in one word.
            let digest = digest.fold(0xcbf2_9ce4_8422_2325_u64, |hash, it| {
                (hash ^ it).wrapping_mul(0x0100_0000_01b3)
            });
            let distinct = messages.len();
            writeln!(record, "{name}: {severity} {rule}: {total} of {distinct}, {digest:016x}")
                .unwrap();
        }
    }
    record
}

/// A module in two parts.
struct Text {
    /// Capabilities and extensions, after the version.
    declared: String,
    /// All that follows, with the variants.
    rest: String,
}

impl Text {
    fn of(file: &File, named: &BTreeSet<(String, String)>) -> Self {
        let text = Self::with_more(&file.base, &file.more);
        let mut lines: Vec<&str> = text.lines().filter(|it| !it.is_empty()).collect();
        let version = format!("{}\n", lines.remove(0));
        let is_declared =
            |line: &&str| line.starts_with("OpCapability") || line.starts_with("OpExtension");
        let split = lines.iter().position(|line| !is_declared(line)).unwrap_or(lines.len());
        let declared = format!("{version}{}\n", lines[..split].join("\n"));
        let variants = Variants::of(&lines[split..]);
        let texts: Vec<String> = file.case.iter().map(|case| case.text(file)).collect();
        let others: BTreeSet<&str> = texts.iter().flat_map(|text| text.lines()).collect();
        let others = others.iter().filter(|line| !lines.contains(line) && !is_declared(line));
        let mut rest = String::new();
        let (mut in_body, mut swept) = (false, false);
        for line in &lines[split..] {
            if line.contains("OpTypeVoid") {
                annotations(&mut rest, named);
            }
            writeln!(rest, "{line}").unwrap();
            if line.contains("= OpType") && !line.contains("OpTypeFunction") {
                variants.write(&mut rest, line);
            }
            in_body |= line.contains("= OpLabel");
            if in_body && variants.is_varied(line) {
                variants.write(&mut rest, line);
            }
            if line.contains("= OpLabel") && !swept {
                swept = true;
                for other in others.clone().filter(|line| variants.is_varied(line)) {
                    variants.write(&mut rest, other);
                }
            }
        }
        Self { declared, rest }
    }

    /// A module with more constants, and with more instructions in its first function.
    fn with_more(base: &str, more: &str) -> String {
        let function = base.lines().find(|line| line.contains("= OpFunction ")).unwrap();
        let text = base.replacen(function, &format!("{CONSTANTS}{function}"), 1);
        let label = text.lines().find(|line| line.contains("= OpLabel")).unwrap().to_owned();
        text.replacen(&label, &format!("{label}\n{more}"), 1)
    }

    fn bare(&self) -> String {
        let first = self.declared.lines().filter(|it| it.starts_with("OpCapability")).take(2);
        format!("; Version: 1.0\n{}\n", first.collect::<Vec<_>>().join("\n"))
    }

    fn with_everything(named: &BTreeSet<(String, String)>) -> String {
        let mut text = "; Version: 1.6\n".to_owned();
        let declare = |kind: &str, form: &dyn Fn(&str) -> String| -> String {
            let words = named.iter().filter(|(of, _)| of == kind).map(|(_, word)| form(word));
            words.filter(|line| assembles(line)).collect()
        };
        text += &declare("Capability", &|word| format!("OpCapability {word}\n"));
        text += &declare("Extension", &|word| format!("OpExtension \"{word}\"\n"));
        text
    }
}

fn assembles(line: &str) -> bool {
    list_bytes(format!("; Version: 1.6\n{line}").as_bytes(), "line", &[]).is_ok()
}

/// Built-in variables and stages that rules name.
fn annotations(rest: &mut String, named: &BTreeSet<(String, String)>) {
    for (kind, word) in named {
        let line = match kind.as_str() {
            "BuiltIn" => format!("OpDecorate %of_{word} BuiltIn {word}\n"),
            _ => continue,
        };
        if assembles(&line) {
            rest.push_str(&line);
        }
    }
}

/// What may stand in the place of what.
struct Variants {
    types: Vec<String>,
    values: Vec<String>,
}

impl Variants {
    fn of(lines: &[&str]) -> Self {
        let declared = |words: &[&str]| -> Vec<String> {
            let defines = |line: &&&str| {
                let op = line.split_whitespace().nth(2).unwrap_or_default();
                words.iter().any(|word| op.starts_with(word))
            };
            let name = |line: &&str| line.split_whitespace().next().unwrap_or_default().to_owned();
            lines.iter().filter(defines).map(name).collect()
        };
        let types = [
            "OpTypeInt",
            "OpTypeFloat",
            "OpTypeVector",
            "OpTypeBool",
            "OpTypeStruct",
            "OpTypePoin",
        ];
        let values = ["OpConstant", "OpFunctionParameter", "OpUndef", "OpVariable"];
        Self { types: declared(&types), values: declared(&values) }
    }

    /// Instructions of a body in which something is varied.
    fn is_varied(&self, line: &str) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        let op = words.iter().find(|word| word.starts_with("Op")).copied().unwrap_or_default();
        let left = [
            "OpLabel",
            "OpReturn",
            "OpReturnValue",
            "OpFunction",
            "OpFunctionEnd",
            "OpFunctionParameter",
            "OpFunctionCall",
            "OpEntryPoint",
            "OpMemoryModel",
            "OpDecorate",
            "OpVariable",
            "OpExecutionMode",
            "OpExecutionModeId",
            "OpExtInstImport",
            "OpBranch",
            "OpConstant",
            "OpName",
            "OpMemberDecorate",
            "OpSpecConstant",
            "OpConstantNull",
            "OpConstantTrue",
            "OpString",
        ];
        !op.is_empty() && !op.starts_with("OpType") && !left.contains(&op)
    }

    fn write(&self, rest: &mut String, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let start = words.iter().position(|it| it.starts_with("Op")).map_or(0, |it| it + 1);
        let strings = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect();
        for at in start..words.len() {
            let word = words[at].to_owned();
            let others: Vec<String> = if self.types.contains(&word) {
                self.types.clone()
            } else if self.values.contains(&word) {
                self.values.clone()
            } else {
                WORDS
                    .iter()
                    .find(|list| list.contains(&&*word))
                    .map_or(Vec::new(), |it| strings(it))
            };
            for other in others.iter().filter(|other| **other != word) {
                let mut varied: Vec<String> = words.iter().map(|it| (*it).to_owned()).collect();
                varied[at] = other.clone();
                if start == 3 {
                    varied[0] = format!("%v{}", rest.len());
                }
                writeln!(rest, "{}", varied.join(" ")).unwrap();
            }
        }
    }
}
