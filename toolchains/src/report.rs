//! A finding as a page for the issue tracker of the tool's project.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use laneproof_generator::{
    Tree, TreeOperand, TreeStatement, TreeValue, coverage, scalar_words_of, type_name, words_of,
};
use laneproof_module::Named;
use laneproof_semantics::ModuleKind;
use laneproof_semantics::Specification;
use laneproof_semantics::language::ast::Clause;

use crate::difference::{LANES, OF_LANES, first, table};
use crate::finding::{ToolFinding, assembly};
use crate::outcome::FaultKind;
use crate::reduce::instructions;

/// How many lines a tool's message, and how many invocations a table of inputs, has at most.
const LINES: usize = 64;

impl ToolFinding {
    /// Ready for an issue tracker.
    pub fn report(&self) -> String {
        page(self)
    }
}

fn page(finding: &ToolFinding) -> String {
    let mut out = format!("# {}\n\n", title(finding));
    summary(&mut out, finding);
    if let Some((shown, runs)) = finding.again.filter(|(shown, runs)| shown < runs) {
        let _ = writeln!(
            out,
            "It does not show each time: {shown} of {runs} more runs of this module showed it.\n"
        );
    }
    reproduction(&mut out, finding);
    if let (Some(expected), Some(observed)) = (&finding.fault.expected, &finding.fault.observed) {
        let before = finding.generated.inputs.buffers.get(1).map_or(&[][..], Vec::as_slice);
        out += "## Expected and observed\n\n";
        out += &table(expected, observed, before, &finding.generated.tree);
        inputs(&mut out, finding);
        clauses(&mut out, finding);
    }
    let count = instructions(&finding.generated.tree);
    let noun = if count == 1 { "instruction" } else { "instructions" };
    let _ = writeln!(
        out,
        "## The module\n\n{count} {noun} beside the frame, which loads each invocation's inputs \
         and stores its outputs:\n\n```text\n{}```",
        assembly(&finding.generated.words)
    );
    if let Some(output) = &finding.fault.output {
        let _ = writeln!(out, "\n## What came out\n\n```text\n{}```", assembly(output));
    }
    out
}

/// The tool, what is wrong, and with which instructions.
fn title(finding: &ToolFinding) -> String {
    let mut names: Vec<String> = Vec::new();
    for covered in coverage(&finding.generated.tree) {
        if !names.contains(&covered.instruction) {
            names.push(covered.instruction);
        }
    }
    let kind = finding.fault.kind.name();
    match names.as_slice() {
        [] => format!("{}: {kind}", finding.subject()),
        [names @ .., last] if !names.is_empty() => {
            format!("{}: {kind} with {} and {last}", finding.subject(), names.join(", "))
        }
        names => format!("{}: {kind} with {}", finding.subject(), names.join(", ")),
    }
}

/// The fault in a sentence or two, and how it was found.
fn summary(out: &mut String, finding: &ToolFinding) {
    let tree = &finding.generated.tree;
    let size = tree.target.subgroup_size;
    let detail = finding.fault.detail.as_str();
    let text = match finding.fault.kind {
        FaultKind::WrongValue => {
            let place = of_instruction(finding).unwrap_or_default();
            format!(
                "The module's results are defined, and what came out is not among them: {detail}\
                 {place}. Workgroup of {} with subgroups of {size}.",
                tree.target.workgroup
            )
        }
        FaultKind::Refuted => format!(
            "What came out does not refine the module, as runs of both show: {detail}. Subgroups \
             of {size}."
        ),
        FaultKind::UndefinedBehavior => format!(
            "The module has no undefined behavior on these inputs, what came out has: {detail}"
        ),
        FaultKind::InvalidOutput => {
            format!("The module is valid, and what came out is not:\n\n{}", quoted(detail))
        }
        FaultKind::Crash => {
            format!(
                "The module is valid. The tool ended by a fault of its own:\n\n{}",
                quoted(detail)
            )
        }
        FaultKind::Hang => {
            format!("The module is valid. The tool does not come to an end: {detail}.")
        }
        FaultKind::RejectedValid => {
            format!("The module is valid. The tool refuses it:\n\n{}", quoted(detail))
        }
        FaultKind::AcceptedInvalid => {
            format!("The tool accepts the module, which is not valid:\n\n{}", quoted(detail))
        }
    };
    let _ = writeln!(out, "{text}\n");
    for reading in &finding.readings {
        let _ = writeln!(out, "No defect under the reading `{reading}`{}.\n", explained(reading));
    }
    let (seed, index) = finding.seed;
    let _ = writeln!(
        out,
        "- Version: {}\n- Found by: laneproof {}, seed {seed}, module {index}\n",
        finding.stated_version(),
        env!("CARGO_PKG_VERSION")
    );
}

/// The first lines of a message, as a block.
fn quoted(text: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().take(LINES).collect();
    format!("```text\n{}\n```", lines.join("\n"))
}

/// What a reading says, behind its name.
fn explained(reading: &str) -> String {
    let (name, _) = reading.split_once('=').unwrap_or((reading, ""));
    match name {
        "reconvergence" => ": without `MaximallyReconvergesKHR` invocations need not be together \
                            again inside of loops, switches and called functions"
            .to_owned(),
        "special-floats" => {
            ": the module does not ask that NaNs, infinities and subnormal numbers \
                             are kept"
                .to_owned()
        }
        name => {
            let known = Specification::built_in().readings.get(name);
            known.map_or_else(String::new, |reading| {
                format!(" of the open question: {}", reading.question)
            })
        }
    }
}

/// Which instruction gives the first wrong output.
fn of_instruction(finding: &ToolFinding) -> Option<String> {
    let (expected, observed) = (finding.fault.expected.as_ref()?, finding.fault.observed.as_ref()?);
    let tree = &finding.generated.tree;
    let (1, at, _) = first(expected, observed, tree)? else { return None };
    let word = at as u32 % tree.output_words.max(1);
    let mut stored = None;
    tree.each(&mut |statement| {
        if let TreeStatement::Output { word: from, value: TreeOperand::Value(value), ty } =
            statement
            && (*from..from + words_of(ty)).contains(&word)
        {
            stored = Some((*value, ty.clone()));
        }
    });
    let (value, ty) = stored?;
    Some(format!(", of the result of {} as {}", defined_by(tree, value), type_name(&ty)))
}

fn defined_by(tree: &Tree, value: TreeValue) -> String {
    let mut name = "an input".to_owned();
    tree.each(&mut |statement| {
        let is = |definitions: &[laneproof_generator::TreeDefinition]| {
            definitions.iter().any(|it| it.value == value)
        };
        match statement {
            TreeStatement::Instruction(it) if it.result.value == value => {
                name = format!("`{}`", it.op.name());
            }
            TreeStatement::Atomic { result, op, .. } if result.value == value => {
                name = format!("`{}`", op.name());
            }
            TreeStatement::Load { result, .. } if result.value == value => {
                name = "a load".to_owned()
            }
            TreeStatement::Call { result, .. } | TreeStatement::Foreign { result, .. }
                if result.value == value =>
            {
                name = "a call".to_owned();
            }
            TreeStatement::If(it) if is(&it.results) => name = "a selection".to_owned(),
            TreeStatement::Switch(it) if is(&it.results) => name = "a switch".to_owned(),
            TreeStatement::Loop(it) if is(&it.results) => name = "a loop".to_owned(),
            _ => {}
        }
    });
    name
}

fn reproduction(out: &mut String, finding: &ToolFinding) {
    let target = finding.generated.tree.target;
    let (size, workgroup) = (target.subgroup_size, target.workgroup);
    let _ = writeln!(out, "## To see it\n\n```sh\n{}", finding.command);
    if finding.fault.observed.is_some() {
        let _ = writeln!(
            out,
            "laneproof check module.spv --subgroup-size {size} --workgroup {workgroup},1,1 \
             --inputs inputs.json --observed observed.json"
        );
    }
    if finding.fault.kind == FaultKind::Refuted {
        let _ = writeln!(out, "laneproof verify module.spv output.spv --sizes {size}");
    }
    out.push_str("```\n\n");
}

/// What each invocation reads.
fn inputs(out: &mut String, finding: &ToolFinding) {
    let tree = &finding.generated.tree;
    let each = tree.input_words() as usize;
    let Some(words) = finding.generated.inputs.buffers.first().filter(|_| each > 0) else { return };
    let types: Vec<String> = tree.inputs.iter().map(|input| type_name(&input.ty)).collect();
    let _ = writeln!(
        out,
        "Inputs:\n\n| invocation | {} |\n| ---{} |",
        types.join(" | "),
        " | ---".repeat(types.len())
    );
    for (invocation, row) in words.chunks_exact(each).enumerate().take(LINES) {
        let mut column = 0;
        let cells = tree.inputs.iter().map(|input| {
            let leaves = scalar_words_of(&input.ty).into_iter().map(|count| {
                let low = u64::from(row[column]);
                let high = if count == 2 { u64::from(row[column + 1]) } else { 0 };
                column += count as usize;
                format!("{:#x}", low | high << 32)
            });
            leaves.collect::<Vec<_>>().join(", ")
        });
        let cells: Vec<String> = cells.collect();
        let _ = writeln!(out, "| {invocation} | {} |", cells.join(" | "));
    }
    if words.len() / each > LINES {
        out.push_str("| … |\n");
    }
    out.push('\n');
}

/// What the texts say of the group instructions of the module, or of a built-in that is wrong, in
/// laneproof's words.
fn clauses(out: &mut String, finding: &ToolFinding) {
    let tree = &finding.generated.tree;
    let specification = Specification::built_in();
    let environment = Specification::environment_of(tree.target.module_kind == ModuleKind::Kernel);
    let names: BTreeSet<String> =
        coverage(tree).into_iter().map(|covered| covered.instruction).collect();
    let text = assembly(&finding.generated.words);
    // Other extensions say what their own operations do, which the module does not use.
    let holds = |name: &str, own: &str| {
        name == own || !name.starts_with("SPV_") || text.contains(&format!("\"{name}\""))
    };
    let mut listed = String::new();
    let mut list = |name: &str, document: &str, clauses: &[Arc<Clause>]| {
        let held = specification.clauses_in(clauses, document, environment);
        for clause in held.into_iter().filter(|it| holds(&it.document, document)) {
            let sentences: Vec<String> = clause.sentences.iter().map(u32::to_string).collect();
            let noun = if sentences.len() == 1 { "sentence" } else { "sentences" };
            let Clause { wording, document, section, .. } = &**clause;
            let sentences = sentences.join(", ");
            let _ = writeln!(
                listed,
                "- `{name}`: {wording} ({document}, {section}, {noun} {sentences})"
            );
        }
    };
    if let Some(it) = wrong_built_in(finding).and_then(|name| specification.built_ins.get(name)) {
        list(&it.name, &it.document, &it.clauses);
    }
    for it in names.iter().filter_map(|name| specification.instructions.get(name.as_str())) {
        list(&it.name, &it.document, &it.clauses);
    }
    if !listed.is_empty() {
        let _ = writeln!(out, "## What the specification says, in other words\n\n{listed}");
    }
}

/// The built-in that came out wrong, if one did.
fn wrong_built_in(finding: &ToolFinding) -> Option<&'static str> {
    let (expected, observed) = (finding.fault.expected.as_ref()?, finding.fault.observed.as_ref()?);
    let (buffer, at, _) = first(expected, observed, &finding.generated.tree)?;
    (buffer == OF_LANES).then(|| LANES[at % LANES.len()])
}
