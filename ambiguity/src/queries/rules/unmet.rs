//! Requirements that no module meets together.

use std::collections::BTreeSet;

use laneproof_semantics::language::rule::Force;
use laneproof_tokens as tokens;

use super::{Cause, short};
use crate::finding::FindingKind;
use crate::rules::{
    Book, Circumstances, FieldValue, ModuleWitness, ResolvedDemand, always, has_several, prohibits,
    smallest,
};

/// One cause for each field without legal values, by the rules of one document or together with
/// those of the document that defines the instruction.
pub(super) fn requirements(book: &Book<'_>) -> Vec<Cause> {
    let mut causes = Vec::new();
    for resolved in book.resolved.iter().filter(|resolved| resolved.demand.force == Force::Requires)
    {
        for (instruction, field) in &resolved.places {
            let place = (instruction.as_str(), field.as_str());
            let own = [resolved.document()];
            let home = book.known.home(instruction).filter(|home| *home != resolved.document());
            let both: Vec<&str> = own.into_iter().chain(home).collect();
            let found = unmet(book, resolved, place, &own);
            let found = found.or_else(|| home.and_then(|_| unmet(book, resolved, place, &both)));
            let Some((value, circumstances, against)) = found else {
                causes.extend(listed_and_forbidden(book, resolved, place));
                continue;
            };
            let documents: BTreeSet<String> =
                against.iter().map(|it| it.document().to_owned()).collect();
            let kind = match documents.iter().all(|name| name == resolved.document()) {
                true => FindingKind::Overlap,
                false => FindingKind::CrossDocument,
            };
            let mut cause = Cause::new(kind, "no-value-left", resolved.rule);
            cause.about = Some(short(field));
            cause.documents.extend(documents);
            cause.instructions =
                [instruction.clone()].into_iter().filter(|it| !it.is_empty()).collect();
            cause.clauses.extend(against.iter().map(|it| it.rule.id.to_string()));
            cause.summary =
                format!("What is required of {} leaves no value that is legal.", short(field));
            cause.remedy = "Which of the rules gives way.".to_owned();
            cause.witness = Some(ModuleWitness {
                instruction: instruction.clone(),
                field: field.clone(),
                value: Some(value),
                circumstances,
            });
            causes.push(cause);
        }
    }
    causes
}

/// A list of what a field must be names a value that another sentence of the document forbids
/// whenever the list holds.
fn listed_and_forbidden(
    book: &Book<'_>,
    resolved: &ResolvedDemand<'_>,
    place: (&str, &str),
) -> Option<Cause> {
    if has_several(place) {
        return None;
    }
    let mut against = book.of_document(resolved.document()).filter(|it| {
        it.demand.force == Force::Forbids
            && it.is_of(place.0, place.1)
            && always(&[resolved.when(), it.when()], resolved.when(), |now| now.meet(it.when()))
    });
    let (against, value) =
        against.find_map(|it| Some((it, resolved.values.intersection(&it.values).next()?)))?;
    let (instruction, field) = place;
    let mut cause = Cause::new(FindingKind::Overlap, "listed-and-forbidden", resolved.rule);
    cause.about = Some(short(field));
    cause.instructions = [instruction.to_owned()].into_iter().filter(|it| !it.is_empty()).collect();
    cause.clauses.insert(against.rule.id.to_string());
    cause.summary = format!(
        "{value} is among what {} must be by one sentence, and must not be by another.",
        short(field)
    );
    cause.remedy = "A list without that value, or no sentence against it.".to_owned();
    cause.witness = Some(ModuleWitness {
        instruction: instruction.to_owned(),
        field: field.to_owned(),
        value: Some(value.clone()),
        circumstances: smallest(&[resolved.when()], |it| it.meet(resolved.when()))?,
    });
    Some(cause)
}

/// Circumstances in which the demand holds and what it requires is illegal, with what makes it so.
fn unmet<'b, 't>(
    book: &'b Book<'t>,
    resolved: &'b ResolvedDemand<'t>,
    place: (&str, &str),
    documents: &[&'b str],
) -> Option<(FieldValue, Circumstances, Vec<&'b ResolvedDemand<'t>>)> {
    let against =
        |value: &FieldValue, circumstances: &Circumstances| -> Vec<&'b ResolvedDemand<'t>> {
            let home = book.known.home(place.0);
            let of_document = |document: &&'b str| {
                let closed = place.0.is_empty() || home == Some(*document);
                prohibits(book, document, place, value, circumstances, closed)
            };
            documents.iter().flat_map(of_document).collect()
        };
    // A capability cannot be declared where all that it rests on are prohibited.
    let beneath = |value: &FieldValue| -> Vec<FieldValue> {
        let rests_on = match resolved.kind {
            "Capability" => tokens::named("Capability", &value.to_string()),
            _ => None,
        };
        let names = rests_on.map(|it| it.capabilities()).unwrap_or_default();
        names.into_iter().map(|name| FieldValue::Word(name.into())).collect()
    };
    // Whether a value of the set that is required can be.
    let illegal =
        |value: &FieldValue, circumstances: &Circumstances| -> Vec<&'b ResolvedDemand<'t>> {
            let own = against(value, circumstances);
            let blocked: Vec<Vec<_>> =
                beneath(value).iter().map(|value| against(value, circumstances)).collect();
            match own.is_empty() && !blocked.is_empty() && blocked.iter().all(|it| !it.is_empty()) {
                true => blocked.concat(),
                false => own,
            }
        };
    let others = book
        .resolved
        .iter()
        .filter(|other| documents.contains(&other.document()) && other.is_of(place.0, place.1));
    let of: Vec<_> =
        [resolved.when()].into_iter().chain(others.map(ResolvedDemand::when)).collect();
    let several = has_several(place);
    let circumstances = smallest(&of, |it| {
        let mut judged = resolved.values.iter().map(|value| !illegal(value, it).is_empty());
        // Of several that are required each must be there, of one kind one is enough.
        it.meet(resolved.when())
            && !resolved.values.is_empty()
            && if several { judged.any(|bad| bad) } else { judged.all(|bad| bad) }
    })?;
    let value = resolved.values.iter().find(|value| !illegal(value, &circumstances).is_empty())?;
    let against = illegal(value, &circumstances);
    Some((value.clone(), circumstances, against))
}
