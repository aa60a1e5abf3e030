//! The comment at the top of a module's text, in which files of modules say what they are: `key: value`
//! lines among prose.

/// A line of that comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeaderLine<'t> {
    /// Its number in the text, from 1.
    pub number: usize,
    /// What it says, without what marks a comment.
    pub words: &'t str,
}

impl<'t> HeaderLine<'t> {
    /// Key and value, if it begins with what looks like a key: lower-case letters and hyphens. A line
    /// of prose does not.
    pub fn entry(&self) -> Option<(&'t str, &'t str)> {
        let (key, value) = self.words.split_once(':')?;
        let fits = !key.is_empty() && key.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        fits.then(|| (key, value.trim()))
    }
}

/// The lines of the comment that a text begins with: a semicolon marks them in assembly, two slashes in
/// GLSL and WGSL, where directives (`#version`) may come before and between.
pub fn header(text: &str) -> impl Iterator<Item = HeaderLine<'_>> {
    let assembly = !text.trim_start().starts_with(['/', '#']);
    let mark = if assembly { ";" } else { "//" };
    let lines = (1..).zip(text.lines().map(str::trim));
    lines
        .filter(move |(_, line)| assembly || !line.starts_with('#'))
        .map_while(move |(number, line)| Some((number, line.strip_prefix(mark)?)))
        .map(|(number, words)| HeaderLine { number, words: words.trim() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_in_every_language() {
        let of = |text| {
            header(text)
                .map(|it| (it.number, it.entry().map(|(key, _)| key)))
                .collect::<Vec<(usize, Option<&str>)>>()
        };
        assert_eq!(of("; A claim: two\n; why: so\n\n; sizes: 4"), [(1, None), (2, Some("why"))]);
        assert_eq!(of("#version 460\n// why: so\n//\nvoid"), [(2, Some("why")), (3, None)]);
        assert_eq!(of("// mutant-of: x\n; why: so"), [(1, Some("mutant-of"))]);
        assert_eq!(of("OpCapability Shader\n; why: so"), []);
        assert_eq!(header("; a: b: c ").next().and_then(|it| it.entry()), Some(("a", "b: c")));
    }
}
