//! How clauses are read.

use std::collections::BTreeSet;

use laneproof_cross_check::ClauseMutant;
use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;

/// As the default profile, except that an unspecified value of a lane is silence: otherwise the
/// reading would replace removed clauses.
pub fn settled() -> Settled {
    let settled = Settled::by(&Specification::built_in().profiles["vulkan"]);
    settled
        .with("implementation-defined", "undefined-value")
        .with("read-of-inactive-lane", "silence")
        .with("read-of-nonexistent-lane", "silence")
}

/// With the default profile's reading of an unspecified value of a lane.
pub fn filled(settled: &Settled) -> Settled {
    let silent = settled.clone();
    silent
        .with("read-of-inactive-lane", "undefined-value")
        .with("read-of-nonexistent-lane", "undefined-value")
}

/// The same in an environment in which a mutant's document holds: the kind of a module selects only
/// two of them, and in others its clauses would not be used.
pub fn settled_for(mutant: &ClauseMutant, specification: &Specification) -> Settled {
    let document =
        |line: &str| line.strip_prefix("document ")?.split(' ').next().map(str::to_owned);
    let name = mutant.text.lines().find_map(document);
    let own = specification.documents.iter().filter(|it| Some(&*it.name) == name.as_deref());
    let environments: BTreeSet<&str> =
        own.flat_map(|it| &it.environments).map(|it| &**it).collect();
    let led_to = [true, false].map(Specification::environment_of);
    let reached = environments.is_empty() || led_to.iter().any(|it| environments.contains(it));
    match environments.first() {
        Some(environment) if !reached => settled().in_environment(environment),
        _ => settled(),
    }
}
