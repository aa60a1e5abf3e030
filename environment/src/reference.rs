//! The reference validator's complaints.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use laneproof_module::spirv::Op;
use laneproof_module::{BlockLayouts, Reference};
use laneproof_semantics::language::rule::Circumstance;
use serde::Deserialize;

use crate::body::{AppliedDemand, Body};
use crate::circumstance::{Situation, Truth};
use crate::device::Device;
use crate::diagnostic::{Diagnostic, Severity, UNDECIDED};
use crate::shown::described;
use crate::view::View;

/// A complaint that a sentence contradicts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Contradicted {
    /// Part of the complaint.
    says: String,
    /// The rule.
    by: String,
}

#[derive(Deserialize)]
struct AllContradicted {
    contradicted: Vec<Contradicted>,
}

static CONTRADICTED: LazyLock<Result<AllContradicted, String>> = LazyLock::new(|| {
    toml::from_str(include_str!("../data/reference.toml")).map_err(|error| error.to_string())
});

/// What it says by SPIR-V's own rules, and else by those of its environment. It stops at its first
/// complaint, and takes capabilities and versions for illegal that are only not promised: of these
/// the rules speak, as they do of instructions where a rule has found an error already. What an
/// extension of the device adds, it does not know.
pub fn findings(
    view: &View<'_>,
    body: &Body<'_>,
    device: Option<&Device>,
    rules: &[Diagnostic],
) -> Vec<Diagnostic> {
    let own = |complaint: &Reference| !is_contradicted(view, body, device, complaint);
    let none = BlockLayouts::default();
    if let Some(complaint) = view.listing.complaint(None, none).filter(own) {
        return vec![diagnostic(view, &complaint, "universal/spirv-val")];
    }
    let environment = body.environment;
    let Some(reference) = environment.reference() else { return Vec::new() };
    let layouts = device.map_or(BlockLayouts::ALL, Device::block_layouts);
    let complaint = view.listing.complaint(Some(reference), layouts).filter(own);
    let rule = format!("universal/{environment}");
    let mut found: Vec<Diagnostic> = complaint
        .iter()
        .flat_map(|it| {
            let legal = || view.listing.complaint(Some(reference), BlockLayouts::ALL).is_none();
            let other_device = is_of_layout(it) && layouts != BlockLayouts::ALL && legal();
            shown(view, it, &rule, rules).map(|found| match other_device {
                true => with_layouts(found, "accepted where the device has the layout"),
                false => found,
            })
        })
        .collect();
    // Without a device file its layouts are not known.
    let strict = || view.listing.complaint(Some(reference), none).filter(is_of_layout);
    if device.is_none()
        && !complaint.as_ref().is_some_and(is_of_layout)
        && let Some(complaint) = strict()
    {
        let note = with_layouts(diagnostic(view, &complaint, &rule), "which depends on the device");
        let depends_on = BTreeSet::from([LAYOUTS.to_owned()]);
        found.push(Diagnostic { severity: Severity::Note, depends_on, ..note });
    }
    found
}

/// The key of a device file that lists the layouts of blocks that the device has.
const LAYOUTS: &str = "block_layouts";

fn is_of_layout(complaint: &Reference) -> bool {
    complaint.message.contains("layout rules: member")
}

fn with_layouts(found: Diagnostic, what: &str) -> Diagnostic {
    let message = format!("{}; {what}: `{LAYOUTS}`", found.message.trim_end_matches('.'));
    Diagnostic { message, ..found }
}

/// The complaint, unless a rule says it.
fn shown(
    view: &View<'_>,
    complaint: &Reference,
    rule: &str,
    rules: &[Diagnostic],
) -> Option<Diagnostic> {
    let at = |place| view.instructions().iter().find(|it| Some(it.place) == place);
    let about_promise = at(complaint.place).is_none_or(|it| it.opcode == Op::Capability);
    let known = |it: &Diagnostic| {
        let same_place = it.word == complaint.place.map(|place| place.word);
        it.severity == Severity::Error && (same_place || is_same_identifier(it, complaint))
    };
    if complaint.decided && (about_promise || rules.iter().any(known)) {
        return None;
    }
    Some(diagnostic(view, complaint, rule))
}

/// Both speak of one identifier of valid usage: `VUID-StandaloneSpirv-None-04634`.
fn is_same_identifier(found: &Diagnostic, complaint: &Reference) -> bool {
    let identifier = complaint.message.split_once("[VUID-").and_then(|(_, it)| it.split_once(']'));
    let number = identifier.and_then(|(it, _)| it.rsplit('-').next());
    number.is_some_and(|number| found.citation.contains(&format!("VUID {number}")))
}

/// A sentence accepts what the complaint is about, or does so on some devices.
fn is_contradicted(
    view: &View<'_>,
    body: &Body<'_>,
    device: Option<&Device>,
    complaint: &Reference,
) -> bool {
    let all = match &*CONTRADICTED {
        Ok(all) => &all.contradicted,
        Err(error) => unreachable!("the data are well-formed, as tests say: {error}"),
    };
    let mut instructions = view.instructions().iter();
    let Some(index) = instructions.position(|it| Some(it.place) == complaint.place) else {
        return false;
    };
    let opcode = view.instructions()[index].opcode;
    let situation = Situation { view, device, index: Some(index), it: None };
    all.iter().filter(|it| complaint.message.contains(&it.says)).any(|it| {
        let speaks = |said: &&AppliedDemand<'_>| {
            *said.rule.id == *it.by && said.permits() && said.is_about(opcode)
        };
        body.demands.iter().filter(speaks).any(|said| {
            let holds = situation.holds(&said.demand.when);
            let always = said.demand.when == Circumstance::ALWAYS;
            !always && matches!(holds, Truth::Yes | Truth::Depends(_))
        })
    })
}

/// It says that behavior is undefined, which makes no module invalid.
fn is_of_behavior(complaint: &Reference) -> bool {
    complaint.message.starts_with("Behavior is undefined")
}

fn diagnostic(view: &View<'_>, complaint: &Reference, rule: &str) -> Diagnostic {
    if complaint.decided && is_of_behavior(complaint) {
        let rule = "universal/undefined-behavior";
        let says = complaint.message.trim_end_matches('.');
        let message = format!("{says}; the reference validator stops here");
        return Diagnostic { severity: Severity::Warning, message, ..found(view, complaint, rule) };
    }
    found(view, complaint, rule)
}

fn found(view: &View<'_>, complaint: &Reference, rule: &str) -> Diagnostic {
    let instruction = view.instructions().iter().find(|it| Some(it.place) == complaint.place);
    Diagnostic {
        rule: if complaint.decided { rule } else { UNDECIDED }.to_owned(),
        severity: if complaint.decided { Severity::Error } else { Severity::Warning },
        message: complaint.message.clone(),
        instruction: instruction.and_then(|it| view.instruction_name(it)),
        word: complaint.place.map(|place| place.word),
        line: complaint.place.map(|place| place.line).filter(|&line| line > 0),
        citation: "SPIR-V, as SPIRV-Tools validates it".to_owned(),
        reading: None,
        depends_on: BTreeSet::new(),
        subject: None,
        breadth: None,
        shown: instruction.map(|it| described(view, it)),
    }
}
