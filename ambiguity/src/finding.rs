//! What was found, with the state that shows it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use laneproof_semantics::as_written::ChoicePoint;
use laneproof_semantics::denote::{Argument, Instance, Settled};
use laneproof_semantics::evaluate::Subgroup;
use laneproof_semantics::language::ast::{Operand, SpecInstruction};
use laneproof_semantics::{Scalar, Type};
use serde::Serialize;

use crate::place::SentencePlace;
use crate::reading_outcome::ReadingOutcome;
use crate::rules::ModuleWitness;
use crate::staged::Staged;

/// What kind of place it is, as the command line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// A state in which no clause gives an active lane a consequence.
    Gap,
    /// A state in which two sentences give different consequences.
    Overlap,
    /// A state in which two ways of reading give different outcomes.
    Divergence,
    /// A sentence that leaves out what its formula needs.
    Repaired,
    /// A condition that no state meets.
    DeadClause,
    /// A place where sorts do not fit.
    IllTyped,
    /// Documents that do not say the same.
    CrossDocument,
    /// A number or name that another one contradicts.
    Token,
}

impl FindingKind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Gap,
        Self::Overlap,
        Self::Divergence,
        Self::Repaired,
        Self::DeadClause,
        Self::IllTyped,
        Self::CrossDocument,
        Self::Token,
    ];

    /// In words.
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Gap => "The text does not say",
            Self::Overlap => "The text says two things",
            Self::Divergence => "It depends on how the text is read",
            Self::Repaired => "A sentence leaves something out",
            Self::DeadClause => "A condition that no state meets",
            Self::IllTyped => "Types do not fit",
            Self::CrossDocument => "Documents differ",
            Self::Token => "Numbers and names differ",
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gap => "gap",
            Self::Overlap => "overlap",
            Self::Divergence => "divergence",
            Self::Repaired => "repaired",
            Self::DeadClause => "dead-clause",
            Self::IllTyped => "ill-typed",
            Self::CrossDocument => "cross-document",
            Self::Token => "token",
        }
    }
}

/// The visibility of a finding, the most visible first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Visibility {
    /// A program: implementations that read the text differently compute different results.
    Program,
    /// A validator: implementations accept different modules.
    Validator,
    /// A reader only.
    #[default]
    Reader,
}

/// What shows that the place is one.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Evidence {
    /// Whoever wrote the clause of the sentence noted it there; no query found it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub noted: bool,
    /// What a device was seen to do where it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed: Option<String>,
    /// The smallest state that shows it, where it is about states.
    pub witness: Option<Witness>,
    /// The smallest list of facts about a module that shows it, where it is about modules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<ModuleWitness>,
    /// Where a module lies whose run tells which way was taken, once that is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub litmus: Option<String>,
    /// Why there is no such module, if one was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_litmus: Option<String>,
    /// A consequence is named, and no sentence says what it is.
    #[serde(skip)]
    pub names_only: bool,
    /// The states themselves, to be executed, one for each form in which it shows; the first one
    /// is the witness's.
    #[serde(skip)]
    pub scenes: Vec<Arc<Scene>>,
}

/// One root cause.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The same from run to run: kind, cause, document.
    pub id: String,
    /// What kind of place it is.
    pub kind: FindingKind,
    /// The instructions in which it shows.
    pub instructions: BTreeSet<String>,
    /// The documents that speak there.
    pub documents: BTreeSet<String>,
    /// The clauses.
    pub clauses: BTreeSet<String>,
    /// What it is, in a sentence.
    pub summary: String,
    /// What a sentence would have to say to settle it.
    pub remedy: String,
    /// It is a slip of the pen, and leaves no doubt about what is meant.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub editorial: bool,
    /// Its visibility.
    pub visibility: Visibility,
    /// What shows that the place is one.
    #[serde(flatten)]
    pub evidence: Evidence,
    /// Its places: the sentences that it is about.
    pub places: Vec<SentencePlace>,
    /// What each way of reading gives in the witness.
    pub readings: Vec<ReadingOutcome>,
}

impl Finding {
    /// Nothing but its name yet.
    pub(crate) fn of(kind: FindingKind, id: String) -> Self {
        Self {
            id,
            kind,
            instructions: BTreeSet::new(),
            documents: BTreeSet::new(),
            clauses: BTreeSet::new(),
            summary: String::new(),
            remedy: String::new(),
            editorial: false,
            visibility: Visibility::default(),
            evidence: Evidence {
                noted: false,
                observed: None,
                witness: None,
                module: None,
                litmus: None,
                without_litmus: None,
                names_only: false,
                scenes: Vec::new(),
            },
            places: Vec::new(),
            readings: Vec::new(),
        }
    }

    /// Its id.
    pub(crate) fn id_of(kind: FindingKind, cause: &str, document: &str) -> String {
        format!("{}/{cause}/{document}", kind.name())
    }

    /// Its id as the name of a file or folder.
    pub fn file_stem(&self) -> String {
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        self.id.chars().map(safe).collect()
    }
}

/// What is executed to show a finding, and the ways to read it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The finding, as the documents of this scene have it.
    pub id: String,
    /// The instruction, with the clauses of the documents that speak here.
    pub instruction: Arc<SpecInstruction>,
    /// These documents.
    pub documents: Vec<Arc<str>>,
    /// Its form.
    pub instance: Instance,
    /// The ways of reading, by name.
    pub ways: Vec<(String, Settled)>,
    /// How many of the ways say nothing in it.
    pub silent: usize,
    /// Other points in its sentences that can be read in several ways.
    pub others: Vec<ChoicePoint>,
    /// The smallest state, and the lane in which it shows.
    pub smallest: (Subgroup, u32),
    /// A state that real devices can be in, if one was requested and found.
    pub staged: Option<Staged>,
}

impl Scene {
    /// How many operands are constants: few are better, as they narrow what shows.
    fn constants(&self) -> usize {
        let operands = self.instruction.operands.iter().zip(&self.instance.arguments);
        let constant = |(operand, argument): &(&Operand, &Argument)| {
            operand.constant && **argument != Argument::Absent
        };
        operands.filter(constant).count()
    }

    /// Its values are words of 32 bits or Booleans, as they are in modules.
    fn in_words(&self) -> bool {
        let word = |scalar: &Scalar| *scalar == Scalar::Bool || scalar.width() == 32;
        let of_words = |ty: &Type| ty.leaves().iter().all(word);
        let fits = |argument: &Argument| match argument {
            Argument::Value(ty) | Argument::Pointer(ty) => of_words(ty),
            _ => true,
        };
        self.instance.arguments.iter().all(fits) && self.instance.result.iter().all(of_words)
    }

    /// Its values are of widths that environments have wherever there are values at all.
    fn is_usual(&self) -> bool {
        let usual = |scalar: &Scalar| *scalar == Scalar::Bool || [16, 32].contains(&scalar.width());
        let of_usual = |ty: &Type| ty.leaves().iter().all(usual);
        let fits = |argument: &Argument| match argument {
            Argument::Value(ty) | Argument::Pointer(ty) => of_usual(ty),
            _ => true,
        };
        self.instance.arguments.iter().all(fits) && self.instance.result.iter().all(of_usual)
    }

    /// How ordinary its sizes are, the most ordinary first.
    pub(crate) fn rank(&self) -> usize {
        self.staged.as_ref().map_or(usize::MAX, |staged| staged.rank)
    }
}

impl Finding {
    /// The scenes that may be executed, the most ordinary one of those that modules can have first.
    pub fn scenes(&self) -> Vec<&Arc<Scene>> {
        let mut scenes: Vec<&Arc<Scene>> = self.evidence.scenes.iter().collect();
        scenes.sort_by_key(|scene| (!scene.in_words(), scene.rank(), scene.constants()));
        scenes
    }

    /// The first of these.
    pub fn scene(&self) -> Option<&Arc<Scene>> {
        self.scenes().into_iter().next()
    }

    /// Scenes that may be staged, the most telling first.
    pub(crate) fn candidates(&self) -> Vec<Arc<Scene>> {
        let of_its_own = |place: usize, scene: &Arc<Scene>| {
            let earlier = self.evidence.scenes[..place].iter();
            earlier.filter(|it| it.instruction.name == scene.instruction.name).count()
        };
        let scenes = self.evidence.scenes.iter().enumerate();
        // Of each instruction one before a second one: what cannot be staged of one may be of another.
        let mut scenes: Vec<_> = scenes.map(|(at, it)| (of_its_own(at, it), it)).collect();
        scenes.sort_by_key(|(earlier, scene)| (!scene.in_words(), scene.constants(), *earlier));
        scenes.into_iter().map(|(_, scene)| Arc::clone(scene)).collect()
    }
}

/// A state, and the lane in which it shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Witness {
    /// The instruction that is executed.
    pub instruction: String,
    /// Its types, enumerants and the module's capability.
    pub form: String,
    /// The operands that are floating-point scalars, with their widths.
    #[serde(skip)]
    pub floats: BTreeMap<String, u32>,
    /// `SubgroupSize`.
    pub subgroup_size: u32,
    /// `SubgroupMaxSize`.
    pub max_size: u32,
    /// How many lanes exist.
    pub existing: u32,
    /// The lanes that execute it.
    pub active: Vec<u32>,
    /// The lane.
    pub lane: u32,
    /// The operands of that lane.
    pub operands: serde_json::Map<String, serde_json::Value>,
    /// The operands of all lanes, where lanes differ in them.
    pub lanes: serde_json::Map<String, serde_json::Value>,
    /// What operands lead to, by their names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub memory: BTreeMap<String, MemoryView>,
}

/// What a pointer or image leads to; `None` is an undefined value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum MemoryView {
    /// Elements one after the other.
    Buffer {
        /// The address of the first one, in bytes.
        address: String,
        /// Bytes of an element.
        element_bytes: u64,
        /// The elements.
        elements: Vec<Option<String>>,
    },
    /// Rows of elements.
    Image {
        /// Elements in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Bytes of an element.
        texel_bytes: u32,
        /// Each row as words of four bytes; the last one may reach beyond the row.
        rows: Vec<Vec<Option<String>>>,
    },
}

/// How large a witness is.
pub type Measure = (bool, u32, u32, u32, usize, usize);

impl Witness {
    /// How large it is: the order in which witnesses are preferred, those of full subgroups first.
    pub fn measure(&self) -> Measure {
        (
            self.existing != self.subgroup_size,
            self.existing,
            self.subgroup_size,
            self.max_size,
            self.existing as usize - self.active.len(),
            self.memory.values().map(MemoryView::scalars).sum(),
        )
    }
}

impl MemoryView {
    /// How many elements or words there are.
    fn scalars(&self) -> usize {
        match self {
            Self::Buffer { elements, .. } => elements.len(),
            Self::Image { rows, .. } => rows.iter().map(Vec::len).sum(),
        }
    }
}

/// How a witness compares with others: the one in which more ways of reading give something comes first,
/// then that of usual types, then the smallest.
fn order_of(finding: &Finding, witness: &Witness) -> (usize, bool, Measure) {
    let scene = finding.evidence.scenes.first();
    let silent = scene.map_or(0, |scene| scene.silent);
    (silent, !scene.is_none_or(|scene| scene.is_usual()), witness.measure())
}

/// Equal causes become one finding with several instructions; the smallest witness stays.
pub fn merge(findings: Vec<Finding>) -> Vec<Finding> {
    let mut merged: Vec<Finding> = Vec::new();
    for finding in findings {
        let Some(known) = merged.iter_mut().find(|known| known.id == finding.id) else {
            merged.push(finding);
            continue;
        };
        let smaller = match (&finding.evidence.witness, &known.evidence.witness) {
            (Some(new), Some(old)) => order_of(&finding, new) < order_of(known, old),
            (Some(_), None) => true,
            _ => false,
        };
        known.instructions.extend(finding.instructions);
        known.documents.extend(finding.documents);
        known.clauses.extend(finding.clauses);
        if known.evidence.witness.is_none()
            && known.evidence.module.is_none()
            && known.readings.is_empty()
        {
            known.evidence.module = finding.evidence.module;
            known.readings.clone_from(&finding.readings);
        }
        let first = if smaller { 0 } else { known.evidence.scenes.len() };
        known.evidence.scenes.splice(first..first, finding.evidence.scenes);
        if smaller {
            known.readings = finding.readings;
            known.summary = finding.summary;
            known.remedy = finding.remedy;
            known.evidence.witness = finding.evidence.witness;
        }
    }
    merged.sort_by(|a, b| (a.kind, &a.id).cmp(&(b.kind, &b.id)));
    merged
}
