//! Puts choice points where terms have the shape of a kind.

mod terms;

use std::collections::BTreeMap;
use std::sync::Arc;

use self::terms::{
    combined, exact, is_number, is_open, lane_named, made_uniform, plain, says_nothing, unknown,
    word,
};
use super::shape::{filled, matched};
use super::{ChoicePoint, IllTyped, IllTypedCause, reading};
use crate::language::ast::{
    Alternative, AmbiguousShape, BinaryOp, Clause, Expr, ExprKind, LaneSet, Name, OperandType,
    Quantifier, ReadingKind, Span, SpecFunction, SpecInstruction, Statement, UnaryOp,
};
use crate::language::intrinsic::{Family, Intrinsic};
use crate::specification::Specification;

/// State words that are 32-bit numbers.
const NUMBERS: [&str; 11] = [
    "id",
    "SubgroupLocalInvocationId",
    "SubgroupId",
    "NumSubgroups",
    "LocalInvocationIndex",
    "SubgroupSize",
    "SubgroupMaxSize",
    "ExistingLanes",
    "GroupSize",
    "component_number",
    "member_number",
];

/// State words that are vectors of three numbers.
const VECTORS: [&str; 4] =
    ["LocalInvocationId", "GlobalInvocationId", "WorkgroupId", "WorkgroupSize"];

/// A function of the language that gives a number, as the texts say numbers.
fn gives_number(intrinsic: Intrinsic) -> bool {
    use Intrinsic::*;
    matches!(
        intrinsic,
        Width
            | Popcount
            | LowestBit
            | HighestBit
            | WidthInWords
            | Height
            | Texels
            | TexelBytes
            | RowBytes
            | Elements
    )
}

/// A function that asks about an operand and not about what a lane holds in it.
fn is_about_operand(intrinsic: Intrinsic) -> bool {
    intrinsic == Intrinsic::Uniform || intrinsic.row().family == Family::Question
}

/// The place in which a function takes a lane.
fn takes_lane(intrinsic: Intrinsic) -> Option<usize> {
    match intrinsic {
        Intrinsic::Active | Intrinsic::Exists => Some(0),
        Intrinsic::Bit => Some(1),
        _ => None,
    }
}

/// Rewrites every clause; the readings of the choice points are added.
pub(super) fn with_choice_points(
    specification: &mut Specification,
) -> (Vec<ChoicePoint>, Vec<IllTyped>) {
    let kinds = specification.kinds.clone();
    let functions = specification.functions.clone();
    let (mut found, mut ill_typed) = (Vec::new(), Vec::new());
    for instruction in specification.instructions.values_mut() {
        let mut rewriter = Rewriter::new(&kinds, &functions, instruction);
        let clauses = instruction.clauses.iter().map(|clause| rewriter.clause(clause));
        let clauses = match instruction.result {
            Some(OperandType::Int(32)) => clauses.map(|clause| giving_words(&clause)).collect(),
            _ => clauses.collect(),
        };
        found.append(&mut rewriter.found);
        ill_typed.append(&mut rewriter.ill_typed);
        Arc::make_mut(instruction).clauses = clauses;
    }
    for point in &found {
        specification.readings.insert(Arc::clone(&point.name), Arc::new(reading(point)));
    }
    (found, ill_typed)
}

/// A number is exact, and a result has a width.
fn giving_words(clause: &Clause) -> Arc<Clause> {
    let statements = clause.statements.iter().map(|(statement, span)| match statement.clone() {
        Statement::Result(value, when) if is_number(&value) => {
            (Statement::Result(word(value), when), *span)
        }
        other => (other, *span),
    });
    Arc::new(Clause { statements: statements.collect(), ..Clause::clone(clause) })
}

struct Rewriter<'k> {
    kinds: &'k [Arc<ReadingKind>],
    functions: &'k BTreeMap<Arc<str>, Arc<SpecFunction>>,
    name: Arc<str>,
    /// The operands that hold integers.
    integers: Vec<Name>,
    /// The operands that point to memory.
    pointers: Vec<Name>,
    /// The operands for which a sentence says whether lanes may differ in them.
    stated: Vec<Name>,
    /// The functions by which folds combine values, which are no numbers of lanes or places.
    operators: Vec<Name>,
    /// Lanes that quantifiers run over, the innermost last.
    bound: Vec<Name>,
    clause: Arc<str>,
    /// By kind and term: one term is read in one way throughout an instruction.
    known: BTreeMap<(Arc<str>, Arc<str>), Arc<str>>,
    found: Vec<ChoicePoint>,
    ill_typed: Vec<IllTyped>,
}

impl<'k> Rewriter<'k> {
    fn new(
        kinds: &'k [Arc<ReadingKind>],
        functions: &'k BTreeMap<Arc<str>, Arc<SpecFunction>>,
        instruction: &SpecInstruction,
    ) -> Self {
        let integers = instruction
            .operands
            .iter()
            .filter(|operand| matches!(operand.ty, OperandType::Int(_) | OperandType::AnyInt));
        let pointers = instruction
            .operands
            .iter()
            .filter(|operand| matches!(operand.ty, OperandType::Pointer(_)));
        let mut stated: Vec<Name> = instruction
            .operands
            .iter()
            .filter(|operand| operand.constant)
            .map(|operand| operand.name.clone())
            .collect();
        let statements = instruction.clauses.iter().flat_map(|clause| &clause.statements);
        for (statement, _) in statements {
            match statement {
                Statement::Varies(operand) => stated.push(Arc::clone(operand).into()),
                Statement::Must(condition)
                | Statement::UndefinedBehavior(condition)
                | Statement::UndefinedValue(condition) => stated.extend(made_uniform(condition)),
                _ => {}
            }
        }
        Self {
            kinds,
            functions,
            name: Arc::clone(&instruction.name),
            integers: integers.map(|operand| operand.name.clone()).collect(),
            pointers: pointers.map(|operand| operand.name.clone()).collect(),
            stated,
            operators: instruction.operators(),
            bound: Vec::new(),
            clause: Arc::from(""),
            known: BTreeMap::new(),
            found: Vec::new(),
            ill_typed: Vec::new(),
        }
    }

    fn clause(&mut self, clause: &Arc<Clause>) -> Arc<Clause> {
        self.clause = Arc::clone(&clause.id);
        let statements = clause.statements.iter();
        let statements =
            statements.map(|(statement, span)| (self.statement(statement.clone()), *span));
        Arc::new(Clause { statements: statements.collect(), ..Clause::clone(clause) })
    }

    fn statement(&mut self, statement: Statement) -> Statement {
        let statement = match statement {
            Statement::Store { target, index, row, value, when } => {
                let index = self.expr(index);
                let row = row.map(|row| self.expr(row));
                let value = self.expr(value);
                let when = when.map(|when| self.expr(when));
                let index = if row.is_none() { self.past_whose(&target, index) } else { index };
                return Statement::Store { target, index, row, value, when };
            }
            Statement::Let(definition) if self.operators.contains(&definition.name) => {
                return Statement::Let(definition);
            }
            other => other.map_expressions(&mut |expr| self.expr(expr)),
        };
        match statement {
            Statement::Must(condition) => {
                match self.kind(|shape| matches!(shape, AmbiguousShape::Must)) {
                    Some(kind) => {
                        let point = self.point(&kind, condition.to_string());
                        let span = condition.span;
                        let unmet = ExprKind::Unary(UnaryOp::Not, Box::new(condition));
                        Statement::Label(point, Expr { kind: unmet, span })
                    }
                    None => Statement::Must(condition),
                }
            }
            Statement::Label(label, condition) => {
                let named = |shape: &AmbiguousShape| matches!(shape, AmbiguousShape::Label(name) if *name == label);
                match self.kind(named) {
                    Some(kind) => Statement::Label(self.point(&kind, label.to_string()), condition),
                    None => {
                        let kind = Arc::new(unknown(&label, condition.span));
                        Statement::Label(self.point(&kind, label.to_string()), condition)
                    }
                }
            }
            Statement::InSomeOrder(statements) => Statement::InSomeOrder(
                statements.into_iter().map(|inner| self.labels(inner)).collect(),
            ),
            other => other,
        }
    }

    /// A nested statement, whose expressions are rewritten already.
    fn labels(&mut self, statement: Statement) -> Statement {
        match statement {
            Statement::Must(_) | Statement::Label(..) => self.statement(statement),
            other => other,
        }
    }

    fn kind(&self, of: impl Fn(&AmbiguousShape) -> bool) -> Option<Arc<ReadingKind>> {
        self.kinds.iter().find(|kind| of(&kind.shape)).cloned()
    }

    /// The reading of a choice point, the same one for the same term.
    fn point(&mut self, kind: &Arc<ReadingKind>, term: String) -> Arc<str> {
        let term: Arc<str> = term.into();
        let key = (Arc::clone(&kind.name), Arc::clone(&term));
        if let Some(known) = self.known.get(&key) {
            return Arc::clone(known);
        }
        let earlier = self.known.keys().filter(|(name, _)| *name == kind.name).count();
        let number = if earlier == 0 { String::new() } else { format!(".{}", earlier + 1) };
        let name: Arc<str> = format!("{}@{}{number}", kind.name, self.name).into();
        self.known.insert(key, Arc::clone(&name));
        self.found.push(ChoicePoint {
            name: Arc::clone(&name),
            kind: Arc::clone(kind),
            clause: Arc::clone(&self.clause),
            instruction: Arc::clone(&self.name),
            term,
            alternatives: kind.alternatives.iter().map(|(name, _)| Arc::clone(name)).collect(),
        });
        name
    }

    /// The choice point of a kind in the place of `term`; one way to read it is no choice.
    fn choice(
        &mut self,
        kind: &Arc<ReadingKind>,
        term: &Expr,
        mut read: impl FnMut(&Alternative) -> Option<Expr>,
    ) -> Expr {
        let alternatives = kind.alternatives.iter();
        let mut readings: Vec<(Arc<str>, Expr)> = alternatives
            .filter_map(|(name, alternative)| Some((Arc::clone(name), read(alternative)?)))
            .collect();
        match readings.len() {
            0 => term.clone(),
            1 => readings.remove(0).1,
            _ => {
                let point = self.point(kind, term.to_string());
                Expr { kind: ExprKind::Reading(point, readings), span: term.span }
            }
        }
    }

    fn expr(&mut self, expr: Expr) -> Expr {
        for kind in self.kinds {
            let AmbiguousShape::Expression(shape) = &kind.shape else { continue };
            let Some(names) = matched(shape, &expr) else { continue };
            let names = names.into_iter().map(|(name, part)| (name, self.expr(part))).collect();
            return self.choice(kind, &expr, |alternative| match alternative {
                Alternative::Expression(read) => Some(filled(read, &names)),
                _ => None,
            });
        }
        let span = expr.span;
        match &expr.kind {
            ExprKind::Name(name) if self.integers.contains(name) => {
                self.operand(expr.clone(), name)
            }
            ExprKind::Name(name) if NUMBERS.contains(&&**name) || self.bound.contains(name) => {
                exact(expr)
            }
            ExprKind::Name(name) if VECTORS.contains(&&**name) => {
                self.ill_typed.push(IllTyped {
                    cause: IllTypedCause::VectorAsScalar,
                    message: "a number is asked for".to_owned(),
                    found: format!("{name} is a vector of three"),
                    help: None,
                    span,
                });
                exact(expr)
            }
            ExprKind::Call(name, arguments) => self.call(expr.span, name, arguments),
            ExprKind::Quantified { quantifier, variable, lanes, body } => {
                let (quantifier, variable, lanes) = (*quantifier, variable.clone(), *lanes);
                self.bound.push(variable.clone());
                let body = Box::new(self.expr(Expr::clone(body)));
                self.bound.pop();
                let over = |lanes| {
                    let (variable, body) = (variable.clone(), body.clone());
                    let kind = ExprKind::Quantified { quantifier, variable, lanes, body };
                    let over = Expr { kind, span };
                    match quantifier {
                        Quantifier::Count | Quantifier::Lowest | Quantifier::Highest => exact(over),
                        _ => over,
                    }
                };
                match self.kind(|shape| matches!(shape, AmbiguousShape::Lanes)) {
                    Some(kind) if lanes == LaneSet::Subgroup => {
                        self.choice(&kind, &expr, |alternative| match alternative {
                            Alternative::Lanes(lanes) if says_nothing(&body, &variable, *lanes) => {
                                None
                            }
                            Alternative::Lanes(lanes) => Some(over(*lanes)),
                            _ => None,
                        })
                    }
                    _ => over(lanes),
                }
            }
            ExprKind::Fold { variable, .. }
            | ExprKind::SomeOrder { variable, .. }
            | ExprKind::Counted { variable, .. } => {
                self.bound.push(variable.clone());
                let expr = expr.map_parts(&mut |part| self.expr(part));
                self.bound.pop();
                expr
            }
            ExprKind::At(value, lane) => {
                let value = self.expr(Expr::clone(value));
                let lane = lane_named(self.expr(Expr::clone(lane)));
                Expr { kind: ExprKind::At(Box::new(value), Box::new(lane)), span }
            }
            _ => expr.map_parts(&mut |part| self.expr(part)),
        }
    }

    fn call(&mut self, span: crate::language::ast::Span, name: &Name, parts: &[Expr]) -> Expr {
        let with = |parts: Vec<Expr>| Expr { kind: ExprKind::Call(name.clone(), parts), span };
        let intrinsic = Intrinsic::named(name);
        // Pointers are the same where they lead to the same element.
        if let ("uniform", [Expr { kind: ExprKind::Name(operand), .. }]) = (&**name, parts)
            && self.pointers.contains(operand)
        {
            let place = ExprKind::Call(Name::from("place"), parts.to_vec());
            return with(vec![exact(Expr { kind: place, span })]);
        }
        if intrinsic.is_some_and(is_about_operand) {
            return with(parts.to_vec());
        }
        // A word of the documents that says no more than they do is read in its place.
        if let Some(function) = self.functions.get(&**name)
            && is_open(&function.body)
            && function.parameters.len() == parts.len()
        {
            let names = function.parameters.iter().cloned().zip(parts.iter().cloned()).collect();
            return self.expr(filled(&function.body, &names));
        }
        // Said to have a sign, or none, an operand's bits are read so.
        if let ("signed" | "unsigned", [Expr { kind: ExprKind::Name(operand), .. }]) =
            (&**name, parts)
            && self.integers.contains(operand)
        {
            let whose = parts.iter().map(|part| self.whose(part.clone(), operand)).collect();
            return exact(with(whose));
        }
        if let ("component", [vector, index]) = (&**name, parts) {
            let vector = match &vector.kind {
                ExprKind::Name(operand) => self.whose(vector.clone(), operand),
                _ => vector.clone(),
            };
            let component = with(vec![vector, index.clone()]);
            return self.signed_or_not(component);
        }
        if let ("load", [pointer @ Expr { kind: ExprKind::Name(operand), .. }, past]) =
            (&**name, parts)
        {
            let past = self.expr(past.clone());
            let past = self.past_whose(operand, past);
            return with(vec![pointer.clone(), past]);
        }
        if let ("elements", [Expr { kind: ExprKind::Name(operand), .. }]) = (&**name, parts) {
            let left = exact(with(parts.to_vec()));
            return match self.apart_from_own(operand, span) {
                Some(apart) => combined(BinaryOp::Sub, left, apart),
                None => left,
            };
        }
        let parts = parts.iter().enumerate().map(|(place, part)| {
            let part = self.expr(part.clone());
            if intrinsic.and_then(takes_lane) == Some(place) { lane_named(part) } else { part }
        });
        let call = with(parts.collect());
        if intrinsic.is_some_and(gives_number) { exact(call) } else { call }
    }

    /// An integer operand as a number: whose it is, and with what sign.
    fn operand(&mut self, expr: Expr, name: &Name) -> Expr {
        let whose = self.whose(expr, name);
        self.signed_or_not(whose)
    }

    fn whose(&mut self, expr: Expr, name: &Name) -> Expr {
        if self.stated.contains(name) {
            return expr;
        }
        let Some(kind) = self.kind(|shape| matches!(shape, AmbiguousShape::Operand(_))) else {
            return expr;
        };
        self.with_placeholder(&kind, expr)
    }

    /// Converts an element offset from the pointer that counts to one from the lane's own pointer.
    fn past_whose(&mut self, pointer: &Name, past: Expr) -> Expr {
        match self.apart_from_own(pointer, past.span) {
            Some(apart) => combined(BinaryOp::Add, exact(past), apart),
            None => past,
        }
    }

    /// How many elements the pointer that counts is past the lane's own, where that is open.
    fn apart_from_own(&mut self, pointer: &Name, span: Span) -> Option<Expr> {
        if !self.pointers.contains(pointer) || self.stated.contains(pointer) {
            return None;
        }
        let kind = self.kind(|shape| matches!(shape, AmbiguousShape::Operand(_)))?;
        let name = Expr { kind: ExprKind::Name(pointer.clone()), span };
        let place = ExprKind::Call(Name::from("place"), vec![name.clone()]);
        let own = Expr { kind: place, span };
        let whose = self.with_placeholder_for(&kind, own.clone(), &name);
        Some(combined(BinaryOp::Sub, exact(whose), exact(own)))
    }

    fn signed_or_not(&mut self, expr: Expr) -> Expr {
        match self.kind(|shape| matches!(shape, AmbiguousShape::Integer(_))) {
            Some(kind) => self.with_placeholder(&kind, expr),
            None => exact(expr),
        }
    }

    fn with_placeholder(&mut self, kind: &Arc<ReadingKind>, expr: Expr) -> Expr {
        let term = plain(&expr);
        self.with_placeholder_for(kind, expr, &term)
    }

    /// The same for the replacement of `term`.
    fn with_placeholder_for(&mut self, kind: &Arc<ReadingKind>, expr: Expr, term: &Expr) -> Expr {
        let (AmbiguousShape::Operand(placeholder) | AmbiguousShape::Integer(placeholder)) =
            &kind.shape
        else {
            return expr;
        };
        let names = [(Name::from(&**placeholder), expr.clone())].into();
        self.choice(kind, term, |alternative| match alternative {
            Alternative::Expression(read) => Some(filled(read, &names)),
            _ => None,
        })
    }
}
