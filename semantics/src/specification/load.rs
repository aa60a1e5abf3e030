//! From files to a specification: the built-in ones, and a user's.

use std::sync::{Arc, LazyLock};

use include_dir::{Dir, include_dir};

use super::check::check;
use super::{Specification, join};
use crate::error::{Mistake, SpecificationError};
use crate::language::parse::parse;
use crate::source::SpecificationFile;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/spec");

static BUILT_IN: LazyLock<Result<Specification, SpecificationError>> = LazyLock::new(|| {
    let mut files = Vec::new();
    collect(&FILES, &mut files);
    files.sort();
    Specification::from_files(files)
});

impl Specification {
    /// The specification that is compiled in.
    pub fn built_in() -> &'static Self {
        match &*BUILT_IN {
            Ok(specification) => specification,
            Err(error) => unreachable!(
                "the built-in specification is well-formed, as its tests say: {error:?}"
            ),
        }
    }

    /// This specification with one more file. A file may define instructions, functions,
    /// readings and profiles, and extend instructions that are already here.
    ///
    /// # Errors
    ///
    /// When the text is not a well-formed specification, or does not fit to this one.
    pub fn extended_with(&self, name: &str, text: &str) -> Result<Self, SpecificationError> {
        self.clone().with_files(vec![(name.to_owned(), text.to_owned())])
    }

    /// A specification from names and texts of files, without the built-in ones.
    ///
    /// # Errors
    ///
    /// When the texts are not a well-formed specification.
    pub fn from_files(files: Vec<(String, String)>) -> Result<Self, SpecificationError> {
        Self::default().with_files(files)
    }

    fn with_files(mut self, files: Vec<(String, String)>) -> Result<Self, SpecificationError> {
        let (mut mistakes, _) = self.join(files, None);
        if mistakes.is_empty() {
            mistakes = check(&self);
        }
        match SpecificationError::from_mistakes(&self.sources, mistakes) {
            None => Ok(self),
            Some(error) => Err(error),
        }
    }

    /// Adds what these files declare, unchecked; and the instructions that they extend which only the
    /// specification `beside` this one has.
    pub(crate) fn join(
        &mut self,
        files: Vec<(String, String)>,
        beside: Option<&Self>,
    ) -> (Vec<Mistake>, Vec<Arc<str>>) {
        let mut left_out = Vec::new();
        let mut mistakes = Vec::new();
        let mut items = Vec::new();
        for (name, text) in files {
            let index = self.sources.len() as u32;
            self.sources.push(SpecificationFile { name: name.into(), text: text.as_str().into() });
            match parse(index, &text) {
                Ok(parsed) => items.extend(parsed),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        if mistakes.is_empty() {
            left_out = join::join(self, items, beside, &mut mistakes);
        }
        (mistakes, left_out)
    }
}

pub(crate) fn collect(folder: &Dir<'_>, out: &mut Vec<(String, String)>) {
    folder.dirs().for_each(|inner| collect(inner, out));
    let specifications = folder
        .files()
        .filter(|file| file.path().extension().is_some_and(|extension| extension == "lps"));
    for file in specifications {
        let text = String::from_utf8_lossy(file.contents()).into_owned();
        out.push((file.path().to_string_lossy().replace('\\', "/"), text));
    }
}
