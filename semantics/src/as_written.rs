//! Documents as their text has them: clauses without choice points of their own, into which
//! choice points come by the shape of terms.
//!
//! A [`ReadingKind`] says where a text can be read in several ways and how: a sum of lane numbers, an
//! operand that no sentence declares uniform, a label such as "out-of-range". [`AsWritten`] puts a
//! choice point wherever something has the shape of a kind. No place is special-cased, so a text that
//! is added later is treated in the same way.
//!
//! Numbers of a text are numbers: the value of a name is exact, and a kind says what becomes of a sum
//! of them.

mod rewrite;
mod shape;

use std::sync::{Arc, LazyLock};

use include_dir::{Dir, include_dir};

use crate::denote::Settled;
use crate::error::{Mistake, SpecificationError};
use crate::language::ast::{Consequence, Reading, ReadingKind, Span};
use crate::specification::check;
use crate::specification::{Specification, collect};

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/text");

static BUILT_IN: LazyLock<Result<AsWritten, SpecificationError>> = LazyLock::new(|| {
    let mut files = Vec::new();
    collect(&FILES, &mut files);
    files.sort();
    AsWritten::from_files(files)
});

/// Texts, and where they can be read in several ways.
#[derive(Clone, Debug)]
pub struct AsWritten {
    /// The clauses, with a reading of its own in each place that can be read in several ways.
    pub specification: Specification,
    /// Those places.
    pub choice_points: Vec<ChoicePoint>,
    /// Ill-typed terms, and names without a meaning.
    pub ill_typed: Vec<IllTyped>,
    /// Instructions that a file says more of and that no text describes here, only the
    /// specification.
    pub not_searched: Vec<Arc<str>>,
}

/// A place that can be read in several ways.
#[derive(Clone, Debug)]
pub struct ChoicePoint {
    /// The name of its reading: the kind, the clause and, where there are several, a number.
    pub name: Arc<str>,
    /// Why it is one.
    pub kind: Arc<ReadingKind>,
    /// The first clause that has it.
    pub clause: Arc<str>,
    /// The instruction that the clause is about.
    pub instruction: Arc<str>,
    /// The term, in the specification language.
    pub term: Arc<str>,
    /// The ways to read it, by name.
    pub alternatives: Vec<Arc<str>>,
}

impl ChoicePoint {
    /// Its alternatives name consequences; unsettled it is silent.
    pub fn is_consequence(&self) -> bool {
        matches!(
            self.kind.shape,
            crate::language::ast::AmbiguousShape::Must
                | crate::language::ast::AmbiguousShape::Label(_)
        )
    }
}

/// In which way sorts do not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllTypedCause {
    /// By the text's own words: a vector stands where a number is asked for.
    VectorAsScalar,
    /// By the formula: it has a name that there is not, or something of another sort than is asked for.
    Formula,
}

impl IllTypedCause {
    /// Its name in the ids of findings.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::VectorAsScalar => "vector-as-scalar",
            Self::Formula => "sorts-do-not-fit",
        }
    }
}

/// A place of a text where sorts do not fit.
#[derive(Clone, Debug)]
pub struct IllTyped {
    /// What is wrong there.
    pub cause: IllTypedCause,
    /// The rule that it breaks.
    pub message: String,
    /// What was found.
    pub found: String,
    /// What may be meant, where that is known.
    pub help: Option<String>,
    /// The place.
    pub span: Span,
}

impl From<Mistake> for IllTyped {
    fn from(mistake: Mistake) -> Self {
        let Mistake { message, label, span, help } = mistake;
        Self { cause: IllTypedCause::Formula, message, found: label, help, span }
    }
}

impl AsWritten {
    /// The documents that are compiled in.
    pub fn built_in() -> &'static Self {
        match &*BUILT_IN {
            Ok(texts) => texts,
            Err(error) => {
                unreachable!("the built-in texts are well-formed, as their tests say: {error:?}")
            }
        }
    }

    /// Texts from names and contents of files, among them the kinds of choice points.
    ///
    /// # Errors
    ///
    /// When a file does not parse, or declares something twice or for nothing.
    pub fn from_files(files: Vec<(String, String)>) -> Result<Self, SpecificationError> {
        Self::of(Specification::default(), files)
    }

    /// These texts with further ones: a document, or sentences that are proposed.
    ///
    /// # Errors
    ///
    /// As [`AsWritten::from_files`].
    pub fn extended_with(files: Vec<(String, String)>) -> Result<Self, SpecificationError> {
        let mut all = Vec::new();
        collect(&FILES, &mut all);
        all.sort();
        all.extend(files);
        Self::from_files(all)
    }

    /// Texts without the documents that are compiled in: only the kinds of choice points and the
    /// words that clauses share.
    ///
    /// # Errors
    ///
    /// As [`AsWritten::from_files`].
    pub fn alone(files: Vec<(String, String)>) -> Result<Self, SpecificationError> {
        let mut all = Vec::new();
        collect(&FILES, &mut all);
        all.retain(|(name, _)| !name.contains('/'));
        all.sort();
        all.extend(files);
        Self::from_files(all)
    }

    fn of(
        mut specification: Specification,
        files: Vec<(String, String)>,
    ) -> Result<Self, SpecificationError> {
        let (mistakes, not_searched) = specification.join(files, Some(Specification::built_in()));
        if let Some(error) = SpecificationError::from_mistakes(&specification.sources, mistakes) {
            return Err(error);
        }
        let (choice_points, mut ill_typed) = rewrite::with_choice_points(&mut specification);
        ill_typed.extend(check(&specification).into_iter().map(IllTyped::from));
        Ok(Self { specification, choice_points, ill_typed, not_searched })
    }

    /// Every choice point read in its first way; labels and requirements left silent.
    pub fn first_readings(&self) -> Settled {
        let open = self.choice_points.iter().filter(|point| !point.is_consequence());
        open.fold(Settled::default(), |settled, point| match point.alternatives.first() {
            Some(first) => settled.with(&point.name, first),
            None => settled,
        })
    }
}

/// The reading of a choice point, as clauses name it.
fn reading(point: &ChoicePoint) -> Reading {
    let alternatives = point.kind.alternatives.iter().map(|(name, alternative)| {
        let consequence: Option<Consequence> = match alternative {
            crate::language::ast::Alternative::Consequence(consequence) => Some(*consequence),
            _ => None,
        };
        (Arc::clone(name), consequence)
    });
    Reading {
        name: Arc::clone(&point.name),
        question: Arc::clone(&point.kind.question),
        alternatives: alternatives.collect(),
        span: point.kind.span,
    }
}
