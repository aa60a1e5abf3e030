//! Terms as SMT-LIB 2, in its own words.

use std::collections::{BTreeSet, HashMap};

use laneproof_semantics::term::{Node, Pool, Scan, Sort, Term};

/// Writes terms; what occurs more than once gets a name.
pub(super) struct Writer<'p> {
    pool: &'p Pool,
    /// The text of a term that was written.
    words: HashMap<Term, String>,
    /// Widths at which a helper is needed.
    helpers: BTreeSet<(Helper, u32)>,
    /// Some term computes with floating-point numbers.
    numbers: bool,
}

/// Functions that SMT-LIB does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Helper {
    Bit,
    Count,
    Lowest,
    Highest,
}

impl Helper {
    const fn word(self) -> &'static str {
        match self {
            Self::Bit => "bit",
            Self::Count => "count",
            Self::Lowest => "lowest",
            Self::Highest => "highest",
        }
    }
}

/// A sort.
pub(super) fn sort(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Bits(width) => format!("(_ BitVec {width})"),
        // No operand is a tag here.
        Sort::Tag => "(_ BitVec 48)".to_owned(),
    }
}

/// Numbers that people read in decimal, and patterns.
fn constant(value: u128, width: u32) -> String {
    if value < 1 << 32 {
        format!("(_ bv{value} {width})")
    } else if width.is_multiple_of(4) {
        format!("#x{value:0digits$x}", digits = width as usize / 4)
    } else {
        format!("#b{value:0digits$b}", digits = width as usize)
    }
}

impl<'p> Writer<'p> {
    /// Gets ready to write `roots`; the definitions of what they share come first.
    pub(super) fn new(pool: &'p Pool, roots: &[Term]) -> (Self, Vec<String>) {
        let mut writer =
            Self { pool, words: HashMap::new(), helpers: BTreeSet::new(), numbers: false };
        let mut uses: HashMap<Term, usize> = HashMap::new();
        let order = pool.reachable(roots);
        for &term in &order {
            for operand in Pool::operands(pool.node(term)) {
                *uses.entry(operand).or_default() += 1;
            }
        }
        for &root in roots {
            *uses.entry(root).or_default() += 1;
        }
        let mut shared = Vec::new();
        for &term in &order {
            let words = writer.expression(term);
            let often = uses.get(&term).copied().unwrap_or(0) > 1;
            // What is short reads better than a name.
            if often && words.len() > SHORT {
                let name = format!("s{}", shared.len() + 1);
                shared.push(format!("(define-fun {name} () {} {words})", sort(pool.sort(term))));
                writer.words.insert(term, name);
            } else {
                writer.words.insert(term, words);
            }
        }
        (writer, shared)
    }

    /// One of the roots.
    pub(super) fn word(&self, term: Term) -> &str {
        self.words.get(&term).map_or("false", String::as_str)
    }

    /// The definitions of the helpers that are needed, each before those that use it.
    pub(super) fn helpers(&self) -> Vec<String> {
        let mut needed = BTreeSet::new();
        for &(helper, width) in &self.helpers {
            with_halves(helper, width, &mut needed);
        }
        let mut ordered: Vec<(Helper, u32)> = needed.into_iter().collect();
        ordered.sort_by_key(|&(helper, width)| (width, helper));
        ordered.into_iter().map(|(helper, width)| definition(helper, width)).collect()
    }

    fn expression(&mut self, term: Term) -> String {
        let pool = self.pool;
        let of = |term: &Term| self.words.get(term).cloned().unwrap_or_default();
        let all = |list: &[Term]| list.iter().map(of).collect::<Vec<_>>().join(" ");
        match pool.node(term) {
            Node::Bool(value) => value.to_string(),
            Node::Bits(value, width) => constant(*value, *width),
            Node::Variable(symbol) => pool.symbol_name(*symbol).to_owned(),
            Node::Apply(symbol, lane) => format!("({} {})", pool.symbol_name(*symbol), of(lane)),
            Node::Tag(source, lane) => {
                format!("(concat {} {})", constant(u128::from(*source), 16), of(lane))
            }
            Node::Not(a) => format!("(not {})", of(a)),
            Node::And(list) => format!("(and {})", all(list)),
            Node::Or(list) => format!("(or {})", all(list)),
            Node::Ite(c, a, b) => format!("(ite {} {} {})", of(c), of(a), of(b)),
            Node::Equal(a, b) => format!("(= {} {})", of(a), of(b)),
            Node::Compare(relation, a, b) => format!("({} {} {})", relation.word(), of(a), of(b)),
            Node::Binary(op, a, b) => format!("({} {} {})", op.word(), of(a), of(b)),
            Node::Linear(parts, sum) => self.linear(parts, *sum, pool.width(term)),
            Node::BitNot(a) => format!("(bvnot {})", of(a)),
            Node::Extract(a, high, low) => format!("((_ extract {high} {low}) {})", of(a)),
            Node::ZeroExtend(a, wide) => {
                format!("((_ zero_extend {}) {})", wide - pool.width(*a), of(a))
            }
            Node::SignExtend(a, wide) => {
                format!("((_ sign_extend {}) {})", wide - pool.width(*a), of(a))
            }
            Node::FromBits(list) => self.side_by_side(list),
            Node::Concat(high, low) => format!("(concat {} {})", of(high), of(low)),
            Node::Bit(a, index) => match pool.bits_of(*index) {
                Some(place) => format!("(= ((_ extract {place} {place}) {}) #b1)", of(a)),
                None => {
                    let (a, index) = (of(a), of(index));
                    let helper = self.helper(Helper::Bit, pool, term);
                    format!("({helper} {a} {index})")
                }
            },
            Node::Scan(scan, a) => {
                let a = of(a);
                let helper = match scan {
                    Scan::Count => Helper::Count,
                    Scan::Lowest => Helper::Lowest,
                    Scan::Highest => Helper::Highest,
                };
                let helper = self.helper(helper, pool, term);
                format!("({helper} {a})")
            }
            // A function from numbers back to bits is what SMT-LIB does not have.
            Node::Float(..)
            | Node::Payload(..)
            | Node::Canonical(..)
            | Node::AnyOrder(..)
            | Node::Implementation(..) => {
                self.numbers = true;
                String::new()
            }
        }
    }

    /// Some term computes with floating-point numbers: then there is no text.
    pub(super) fn numbers(&self) -> bool {
        self.numbers
    }

    /// The name of a helper for the first operand of `term`, which is then needed.
    fn helper(&mut self, helper: Helper, pool: &Pool, term: Term) -> String {
        let operand = Pool::operands(pool.node(term))[0];
        let width = pool.width(operand);
        self.helpers.insert((helper, width));
        name(helper, width)
    }

    fn linear(&self, parts: &[(Term, u128)], sum: u128, width: u32) -> String {
        let minus_one = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        let mut words: Vec<String> = parts
            .iter()
            .map(|(part, factor)| match *factor {
                1 => self.word(*part).to_owned(),
                factor if factor == minus_one => format!("(bvneg {})", self.word(*part)),
                factor => format!("(bvmul {} {})", constant(factor, width), self.word(*part)),
            })
            .collect();
        let negative = sum >> (width - 1) & 1 == 1 && !words.is_empty();
        if !negative && (sum != 0 || words.is_empty()) {
            words.push(constant(sum, width));
        }
        let total = match &words[..] {
            [only] => only.clone(),
            several => format!("(bvadd {})", several.join(" ")),
        };
        match negative {
            true => format!("(bvsub {total} {})", constant(sum.wrapping_neg() & minus_one, width)),
            false => total,
        }
    }

    /// Bits side by side, lowest first: constants and neighbours of one vector as one piece.
    fn side_by_side(&self, list: &[Term]) -> String {
        let mut pieces: Vec<String> = Vec::new();
        let mut rest = list;
        while let Some(&first) = rest.first() {
            let known: Vec<bool> = rest.iter().map_while(|&bit| self.pool.bool_of(bit)).collect();
            let neighbours = self.neighbours(rest);
            let length = if !known.is_empty() {
                let value = known.iter().rev().fold(0, |all, &bit| all << 1 | u128::from(bit));
                pieces.push(constant(value, known.len() as u32));
                known.len()
            } else if let Some((vector, low, length)) = neighbours {
                let high = low + length - 1;
                pieces.push(format!("((_ extract {high} {low}) {})", self.word(vector)));
                length as usize
            } else {
                pieces.push(format!("(ite {} #b1 #b0)", self.word(first)));
                1
            };
            rest = &rest[length..];
        }
        pieces.reverse();
        match &pieces[..] {
            [only] => only.clone(),
            several => format!("(concat {})", several.join(" ")),
        }
    }

    /// A vector, the lowest bit and how many bits of it a list begins with.
    fn neighbours(&self, list: &[Term]) -> Option<(Term, u32, u32)> {
        let place = |bit: Term| match *self.pool.node(bit) {
            Node::Bit(vector, index) => Some((vector, self.pool.bits_of(index)? as u32)),
            _ => None,
        };
        let (vector, low) = place(*list.first()?)?;
        let next = list.iter().zip(low..);
        let length = next.take_while(|&(&bit, at)| place(bit) == Some((vector, at))).count();
        Some((vector, low, length as u32))
    }
}

/// Texts of at most this many characters are repeated, not named.
const SHORT: usize = 32;

fn name(helper: Helper, width: u32) -> String {
    format!("{}.{width}", helper.word())
}

/// A helper and those for the halves that it is defined by.
fn with_halves(helper: Helper, width: u32, needed: &mut BTreeSet<(Helper, u32)>) {
    if needed.insert((helper, width)) && helper != Helper::Bit && width > 1 {
        with_halves(helper, width / 2, needed);
        with_halves(helper, width - width / 2, needed);
    }
}

fn definition(helper: Helper, width: u32) -> String {
    let name = name(helper, width);
    let vector = format!("(x (_ BitVec {width}))");
    if helper == Helper::Bit {
        // False past the end: what is shifted in is 0.
        let shifted = match width {
            32 => "(bvlshr x lane)".to_owned(),
            33.. => format!("(bvlshr x ((_ zero_extend {}) lane))", width - 32),
            _ => format!("(bvlshr ((_ zero_extend {}) x) lane)", 32 - width),
        };
        return format!(
            "(define-fun {name} ({vector} (lane (_ BitVec 32))) Bool \
             (= ((_ extract 0 0) {shifted}) #b1))"
        );
    }
    let half = width / 2;
    let (low, high) = (
        format!("((_ extract {} 0) x)", half.saturating_sub(1)),
        format!("((_ extract {} {half}) x)", width - 1),
    );
    let below = format!("({} {low})", self::name(helper, half));
    let above = format!("({} {high})", self::name(helper, width - half));
    let beyond = format!("(bvadd {above} (_ bv{half} 32))");
    let body = match (helper, width) {
        (Helper::Count, 1) => "((_ zero_extend 31) x)".to_owned(),
        (_, 1) => "(ite (= x #b1) (_ bv0 32) (_ bv1 32))".to_owned(),
        (Helper::Count, _) => format!("(bvadd {above} {below})"),
        // Where no bit is set, the widths of the halves add up to that of the whole.
        (Helper::Lowest, _) => format!("(ite (= {low} (_ bv0 {half})) {beyond} {below})"),
        _ => format!(
            "(ite (= x (_ bv0 {width})) (_ bv{width} 32) \
             (ite (= {high} (_ bv0 {})) {below} {beyond}))",
            width - half
        ),
    };
    format!("(define-fun {name} ({vector}) (_ BitVec 32) {body})")
}
