//! What can be said of a device, and what the quoted circumstances of rules come to.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

static FACTS: LazyLock<Result<Facts, String>> = LazyLock::new(|| {
    let read: Read =
        toml::from_str(include_str!("../data/facts.toml")).map_err(|it| it.to_string())?;
    let words = read.words.into_iter().map(|word| Ok((word.says.clone(), word.meaning()?)));
    let words = words.collect::<Result<_, String>>()?;
    let facts: BTreeMap<_, _> =
        read.fact.into_iter().map(|fact| (fact.key.clone(), fact)).collect();
    let needs = read.need.iter().map(Needed::need).collect::<Result<_, String>>()?;
    Ok(Facts { facts, words, needs })
});

/// The keys of device files, and the meaning of quoted circumstances.
#[derive(Debug)]
pub struct Facts {
    /// What each key is.
    pub facts: BTreeMap<String, DeviceFact>,
    /// What each quoted circumstance asks.
    pub words: BTreeMap<String, FactMeaning>,
    /// What a device cannot have without something else.
    pub needs: Vec<Need>,
}

/// A device has the first only if it has the second.
#[derive(Debug)]
pub struct Need {
    /// What needs something.
    pub having: FactTest,
    /// What it needs.
    pub needed: FactTest,
}

/// A key of device files.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeviceFact {
    /// The key; a dot leads into a table.
    pub key: String,
    /// The sort of its value.
    #[serde(rename = "type")]
    pub sort: FactSort,
    /// What holds where a device file leaves it out.
    pub default: toml::Value,
    /// The kind of tokens that the names are, which a device file may spell in each of the grammar's
    /// ways; none for extensions of an API.
    pub tokens: Option<String>,
    /// Of names: how each begins; anything where none is named.
    #[serde(default)]
    pub prefixes: Vec<String>,
    /// Of a set: what may be in it; of a version: which there are.
    #[serde(default)]
    pub members: Vec<String>,
    /// Of numbers: which there may be; all where none is named.
    #[serde(default)]
    pub among: Vec<i64>,
    /// What it means, and the environments' names for it.
    pub meaning: String,
}

/// The sort of a key's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FactSort {
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// A list of whole numbers.
    Integers,
    /// A version, as `"1.3"`.
    Version,
    /// A list of some of the key's members.
    Set,
    /// A list of names of any kind.
    Names,
}

/// What a quoted circumstance asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactMeaning {
    /// Whether a test of the device's facts holds.
    Device(FactTest),
    /// Whether a device file states it; otherwise it does not hold.
    Stated(FactTest),
    /// Whether an entry point names the function that the instruction declares.
    EntryPoint,
    /// Whether the module is of this version of SPIR-V, or of a later one.
    Version(u8, u8),
    /// Something that only the host knows.
    Host,
    /// A property of the state of an instruction, in clauses.
    State,
}

/// A test of one fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactTest {
    /// The key.
    pub key: String,
    /// What it is compared with.
    pub against: Against,
}

/// What a fact is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Against {
    /// It is true.
    True,
    /// It is this number.
    Equal(i64),
    /// It is this version.
    Is(u8, u8),
    /// It is this version, or a later one.
    AtLeast(u8, u8),
    /// It is the version in question, or a later one.
    AtLeastIt,
    /// It has this member.
    Has(String),
    /// It has the value in question.
    HasIt,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    fact: Vec<DeviceFact>,
    words: Vec<Word>,
    need: Vec<Needed>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Needed {
    having: String,
    needs: String,
}

impl Needed {
    fn need(&self) -> Result<Need, String> {
        let read = |text: &str| FactTest::read(text).ok_or_else(|| format!("`{text}` is no test"));
        Ok(Need { having: read(&self.having)?, needed: read(&self.needs)? })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Word {
    says: String,
    device: Option<String>,
    stated: Option<String>,
    module: Option<String>,
    #[serde(default)]
    host: bool,
    #[serde(default)]
    state: bool,
}

impl Word {
    fn meaning(&self) -> Result<FactMeaning, String> {
        let version =
            |text: &str| version(text).map(|(major, minor)| FactMeaning::Version(major, minor));
        let found = match (&self.device, &self.stated, &self.module, self.host, self.state) {
            (Some(test), None, None, false, false) => FactTest::read(test).map(FactMeaning::Device),
            (None, Some(test), None, false, false) => FactTest::read(test).map(FactMeaning::Stated),
            (None, None, Some(asked), false, false) => match asked.strip_prefix("version >= ") {
                Some(text) => version(text),
                None => (asked == "entry-point").then_some(FactMeaning::EntryPoint),
            },
            (None, None, None, true, false) => Some(FactMeaning::Host),
            (None, None, None, false, true) => Some(FactMeaning::State),
            _ => None,
        };
        found.ok_or_else(|| format!("`{}` has no meaning that is understood", self.says))
    }
}

impl FactTest {
    fn read(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (key, against) = match words[..] {
            [key] => (key, Against::True),
            [key, "=", text] => match version(text) {
                Some((major, minor)) => (key, Against::Is(major, minor)),
                None => (key, Against::Equal(text.parse().ok()?)),
            },
            [key, ">=", "it"] => (key, Against::AtLeastIt),
            [key, ">=", text] => {
                let (major, minor) = version(text)?;
                (key, Against::AtLeast(major, minor))
            }
            [key, "has", "it"] => (key, Against::HasIt),
            [key, "has", member] => (key, Against::Has(member.to_owned())),
            _ => return None,
        };
        Some(Self { key: key.to_owned(), against })
    }

    /// It holds on any device: each has the first version.
    pub fn holds_everywhere(&self, it: Option<&str>) -> bool {
        match self.against {
            Against::AtLeast(major, minor) => (major, minor) <= FIRST,
            Against::AtLeastIt => it.and_then(version).is_some_and(|asked| asked <= FIRST),
            _ => false,
        }
    }

    /// In words: what the device file would have to say.
    pub fn described(&self, it: Option<&str>) -> String {
        let it = it.unwrap_or("it");
        let key = &self.key;
        match &self.against {
            Against::True => format!("`{key}`"),
            Against::Equal(number) => format!("`{key}` = {number}"),
            Against::Is(major, minor) => format!("`{key}` = {major}.{minor}"),
            Against::AtLeast(major, minor) => format!("`{key}` at least {major}.{minor}"),
            Against::AtLeastIt => format!("`{key}` at least {it}"),
            Against::Has(member) => format!("`{key}` with {member}"),
            Against::HasIt => format!("`{key}` with {it}"),
        }
    }
}

impl Facts {
    /// Those that are compiled in.
    pub fn built_in() -> &'static Self {
        match &*FACTS {
            Ok(facts) => facts,
            Err(error) => unreachable!("the facts are well-formed, as tests say: {error}"),
        }
    }
}

/// Of SPIR-V, Vulkan and OpenCL.
const FIRST: (u8, u8) = (1, 0);

/// "1.3".
pub(crate) fn version(text: &str) -> Option<(u8, u8)> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
