//! What is phrased as something else than it is: an operand as a type, a rule as a condition, an index
//! as C writes it; and what is named by half.

use std::collections::BTreeSet;

use laneproof_module::names::{self, InstructionClass};

use crate::row::{Row, instruction};
use crate::sentences::{Section, bare};
use crate::slip::{EditorialFault, Slip};

/// What is found in each section.
pub(crate) fn phrasing(sections: &[Section]) -> Vec<Vec<Slip>> {
    let operands = operands(sections);
    let mut found: Vec<Vec<Slip>> =
        sections.iter().map(|section| of_section(section, &operands)).collect();
    if let Some((at, slip)) = scope_of_the_overview(sections) {
        found[at].push(slip);
    }
    found
}

fn of_section(section: &Section, operands: &BTreeSet<String>) -> Vec<Slip> {
    let mut found = Vec::new();
    for (sentence, text) in (1..).zip(&section.sentences) {
        let words: Vec<&str> = text.split_whitespace().collect();
        let slips = [
            (EditorialFault::MixedCase, mixed_case(&words)),
            (EditorialFault::TypesOfOne, types_of_one(&words)),
            (EditorialFault::Vague, compared_with_nothing(&words)),
            (EditorialFault::CutShort, spirv_for_a_module(&words)),
            (EditorialFault::SeveralNames, parameter(&words, operands)),
            (EditorialFault::CalledAType, called_a_type(section, &words)),
        ];
        let slips = slips.into_iter().filter_map(|(fault, words)| Some((fault, words?)));
        found.extend(slips.map(|(fault, words)| Slip { sentence, fault, words }));
    }
    found.extend(added_nowhere(section));
    found.extend(rule_among_conditions(section));
    if instruction(section).is_some() {
        found.extend(index_in_brackets(section));
        found.extend(identified_by_itself(section));
    }
    found
}

fn is_capital(word: &str) -> bool {
    bare(word).starts_with(|c: char| c.is_ascii_uppercase())
}

/// `the control Barrier instruction`: an instruction's name, of which some words begin with a capital.
fn mixed_case(words: &[&str]) -> Option<String> {
    let end = words.iter().position(|word| {
        ["instruction", "instructions"].contains(&bare(word).to_lowercase().as_str())
    })?;
    (2..=3).find_map(|length| {
        let name = words.get(end.checked_sub(length)?..end)?;
        let capitals = name.iter().filter(|word| is_capital(word)).count();
        let joined: String = name.iter().map(|word| capitalized(bare(word))).collect();
        let is_name = InstructionClass::of_name(&format!("Op{joined}")).is_some();
        (is_name && (1..length).contains(&capitals)).then(|| name.join(" "))
    })
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|it| it.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// `a vector of 32-bit integer types`: the components of one vector have one type.
fn types_of_one(words: &[&str]) -> Option<String> {
    let at = words.windows(2).position(|pair| pair == ["vector", "of"])?;
    let article = words[..at].iter().rev().take(4).any(|word| ["a", "A"].contains(word));
    let several = ["one", "any", "these", "the", "those", "following", "several", "different"];
    let rest = &words[at + 2..];
    let comma = rest.iter().position(|word| word.ends_with(','));
    let rest = rest.iter().take(comma.unwrap_or(rest.len()).min(5)).map(|word| bare(word));
    let rest: Vec<&str> = rest.take_while(|word| !several.contains(word)).collect();
    let end = rest.iter().position(|word| *word == "types").filter(|_| article)?;
    Some(format!("vector of {}", rest[..=end].join(" ")))
}

/// `it is the higher number`: higher than what is not said.
fn compared_with_nothing(words: &[&str]) -> Option<String> {
    const MORE: [&str; 6] = ["higher", "lower", "greater", "larger", "smaller", "later"];
    let both = ["than", "two", "both", "either", "pair", "other"];
    if words.iter().any(|word| both.contains(&bare(word))) {
        return None;
    }
    let at = words.windows(2).position(|pair| pair[0] == "the" && MORE.contains(&pair[1]))?;
    let noun = words[at + 2..]
        .iter()
        .take(2)
        .position(|word| ["number", "index", "id", "identifier", "value"].contains(&bare(word)))?;
    Some(words[at..=at + 2 + noun].iter().map(|word| bare(word)).collect::<Vec<_>>().join(" "))
}

/// `it is added to the SPIR-V for them`: the module, the language or its specification.
fn spirv_for_a_module(words: &[&str]) -> Option<String> {
    const ENDS: [&str; 10] = ["for", "to", "and", "or", "is", "in", "that", "which", "must", "may"];
    let at = words.windows(2).position(|pair| pair[0] == "the" && bare(pair[1]) == "SPIR-V")?;
    let name = words[at + 1];
    let next = words.get(at + 2).filter(|_| name.ends_with('V'));
    next.is_none_or(|next| ENDS.contains(next)).then(|| match next {
        Some(next) => format!("the SPIR-V {next}"),
        None => "the SPIR-V".to_owned(),
    })
}

/// The names of operands in rows of instructions, and of those that are added to instructions.
fn operands(sections: &[Section]) -> BTreeSet<String> {
    let rows = sections.iter().filter_map(Row::of).flat_map(|row| row.names());
    let all = sections.iter().flat_map(|section| &section.sentences);
    let added = all.filter_map(|text| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let at = words.iter().position(|word| word.contains("<id>"))?;
        let operand = words[..at].contains(&"operand");
        words.get(at + 1).filter(|_| operand).map(|name| bare(name).to_owned())
    });
    rows.chain(added).collect()
}

/// An operand that is called a parameter.
fn parameter(words: &[&str], operands: &BTreeSet<String>) -> Option<String> {
    let at = words.iter().position(|word| ["parameter", "parameters"].contains(&bare(word)))?;
    let name = bare(words[at.checked_sub(1)?]);
    operands.contains(name).then(|| format!("operand / {name} parameter"))
}

/// `Value must be a scalar type`: what is said of an operand's type, and not of the operand.
fn called_a_type(section: &Section, words: &[&str]) -> Option<String> {
    let name = instruction(section).filter(|name| !name.starts_with("OpType"))?;
    let must = words.windows(2).position(|pair| pair == ["must", "be"])?;
    let (operand, object) = (&words[..must], &words[must + 2..]);
    let last = operand.last()?;
    let is_operand = operand.len() < 3
        && operand.iter().all(|word| is_capital(word))
        && !["Type", "Types"].contains(&bare(last))
        && bare(last) != name;
    let [article, .., end] = object else { return None };
    let is_type = ["a", "an"].contains(article) && *end == "type.";
    // `with`, `of` and the like: the type is that of a part.
    let plain = !object.iter().any(|word| ["of", "with", "whose", "that", "to"].contains(word));
    (is_operand && is_type && plain).then(|| {
        let operand: Vec<&str> = operand.iter().map(|word| bare(word)).collect();
        format!("{} must be {}", operand.join(" "), object.join(" ").trim_end_matches('.'))
    })
}

/// `Add the new instruction:` without a section to which it is added.
fn added_nowhere(section: &Section) -> Option<Slip> {
    const PLACES: [&str; 9] =
        ["Section", "section", "table", "to", "after", "before", "in", "under", "below"];
    let has_place = |text: &str| text.split(' ').any(|word| PLACES.contains(&bare(word)));
    if instruction(section).is_some() || section.heading.split(' ').count() > 1 {
        return None;
    }
    let (at, text) = section.sentences.iter().enumerate().find(|(_, text)| {
        text.starts_with("Add ") && text.contains(" new ") && text.ends_with(':')
    })?;
    if section.sentences[..=at].iter().any(|text| has_place(text)) {
        return None;
    }
    let words = text.trim_end_matches(':').to_owned();
    Some(Slip { sentence: u32::try_from(at + 1).ok()?, fault: EditorialFault::AddedNowhere, words })
}

/// An item of a list of conditions that says what is so.
fn rule_among_conditions(section: &Section) -> Option<Slip> {
    let begins =
        |text: &String| ["if:", "when:", "unless:", "while:"].iter().any(|end| text.ends_with(end));
    let goes_on = |text: &String| {
        [" and", " or", ",", ";"].iter().any(|end| text.trim_end_matches(',').ends_with(end))
    };
    let sentences = &section.sentences;
    let (start, _) = sentences.iter().enumerate().find(|(_, text)| begins(text))?;
    let items = sentences[start + 1..].iter().take_while(|text| goes_on(text)).count() + 1;
    (1..).zip(sentences).skip(start + 1).take(items).find_map(|(sentence, text)| {
        let words: Vec<&str> = text.split_whitespace().map(bare).collect();
        let rule = words.windows(2).find(|pair| {
            ["is", "are"].contains(&pair[0])
                && ["ignored", "undefined", "optional"].contains(&pair[1])
        })?;
        let words = rule.join(" ");
        // What is said under a condition of its own may be one.
        (!text.starts_with("if ") && !text.contains(" whether ")).then_some(Slip {
            sentence,
            fault: EditorialFault::RuleAmongConditions,
            words,
        })
    })
}

/// `Ptr[ i + 1 ]`: no sentence of SPIR-V's says what an index in brackets counts.
fn index_in_brackets(section: &Section) -> Option<Slip> {
    let is_index = |text: &String| {
        let name = text.split('[').next().unwrap_or_default();
        !name.is_empty()
            && name.chars().all(char::is_alphanumeric)
            && is_capital(name)
            && text.ends_with(']')
    };
    let says = |text: &String| {
        text.contains('[') && ["element", "denotes", "byte"].iter().any(|it| text.contains(it))
    };
    let (at, text) = section.sentences.iter().enumerate().find(|(_, text)| is_index(text))?;
    let sentence = u32::try_from(at + 1).ok()?;
    let fault = EditorialFault::IndexInBrackets;
    (!section.sentences.iter().any(says)).then(|| Slip { sentence, fault, words: text.clone() })
}

/// `the invocation identified by Id`, in a section that names no number of invocations.
fn identified_by_itself(section: &Section) -> Option<Slip> {
    const BY: [&[&str]; 4] =
        [&["identified", "by"], &["named", "by"], &["whose", "id", "is"], &["with", "id"]];
    // An operand may have the name of a built-in variable that is another thing.
    let operands = Row::of(section).map(|row| row.names()).unwrap_or_default();
    let built_in = |text: &String| {
        let name = |word: &str| names::number_of("BuiltIn", word).is_some();
        let all = text.split_whitespace().map(bare);
        all.into_iter().any(|it| name(it) && it.contains("Invocation") && !operands.contains(it))
    };
    if section.sentences.iter().any(built_in) {
        return None;
    }
    (1..).zip(&section.sentences).find_map(|(sentence, text)| {
        let words: Vec<&str> = text.split_whitespace().map(bare).collect();
        let named = |(at, word): (usize, &&str)| {
            let by = BY.iter().find(|by| words[at + 1..].starts_with(by))?;
            let is_lane = ["invocation", "lane"].contains(word);
            is_lane.then(|| words[at..words.len().min(at + by.len() + 2)].join(" "))
        };
        let words = words.iter().enumerate().find_map(named)?;
        Some(Slip { sentence, fault: EditorialFault::IdentifiedByItself, words })
    })
}

/// An overview that speaks of subgroups only, of an instruction whose scope may be a workgroup.
fn scope_of_the_overview(sections: &[Section]) -> Option<(usize, Slip)> {
    let both = |text: &String| {
        let has = |name: &str| text.split_whitespace().any(|word| bare(word) == name);
        has("Workgroup") && has("Subgroup") && text.contains(" be ")
    };
    let may = |it: &Section| instruction(it).is_some() && it.sentences.iter().any(both);
    let at = sections.iter().position(|it| it.title == "Overview")?;
    let overview = &sections[at].sentences;
    if !sections.iter().any(may)
        || overview.iter().any(|it| it.to_lowercase().contains("workgroup"))
    {
        return None;
    }
    let within = |text: &String| {
        let found = ["within a subgroup", "within the subgroup", "in a subgroup"];
        found.into_iter().find(|it| text.contains(it))
    };
    let (sentence, words) =
        (1..).zip(overview).find_map(|(sentence, text)| Some((sentence, within(text)?)))?;
    let words = words.to_owned();
    Some((at, Slip { sentence, fault: EditorialFault::ScopeOfTheOverview, words }))
}
