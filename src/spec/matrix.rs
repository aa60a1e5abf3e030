//! The matrix at the end of the list: what there is for each instruction and group operation.

use std::time::Duration;

use anstyle::Style;
use laneproof_cross_check::{COLUMNS, MatrixRow, Others, matrix, serialization};
use laneproof_forms::{CheckedSubject, Prepared, drawn};
use laneproof_module::load_text_unvalidated;
use laneproof_proofs::Catalogue;
use laneproof_queries::model_check::{Clauses, Meaning, agrees_with, agrees_with_memory};
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;
use laneproof_semantics::evaluate::{Execution, LaneResult, Serialization, Subgroup};
use laneproof_verify::{Options, Side, States, Verdict, verify};
use serde_json::{Value, json};

use crate::terminal::Terminal;
use laneproof_report::table::{paint, table};

/// Solver and catalogue.
struct Engines<'a> {
    specification: &'a Specification,
    settled: &'a Settled,
    theorems: Vec<String>,
}

impl Others for Engines<'_> {
    fn solver_agrees(
        &mut self,
        prepared: &Prepared,
        subgroup: &Subgroup,
        lanes: &[Option<LaneResult>],
    ) -> bool {
        let (specification, settled) = (self.specification, self.settled);
        let clauses = match &prepared.form.target.subject {
            CheckedSubject::Instruction(instruction) => Clauses::Instruction(instruction),
            CheckedSubject::BuiltIn(built_in) => Clauses::BuiltIn(built_in),
        };
        let meaning = Meaning { specification, settled, clauses };
        let mut draw = |operand: usize, leaf: usize, lane: u32, width: u32| {
            drawn(prepared.position(operand), leaf, lane, width)
        };
        let limit = Duration::from_secs(10);
        agrees_with(meaning, &prepared.instance, subgroup, lanes, &mut draw, limit) == Ok(true)
    }

    fn solver_agrees_on_memory(
        &mut self,
        prepared: &Prepared,
        subgroup: &Subgroup,
        execution: &Execution,
    ) -> bool {
        let CheckedSubject::Instruction(instruction) = &prepared.form.target.subject else {
            return false;
        };
        let (specification, settled) = (self.specification, self.settled);
        let clauses = Clauses::Instruction(instruction);
        let meaning = Meaning { specification, settled, clauses };
        let mut draw = |operand: usize, leaf: usize, lane: u32, width: u32| {
            drawn(prepared.position(operand), leaf, lane, width)
        };
        let (order, chosen) = serialization(subgroup);
        let serialization = Serialization { order: &order, chosen: &chosen };
        let (instance, limit) = (&prepared.instance, Duration::from_secs(10));
        agrees_with_memory(meaning, instance, subgroup, serialization, execution, &mut draw, limit)
            == Ok(true)
    }

    fn solver_finds_order(&mut self, module: &str) -> Option<bool> {
        let program = load_text_unvalidated(module, "neighbours").ok()?;
        let side = |name: &str| Some(Side { program: &program, function: program.function(name)? });
        let options = Options {
            states: States { sizes: vec![2], all_active: true, ..States::default() },
            timeout: Duration::from_secs(10),
            ..Options::default()
        };
        let report = verify(self.specification, side("src")?, side("tgt"), &options).ok()?;
        match report.verdict {
            Verdict::Proved => Some(true),
            Verdict::Vacuous => Some(false),
            _ => None,
        }
    }

    fn theorem(&mut self, name: &str, operation: Option<&str>) -> bool {
        let line = |line: &str| {
            let mut words = line.split_whitespace();
            words.any(|word| word == name)
                && operation.is_none_or(|operation| words.any(|word| word == operation))
        };
        let modules = self.theorems.iter().map(|text| text.lines());
        modules.into_iter().any(|lines| lines.filter(|line| !line.starts_with(';')).any(line))
    }
}

/// Computed under the default profile.
pub fn rows(specification: &Specification) -> Vec<MatrixRow> {
    let profile = specification.profiles.get("vulkan");
    let settled = profile.map(|profile| Settled::by(profile)).unwrap_or_default();
    let entries = Catalogue::built_in().map(|catalogue| catalogue.entries).unwrap_or_default();
    // A mutant says nothing of what it breaks.
    let own = entries.into_iter().filter(|entry| entry.original().is_none());
    let theorems = own.map(|entry| entry.text).collect();
    let mut engines = Engines { specification, settled: &settled, theorems };
    matrix(specification, &settled, &mut engines)
}

/// As a table, with a mark for each column where there is something.
pub fn shown(rows: &[MatrixRow], terminal: &Terminal) -> String {
    let mut table = table(&terminal.page, &["instruction", "operation", "has"]);
    for MatrixRow { name, operation, cells, .. } in rows {
        let marks: String = cells.iter().map(|&cell| if cell { '+' } else { '-' }).collect();
        table.add_row([name, operation.as_deref().unwrap_or_default(), &marks]);
    }
    let heading = paint(&terminal.page, Style::new().bold(), "What there is");
    format!("\n{heading}\nA mark each: {}\n{}\n", COLUMNS.join(", "), table.trim_fmt())
}

/// The same for scripts.
pub fn document(rows: &[MatrixRow]) -> Value {
    let row = |row: &MatrixRow| {
        let (cells, family) = (COLUMNS.into_iter().zip(row.cells), row.family.as_deref());
        let mut row = json!({ "instruction": &*row.name, "operation": row.operation.as_deref() });
        row["family"] = family.into();
        for (column, cell) in cells {
            row[column] = cell.into();
        }
        row
    };
    rows.iter().map(row).collect()
}
