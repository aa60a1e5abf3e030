//! The types of expressions.

use std::sync::Arc;

use super::scope::{STATE, Scope};
use super::ty::Ty;
use super::{Checker, builtin};
use crate::error::Mistake;
use crate::language::ast::{
    BinaryOp, Counting, Expr, ExprKind, Name, Quantifier, Span, SpecFunction, UnaryOp,
};
use crate::language::parse::one_of;

/// How deep an expression may be when every definition in it is put in its place: engines
/// walk it recursively.
const MAX_DEPTH: u32 = 400;

impl Checker<'_> {
    /// The type of an expression; `Unknown` where a mistake is already reported.
    pub(super) fn expr(&mut self, scope: &Scope, expr: &Expr) -> Ty {
        if self.depth >= MAX_DEPTH {
            self.report(
                scope,
                Mistake::new(expr.span, "definitions nest too deeply", "too deep here"),
            );
            return Ty::Unknown;
        }
        self.depth += 1;
        let ty = self.kind(scope, expr);
        self.depth -= 1;
        ty
    }

    fn kind(&mut self, scope: &Scope, expr: &Expr) -> Ty {
        match &expr.kind {
            ExprKind::Integer(_) => Ty::Literal,
            ExprKind::Boolean(_) => Ty::Bool,
            ExprKind::Name(name) => self.name(scope, name, expr.span),
            ExprKind::Call(name, arguments) => self.call(scope, name, arguments, expr.span),
            ExprKind::Unary(op, operand) => self.unary(scope, *op, operand),
            ExprKind::Binary(op, left, right) => self.binary(scope, *op, left, right),
            ExprKind::If(condition, then, otherwise) => {
                self.condition(scope, condition);
                if let Some(answer) = builtin::static_answer(scope, condition) {
                    return self.expr(scope, if answer { then } else { otherwise });
                }
                let (left, right) = (self.expr(scope, then), self.expr(scope, otherwise));
                self.joined(scope, "the two arms of an `if`", &left, otherwise.span, &right)
            }
            ExprKind::At(value, lane) => {
                let ty = self.expr(scope, value);
                self.of_this_lane(scope, value);
                self.lane(scope, lane);
                self.value(scope, value, ty)
            }
            ExprKind::Quantified { quantifier, variable, body, .. } => {
                self.condition(&scope.with(variable, Ty::U32), body);
                match quantifier {
                    Quantifier::ForAll | Quantifier::Exists => Ty::Bool,
                    Quantifier::Lanes => Ty::Mask,
                    Quantifier::Count | Quantifier::Lowest | Quantifier::Highest => Ty::U32,
                }
            }
            ExprKind::Fold { operator, identity, variable, condition, body } => {
                let start = self.expr(scope, identity);
                let inner = scope.with(variable, Ty::U32);
                self.condition(&inner, condition);
                let each = self.expr(&inner, body);
                let each = self.value(scope, body, each);
                let ty = self.joined(
                    scope,
                    "the identity of a fold and what it runs over",
                    &start,
                    body.span,
                    &each,
                );
                let given = vec![ty.clone(), ty.clone()];
                let result = self.apply(scope, operator, given, expr.span);
                self.joined(scope, "a fold and its operator's result", &ty, expr.span, &result)
            }
            ExprKind::Counted { counting, variable, first, last, condition, body } => {
                self.range(scope, first, last);
                let inner = scope.with(variable, Ty::U32);
                self.condition(&inner, condition);
                self.counted(scope, &inner, counting, body, expr.span)
            }
            ExprKind::SomeOrder { operator, identity, variable, condition, body } => {
                self.some_order(scope, expr.span, operator, identity.as_deref());
                let inner = scope.with(variable, Ty::U32);
                self.condition(&inner, condition);
                let each = self.expr(&inner, body);
                let number = |ty: &Ty| matches!(ty, Ty::Float(_) | Ty::Unknown);
                self.require(scope, body, &each, number, "what is in some order is a number");
                Ty::Bool
            }
            ExprKind::Is(operand, enumerant) => {
                self.question(scope, operand, enumerant, expr.span);
                Ty::Bool
            }
            ExprKind::Reading(name, alternatives) => {
                let given: Vec<_> = alternatives.iter().map(|(label, _)| label).collect();
                self.alternatives(scope, name, &given, expr.span);
                let mut ty = Ty::Unknown;
                for (_, value) in alternatives {
                    let next = self.expr(scope, value);
                    ty =
                        self.joined(scope, "the alternatives of a reading", &ty, value.span, &next);
                }
                ty
            }
        }
    }

    /// Requires the ends of a range, each a `u32`.
    fn range(&mut self, scope: &Scope, first: &Expr, last: &Expr) {
        for end in [first, last] {
            let ty = self.expr(scope, end);
            let fits = |ty: &Ty| ty.join(&Ty::U32).is_some();
            self.require(scope, end, &ty, fits, "a range is of 32-bit integers without sign");
        }
    }

    /// A question about a range of integers.
    fn counted(
        &mut self,
        scope: &Scope,
        inner: &Scope,
        counting: &Counting,
        body: &Expr,
        span: Span,
    ) -> Ty {
        let Counting::Fold { operator, start } = counting else {
            self.condition(inner, body);
            return if matches!(counting, Counting::Count) { Ty::U32 } else { Ty::Bool };
        };
        let from = self.expr(scope, start);
        let each = self.expr(inner, body);
        let each = self.value(scope, body, each);
        let what = "what a fold starts from and what it runs over";
        let ty = self.joined(scope, what, &from, body.span, &each);
        let result = self.apply(scope, operator, vec![ty.clone(), ty.clone()], span);
        self.joined(scope, "a fold and its operator's result", &ty, span, &result)
    }

    /// The operator, the identity and the result of `some_order`.
    fn some_order(&mut self, scope: &Scope, span: Span, operator: &Name, identity: Option<&Expr>) {
        let number = |ty: &Ty| matches!(ty, Ty::Float(_) | Ty::Unknown);
        let result = scope.result.clone().filter(|_| scope.relational);
        let Some(result) = result.filter(number) else {
            let message = "`some_order` speaks of a result that is a number";
            return self
                .report(scope, Mistake::new(span, message, "the result here is not a number"));
        };
        if let Some(identity) = identity {
            let ty = self.expr(scope, identity);
            self.require(scope, identity, &ty, number, "the identity of numbers is a number");
        }
        self.apply(scope, operator, vec![result.clone(), result], span);
    }

    /// Refuses parameters in an expression that is evaluated for other lanes: their values were
    /// computed in this one.
    pub(super) fn of_this_lane(&mut self, scope: &Scope, expr: &Expr) {
        if let ExprKind::Name(name) = &expr.kind
            && scope.parameters.contains(name)
        {
            let message =
                format!("`{name}` is a value of this lane, it is no other at other lanes");
            let mistake = Mistake::new(expr.span, message, "a parameter")
                .help("name the operand itself, or a `let` without parameters");
            self.report(scope, mistake);
        }
        expr.parts().into_iter().for_each(|part| self.of_this_lane(scope, part));
    }

    /// Requires a Boolean.
    pub(super) fn condition(&mut self, scope: &Scope, expr: &Expr) {
        let ty = self.expr(scope, expr);
        self.require(scope, expr, &ty, Ty::is_bool, "a condition must be a Boolean");
    }

    /// Requires the id of a lane, a `u32`.
    fn lane(&mut self, scope: &Scope, lane: &Expr) {
        let ty = self.expr(scope, lane);
        if ty.join(&Ty::U32).is_none() {
            let rule = "a lane's id is a 32-bit integer without sign";
            let mistake = Mistake::new(lane.span, rule, format!("this is {ty}"));
            self.report(
                scope,
                match ty.is_int() {
                    true => mistake.help("`u32(…)` makes one of it"),
                    false => mistake,
                },
            );
        }
    }

    /// Requires something that a lane can hold.
    pub(super) fn value(&mut self, scope: &Scope, expr: &Expr, ty: Ty) -> Ty {
        match self.require(scope, expr, &ty, Ty::is_value, "only values have a value at a lane") {
            true => ty,
            false => Ty::Unknown,
        }
    }

    pub(super) fn require(
        &mut self,
        scope: &Scope,
        expr: &Expr,
        ty: &Ty,
        fits: impl Fn(&Ty) -> bool,
        rule: &str,
    ) -> bool {
        let good = fits(ty);
        if !good {
            self.report(scope, Mistake::new(expr.span, rule, format!("this is {ty}")));
        }
        good
    }

    fn joined(&mut self, scope: &Scope, what: &str, left: &Ty, place: Span, right: &Ty) -> Ty {
        left.join(right).unwrap_or_else(|| {
            let message = format!("{what} must have one type");
            let label = format!("this is {right}, the other is {left}");
            let mistake = Mistake::new(place, message, label);
            self.report(
                scope,
                match (left, right) {
                    (Ty::Int { width, .. }, Ty::Int { width: other, .. }) if width != other => {
                        mistake.help("`u32(…)`, `u64(…)` and their kin change a width")
                    }
                    (Ty::Int { .. }, Ty::Int { .. }) => {
                        mistake.help("`signed(…)` and `unsigned(…)` change how bits are read")
                    }
                    (Ty::Int { .. }, Ty::Mask) | (Ty::Mask, Ty::Int { .. }) => {
                        mistake.help("`mask(…)` makes a mask of an integer")
                    }
                    _ => mistake,
                },
            );
            Ty::Unknown
        })
    }

    fn name(&mut self, scope: &Scope, name: &Name, span: Span) -> Ty {
        if let Some(ty) = scope.local(name) {
            return ty.clone();
        }
        if scope.definition(name).is_some() {
            return self.apply(scope, name, Vec::new(), span);
        }
        if let Some((_, ty)) = scope.operand(name) {
            return ty.clone();
        }
        if STATE.contains(&&**name) {
            return Ty::U32;
        }
        match &**name {
            "result" if scope.relational => {
                return scope.result.clone().unwrap_or(Ty::Unknown);
            }
            "component_number" | "member_number" if scope.componentwise => return Ty::U32,
            _ => {}
        }
        if self.specification.functions.contains_key(&**name) {
            return self.apply(scope, name, Vec::new(), span);
        }
        let mut mistake = Mistake::new(span, format!("there is no `{name}` here"), "unknown name");
        mistake = match &**name {
            "result" => mistake.help("`result` is a name in `results such that` only"),
            "component_number" | "member_number" => {
                mistake.help("the instruction is not `componentwise`")
            }
            _ => {
                let functions = self.specification.functions.keys().map(|name| &**name);
                mistake.did_you_mean(name, scope.names().into_iter().chain(functions))
            }
        };
        self.report(scope, mistake);
        Ty::Unknown
    }

    fn call(&mut self, scope: &Scope, name: &Name, arguments: &[Expr], span: Span) -> Ty {
        let known =
            scope.definition(name).is_some() || self.specification.functions.contains_key(&**name);
        if !known {
            return builtin::call(self, scope, name, arguments, span);
        }
        let types = arguments.iter().map(|argument| self.expr(scope, argument)).collect();
        self.apply(scope, name, types, span)
    }

    /// The type of a definition or function with arguments of these types.
    fn apply(&mut self, scope: &Scope, name: &Name, given: Vec<Ty>, span: Span) -> Ty {
        let functions = &self.specification.functions;
        let (function, inner) = match scope.definition(name) {
            Some((index, function)) => (Arc::clone(function), Some(index)),
            None => match functions.get(&**name) {
                Some(function) => (Arc::clone(function), None),
                None => {
                    let definitions = scope.definitions.iter().map(|known| &*known.name);
                    let names = definitions.chain(functions.keys().map(|name| &**name));
                    let mistake =
                        Mistake::new(span, format!("there is no function `{name}`"), "unknown")
                            .did_you_mean(name, names);
                    self.report(scope, mistake);
                    return Ty::Unknown;
                }
            },
        };
        if !self.arity(scope, &function.name, function.parameters.len(), given.len(), span) {
            return Ty::Unknown;
        }
        let key = (Arc::as_ptr(&function) as usize, scope.instance.clone(), given.clone());
        if let Some(ty) = self.applied.get(&key) {
            return ty.clone();
        }
        let ty = self.body(scope, &function, inner, given, span);
        self.applied.insert(key, ty.clone());
        ty
    }

    fn body(
        &mut self,
        scope: &Scope,
        function: &Arc<SpecFunction>,
        definition: Option<usize>,
        given: Vec<Ty>,
        span: Span,
    ) -> Ty {
        if self.stack.iter().any(|running| Arc::ptr_eq(running, function)) {
            let message = format!("`{}` is defined by itself", function.name);
            self.report(scope, Mistake::new(span, message, "leads back to its own definition"));
            return Ty::Unknown;
        }
        let parameters: Vec<_> = function.parameters.iter().cloned().zip(given).collect();
        let described: Vec<_> =
            parameters.iter().map(|(name, ty)| format!("{name} is {ty}")).collect();
        let mut inner = match definition {
            Some(index) => scope.of_definition(index, parameters),
            None => Scope::of_function(parameters),
        };
        if !described.is_empty() {
            inner.instance = Some(described.join(", "));
        }
        self.stack.push(Arc::clone(function));
        let ty = self.expr(&inner, &function.body);
        self.stack.pop();
        ty
    }

    /// Requires as many arguments as there are parameters.
    pub(super) fn arity(
        &mut self,
        scope: &Scope,
        name: &str,
        expected: usize,
        given: usize,
        span: Span,
    ) -> bool {
        if expected != given {
            let plural = if expected == 1 { "" } else { "s" };
            let message = format!("`{name}` takes {expected} argument{plural}");
            self.report(scope, Mistake::new(span, message, format!("{given} given")));
        }
        expected == given
    }

    fn unary(&mut self, scope: &Scope, op: UnaryOp, operand: &Expr) -> Ty {
        let ty = self.expr(scope, operand);
        let good = match op {
            UnaryOp::Not => self.require(scope, operand, &ty, Ty::is_bool, "`not` takes a Boolean"),
            UnaryOp::Negate => {
                self.require(scope, operand, &ty, Ty::is_int, "`-` takes an integer")
            }
            UnaryOp::BitNot => {
                self.require(scope, operand, &ty, Ty::has_bits, "`~` takes an integer or a mask")
            }
        };
        if good { ty } else { Ty::Unknown }
    }

    fn binary(&mut self, scope: &Scope, op: BinaryOp, left: &Expr, right: &Expr) -> Ty {
        use BinaryOp::{
            Add, And, BitAnd, BitOr, BitXor, Div, Equal, Greater, GreaterEqual, Implies, Less,
            LessEqual, Mul, NotEqual, Or, Rem, ShiftLeft, ShiftRight, Sub,
        };
        let symbol = op.symbol();
        let (first, second) = (self.expr(scope, left), self.expr(scope, right));
        match op {
            And | Or | Implies => {
                let rule = format!("`{symbol}` takes Booleans");
                self.require(scope, left, &first, Ty::is_bool, &rule);
                self.require(scope, right, &second, Ty::is_bool, &rule);
                Ty::Bool
            }
            Equal | NotEqual => {
                let good = self.comparable(scope, left, &first, symbol)
                    && self.comparable(scope, right, &second, symbol);
                if good {
                    let what = format!("both sides of `{symbol}`");
                    self.joined(scope, &what, &first, right.span, &second);
                }
                Ty::Bool
            }
            Less | LessEqual | Greater | GreaterEqual => {
                let rule = format!("`{symbol}` takes integers");
                let both = self.require(scope, left, &first, Ty::is_int, &rule)
                    && self.require(scope, right, &second, Ty::is_int, &rule);
                if both {
                    let what = format!("both sides of `{symbol}`");
                    self.joined(scope, &what, &first, right.span, &second);
                }
                Ty::Bool
            }
            ShiftLeft | ShiftRight => {
                let rule = format!("`{symbol}` shifts an integer or a mask");
                let good = self.require(scope, left, &first, Ty::has_bits, &rule);
                let rule = "the amount of a shift is an integer";
                self.require(scope, right, &second, Ty::is_int, rule);
                if good { first } else { Ty::Unknown }
            }
            Add | Sub | Mul | Div | Rem | BitAnd | BitOr | BitXor => {
                let rule = format!("`{symbol}` takes integers or masks");
                let both = self.require(scope, left, &first, Ty::has_bits, &rule)
                    && self.require(scope, right, &second, Ty::has_bits, &rule);
                let what = format!("both sides of `{symbol}`");
                match both {
                    true => self.joined(scope, &what, &first, right.span, &second),
                    false => Ty::Unknown,
                }
            }
        }
    }

    fn comparable(&mut self, scope: &Scope, side: &Expr, ty: &Ty, symbol: &str) -> bool {
        let good = ty.is_bool() || ty.has_bits();
        if !good {
            let message = format!("`{symbol}` compares Booleans, integers and masks");
            let mistake = Mistake::new(side.span, message, format!("this is {ty}"))
                .help("`ieee_equal` compares numbers and `same_bits` compares bits, of any type");
            self.report(scope, mistake);
        }
        good
    }

    fn question(&mut self, scope: &Scope, operand: &str, enumerant: &str, span: Span) {
        use crate::language::ast::OperandType::{Enumerant, Scope as ScopeOperand};
        let kind: Arc<str> = match scope.operand(operand).map(|(operand, _)| &operand.ty) {
            Some(ScopeOperand) => "Scope".into(),
            Some(Enumerant(kind)) => Arc::clone(kind),
            Some(_) => {
                let message = "`is` asks for a scope or another enumerant";
                let label = format!("`{operand}` is no such operand");
                return self.report(scope, Mistake::new(span, message, label));
            }
            None => {
                let operands = scope.operands.iter().map(|(operand, _)| &*operand.name);
                let message = format!("there is no operand `{operand}` here");
                let mistake = Mistake::new(span, message, "`is` asks about an operand")
                    .did_you_mean(operand, operands);
                return self.report(scope, mistake);
            }
        };
        let known = self.specification.enumerants.get(&kind);
        if known.is_none_or(|known| !known.contains(enumerant)) {
            let names: Vec<&str> =
                known.iter().flat_map(|known| known.iter()).map(|n| &**n).collect();
            let mistake = Mistake::new(span, format!("{kind} has no `{enumerant}`"), "unknown")
                .help(format!("it has {}", one_of(&names)))
                .did_you_mean(enumerant, names.iter().copied());
            self.report(scope, mistake);
        }
    }
}
