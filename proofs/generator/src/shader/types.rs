//! The types of expressions.

use std::collections::BTreeMap;

use super::{Expr, Function, Stmt, Variable};

/// The types of names, in GLSL's words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Types {
    names: BTreeMap<String, String>,
}

/// Types that are also functions.
pub(crate) const TYPES: &[&str] = &[
    "uint", "int", "bool", "float", "double", "uint64_t", "int64_t", "uint16_t", "int16_t",
    "uint8_t", "uvec2", "ivec2", "vec2", "uvec4",
];

impl Types {
    /// Of everything that a function declares: names are not used twice with different types.
    pub(crate) fn of(function: &Function, shared: &[Variable], helpers: &[Function]) -> Self {
        let mut types = Self::default();
        for Variable { ty, name, .. } in function.parameters.iter().chain(shared) {
            types.names.insert(name.clone(), ty.clone());
        }
        for helper in helpers {
            types.names.insert(format!("{}()", helper.name), helper.result.clone());
        }
        types.declare(&function.body);
        types
    }

    /// It is one of the claim's own functions.
    pub(crate) fn is_helper(&self, name: &str) -> bool {
        self.names.contains_key(&format!("{name}()"))
    }

    fn declare(&mut self, body: &[Stmt]) {
        for statement in body {
            match statement {
                Stmt::Declare { ty, name, .. } => {
                    self.names.insert(name.clone(), ty.clone());
                }
                Stmt::If { then, other, .. } => {
                    self.declare(then);
                    self.declare(other);
                }
                Stmt::For { first, body, .. } => {
                    first.iter().for_each(|it| self.declare(std::slice::from_ref(&**it)));
                    self.declare(body);
                }
                Stmt::While { body, .. } | Stmt::DoWhile { body, .. } | Stmt::Block(body) => {
                    self.declare(body);
                }
                Stmt::Switch { cases, .. } => {
                    cases.iter().for_each(|(_, body)| self.declare(body));
                }
                _ => {}
            }
        }
    }

    /// The type of an expression; of a number without a suffix that of the other operand.
    pub(crate) fn of_expression(&self, of: &Expr) -> Option<String> {
        let named = |name: &str| Some(name.to_owned());
        match of {
            Expr::Name(name) => match name.as_str() {
                "gl_SubgroupInvocationID" | "gl_SubgroupSize" | "gl_LocalInvocationIndex" => {
                    named("uint")
                }
                _ if name.starts_with("gl_Subgroup") => named("uvec4"),
                _ => self.names.get(name).cloned(),
            },
            Expr::Literal(text) => match text.as_str() {
                "true" | "false" => named("bool"),
                text if text.ends_with("UL") => named("uint64_t"),
                text if text.ends_with('u') => named("uint"),
                text if text.contains('.') => named("float"),
                _ => None,
            },
            Expr::Unary("!", _) => named("bool"),
            Expr::Unary(_, inner) => self.of_expression(inner),
            Expr::Binary("&&" | "||" | "^^" | "<" | ">" | "<=" | ">=" | "==" | "!=", _, _) => {
                named("bool")
            }
            Expr::Binary("<<" | ">>", a, _) => self.of_expression(a),
            Expr::Binary(_, a, b) | Expr::Choice(_, a, b) => {
                self.of_expression(a).or_else(|| self.of_expression(b))
            }
            Expr::Call(name, arguments) => self.of_call(name, arguments),
            Expr::Index(of, _) | Expr::Member(of, _) => {
                let whole = self.of_expression(of)?;
                named(match whole.as_str() {
                    "uvec2" | "uvec4" => "uint",
                    "ivec2" => "int",
                    "vec2" => "float",
                    element => element,
                })
            }
        }
    }

    fn of_call(&self, name: &str, arguments: &[Expr]) -> Option<String> {
        let named = |name: &str| Some(name.to_owned());
        match name {
            _ if TYPES.contains(&name) => named(name),
            "subgroupBallot" => named("uvec4"),
            "subgroupAll" | "subgroupAny" | "subgroupElect" | "subgroupAllEqual" | "any"
            | "all" | "isnan" => named("bool"),
            "equal" | "notEqual" => named("bvec4"),
            "subgroupInverseBallot" | "subgroupBallotBitExtract" => named("bool"),
            "subgroupBallotBitCount"
            | "subgroupBallotInclusiveBitCount"
            | "subgroupBallotExclusiveBitCount"
            | "subgroupBallotFindLSB"
            | "subgroupBallotFindMSB"
            | "floatBitsToUint" => named("uint"),
            "uintBitsToFloat" => named("float"),
            "bitCount" | "findLSB" | "findMSB" => named("int"),
            _ => match self.names.get(&format!("{name}()")) {
                Some(result) => Some(result.clone()),
                None => self.of_expression(arguments.first()?),
            },
        }
    }
}
