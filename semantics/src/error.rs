//! What is wrong with a specification, and where.

use std::sync::Arc;

use miette::{Diagnostic, LabeledSpan, NamedSource};
use thiserror::Error;

use crate::source::SpecificationFile;
use crate::span::Span;

/// A mistake in a specification file: the place, what was expected, what fits.
#[derive(Clone, Debug, Error, Diagnostic)]
#[error("{message}")]
pub struct SpecificationError {
    /// What is wrong.
    pub message: String,
    /// The file.
    #[source_code]
    pub source_code: Arc<NamedSource<String>>,
    /// Places in the file, with their labels.
    #[label(collection)]
    pub labels: Vec<LabeledSpan>,
    /// What would fit.
    #[help]
    pub help: Option<String>,
    /// Further mistakes of the same reading.
    #[related]
    pub others: Vec<SpecificationError>,
}

/// A mistake before it is tied to the text of its file.
#[derive(Clone, Debug)]
pub(crate) struct Mistake {
    pub(crate) message: String,
    pub(crate) label: String,
    pub(crate) span: Span,
    pub(crate) help: Option<String>,
}

impl Mistake {
    pub(crate) fn new(span: Span, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { message: message.into(), label: label.into(), span, help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Suggests the nearest of `candidates` to the misspelt `name`.
    pub(crate) fn did_you_mean<'a>(
        self,
        name: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let nearest = candidates
            .into_iter()
            .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
            .filter(|(similarity, _)| *similarity > 0.8)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        match nearest {
            Some((_, candidate)) => self.help(format!("did you mean `{candidate}`?")),
            None => self,
        }
    }
}

impl SpecificationError {
    /// The first mistake, with the rest related to it; `None` without mistakes.
    pub(crate) fn from_mistakes(
        sources: &[SpecificationFile],
        mistakes: Vec<Mistake>,
    ) -> Option<Self> {
        let mut errors = mistakes.into_iter().map(|mistake| Self::from_mistake(sources, mistake));
        let mut first = errors.next()?;
        first.others = errors.collect();
        Some(first)
    }

    fn from_mistake(sources: &[SpecificationFile], mistake: Mistake) -> Self {
        let (name, text) = sources
            .get(mistake.span.file as usize)
            .map(|source| (source.name.to_string(), source.text.to_string()))
            .unwrap_or_default();
        let start = (mistake.span.start as usize).min(text.len());
        let length = (mistake.span.end.saturating_sub(mistake.span.start)) as usize;
        let label = LabeledSpan::new(Some(mistake.label), start, length.min(text.len() - start));
        Self {
            message: mistake.message,
            source_code: Arc::new(NamedSource::new(name, text)),
            labels: vec![label],
            help: mistake.help,
            others: Vec::new(),
        }
    }
}
