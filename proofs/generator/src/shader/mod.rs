//! Shaders as trees: what families write as GLSL is read into them, rewritten, and written again in
//! the language of a form.

pub(crate) mod assembly;
pub(crate) mod erase;
pub(crate) mod glsl;
mod lex;
pub(crate) mod parse;
pub(crate) mod types;
pub(crate) mod visit;
pub(crate) mod wgsl;

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expr {
    Name(String),
    /// A number or a truth value, as written.
    Literal(String),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A function or a type, applied.
    Call(String, Vec<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Member(Box<Expr>, String),
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stmt {
    /// A variable, an array of a length where it has one.
    Declare {
        ty: String,
        name: String,
        length: Option<String>,
        value: Option<Expr>,
    },
    /// With the operator before `=`, which may be empty.
    Assign {
        place: Expr,
        operator: &'static str,
        value: Expr,
    },
    If {
        test: Expr,
        then: Vec<Stmt>,
        other: Vec<Stmt>,
    },
    For {
        first: Option<Box<Stmt>>,
        test: Option<Expr>,
        step: Option<Box<Stmt>>,
        body: Vec<Stmt>,
    },
    While {
        test: Expr,
        body: Vec<Stmt>,
    },
    DoWhile {
        body: Vec<Stmt>,
        test: Expr,
    },
    /// Each case ends by itself.
    Switch {
        of: Expr,
        cases: Vec<(Option<String>, Vec<Stmt>)>,
    },
    Break,
    Continue,
    Return(Option<Expr>),
    Do(Expr),
    Block(Vec<Stmt>),
}

/// A parameter, or a variable of the module: type, name, and the length of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub(crate) ty: String,
    pub(crate) name: String,
    pub(crate) length: Option<String>,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) result: String,
    pub(crate) name: String,
    pub(crate) parameters: Vec<Variable>,
    pub(crate) body: Vec<Stmt>,
}

/// What a claim consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Module {
    /// Memory that the workgroup shares.
    pub(crate) shared: Vec<Variable>,
    /// Functions that the others call.
    pub(crate) helpers: Vec<Function>,
    pub(crate) source: Function,
    pub(crate) target: Function,
}

impl Expr {
    pub(crate) fn name(name: &str) -> Self {
        Self::Name(name.to_owned())
    }

    pub(crate) fn literal(text: &str) -> Self {
        Self::Literal(text.to_owned())
    }

    pub(crate) fn call(name: &str, arguments: Vec<Self>) -> Self {
        Self::Call(name.to_owned(), arguments)
    }

    pub(crate) fn binary(operator: &'static str, a: Self, b: Self) -> Self {
        Self::Binary(operator, Box::new(a), Box::new(b))
    }

    pub(crate) fn not(self) -> Self {
        match self {
            Self::Unary("!", inner) => *inner,
            other => Self::Unary("!", Box::new(other)),
        }
    }
}

impl Stmt {
    pub(crate) fn declare(ty: &str, name: &str, value: Expr) -> Self {
        Self::Declare { ty: ty.to_owned(), name: name.to_owned(), length: None, value: Some(value) }
    }

    pub(crate) fn assign(place: Expr, value: Expr) -> Self {
        Self::Assign { place, operator: "", value }
    }

    pub(crate) fn only_if(test: Expr, then: Vec<Self>) -> Self {
        Self::If { test, then, other: Vec::new() }
    }
}
