//! The functions that a GLSL text defines, and how to call each.

use laneproof_module::Direction;

/// A function with a body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    /// Its name.
    pub name: String,
    /// Its parameters.
    parameters: Vec<Parameter>,
}

/// A parameter of a definition.
#[derive(Debug, PartialEq, Eq)]
struct Parameter {
    /// The type: the text between the qualifiers and the name.
    ty: String,
    /// The text after its name.
    lengths: String,
    /// The direction of its value, if the qualifiers are known.
    direction: Direction,
}

impl Definition {
    /// A block that calls it with variables of its own.
    pub fn call(&self) -> String {
        let variables = self.parameters.iter().enumerate();
        let declared: String =
            variables.map(|(i, it)| format!("{} a{i}{}; ", it.ty, it.lengths)).collect();
        let passed: Vec<String> = (0..self.parameters.len()).map(|i| format!("a{i}")).collect();
        format!("{{ {declared}{}({}); }}\n", self.name, passed.join(", "))
    }

    /// Which way each parameter's value goes.
    pub fn directions(&self) -> impl ExactSizeIterator<Item = Direction> {
        self.parameters.iter().map(|parameter| parameter.direction)
    }
}

/// The function definitions in a text, found by a simple scan: a name, parentheses and a brace
/// outside of other braces. Macros are not expanded.
pub(crate) fn definitions(text: &str) -> Vec<Definition> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(token) = tokens.get(at) {
        match *token {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "(" if depth == 0 => {
                let end = closing(&tokens, at);
                let body = after_attributes(&tokens, end + 1);
                let name = at.checked_sub(1).map(|before| tokens[before]);
                if let (Some(name), Some(&"{")) = (name.filter(|it| is_name(it)), tokens.get(body))
                {
                    let parameters = parameters(&tokens[at + 1..end]);
                    found.push(Definition { name: name.to_owned(), parameters });
                }
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Where the parenthesis that opens at a place closes; the last token if nowhere.
fn closing(tokens: &[&str], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match *token {
            "(" => depth += 1,
            ")" if depth == 1 => return at,
            ")" => depth -= 1,
            _ => {}
        }
    }
    tokens.len() - 1
}

/// Where the text goes on after attributes, as `[[maximally_reconverges]]`.
fn after_attributes(tokens: &[&str], mut at: usize) -> usize {
    while tokens[at.min(tokens.len())..].starts_with(&["[", "["]) {
        let close = |window: &[&str]| *window == ["]", "]"];
        let Some(end) = tokens[at..].windows(2).position(close) else { return at };
        at += end + 2;
    }
    at
}

/// A directive names `main`: what it makes is not read here.
pub(crate) fn is_named_in_directives(text: &str) -> bool {
    let directives = text.lines().filter(|line| line.trim_start().starts_with('#'));
    let word = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    directives.flat_map(|line| line.split(word)).any(|name| name == "main")
}

/// Words before a parameter's type; a variable has none of them.
const QUALIFIERS: [&str; 13] = [
    "const",
    "in",
    "out",
    "inout",
    "highp",
    "mediump",
    "lowp",
    "precise",
    "restrict",
    "coherent",
    "volatile",
    "readonly",
    "writeonly",
];

fn parameters(tokens: &[&str]) -> Vec<Parameter> {
    if tokens.is_empty() || *tokens == ["void"] {
        return Vec::new();
    }
    let mut parts: Vec<(Vec<&str>, Direction)> = vec![(Vec::new(), Direction::In)];
    let mut depth = 0_usize;
    for &token in tokens {
        match token {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        match parts.last_mut() {
            Some(_) if token == "," && depth == 0 => parts.push((Vec::new(), Direction::In)),
            Some((_, direction)) if ["out", "inout"].contains(&token) => {
                *direction = Direction::Out;
            }
            Some((part, _)) if !QUALIFIERS.contains(&token) => part.push(token),
            _ => {}
        }
    }
    let parameter = |(part, direction): (Vec<&str>, Direction)| {
        // Of more words than a type and a name some are macros, which may be qualifiers.
        let plain = part.iter().filter(|token| is_name(token)).count() <= 2;
        let direction = if plain { direction } else { Direction::Unknown };
        // The name is the second word outside of brackets.
        let mut depth = 0_usize;
        let name = part.iter().skip(1).position(|token| {
            match *token {
                "[" => depth += 1,
                "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && is_name(token)
        });
        let (ty, lengths) = match name.map(|name| name + 1) {
            Some(name) => (part[..name].join(" "), part[name + 1..].join(" ")),
            None => (part.join(" "), String::new()),
        };
        Parameter { ty, lengths, direction }
    };
    parts.into_iter().map(parameter).collect()
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Words and marks, without comments and directives.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let length = if rest.starts_with("//") || rest.starts_with('#') {
            line(rest)
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let end = rest.find(|c| !word(c)).unwrap_or(rest.len());
            let Some(first) = rest.chars().next() else { return tokens };
            let length = if end == 0 { first.len_utf8() } else { end };
            tokens.push(&rest[..length]);
            length
        };
        rest = &rest[length..];
    }
}

/// Bytes of a line that goes on after a backslash.
fn line(text: &str) -> usize {
    let ends = text.match_indices('\n').map(|(end, _)| end);
    ends.into_iter()
        .find(|&end| !text[..end].trim_end_matches('\r').ends_with('\\'))
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_found_and_called() {
        let text = "
            #version 460 // main() {
            #define twice(x) \\
                nothing(x) { }
            layout(local_size_x = 64) in;
            layout(std430) buffer Data { uint values[]; };
            /* uint old(uint x) { } */
            struct Pair { uint a; uint b; };
            uint forward(uint x);
            const uint four = uint(4);
            uint src(const in uint x, inout Pair p[2], float[2 * (1 + 1)][3] m, uint) {
                if (x == 0u) { return 1u; }
                return forward(x);
            }
            void nothing(void) {}
            void at_all() {}
            void fill(out uint a, MAYBE_OUT uint b) [[unroll]] [[flatten(2)]] { }
            void main() [[maximally_reconverges]] { }";
        let found = definitions(text);
        let names: Vec<&str> = found.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["src", "nothing", "at_all", "fill", "main"]);
        use Direction::{In, Out, Unknown};
        assert!(found[0].directions().eq([In, Out, In, In]));
        assert!(found[3].directions().eq([Out, Unknown]));
        assert_eq!(
            found[0].call(),
            "{ uint a0; Pair a1[ 2 ]; float [ 2 * ( 1 + 1 ) ] [ 3 ] a2; uint a3; \
             src(a0, a1, a2, a3); }\n"
        );
        assert_eq!(found[1].call(), "{ nothing(); }\n");
    }

    #[test]
    fn what_does_not_close_ends_with_the_text() {
        for text in
            ["f(", "f(a", "f() [[", "f() [[a", "/*", "#define a \\", "(", "}", "f(){", "é(ä){"]
        {
            definitions(text);
        }
    }
}
