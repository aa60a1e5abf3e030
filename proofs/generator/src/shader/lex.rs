//! Tokens.

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Name(String),
    Number(String),
    Sign(&'static str),
}

/// Signs, longer ones first.
const SIGNS: &[&str] = &[
    "<<=", ">>=", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "^^", "+=", "-=",
    "*=", "/=", "%=", "&=", "|=", "^=", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">",
    "=", "(", ")", "[", "]", "{", "}", ",", ";", ":", "?", ".",
];

/// The tokens of a text.
///
/// # Panics
///
/// On a sign that no family uses: texts are this crate's own.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = if first.is_ascii_digit() {
            let float = |c: char| of_word(c) || c == '.';
            let length = rest.find(|c| !float(c)).unwrap_or(rest.len());
            tokens.push(Token::Number(rest[..length].to_owned()));
            length
        } else if of_word(first) {
            let length = rest.find(|c| !of_word(c)).unwrap_or(rest.len());
            tokens.push(Token::Name(rest[..length].to_owned()));
            length
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let sign = sign.unwrap_or_else(|| unreachable!("no token: {rest}"));
            tokens.push(Token::Sign(sign));
            sign.len()
        };
        rest = rest[length..].trim_start();
    }
    tokens
}
