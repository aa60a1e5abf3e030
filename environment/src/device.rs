//! A device, as a file describes it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use include_dir::{Dir, include_dir};
use laneproof_module::BlockLayouts;
use laneproof_semantics::line_and_column;
use miette::{Diagnostic, NamedSource, SourceSpan};
use thiserror::Error;
use toml::de::{DeTable, DeValue};

use crate::facts::{Against, DeviceFact, FactSort, FactTest, Facts, version};
use crate::known_names::read_name;

static DEVICES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/devices");

/// The facts of one device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    values: BTreeMap<String, Value>,
}

/// The value of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Boolean(bool),
    Integer(i64),
    Integers(Vec<i64>),
    Version(u8, u8),
    Names(BTreeSet<String>),
}

/// What is wrong with a device file, and where.
#[derive(Debug, Error, Diagnostic)]
#[error("{name}:{line}:{column}: {message}")]
pub struct DeviceFileError {
    /// The file.
    pub name: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do.
    #[help]
    pub help: Option<String>,
    /// The file's text.
    #[source_code]
    pub text: NamedSource<String>,
    /// Where in it.
    #[label("here")]
    pub at: SourceSpan,
}

/// What is wrong, and what to do.
type Mistake = (String, Option<String>, Range<usize>);

impl Device {
    /// Names of the device files that are compiled in.
    pub fn names() -> Vec<String> {
        let stem = |file: &include_dir::File<'_>| {
            file.path().file_stem().map(|stem| stem.to_string_lossy().into_owned())
        };
        let mut names: Vec<String> = DEVICES.files().filter_map(stem).collect();
        names.sort();
        names
    }

    /// The text of a device file that is compiled in.
    pub fn built_in(name: &str) -> Option<&'static str> {
        DEVICES.get_file(format!("{name}.toml"))?.contents_utf8()
    }

    /// Reads a device file. What it leaves out has its default.
    ///
    /// # Errors
    ///
    /// Text that is no TOML, keys that there are not, values of another type; with the place.
    pub fn parse(text: &str, name: &str) -> Result<Self, Box<DeviceFileError>> {
        let mistaken = |(message, help, at): Mistake| {
            let start = at.start.min(text.len());
            let (line, column) = line_and_column(text, start);
            Box::new(DeviceFileError {
                name: name.to_owned(),
                line,
                column,
                message,
                help,
                text: NamedSource::new(name, text.to_owned()),
                at: (start, at.len()).into(),
            })
        };
        let table = DeTable::parse(text).map_err(|error| {
            mistaken((error.message().to_owned(), None, error.span().unwrap_or(0..0)))
        })?;
        let facts = Facts::built_in();
        let mut values = BTreeMap::new();
        for (key, fact) in &facts.facts {
            let default = default(fact).ok_or_else(|| {
                mistaken((format!("the default of `{key}` has another type"), None, 0..0))
            })?;
            values.insert(key.clone(), default);
        }
        let mut stated = BTreeMap::new();
        read(facts, "", table.get_ref(), &mut values, &mut stated).map_err(mistaken)?;
        let mut device = Self { values };
        if let Some(mistake) = device.contradiction(&stated) {
            return Err(mistaken(mistake));
        }
        device.complete(&stated);
        Ok(device)
    }

    /// Something that the file says the device has, and something that it needs for that and that the
    /// file says it has not. What the file leaves out contradicts nothing.
    fn contradiction(&self, stated: &BTreeMap<String, Range<usize>>) -> Option<Mistake> {
        let needs = Facts::built_in().needs.iter();
        let mut broken = needs.filter_map(|need| {
            let (having, at) = (stated.get(&need.having.key)?, stated.get(&need.needed.key)?);
            let breaks = self.holds(&need.having, None) && !self.holds(&need.needed, None);
            breaks
                .then(|| (need, if having.start > at.start { having.clone() } else { at.clone() }))
        });
        let (need, at) = broken.next()?;
        let (having, needed) = (need.having.described(None), need.needed.described(None));
        let help = Some(format!("say {needed} too, or leave one of them out"));
        Some((format!("{having} contradicts that there is no {needed}"), help, at))
    }

    /// Adds what the file leaves out, and what something needs that it states.
    fn complete(&mut self, stated: &BTreeMap<String, Range<usize>>) {
        let needs = &Facts::built_in().needs;
        let mut known: BTreeSet<&str> = stated.keys().map(String::as_str).collect();
        // What is added may need something itself.
        for _ in 0..needs.len() {
            let before = known.len();
            for need in needs {
                let key = &*need.needed.key;
                let open = !stated.contains_key(key) && known.contains(&*need.having.key);
                if open && self.holds(&need.having, None) {
                    self.make_true(&need.needed);
                    known.insert(key);
                }
            }
            if known.len() == before {
                return;
            }
        }
    }

    /// Changes a value so that the test holds.
    fn make_true(&mut self, test: &FactTest) {
        let Some(value) = self.values.get_mut(&test.key) else { return };
        match (&test.against, value) {
            (Against::True, Value::Boolean(holds)) => *holds = true,
            (Against::Has(member), Value::Names(names)) => {
                names.insert(member.clone());
            }
            _ => {}
        }
    }

    /// Whether a test holds; `it` is the value in question.
    pub fn holds(&self, test: &FactTest, it: Option<&str>) -> bool {
        let Some(value) = self.values.get(&test.key) else { return false };
        match (&test.against, value) {
            (Against::True, Value::Boolean(holds)) => *holds,
            (Against::Equal(number), Value::Integer(is)) => is == number,
            (Against::Is(major, minor), Value::Version(is, of)) => (is, of) == (major, minor),
            (Against::AtLeast(major, minor), Value::Version(is, of)) => (is, of) >= (major, minor),
            (Against::AtLeastIt, Value::Version(is, of)) => {
                it.and_then(version).is_some_and(|asked| (*is, *of) >= asked)
            }
            (Against::Has(member), Value::Names(names)) => names.contains(member),
            (Against::HasIt, Value::Names(names)) => it.is_some_and(|it| names.contains(it)),
            _ => false,
        }
    }

    /// It has OpenCL's embedded profile.
    pub fn is_embedded(&self) -> bool {
        let full = FactTest { key: "full_profile".to_owned(), against: Against::True };
        !self.holds(&full, None)
    }

    /// The layouts of blocks that it has.
    pub fn block_layouts(&self) -> BlockLayouts {
        let has = |layout: &str| {
            let against = Against::Has(layout.to_owned());
            self.holds(&FactTest { key: "block_layouts".to_owned(), against }, None)
        };
        let [relaxed, uniform, scalar, workgroup] =
            ["relaxed", "uniform", "scalar", "workgroup"].map(has);
        BlockLayouts { relaxed, uniform, scalar, workgroup }
    }

    /// It supports an extension of its API.
    pub fn supports(&self, extension: &str) -> bool {
        let test = FactTest { key: "extensions".to_owned(), against: Against::HasIt };
        self.holds(&test, Some(extension))
    }

    /// The sizes that a subgroup may have.
    pub fn subgroup_sizes(&self) -> Vec<u32> {
        match self.values.get("subgroup.sizes") {
            Some(Value::Integers(sizes)) => {
                sizes.iter().filter_map(|&size| u32::try_from(size).ok()).collect()
            }
            _ => Vec::new(),
        }
    }
}

fn default(fact: &DeviceFact) -> Option<Value> {
    use toml::Value as Toml;
    Some(match (fact.sort, &fact.default) {
        (FactSort::Boolean, Toml::Boolean(holds)) => Value::Boolean(*holds),
        (FactSort::Integer, Toml::Integer(number)) => Value::Integer(*number),
        (FactSort::Version, Toml::String(text)) => {
            let (major, minor) = version(text)?;
            Value::Version(major, minor)
        }
        (FactSort::Integers, Toml::Array(list)) => {
            Value::Integers(list.iter().map(Toml::as_integer).collect::<Option<_>>()?)
        }
        (FactSort::Set | FactSort::Names, Toml::Array(list)) => {
            let name = |it: &Toml| it.as_str().map(str::to_owned);
            Value::Names(list.iter().map(name).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// Reads a table, whose keys all begin with a prefix.
fn read(
    facts: &Facts,
    prefix: &str,
    table: &DeTable<'_>,
    values: &mut BTreeMap<String, Value>,
    stated: &mut BTreeMap<String, Range<usize>>,
) -> Result<(), Mistake> {
    for (name, value) in table {
        let key = format!("{prefix}{}", name.get_ref());
        if facts.facts.keys().any(|known| known.starts_with(&format!("{key}."))) {
            let DeValue::Table(inner) = value.get_ref() else {
                return Err((format!("`{key}`: expected a table, as [{key}]"), None, value.span()));
            };
            read(facts, &format!("{key}."), inner, values, stated)?;
            continue;
        }
        if key == "description" && matches!(value.get_ref(), DeValue::String(_)) {
            continue;
        }
        let Some(fact) = facts.facts.get(&key) else {
            let near = facts.facts.keys().max_by(|a, b| {
                strsim::jaro_winkler(a, &key).total_cmp(&strsim::jaro_winkler(b, &key))
            });
            let help = near.map(|near| format!("did you mean `{near}`?"));
            return Err((format!("there is no key `{key}`"), help, name.span()));
        };
        let read = value_of(fact, value.get_ref());
        let read = read.map_err(|(message, help)| (message, help, value.span()))?;
        stated.insert(key.clone(), name.span().start..value.span().end);
        values.insert(key, read);
    }
    Ok(())
}

fn value_of(fact: &DeviceFact, value: &DeValue<'_>) -> Result<Value, (String, Option<String>)> {
    let expected = match fact.sort {
        FactSort::Boolean => "`true` or `false`",
        FactSort::Integer => "a whole number",
        FactSort::Integers => "a list of whole numbers",
        FactSort::Version => "a version in quotes, as \"1.3\"",
        FactSort::Set | FactSort::Names => "a list of names in quotes",
    };
    let other = || (format!("`{}`: expected {expected}", fact.key), None);
    let whole = |value: &DeValue<'_>| match value {
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    };
    let among = |numbers: &[i64]| {
        let stray = numbers.iter().find(|it| !fact.among.is_empty() && !fact.among.contains(it));
        let names: Vec<String> = fact.among.iter().map(i64::to_string).collect();
        let help = Some(format!("expected some of {}", names.join(", ")));
        match (stray, numbers.is_empty()) {
            (Some(stray), _) => {
                Err((format!("`{}`: {stray} is not a possible value", fact.key), help))
            }
            (None, true) => Err((format!("`{}`: expected at least one", fact.key), help)),
            (None, false) => Ok(()),
        }
    };
    match (fact.sort, value) {
        (FactSort::Boolean, DeValue::Boolean(holds)) => Ok(Value::Boolean(*holds)),
        (FactSort::Integer, value) => {
            let number = whole(value).ok_or_else(other)?;
            among(&[number]).map(|()| Value::Integer(number))
        }
        (FactSort::Version, DeValue::String(text)) => {
            let (major, minor) = version(text).ok_or_else(other)?;
            if !fact.members.iter().any(|it| **it == **text) {
                let message = format!("`{}`: there is no version {text}", fact.key);
                return Err((
                    message,
                    Some(format!("expected one of {}", fact.members.join(", "))),
                ));
            }
            Ok(Value::Version(major, minor))
        }
        (FactSort::Integers, DeValue::Array(list)) => {
            let numbers = list.iter().map(|it| whole(it.get_ref())).collect::<Option<Vec<_>>>();
            let numbers = numbers.ok_or_else(other)?;
            among(&numbers).map(|()| Value::Integers(numbers))
        }
        (FactSort::Set | FactSort::Names, DeValue::Array(list)) => {
            let mut names = BTreeSet::new();
            for item in list.iter() {
                let DeValue::String(name) = item.get_ref() else { return Err(other()) };
                if fact.sort == FactSort::Set && !fact.members.iter().any(|it| **it == **name) {
                    let members = fact.members.join(", ");
                    let message = format!("`{}` has no member `{name}`", fact.key);
                    return Err((message, Some(format!("expected some of {members}"))));
                }
                names.insert(match fact.sort {
                    FactSort::Names => read_name(fact, name)?,
                    _ => name.to_string(),
                });
            }
            Ok(Value::Names(names))
        }
        _ => Err(other()),
    }
}
