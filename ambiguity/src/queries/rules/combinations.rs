//! Lists whose rows combine values of several fields, as a table does: the combinations of these
//! values that are in no row, and of which no sentence says that they are illegal.

use std::collections::{BTreeMap, BTreeSet};

use laneproof_semantics::language::rule::{Circumstance, Fact, Force};

use super::Cause;
use crate::finding::FindingKind;
use crate::rules::{Book, Circumstances, FieldValue, ModuleWitness, ResolvedDemand};
use crate::spelling::field_in_words;

/// The fewest rows that make a table; a table with fewer is a list with a condition.
const ROWS: usize = 3;

/// The most combinations that are looked at.
const TRIED: usize = 1 << 10;

/// A document, the place of which values are listed, and the fields beside it.
type Table<'b> = (&'b str, &'b (String, String), Vec<String>);

/// The values of fields beside the one that is listed.
type Beside = BTreeMap<String, String>;

/// One cause for each table of a document that leaves out combinations.
pub(super) fn in_no_row(book: &Book<'_>) -> Vec<Cause> {
    let mut tables: BTreeMap<Table<'_>, Vec<&ResolvedDemand<'_>>> = BTreeMap::new();
    for resolved in book.resolved.iter().filter(|it| it.permits()) {
        let Some(beside) = beside(resolved.when()).filter(|it| !it.is_empty()) else { continue };
        let columns: Vec<String> = beside.into_keys().collect();
        for place in resolved.places.iter().filter(|(instruction, _)| !instruction.is_empty()) {
            let table = (resolved.document(), place, columns.clone());
            tables.entry(table).or_default().push(resolved);
        }
    }
    let tables = tables.into_iter().filter(|(_, rows)| rows.len() >= ROWS);
    tables
        .filter_map(|((_, place, columns), rows)| of_table(book, place, &columns, &rows))
        .collect()
}

/// The fields with their values, where a circumstance is nothing else and each has one.
fn beside(circumstance: &Circumstance) -> Option<Beside> {
    match circumstance {
        Circumstance::Holds(Fact::Is(field, values)) => match &values[..] {
            [value] => Some(Beside::from([(field.to_string(), value.to_string())])),
            _ => None,
        },
        Circumstance::All(parts) => {
            let mut all = Beside::new();
            for part in parts {
                all.extend(beside(part)?);
            }
            Some(all)
        }
        _ => None,
    }
}

fn of_table(
    book: &Book<'_>,
    place: &(String, String),
    columns: &[String],
    rows: &[&ResolvedDemand<'_>],
) -> Option<Cause> {
    let (instruction, field) = place;
    let of_rows: Vec<Beside> = rows.iter().filter_map(|it| beside(it.when())).collect();
    let listed: BTreeSet<&FieldValue> = rows.iter().flat_map(|it| &it.values).collect();
    let mut combinations = vec![Beside::new()];
    for column in columns {
        let values: BTreeSet<&String> = of_rows.iter().filter_map(|it| it.get(column)).collect();
        // A column with one value combines nothing.
        if values.len() < 2 {
            return None;
        }
        combinations = combinations
            .iter()
            .flat_map(|known| {
                values.iter().map(|value| {
                    let mut more = known.clone();
                    more.insert(column.clone(), (*value).clone());
                    more
                })
            })
            .collect();
    }
    if listed.len() < 2 || combinations.len() * listed.len() > TRIED {
        return None;
    }
    let mut missing: Vec<(&FieldValue, Beside)> = Vec::new();
    for value in listed {
        for fields in &combinations {
            let is_row = |it: &&ResolvedDemand<'_>| {
                it.values.contains(value) && beside(it.when()).as_ref() == Some(fields)
            };
            if !rows.iter().any(is_row) && !is_forbidden(book, place, value, fields) {
                missing.push((value, fields.clone()));
            }
        }
    }
    let (value, fields) = missing.first()?.clone();
    let shown: Vec<String> = missing.iter().map(|(value, fields)| row(value, fields)).collect();
    let named: Vec<String> = columns.iter().map(|it| field_in_words(it)).collect();
    let first = rows.first()?;
    Some(Cause {
        about: Some(format!("{field}-of-{instruction}")),
        instructions: [instruction.clone()].into(),
        clauses: rows.iter().map(|it| it.rule.id.to_string()).collect(),
        summary: format!(
            "Values of {} are listed together with those of {}, and some of the combinations are in no \
             row: {}. No sentence says whether these are illegal, or merely need not be accepted.",
            field_in_words(field),
            named.join(" and "),
            shown.join("; ")
        ),
        remedy: "That all other combinations are illegal, or that they may be accepted.".to_owned(),
        witness: Some(ModuleWitness {
            instruction: instruction.clone(),
            field: field.clone(),
            value: Some(value.clone()),
            circumstances: Circumstances { fields, ..Circumstances::default() },
        }),
        ..Cause::new(FindingKind::Gap, "combination-in-no-row", first.rule)
    })
}

/// A requirement or prohibition of the same instruction rules it out.
fn is_forbidden(
    book: &Book<'_>,
    (instruction, field): &(String, String),
    value: &FieldValue,
    fields: &Beside,
) -> bool {
    let mut all = fields.clone();
    all.insert(field.clone(), value.to_string());
    book.resolved.iter().any(|it| {
        all.iter().any(|(field, value)| {
            let known = Circumstances { fields: all.clone(), ..Circumstances::default() };
            let here = it.is_of(instruction, field) && known.meet(it.when());
            let named = it.values.iter().any(|it| it.to_string() == *value);
            match it.demand.force {
                Force::Requires => here && !named,
                Force::Forbids => here && named,
                _ => false,
            }
        })
    })
}

/// "1D with Depth 1 and Arrayed 0".
fn row(value: &FieldValue, fields: &Beside) -> String {
    let fields: Vec<String> =
        fields.iter().map(|(field, value)| format!("{} {value}", field_in_words(field))).collect();
    format!("{value} with {}", fields.join(" and "))
}
