//! The GLSL that families are written in, read.

use super::lex::{Token, tokens};
use super::{Expr, Function, Stmt, Variable};

/// Binary operators, by rising precedence.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["^^"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

const ASSIGNMENTS: &[(&str, &str)] = &[
    ("=", ""),
    ("+=", "+"),
    ("-=", "-"),
    ("*=", "*"),
    ("&=", "&"),
    ("|=", "|"),
    ("^=", "^"),
    ("<<=", "<<"),
    (">>=", ">>"),
];

/// The statements of a body.
///
/// # Panics
///
/// What families write is this crate's own: it is in the subset.
pub(crate) fn body(text: &str) -> Vec<Stmt> {
    let mut parser = Parser { tokens: tokens(text), at: 0 };
    let mut all = Vec::new();
    while parser.at < parser.tokens.len() {
        all.push(parser.statement());
    }
    all
}

/// Functions one after the other.
pub(crate) fn functions(text: &str) -> Vec<Function> {
    let mut parser = Parser { tokens: tokens(text), at: 0 };
    let mut all = Vec::new();
    while parser.at < parser.tokens.len() {
        let (result, name) = (parser.name(), parser.name());
        parser.expect("(");
        let parameters = parser.variables(")");
        let body = parser.block();
        all.push(Function { result, name, parameters, body });
    }
    all
}

/// Parameters, with commas between them.
pub(crate) fn parameters(text: &str) -> Vec<Variable> {
    let mut parser = Parser { tokens: tokens(text), at: 0 };
    parser.tokens.push(Token::Sign(")"));
    parser.variables(")")
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
}

impl Parser {
    fn is(&self, sign: &str) -> bool {
        matches!(self.tokens.get(self.at), Some(Token::Sign(it)) if *it == sign)
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, sign: &str) {
        let from = self.at.saturating_sub(8);
        assert!(self.takes(sign), "expected {sign} after {:?}", &self.tokens[from..]);
    }

    fn is_name(&self, past: usize, name: &str) -> bool {
        matches!(self.tokens.get(self.at + past), Some(Token::Name(it)) if it == name)
    }

    fn name(&mut self) -> String {
        match self.tokens.get(self.at) {
            Some(Token::Name(name)) => {
                self.at += 1;
                name.clone()
            }
            other => unreachable!("expected a name, found {other:?}"),
        }
    }

    fn variables(&mut self, end: &str) -> Vec<Variable> {
        let mut all = Vec::new();
        while !self.takes(end) {
            let (ty, name) = (self.name(), self.name());
            all.push(Variable { ty, name, length: self.length() });
            self.takes(",");
        }
        all
    }

    fn length(&mut self) -> Option<String> {
        if !self.takes("[") {
            return None;
        }
        let Some(Token::Number(length)) = self.tokens.get(self.at).cloned() else {
            unreachable!("expected a length")
        };
        self.at += 1;
        self.expect("]");
        Some(length)
    }

    fn block(&mut self) -> Vec<Stmt> {
        self.expect("{");
        let mut all = Vec::new();
        while !self.takes("}") {
            all.push(self.statement());
        }
        all
    }

    /// A block's statements, or one.
    fn inner(&mut self) -> Vec<Stmt> {
        if self.is("{") { self.block() } else { vec![self.statement()] }
    }

    fn parenthesized(&mut self) -> Expr {
        self.expect("(");
        let inner = self.expression();
        self.expect(")");
        inner
    }

    fn statement(&mut self) -> Stmt {
        if self.is("{") {
            return Stmt::Block(self.block());
        }
        let Some(Token::Name(word)) = self.tokens.get(self.at).cloned() else {
            let simple = self.simple();
            self.expect(";");
            return simple;
        };
        self.at += 1;
        match word.as_str() {
            "if" => {
                let (test, then) = (self.parenthesized(), self.inner());
                let has_other = self.is_name(0, "else");
                self.at += usize::from(has_other);
                let other = if has_other { self.inner() } else { Vec::new() };
                Stmt::If { test, then, other }
            }
            "for" => self.for_loop(),
            "while" => Stmt::While { test: self.parenthesized(), body: self.inner() },
            "do" => {
                let body = self.inner();
                assert_eq!(self.name(), "while");
                let test = self.parenthesized();
                self.expect(";");
                Stmt::DoWhile { body, test }
            }
            "switch" => self.switch(),
            "break" | "continue" => {
                self.expect(";");
                if word == "break" { Stmt::Break } else { Stmt::Continue }
            }
            "return" => {
                let value = (!self.is(";")).then(|| self.expression());
                self.expect(";");
                Stmt::Return(value)
            }
            _ => {
                self.at -= 1;
                let simple = self.simple();
                self.expect(";");
                simple
            }
        }
    }

    fn for_loop(&mut self) -> Stmt {
        self.expect("(");
        let first = (!self.is(";")).then(|| Box::new(self.simple()));
        self.expect(";");
        let test = (!self.is(";")).then(|| self.expression());
        self.expect(";");
        let step = (!self.is(")")).then(|| Box::new(self.simple()));
        self.expect(")");
        Stmt::For { first, test, step, body: self.inner() }
    }

    fn switch(&mut self) -> Stmt {
        let of = self.parenthesized();
        self.expect("{");
        let mut cases = Vec::new();
        while !self.takes("}") {
            let label = match self.name().as_str() {
                "case" => match self.tokens.get(self.at).cloned() {
                    Some(Token::Number(number)) => {
                        self.at += 1;
                        Some(number)
                    }
                    other => unreachable!("expected a number, found {other:?}"),
                },
                _ => None,
            };
            self.expect(":");
            let mut body = Vec::new();
            loop {
                match self.statement() {
                    Stmt::Break => break,
                    other => body.push(other),
                }
            }
            cases.push((label, body));
        }
        Stmt::Switch { of, cases }
    }

    /// A declaration, an assignment or a call.
    fn simple(&mut self) -> Stmt {
        if let (Some(Token::Name(_)), Some(Token::Name(_))) =
            (self.tokens.get(self.at), self.tokens.get(self.at + 1))
        {
            let (ty, name) = (self.name(), self.name());
            let length = self.length();
            let value = self.takes("=").then(|| self.expression());
            return Stmt::Declare { ty, name, length, value };
        }
        let place = self.expression();
        for (sign, operator) in ASSIGNMENTS {
            if self.takes(sign) {
                return Stmt::Assign { place, operator, value: self.expression() };
            }
        }
        for (sign, operator) in [("++", "+"), ("--", "-")] {
            if self.takes(sign) {
                return Stmt::Assign { place, operator, value: Expr::literal("1") };
            }
        }
        Stmt::Do(place)
    }

    pub(crate) fn expression(&mut self) -> Expr {
        let test = self.binary(0);
        if !self.takes("?") {
            return test;
        }
        let then = self.expression();
        self.expect(":");
        Expr::Choice(Box::new(test), Box::new(then), Box::new(self.expression()))
    }

    fn binary(&mut self, level: usize) -> Expr {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1);
        'operators: loop {
            for operator in *operators {
                if self.takes(operator) {
                    let right = self.binary(level + 1);
                    left = Expr::binary(operator, left, right);
                    continue 'operators;
                }
            }
            return left;
        }
    }

    fn unary(&mut self) -> Expr {
        for operator in ["-", "~", "!"] {
            if self.takes(operator) {
                return Expr::Unary(operator, Box::new(self.unary()));
            }
        }
        let mut value = self.primary();
        loop {
            if self.takes("[") {
                let index = self.expression();
                self.expect("]");
                value = Expr::Index(Box::new(value), Box::new(index));
            } else if self.takes(".") {
                value = Expr::Member(Box::new(value), self.name());
            } else {
                return value;
            }
        }
    }

    fn primary(&mut self) -> Expr {
        match self.tokens.get(self.at).cloned() {
            Some(Token::Number(number)) => {
                self.at += 1;
                Expr::Literal(number)
            }
            Some(Token::Name(name)) => {
                self.at += 1;
                if !self.takes("(") {
                    return match name.as_str() {
                        "true" | "false" => Expr::Literal(name),
                        _ => Expr::Name(name),
                    };
                }
                let mut arguments = Vec::new();
                while !self.takes(")") {
                    arguments.push(self.expression());
                    self.takes(",");
                }
                Expr::Call(name, arguments)
            }
            _ => self.parenthesized(),
        }
    }
}
