//! Small mistakes in the clauses: one token replaced, or one statement left out. A check that
//! does not see them does not see mistakes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use laneproof_semantics::Specification;
use laneproof_semantics::denote::Settled;
use laneproof_semantics::language::ast::{Clause, Expr, ExprKind, Span, Statement};

/// A specification file with one mistake in it.
#[derive(Clone, Debug)]
pub struct ClauseMutant {
    /// The file, by its place among the specification's sources.
    pub file: usize,
    /// Its name.
    pub name: Arc<str>,
    /// The line of the mistake, from 1.
    pub line: usize,
    /// The original text; a whole statement if that is removed.
    pub before: String,
    /// The new text.
    pub after: String,
    /// The line as it was.
    pub context: String,
    /// The whole file, mistake included.
    pub text: String,
    /// The instructions and built-in variables that it concerns.
    pub concerns: BTreeSet<Arc<str>>,
}

impl fmt::Display for ClauseMutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, line, before, after, context, .. } = self;
        if after.is_empty() && context.contains(before.as_str()) && before.len() > 4 {
            write!(f, "{name}:{line}: without `{before}`")
        } else {
            write!(f, "{name}:{line}: `{before}` to `{after}` in `{context}`")
        }
    }
}

impl ClauseMutant {
    /// The specification with the mistake; `None` where it is no longer one.
    pub fn specification(&self, original: &Specification) -> Option<Specification> {
        let files = original.sources.iter().enumerate().map(|(index, source)| {
            let text = if index == self.file { self.text.clone() } else { source.text.to_string() };
            (source.name.to_string(), text)
        });
        Specification::from_files(files.collect()).ok()
    }
}

/// Every mutant of a specification, well-formed or not, except in alternatives that `settled` does
/// not choose.
pub fn mutants(specification: &Specification, settled: &Settled) -> Vec<ClauseMutant> {
    let regions = Regions::of(specification, settled);
    let mut found: BTreeMap<(u32, u32, u32, String), BTreeSet<Arc<str>>> = BTreeMap::new();
    for (span, concerns) in &regions.read {
        let Some(source) = specification.sources.get(span.file as usize) else { continue };
        for (range, after) in mistakes(&source.text, span.start as usize..span.end as usize) {
            let place = (span.file, range.start as u32, range.end as u32);
            if !regions.unread.iter().any(|unread| inside(place, *unread)) {
                let key = (place.0, place.1, place.2, after);
                found.entry(key).or_default().extend(concerns.iter().cloned());
            }
        }
    }
    for (span, concerns) in &regions.dropped {
        let key = (span.file, span.start, span.end, String::new());
        found.entry(key).or_default().extend(concerns.iter().cloned());
    }
    found
        .into_iter()
        .filter_map(|((file, start, end, after), concerns)| {
            let source = specification.sources.get(file as usize)?;
            let (start, end) = (start as usize, end as usize);
            let (head, tail) = (source.text.get(..start)?, source.text.get(end..)?);
            let before = source.text.get(start..end)?;
            let line = head.matches('\n').count();
            Some(ClauseMutant {
                file: file as usize,
                name: source.name.clone(),
                line: line + 1,
                before: before.split_whitespace().collect::<Vec<_>>().join(" "),
                text: format!("{head}{after}{tail}"),
                after,
                context: source.text.lines().nth(line)?.trim().to_owned(),
                concerns,
            })
        })
        .collect()
}

fn inside((file, start, end): (u32, u32, u32), outer: Span) -> bool {
    file == outer.file && outer.start <= start && end <= outer.end
}

/// The parts of the files that can be mistaken, and what each concerns.
#[derive(Default)]
struct Regions {
    read: BTreeMap<Span, BTreeSet<Arc<str>>>,
    dropped: BTreeMap<Span, BTreeSet<Arc<str>>>,
    unread: BTreeSet<Span>,
}

impl Regions {
    fn of(specification: &Specification, settled: &Settled) -> Self {
        let mut regions = Self::default();
        for instruction in specification.instructions.values() {
            let mut words = BTreeSet::new();
            for clause in &instruction.clauses {
                regions.clause(clause, &instruction.name, settled, &mut words);
            }
            for function in &instruction.row {
                regions.expression(&function.body, &instruction.name, settled, &mut words);
            }
            regions.functions(specification, &instruction.name, settled, words);
        }
        for built_in in specification.built_ins.values() {
            let mut words = BTreeSet::new();
            for clause in &built_in.clauses {
                regions.clause(clause, &built_in.name, settled, &mut words);
            }
            regions.functions(specification, &built_in.name, settled, words);
        }
        regions
    }

    fn clause(
        &mut self,
        clause: &Clause,
        name: &Arc<str>,
        settled: &Settled,
        words: &mut BTreeSet<Arc<str>>,
    ) {
        for (statement, span) in &clause.statements {
            self.read.entry(*span).or_default().insert(name.clone());
            if !matches!(statement, Statement::Let(_)) {
                self.dropped.entry(*span).or_default().insert(name.clone());
            }
            self.statement(statement, settled, true, words);
        }
    }

    fn statement(
        &mut self,
        statement: &Statement,
        settled: &Settled,
        read: bool,
        words: &mut BTreeSet<Arc<str>>,
    ) {
        for expression in statement.expressions() {
            self.walk(expression, settled, read, words);
        }
        match statement {
            Statement::Reading(name, alternatives) => {
                for (alternative, statements) in alternatives {
                    let chosen = settled.alternative(name) == Some(alternative);
                    for inner in statements {
                        self.statement(inner, settled, read && chosen, words);
                    }
                }
            }
            other => {
                for inner in other.nested().into_iter().flatten() {
                    self.statement(inner, settled, read, words);
                }
            }
        }
    }

    fn expression(
        &mut self,
        expression: &Expr,
        name: &Arc<str>,
        settled: &Settled,
        words: &mut BTreeSet<Arc<str>>,
    ) {
        self.read.entry(expression.span).or_default().insert(name.clone());
        self.walk(expression, settled, true, words);
    }

    /// Notes what is not read, and the functions that what is read calls.
    fn walk(
        &mut self,
        expression: &Expr,
        settled: &Settled,
        read: bool,
        words: &mut BTreeSet<Arc<str>>,
    ) {
        if !read {
            self.unread.insert(expression.span);
            return;
        }
        match &expression.kind {
            ExprKind::Reading(name, alternatives) => {
                for (alternative, value) in alternatives {
                    let chosen = settled.alternative(name) == Some(alternative);
                    self.walk(value, settled, chosen, words);
                }
                return;
            }
            ExprKind::Call(name, _) | ExprKind::Name(name) => {
                words.insert(Arc::clone(name.text()));
            }
            _ => {}
        }
        for part in expression.parts() {
            self.walk(part, settled, true, words);
        }
    }

    /// The functions of all files that a clause calls, and those that they call.
    fn functions(
        &mut self,
        specification: &Specification,
        name: &Arc<str>,
        settled: &Settled,
        mut words: BTreeSet<Arc<str>>,
    ) {
        let mut done = BTreeSet::new();
        while let Some(word) = words.pop_first() {
            if let Some(function) = specification.functions.get(&word)
                && done.insert(word)
            {
                self.expression(&function.body, name, settled, &mut words);
            }
        }
    }
}

/// One mistake for each token of a range that can be mistaken for another, two for numbers.
fn mistakes(text: &str, range: Range<usize>) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    for token in tokens(text, range) {
        let word = &text[token.clone()];
        let after = text[token.end..].trim_start();
        if let Ok(number) = word.parse::<u64>() {
            found.push((token.clone(), (number + 1).to_string()));
            found.extend(number.checked_sub(1).map(|less| (token, less.to_string())));
            continue;
        }
        found.extend(instead(word, after).iter().map(|other| (token.clone(), (*other).to_owned())));
    }
    found
}

/// What a token is mistaken for, by what follows it.
fn instead(word: &str, after: &str) -> &'static [&'static str] {
    match word {
        "<" => &["<=", ">"],
        "<=" => &["<", ">="],
        ">" => &[">=", "<"],
        ">=" => &[">", "<="],
        "=" => &["!="],
        "!=" => &["="],
        "+" => &["-"],
        "-" => &["+", "~"],
        "*" => &["+"],
        "/" => &["%"],
        "%" => &["/"],
        "&" => &["|"],
        "|" => &["&"],
        "^" => &["|"],
        "<<" => &[">>"],
        ">>" => &["<<"],
        "~" => &[""],
        "and" => &["or"],
        "or" => &["and"],
        "implies" => &["and"],
        "not" => &[""],
        "if" => &["if not"],
        "when" => &["unless"],
        "unless" => &["when"],
        "true" => &["false"],
        "false" => &["true"],
        "id" => &["0"],
        "SubgroupSize" => &["SubgroupMaxSize"],
        "SubgroupMaxSize" => &["SubgroupSize"],
        "ExistingLanes" => &["SubgroupSize"],
        "active" if after.starts_with('(') => &["exists"],
        "active" => &["existing"],
        "existing" => &["active"],
        "exists" if after.starts_with('(') => &["active"],
        "exists" => &["forall"],
        "forall" => &["exists"],
        "lowest" => &["highest"],
        "highest" => &["lowest"],
        _ => function_instead(word, after),
    }
}

/// What a function, or a word of the documents, is mistaken for.
fn function_instead(word: &str, after: &str) -> &'static [&'static str] {
    match word {
        "is_nan" => &["not is_nan"],
        "popcount" => &["lowest_bit"],
        "lowest_bit" => &["highest_bit"],
        "highest_bit" => &["lowest_bit"],
        "any_component" => &["all_components"],
        "all_components" => &["any_component"],
        "signed" => &["unsigned"],
        "u64" => &["u32"],
        "ieee_equal" => &["ieee_less"],
        "ieee_less" => &["ieee_equal"],
        "total_less" => &["ieee_less"],
        "float_add" => &["float_sub"],
        "float_sub" => &["float_add"],
        "float_mul" => &["float_div"],
        "float_div" => &["float_mul"],
        "float_from_signed" => &["float_from_unsigned"],
        "float_from_unsigned" if !after[1..].starts_with(|it: char| it.is_ascii_digit()) => {
            &["float_from_signed"]
        }
        "float_to_signed" => &["float_to_unsigned"],
        "float_to_unsigned" => &["float_to_signed"],
        "fits_signed" => &["fits_unsigned"],
        "fits_unsigned" => &["fits_signed"],
        "same_number" => &["not same_number"],
        "same_bits" => &["not same_bits"],
        "uniform" => &["not uniform"],
        "to_result" => &["signed_to_result"],
        "signed_to_result" => &["to_result"],
        "InclusiveScan" => &["ExclusiveScan"],
        "ExclusiveScan" => &["InclusiveScan"],
        "Reduce" => &["InclusiveScan"],
        "ClusteredReduce" => &["Reduce"],
        "PartitionedReduceNV" => &["PartitionedInclusiveScanNV"],
        "PartitionedInclusiveScanNV" => &["PartitionedExclusiveScanNV"],
        "Kernel" => &["Shader"],
        "NoSignedWrap" => &["NoUnsignedWrap"],
        "NoUnsignedWrap" => &["NoSignedWrap"],
        "whole_nearest" => &["whole_toward_zero"],
        "whole_below" => &["whole_above"],
        "whole_above" => &["whole_below"],
        "whole_toward_zero" => &["whole_nearest"],
        _ => &[],
    }
}

/// Words, numbers and operators; strings and comments are none.
fn tokens(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = range.start;
    let run = |from: usize, holds: fn(u8) -> bool| {
        (from..range.end).find(|&index| !holds(bytes[index])).unwrap_or(range.end)
    };
    while at < range.end {
        let rest = &bytes[at..range.end];
        let end = match rest[0] {
            b'"' => run(at + 1, |byte| byte != b'"') + 1,
            b'-' if rest.starts_with(b"--") => run(at, |byte| byte != b'\n'),
            // Names of readings have hyphens, and so do not become sums.
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                let end = run(at, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
                let hyphenated = |index: usize| {
                    bytes.get(index) == Some(&b'-')
                        && bytes.get(index + 1).is_some_and(u8::is_ascii_alphabetic)
                };
                if hyphenated(end) {
                    run(at, |byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
                } else {
                    tokens.push(at..end);
                    end
                }
            }
            _ => {
                let double = ["<=", ">=", "!=", "<<", ">>"];
                let long = double.iter().any(|operator| rest.starts_with(operator.as_bytes()));
                let end = at + if long { 2 } else { 1 };
                tokens.push(at..end);
                end
            }
        };
        at = end;
    }
    tokens
}
