//! Expressions, with as few parentheses as they need.

use std::fmt::{self, Display};

use crate::language::ast::{BinaryOp, Counting, Expr, ExprKind, LaneSet, Quantifier, UnaryOp};

/// How tightly a form binds, loosest first: the order of the grammar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// Reaches as far right as it can: `if`, quantifiers, folds.
    Open,
    Implies,
    Or,
    And,
    Not,
    Compare,
    At,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Add,
    Multiply,
    Prefix,
    Atom,
}

impl Level {
    const ALL: [Self; 15] = [
        Self::Open,
        Self::Implies,
        Self::Or,
        Self::And,
        Self::Not,
        Self::Compare,
        Self::At,
        Self::BitOr,
        Self::BitXor,
        Self::BitAnd,
        Self::Shift,
        Self::Add,
        Self::Multiply,
        Self::Prefix,
        Self::Atom,
    ];

    fn tighter(self) -> Self {
        Self::ALL.get(self as usize + 1).copied().unwrap_or(Self::Atom)
    }
}

impl BinaryOp {
    /// How it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::And => "and",
            Self::Or => "or",
            Self::Implies => "implies",
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::BitXor => "^",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
        }
    }

    const fn level(self) -> Level {
        match self {
            Self::Implies => Level::Implies,
            Self::Or => Level::Or,
            Self::And => Level::And,
            Self::Equal
            | Self::NotEqual
            | Self::Less
            | Self::LessEqual
            | Self::Greater
            | Self::GreaterEqual => Level::Compare,
            Self::BitOr => Level::BitOr,
            Self::BitXor => Level::BitXor,
            Self::BitAnd => Level::BitAnd,
            Self::ShiftLeft | Self::ShiftRight => Level::Shift,
            Self::Add | Self::Sub => Level::Add,
            Self::Mul | Self::Div | Self::Rem => Level::Multiply,
        }
    }
}

impl Quantifier {
    /// How it is written.
    pub const fn word(self) -> &'static str {
        match self {
            Self::ForAll => "forall",
            Self::Exists => "exists",
            Self::Count => "count",
            Self::Lanes => "lanes",
            Self::Lowest => "lowest",
            Self::Highest => "highest",
        }
    }
}

impl LaneSet {
    /// How it is written.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Existing => "existing",
            Self::Subgroup => "subgroup",
        }
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", At(self, Level::Open))
    }
}

/// An expression in a place that only forms of this level or tighter may take.
struct At<'a>(&'a Expr, Level);

impl Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(expr, least) = self;
        match level(expr) < *least {
            true => write!(f, "({})", Bare(expr)),
            false => write!(f, "{}", Bare(expr)),
        }
    }
}

fn level(expr: &Expr) -> Level {
    match &expr.kind {
        ExprKind::If(..)
        | ExprKind::Quantified { .. }
        | ExprKind::Fold { .. }
        | ExprKind::Counted { .. }
        | ExprKind::SomeOrder { .. } => Level::Open,
        ExprKind::Binary(op, ..) => op.level(),
        ExprKind::Unary(UnaryOp::Not, _) => Level::Not,
        ExprKind::Unary(..) => Level::Prefix,
        ExprKind::At(..) => Level::At,
        _ => Level::Atom,
    }
}

/// The precedence of bit operators is easily forgotten, so parentheses between them stay.
fn unmixed(outer: Level, operand: &Expr, least: Level) -> Level {
    let of_bits = |level| (Level::BitOr..=Level::Shift).contains(&level);
    let inner = level(operand);
    match inner != outer && inner < Level::Prefix && (of_bits(inner) || of_bits(outer)) {
        true => Level::Prefix,
        false => least,
    }
}

/// An expression without parentheses around it.
struct Bare<'a>(&'a Expr);

impl Display for Bare<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.kind {
            ExprKind::Integer(value) => write!(f, "{value}"),
            ExprKind::Boolean(value) => write!(f, "{value}"),
            ExprKind::Name(name) => write!(f, "{name}"),
            ExprKind::Call(name, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(ToString::to_string).collect();
                write!(f, "{name}({})", arguments.join(", "))
            }
            ExprKind::Unary(op, operand) => {
                let symbol = match op {
                    UnaryOp::Not => "not ",
                    UnaryOp::Negate => "-",
                    UnaryOp::BitNot => "~",
                };
                // Two minus signs in a row would begin a comment.
                let least = match op {
                    UnaryOp::Not => Level::Not,
                    UnaryOp::Negate => Level::Atom,
                    UnaryOp::BitNot => Level::Prefix,
                };
                write!(f, "{symbol}{}", At(operand, least))
            }
            ExprKind::Binary(op, left, right) => {
                let level = op.level();
                let (first, second) = match op {
                    BinaryOp::Implies => (level.tighter(), level),
                    _ => (level, level.tighter()),
                };
                let (first, second) = (unmixed(level, left, first), unmixed(level, right, second));
                write!(f, "{} {} {}", At(left, first), op.symbol(), At(right, second))
            }
            ExprKind::If(condition, then, otherwise) => {
                write!(f, "if {condition} then {then} else {otherwise}")
            }
            ExprKind::At(value, lane) => {
                write!(f, "{} at {}", At(value, Level::At), At(lane, Level::At.tighter()))
            }
            ExprKind::Quantified { quantifier, variable, lanes, body } => {
                let set = lanes.word();
                write!(f, "{} {variable} in {set}: {body}", quantifier.word())
            }
            ExprKind::Fold { operator, identity, variable, condition, body } => {
                write!(f, "fold {operator} from {identity}")?;
                contributions(f, (variable, "active"), condition, body)
            }
            ExprKind::Counted { counting, variable, first, last, condition, body } => {
                let set = format!("{} to {}", At(first, Level::Add), At(last, Level::Add));
                let word = match counting {
                    Counting::ForAll => "forall",
                    Counting::Exists => "exists",
                    Counting::Count => "count",
                    Counting::Fold { operator, start } => {
                        write!(f, "fold {operator} from {start}")?;
                        return contributions(f, (variable, &set), condition, body);
                    }
                };
                write!(f, "{word} {variable} in {set}")?;
                if !matches!(condition.kind, ExprKind::Boolean(true)) {
                    write!(f, " where {condition}")?;
                }
                write!(f, ": {body}")
            }
            ExprKind::SomeOrder { operator, identity, variable, condition, body } => {
                write!(f, "some_order {operator}")?;
                if let Some(identity) = identity {
                    write!(f, " from {identity}")?;
                }
                contributions(f, (variable, "active"), condition, body)
            }
            ExprKind::Is(operand, enumerant) => write!(f, "{operand} is {enumerant}"),
            ExprKind::Reading(name, alternatives) => {
                write!(f, "reading {name} {{")?;
                for (label, value) in alternatives {
                    write!(f, " | {label}: {value}")?;
                }
                write!(f, " }}")
            }
        }
    }
}

/// The members of a fold, and their parts.
fn contributions(
    f: &mut fmt::Formatter<'_>,
    (variable, set): (&str, &str),
    condition: &Expr,
    body: &Expr,
) -> fmt::Result {
    write!(f, " over {variable} in {set}")?;
    if !matches!(condition.kind, ExprKind::Boolean(true)) {
        write!(f, " where {condition}")?;
    }
    write!(f, " of {}", At(body, Level::Atom))
}
