//! Declarations of a file: documents, instructions, tables, readings, profiles.

use std::sync::Arc;

use pest::iterators::{Pair, Pairs};

use super::super::ast::{
    Alternative, AmbiguousShape, BuiltIn, Clause, Consequence, Operand, OperandType, Reading,
    ReadingKind, ReadingProfile, SettlingSentence, Span, SpecFunction, SpecInstruction, TypeRule,
};
use super::clause::{Context, clause, function, numbers, section};
use super::expression::{expression, lane_set};
use super::fact::facts;
use super::margin::margins;
use super::rule::rules;
use super::{Edition, Item, Parts, Place, Rule, string};
use crate::error::Mistake;

/// Reads declarations in order; a `document` line holds for what follows it.
pub(super) struct Builder {
    place: Place,
    document: Arc<str>,
}

/// The part between an instruction's name and its first clause.
struct Header {
    section: Option<Arc<str>>,
    operands: Vec<Operand>,
    result: Option<OperandType>,
    componentwise: bool,
    type_rules: Vec<TypeRule>,
}

/// A row of a table.
struct IntrinsicRow<'i> {
    pair: Pair<'i, Rule>,
    name: Arc<str>,
    type_rules: Vec<TypeRule>,
    definitions: Vec<Arc<SpecFunction>>,
}

impl Builder {
    pub(super) fn new(file: u32) -> Self {
        Self { place: Place { file }, document: Arc::from("user") }
    }

    pub(super) fn items(mut self, pairs: Pairs<'_, Rule>) -> Result<Vec<Item>, Mistake> {
        let mut out = Vec::new();
        for pair in pairs.flat_map(Pair::into_inner) {
            let rule = pair.as_rule();
            match rule {
                Rule::document => out.push(self.document(pair)?),
                Rule::arithmetic => {
                    let margins = margins(self.place, &self.document, pair)?;
                    out.extend(margins.into_iter().map(Item::Margin));
                }
                Rule::facts => {
                    let facts = facts(self.place, &self.document, pair)?;
                    out.extend(facts.into_iter().map(Item::Fact));
                }
                Rule::rules => {
                    let rules = rules(self.place, &self.document, pair)?;
                    out.extend(rules.into_iter().map(Item::Rule));
                }
                Rule::enumerants => {
                    let span = self.place.span(&pair);
                    let mut parts = self.place.parts(pair);
                    let kind = parts.text()?;
                    let mut names = Vec::new();
                    while let Some(name) = parts.take() {
                        names.push(Arc::from(name.as_str()));
                    }
                    out.push(Item::Enumerants { kind, names, span });
                }
                Rule::function => {
                    let mut parts = self.place.parts(pair);
                    let function = function(self.place, &mut parts)?;
                    out.push(Item::Function(Arc::new(function)));
                }
                Rule::reading_declaration => out.push(self.reading(pair)?),
                Rule::kind => out.push(self.kind(pair)?),
                Rule::profile => out.push(self.profile(pair)?),
                Rule::built_in => out.push(self.built_in(pair)?),
                Rule::instruction => out.push(self.instruction(pair)?),
                Rule::table => self.table(pair, &mut out)?,
                Rule::extension => self.extension(pair, &mut out)?,
                _ => {}
            }
        }
        Ok(out)
    }

    fn document(&mut self, pair: Pair<'_, Rule>) -> Result<Item, Mistake> {
        let mut parts = self.place.parts(pair);
        let name = parts.text()?;
        self.document = Arc::clone(&name);
        let edition = match parts.take_if(Rule::revision) {
            Some(revision) => Some(Edition {
                span: self.place.span(&revision),
                revision: Arc::from(revision.as_str().trim_matches('"')),
                title: string(&parts.next()?),
            }),
            None => None,
        };
        let mut environments = Vec::new();
        if let Some(named) = parts.take_if(Rule::speaks_for) {
            let span = self.place.span(&named);
            let mut named = self.place.parts(named);
            while let Some(environment) = named.take() {
                environments.push((Arc::from(environment.as_str()), span));
            }
        }
        Ok(Item::Document { name, edition, environments })
    }

    fn reading(&self, pair: Pair<'_, Rule>) -> Result<Item, Mistake> {
        let mut parts = self.place.parts(pair);
        let span = parts.span;
        let name = parts.text()?;
        let question = string(&parts.next()?);
        let mut alternatives = Vec::new();
        while let Some(choice) = parts.take() {
            let mut choice = self.place.parts(choice);
            let label = choice.text()?;
            let consequence = match choice.take() {
                Some(consequence) => Some(self.consequence(consequence)?),
                None => None,
            };
            alternatives.push((label, consequence));
        }
        Ok(Item::Reading(Arc::new(Reading { name, question, alternatives, span })))
    }

    fn consequence(&self, pair: Pair<'_, Rule>) -> Result<Consequence, Mistake> {
        Ok(match self.place.parts(pair).next()?.as_rule() {
            Rule::undefined_value => Consequence::UndefinedValue,
            Rule::undefined_behavior => Consequence::UndefinedBehavior,
            Rule::implementation_value => Consequence::ImplementationValue,
            _ => Consequence::Silence,
        })
    }

    fn kind(&self, pair: Pair<'_, Rule>) -> Result<Item, Mistake> {
        let mut parts = self.place.parts(pair);
        let span = parts.span;
        let name = parts.text()?;
        let question = string(&parts.next()?);
        let remedy = parts.take_if(Rule::string).map(|it| string(&it));
        let shape = self.place.parts(parts.next()?).next()?;
        let shape = match shape.as_rule() {
            Rule::open_operand => AmbiguousShape::Operand(self.place.parts(shape).text()?),
            Rule::open_integer => AmbiguousShape::Integer(self.place.parts(shape).text()?),
            Rule::open_lanes => AmbiguousShape::Lanes,
            Rule::any_must => AmbiguousShape::Must,
            Rule::any_label => AmbiguousShape::Label(string(&self.place.parts(shape).next()?)),
            _ => AmbiguousShape::Expression(expression(self.place, shape)?),
        };
        let mut alternatives = Vec::new();
        while let Some(choice) = parts.take() {
            let mut choice = self.place.parts(choice);
            let label = self.place.parts(choice.next()?).text()?;
            let reads = choice.next()?;
            let alternative = match reads.as_rule() {
                Rule::consequence => Alternative::Consequence(self.consequence(reads)?),
                Rule::lane_set => Alternative::Lanes(lane_set(reads.as_str())),
                _ => Alternative::Expression(expression(self.place, reads)?),
            };
            alternatives.push((label, alternative));
        }
        Ok(Item::Kind(Arc::new(ReadingKind { name, question, remedy, shape, alternatives, span })))
    }

    fn profile(&self, pair: Pair<'_, Rule>) -> Result<Item, Mistake> {
        let mut parts = self.place.parts(pair);
        let span = parts.span;
        let own = parts.take_if(Rule::environment).is_some();
        let name = parts.text()?;
        let environment = own.then(|| Arc::clone(&name));
        let base = match parts.take_if(Rule::base) {
            Some(base) => Some(self.place.parts(base).text()?),
            None => None,
        };
        let (mut settles, mut by) = (Vec::new(), Vec::new());
        while let Some(setting) = parts.take() {
            let mut setting = self.place.parts(setting);
            let (reading, alternative) = (setting.text()?, setting.text()?);
            if let Some(cited) = setting.take() {
                by.push(self.settling(Arc::clone(&reading), cited)?);
            }
            settles.push((reading, alternative));
        }
        let profile = ReadingProfile { name, environment, settles, by, span };
        Ok(Item::Profile { profile, base })
    }

    fn settling(
        &self,
        reading: Arc<str>,
        cited: Pair<'_, Rule>,
    ) -> Result<SettlingSentence, Mistake> {
        let mut parts = self.place.parts(cited);
        let document = parts.text()?;
        let section = section(self.place, &mut parts)?.unwrap_or_default();
        let sentences = numbers(self.place, parts.next()?)?;
        Ok(SettlingSentence { reading, document, section, sentences })
    }

    fn built_in(&self, pair: Pair<'_, Rule>) -> Result<Item, Mistake> {
        let mut parts = self.place.parts(pair);
        let span = parts.span;
        let name = parts.text()?;
        let ty = self.operand_type(parts.next()?)?;
        let componentwise = parts.take_if(Rule::componentwise).is_some();
        let mut type_rules = Vec::new();
        while let Some(rule) = parts.take_if(Rule::type_rule) {
            type_rules.push(self.type_rule(rule)?);
        }
        let section = section(self.place, &mut parts)?.unwrap_or_else(|| Arc::clone(&name));
        let clauses = self.clauses(&name, &section, &mut parts)?;
        let document = Arc::clone(&self.document);
        let built_in = BuiltIn { name, ty, type_rules, componentwise, document, clauses, span };
        Ok(Item::BuiltIn(Arc::new(built_in)))
    }

    fn instruction(&self, pair: Pair<'_, Rule>) -> Result<Item, Mistake> {
        let primitive = pair.as_str().starts_with("primitive");
        let mut parts = self.place.parts(pair);
        let name = parts.next()?;
        // The line that declares it: all of it would be half a file.
        let span = Span { end: self.place.span(&name).end, ..parts.span };
        let name: Arc<str> = name.as_str().into();
        let header = self.header(parts.next()?)?;
        let section = header.section.unwrap_or_else(|| Arc::clone(&name));
        let clauses = self.clauses(&name, &section, &mut parts)?;
        Ok(Item::Instruction(SpecInstruction {
            name,
            document: Arc::clone(&self.document),
            section,
            operands: header.operands,
            result: header.result,
            type_rules: header.type_rules,
            componentwise: header.componentwise,
            row: Vec::new(),
            clauses,
            primitive,
            span,
        }))
    }

    /// One instruction a row, each with clauses of its own name.
    fn table(&self, pair: Pair<'_, Rule>, out: &mut Vec<Item>) -> Result<(), Mistake> {
        let mut parts = self.place.parts(pair);
        let mut rows = Vec::new();
        while let Some(row) = parts.take_if(Rule::row) {
            rows.push(self.row(row)?);
        }
        let header = self.header(parts.next()?)?;
        let family = header.section.unwrap_or_else(|| Arc::from("Instructions"));
        let rest = parts.pairs;
        for row in rows {
            let section: Arc<str> = format!("{family} / {}", row.name).into();
            let mut parts = Parts { span: parts.span, pairs: rest.clone() };
            let clauses = self.clauses(&row.name, &section, &mut parts)?;
            let mut type_rules = header.type_rules.clone();
            for rule in row.type_rules {
                type_rules.retain(|common| common.variable != rule.variable);
                type_rules.push(rule);
            }
            out.push(Item::Instruction(SpecInstruction {
                name: row.name,
                document: Arc::clone(&self.document),
                section,
                operands: header.operands.clone(),
                result: header.result.clone(),
                type_rules,
                componentwise: header.componentwise,
                row: row.definitions,
                clauses,
                primitive: false,
                span: self.place.span(&row.pair),
            }));
        }
        Ok(())
    }

    fn row<'i>(&self, pair: Pair<'i, Rule>) -> Result<IntrinsicRow<'i>, Mistake> {
        let mut parts = self.place.parts(pair.clone());
        let mut row = IntrinsicRow {
            pair,
            name: parts.text()?,
            type_rules: Vec::new(),
            definitions: Vec::new(),
        };
        while let Some(definition) = parts.take() {
            let inner = self.place.parts(definition).next()?;
            match inner.as_rule() {
                Rule::type_rule => row.type_rules.push(self.type_rule(inner)?),
                _ => {
                    let mut binding = self.place.parts(inner);
                    row.definitions.push(Arc::new(function(self.place, &mut binding)?));
                }
            }
        }
        Ok(row)
    }

    fn extension(&self, pair: Pair<'_, Rule>, out: &mut Vec<Item>) -> Result<(), Mistake> {
        let mut parts = self.place.parts(pair);
        let mut names = Vec::new();
        while let Some(name) = parts.take_if(Rule::name) {
            names.push((Arc::from(name.as_str()), self.place.span(&name)));
        }
        let section = section(self.place, &mut parts)?;
        let operands = match parts.take_if(Rule::operands) {
            Some(operands) => {
                operands.into_inner().map(|pair| self.operand(pair)).collect::<Result<_, _>>()?
            }
            None => Vec::new(),
        };
        let rest = parts.pairs;
        for (instruction, span) in names {
            let section = section.clone().unwrap_or_else(|| Arc::clone(&instruction));
            let mut parts = Parts { span, pairs: rest.clone() };
            let clauses = self.clauses(&instruction, &section, &mut parts)?;
            let operands = operands.clone();
            out.push(Item::Extension { instruction, operands, clauses, span });
        }
        Ok(())
    }

    fn clauses(
        &self,
        owner: &str,
        section: &Arc<str>,
        parts: &mut Parts<'_>,
    ) -> Result<Vec<Arc<Clause>>, Mistake> {
        let context = Context { document: &self.document, section, owner };
        let mut clauses = Vec::new();
        while let Some(pair) = parts.take_if(Rule::clause) {
            clauses.push(Arc::new(clause(self.place, &context, pair)?));
        }
        Ok(clauses)
    }

    fn header(&self, pair: Pair<'_, Rule>) -> Result<Header, Mistake> {
        let mut parts = self.place.parts(pair);
        let mut header = Header {
            section: section(self.place, &mut parts)?,
            operands: Vec::new(),
            result: None,
            componentwise: false,
            type_rules: Vec::new(),
        };
        while let Some(part) = parts.take() {
            match part.as_rule() {
                Rule::operands => {
                    for operand in part.into_inner() {
                        header.operands.push(self.operand(operand)?);
                    }
                }
                Rule::result_type => {
                    let ty = self.place.parts(part).next()?;
                    header.result = Some(self.operand_type(ty)?);
                }
                Rule::componentwise => header.componentwise = true,
                _ => header.type_rules.push(self.type_rule(part)?),
            }
        }
        Ok(header)
    }

    fn operand(&self, pair: Pair<'_, Rule>) -> Result<Operand, Mistake> {
        let mut parts = self.place.parts(pair);
        let span = parts.span;
        let name = parts.text()?;
        let ty = self.operand_type(parts.next()?)?;
        let name = name.into();
        let (optional, constant, zero, each) = (false, false, false, false);
        let mut operand = Operand { name, ty, optional, constant, zero, each, span };
        while let Some(flag) = parts.take() {
            match flag.as_str() {
                "optional" => operand.optional = true,
                "constant" => operand.constant = true,
                "zero" => operand.zero = true,
                _ => operand.each = true,
            }
        }
        Ok(operand)
    }

    fn operand_type(&self, pair: Pair<'_, Rule>) -> Result<OperandType, Mistake> {
        let inner = self.place.parts(pair).next()?;
        let span = self.place.span(&inner);
        let rule = inner.as_rule();
        let name = self.place.parts(inner).text()?;
        if rule == Rule::pointer_type {
            return Ok(OperandType::Pointer(name));
        }
        Ok(match &*name {
            "bool" => OperandType::Bool,
            "u8" => OperandType::Int(8),
            "u16" => OperandType::Int(16),
            "u32" => OperandType::Int(32),
            "u64" => OperandType::Int(64),
            "int" => OperandType::AnyInt,
            "ballot" => OperandType::Ballot,
            "scope" => OperandType::Scope,
            "image" => OperandType::Image,
            "opaque" => OperandType::Opaque,
            "literals" => OperandType::Literals,
            "values" => OperandType::Values,
            other if is_type_variable(other) => OperandType::Variable(name),
            other if other.starts_with(|c: char| c.is_ascii_uppercase()) => {
                OperandType::Enumerant(name)
            }
            other => {
                let message = format!("there is no type `{other}`");
                return Err(Mistake::new(span, message, "expected a type").help(
                    "types are bool, u8, u16, u32, u64, int, ballot, scope, image, opaque, \
                     literals, values, `pointer to T`, a variable of one capital (T) or a kind \
                     of enumerant (GroupOperation)",
                ));
            }
        })
    }

    fn type_rule(&self, pair: Pair<'_, Rule>) -> Result<TypeRule, Mistake> {
        let mut parts = self.place.parts(pair);
        let span = parts.span;
        let variable = parts.text()?;
        let shape = parts.next()?;
        let mut rule = TypeRule {
            variable,
            scalar: true,
            vector: true,
            any: false,
            elements: Vec::new(),
            component_of: None,
            pair_of: None,
            span,
        };
        if shape.as_rule() == Rule::component_of {
            rule.component_of = Some(self.place.parts(shape).text()?);
            return Ok(rule);
        }
        if shape.as_rule() == Rule::pair_of {
            let mut members = self.place.parts(shape);
            let first = members.text()?;
            let second = members.take().map_or_else(|| Arc::clone(&first), |it| it.as_str().into());
            rule.pair_of = Some([first, second]);
            return Ok(rule);
        }
        if shape.as_rule() == Rule::any_type {
            rule.any = true;
            return Ok(rule);
        }
        let shape = self.place.parts(shape).next()?.as_rule();
        rule.scalar = shape != Rule::only_vector;
        rule.vector = shape != Rule::only_scalar;
        while let Some(element) = parts.take() {
            rule.elements.push(Arc::from(element.as_str()));
        }
        Ok(rule)
    }
}

/// One capital letter, with or without digits after it.
fn is_type_variable(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|c| c.is_ascii_uppercase())
        && characters.all(|c| c.is_ascii_digit())
}
