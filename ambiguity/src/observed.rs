//! Observed behavior of devices where findings show, as in `docs/observed.md`.

use crate::finding::Finding;

const OBSERVED: &str = include_str!("../../docs/observed.md");

/// The heading below which each item is about findings.
const HEADING: &str = "## Which reading it takes";

/// Each finding's id with what was seen there.
pub fn observed() -> Vec<(&'static str, String)> {
    let (_, items) = OBSERVED.split_once(HEADING).unwrap_or(("", ""));
    let items = items.split("\n- ").skip(1);
    items.flat_map(of_item).collect()
}

/// `**title** (`id`): what was seen`.
fn of_item(item: &'static str) -> Vec<(&'static str, String)> {
    let Some((title, seen)) = item.split_once("): ") else { return Vec::new() };
    let seen = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    let ids = title.split('`').skip(1).step_by(2).filter(|it| it.contains('/'));
    ids.map(|id| (id, seen.clone())).collect()
}

/// Says of each finding what was seen of it.
pub(crate) fn note(findings: &mut [Finding]) {
    for (id, seen) in observed() {
        for finding in findings.iter_mut().filter(|it| it.id == id) {
            finding.evidence.observed = Some(seen.clone());
        }
    }
}
