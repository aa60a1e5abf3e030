//! Source languages, and how they are recognized.

use std::fmt;
use std::path::Path;

/// A source language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// The OpenGL shading language, as Vulkan has it.
    Glsl,
    /// The WebGPU shading language.
    Wgsl,
}

impl Language {
    /// What the names of files in it end with.
    #[cfg(any(feature = "glsl", feature = "wgsl"))]
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Glsl => ".comp",
            Self::Wgsl => ".wgsl",
        }
    }

    /// The language of a file, by its extension; `None` for SPIR-V, and without an extension.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "comp" | "glsl" => Some(Self::Glsl),
            "wgsl" => Some(Self::Wgsl),
            _ => None,
        }
    }

    /// The language of a text, by what it begins with after comments; `None` for assembly, and for
    /// what is no text in any of these.
    pub(crate) fn by_content(text: &str) -> Option<Self> {
        let start = after_comments(text);
        let word = start.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()?;
        match word {
            _ if start.starts_with('#') => Some(Self::Glsl),
            "enable" | "requires" | "diagnostic" | "fn" | "var" | "alias" | "override" => {
                Some(Self::Wgsl)
            }
            _ if start.starts_with('@') => Some(Self::Wgsl),
            "layout" | "void" | "bool" | "int" | "uint" | "float" => Some(Self::Glsl),
            _ => None,
        }
    }
}

/// The language that a text looks like which is none of another language: its first word says it, or a
/// line that has no place in the other.
#[cfg(any(feature = "glsl", feature = "wgsl"))]
pub(crate) fn looks_like(text: &str) -> Option<Language> {
    let of_line = |line: &str| {
        let line = line.trim_start();
        match line.strip_prefix("fn ").is_some_and(|rest| rest.contains('(')) {
            true => Some(Language::Wgsl),
            false if line.starts_with('@') => Some(Language::Wgsl),
            false => line.starts_with('#').then_some(Language::Glsl),
        }
    };
    Language::by_content(text).or_else(|| text.lines().find_map(of_line))
}

/// Without the blanks and comments that it begins with.
fn after_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let after = if let Some(comment) = rest.strip_prefix("//") {
            comment.split_once('\n').map(|(_, after)| after)
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map(|(_, after)| after)
        } else {
            return rest;
        };
        rest = after.unwrap_or_default().trim_start();
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Glsl => "GLSL",
            Self::Wgsl => "WGSL",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_known_by_its_first_word() {
        for (text, language) in [
            ("#version 460\n", Some(Language::Glsl)),
            ("// a scan\n/* of\nlanes */ uint src(uint x)", Some(Language::Glsl)),
            ("\r\n@compute @workgroup_size(32)", Some(Language::Wgsl)),
            ("enable subgroups;", Some(Language::Wgsl)),
            ("fn src(x: u32) -> u32", Some(Language::Wgsl)),
            ("; SPIR-V\nOpCapability Shader", None),
            ("%u32 = OpTypeInt 32 0", None),
            ("// nothing else", None),
            ("", None),
        ] {
            assert_eq!(Language::by_content(text), language, "{text:?}");
        }
    }

    #[cfg(any(feature = "glsl", feature = "wgsl"))]
    #[test]
    fn a_text_looks_like_a_language_by_a_line_too() {
        let wgsl = "const four = 4u;\nfn src(x: u32) -> u32 { return x; }";
        assert_eq!(looks_like(wgsl), Some(Language::Wgsl));
        assert_eq!(looks_like("struct A { int b; };\n#define C 1\n"), Some(Language::Glsl));
        assert_eq!(looks_like("struct A { int b; };\n"), None);
    }
}
