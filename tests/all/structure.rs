//! How the sources are built: no import cycle within a crate, files and functions that one can read,
//! no struct that holds everything. Read from the syntax trees, so that no wording of an import hides
//! it. And ARCHITECTURE.md names files that exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{
    Attribute, Block, ImplItemFn, ItemFn, ItemMod, ItemStruct, ItemUse, Signature, TraitItemFn,
    UseTree,
};
use walkdir::WalkDir;

/// Lines of a file.
const LINES: usize = 500;
/// Lines of a function, from its signature to its end.
const FUNCTION_LINES: usize = 80;
/// Fields of a struct.
const FIELDS: usize = 12;

/// The path of a module within its crate.
type Module = Vec<String>;

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What is below the root, but for hidden folders and what is built.
fn entries() -> impl Iterator<Item = PathBuf> {
    let hidden = |name: &str| name.starts_with('.') || name == "target";
    let entries = WalkDir::new(root()).sort_by_file_name().into_iter();
    let entries = entries.filter_entry(move |entry| {
        entry.depth() == 0 || !entry.file_name().to_str().is_some_and(hidden)
    });
    entries.map(|entry| entry.unwrap().into_path())
}

/// The folders of all crates.
pub(crate) fn crates() -> Vec<PathBuf> {
    entries().filter(|it| it.join("Cargo.toml").is_file() && it.join("src").is_dir()).collect()
}

/// Every source file below a folder.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let files = WalkDir::new(folder).sort_by_file_name().into_iter();
    let files = files.map(|entry| entry.unwrap().into_path());
    files.filter(|path| is_source(path)).collect()
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "rs")
}

pub(crate) fn parsed(file: &Path) -> syn::File {
    let text = fs::read_to_string(file).unwrap();
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The module that a file of `src` is.
fn module_of(src: &Path, file: &Path) -> Module {
    let parts = file.strip_prefix(src).unwrap().with_extension("");
    let mut module: Module = parts.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if module.last().is_some_and(|last| matches!(&**last, "lib" | "main" | "mod")) {
        module.pop();
    }
    module
}

/// What a file names of its own crate: paths from the crate's root.
struct Named<'m> {
    here: Module,
    modules: &'m BTreeSet<Module>,
    found: BTreeSet<Module>,
    /// What its `use` items name, by the name here.
    imported: BTreeMap<String, Module>,
}

impl<'m> Named<'m> {
    fn of(file: &Path, here: Module, modules: &'m BTreeSet<Module>) -> Self {
        let mut named = Self { here, modules, found: BTreeSet::new(), imported: BTreeMap::new() };
        named.visit_file(&parsed(file));
        named
    }

    /// A path as one from the crate's root, if it leads within the crate.
    fn absolute(&self, path: &[String]) -> Option<Module> {
        let mut rest = path;
        let mut from = match rest.first().map(String::as_str) {
            Some("crate") => Module::new(),
            Some("self" | "super") => self.here.clone(),
            Some(child) => {
                let child = [&self.here[..], &[child.to_owned()]].concat();
                return self.modules.contains(&child).then(|| [&child, &path[1..]].concat());
            }
            None => return None,
        };
        while let Some((first, after)) = rest.split_first() {
            match &**first {
                "crate" | "self" => {}
                "super" => {
                    from.pop();
                }
                _ => break,
            }
            rest = after;
        }
        from.extend(rest.iter().cloned());
        Some(from)
    }

    fn add(&mut self, path: &[String]) {
        self.found.extend(self.absolute(path));
    }

    fn import(&mut self, path: &[String], name: &syn::Ident) {
        if let Some(path) = self.absolute(path) {
            self.imported.insert(name.to_string(), path.clone());
            self.found.insert(path);
        }
    }

    fn tree(&mut self, before: &[String], tree: &UseTree) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.tree(&with(&path.ident), &path.tree),
            UseTree::Name(name) => self.import(&with(&name.ident), &name.ident),
            UseTree::Rename(name) => self.import(&with(&name.ident), &name.rename),
            UseTree::Glob(_) => self.add(before),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.tree(before, tree));
            }
        }
    }
}

pub(crate) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|it| {
        it.path().is_ident("cfg")
            && it.parse_args::<syn::Path>().is_ok_and(|of| of.is_ident("test"))
    })
}

impl<'ast> Visit<'ast> for Named<'_> {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.tree(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts: Vec<String> = path.segments.iter().map(|it| it.ident.to_string()).collect();
        self.add(&parts);
        visit::visit_path(self, path);
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }
}

/// The module in which the item of a path stands: what is exported again is followed to its home.
fn home(
    path: &Module,
    modules: &BTreeSet<Module>,
    imported: &BTreeMap<Module, BTreeMap<String, Module>>,
) -> Option<Module> {
    let mut path = path.clone();
    for _ in 0..8 {
        let lengths = (0..=path.len()).rev();
        let length = lengths.into_iter().find(|it| modules.contains(&path[..*it]))?;
        let module = path[..length].to_vec();
        let next = path.get(length).and_then(|name| imported.get(&module)?.get(name));
        match next {
            Some(next) => path = [next, &path[length + 1..]].concat(),
            None => return Some(module),
        }
    }
    None
}

/// Which modules each module imports from, but for its parents and children.
fn imports(src: &Path) -> BTreeMap<Module, BTreeSet<Module>> {
    let files = sources(src);
    let modules: BTreeSet<Module> = files.iter().map(|file| module_of(src, file)).collect();
    let (mut named, mut imported) = (BTreeMap::new(), BTreeMap::new());
    for file in &files {
        let here = module_of(src, file);
        let of_file = Named::of(file, here.clone(), &modules);
        named.insert(here.clone(), of_file.found);
        imported.insert(here, of_file.imported);
    }
    let mut imports = BTreeMap::new();
    for (here, found) in named {
        let apart = |it: &Module| !it.starts_with(&here) && !here.starts_with(it);
        let found = found.iter().filter_map(|path| home(path, &modules, &imported));
        let found: BTreeSet<Module> = found.filter(apart).collect();
        imports.insert(here, found);
    }
    imports
}

/// The modules that are imported from one, directly or not.
fn reached(imports: &BTreeMap<Module, BTreeSet<Module>>, from: &Module) -> BTreeSet<Module> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&Module> = imports.get(from).into_iter().flatten().collect();
    while let Some(module) = open.pop() {
        if reached.insert(module.clone()) {
            open.extend(imports.get(module).into_iter().flatten());
        }
    }
    reached
}

#[test]
fn no_files_of_a_crate_import_each_other_in_a_circle() {
    let mut circles = Vec::new();
    for folder in crates() {
        let imports = imports(&folder.join("src"));
        for module in imports.keys().filter(|it| reached(&imports, it).contains(*it)) {
            let next = imports[module].iter().filter(|it| reached(&imports, it).contains(module));
            let next: Vec<String> = next.map(|it| it.join("::")).collect();
            let folder = folder.strip_prefix(root()).unwrap().display();
            circles.push(format!("{folder}: {} -> {}", module.join("::"), next.join(", ")));
        }
    }
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

/// A file of tests sees what product code in its place must not.
fn is_tests(module: &Module) -> bool {
    module.last().is_some_and(|it| it == "tests")
}

/// The same between the folders of each folder: a file counts as all that is below it.
fn between_folders(
    imports: &BTreeMap<Module, BTreeSet<Module>>,
) -> BTreeMap<Module, BTreeSet<Module>> {
    let mut between: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (from, all) in imports {
        for to in all.iter().filter(|it| !is_tests(it) && !is_tests(from)) {
            let common = from.iter().zip(to).take_while(|(one, other)| one == other).count();
            let [from, to] = [from, to].map(|it| it[..=common].to_vec());
            between.entry(from).or_default().insert(to);
        }
    }
    between
}

#[test]
fn no_folders_of_a_crate_import_each_other_in_a_circle() {
    let mut circles = Vec::new();
    for folder in crates() {
        let files = imports(&folder.join("src"));
        let between = between_folders(&files);
        for from in between.keys().filter(|it| reached(&between, it).contains(*it)) {
            let back = |to: &&Module| reached(&between, to).contains(from);
            for to in between[from].iter().filter(back) {
                let way = |it: &&(&Module, &Module)| it.0.starts_with(from) && it.1.starts_with(to);
                let pairs = files.iter().flat_map(|(one, all)| all.iter().map(move |it| (one, it)));
                let pairs: Vec<_> = pairs.collect();
                let ways = pairs.iter().filter(way);
                let ways =
                    ways.map(|(one, other)| format!("{} -> {}", one.join("::"), other.join("::")));
                let folder = folder.strip_prefix(root()).unwrap().display();
                circles.push(format!("{folder}: {}", ways.collect::<Vec<_>>().join(", ")));
            }
        }
    }
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

/// What is too large in a file.
struct Sizes(Vec<String>);

impl Sizes {
    fn function(&mut self, signature: &Signature, body: &Block) {
        let first = signature.fn_token.span.start().line;
        let lines = body.brace_token.span.close().end().line - first + 1;
        if lines > FUNCTION_LINES {
            self.0.push(format!("{} has {lines} lines", signature.ident));
        }
    }
}

impl<'ast> Visit<'ast> for Sizes {
    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        if item.fields.len() > FIELDS {
            self.0.push(format!("{} has {} fields", item.ident, item.fields.len()));
        }
        visit::visit_item_struct(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(body) = &item.default {
            self.function(&item.sig, body);
        }
        visit::visit_trait_item_fn(self, item);
    }
}

#[test]
fn files_and_functions_have_few_lines_and_structs_few_fields() {
    let mut large = Vec::new();
    for file in entries().filter(|it| is_source(it)) {
        let name = file.strip_prefix(root()).unwrap().display().to_string();
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        if lines > LINES {
            large.push(format!("{name} has {lines} lines"));
        }
        let mut sizes = Sizes(Vec::new());
        sizes.visit_file(&parsed(&file));
        large.extend(sizes.0.into_iter().map(|it| format!("{name}: {it}")));
    }
    assert!(large.is_empty(), "{}", large.join("\n"));
}

/// Languages of blocks in the documentation that are no examples to run.
const NO_EXAMPLE: [&str; 2] = ["text", "toml"];

/// Whether the documentation in a file has an example that runs as a test.
fn has_example(text: &str) -> bool {
    let documentation = text.lines().filter_map(|line| {
        let line = line.trim_start();
        line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))
    });
    let mut fences = documentation.filter_map(|line| line.trim_start().strip_prefix("```"));
    // Each second fence ends a block.
    fences.by_ref().step_by(2).any(|language| !NO_EXAMPLE.contains(&language))
}

/// What `tests/units.rs` of a crate compiles of its source: files, and folders whose `mod.rs` it names.
fn compiled_for_tests(folder: &Path) -> Vec<PathBuf> {
    let units = fs::read_to_string(folder.join("tests/units.rs")).unwrap_or_default();
    let paths =
        units.lines().filter_map(|line| line.strip_prefix("#[path = \"../")?.strip_suffix("\"]"));
    paths.map(|path| folder.join(path.strip_suffix("/mod.rs").unwrap_or(path))).collect()
}

/// A library without tests of its own is not built as a test: its manifest says so, and must not when it
/// has some that `tests/units.rs` does not compile.
#[test]
fn what_manifests_leave_out_has_no_tests() {
    let mut wrong = Vec::new();
    for folder in crates() {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let leaves_out = |kind: &str| {
            let library = manifest.get("lib").and_then(|it| it.get(kind));
            library.and_then(toml::Value::as_bool) == Some(false)
        };
        let compiled = compiled_for_tests(&folder);
        for file in sources(&folder.join("src")) {
            let text = fs::read_to_string(&file).unwrap();
            let name = file.strip_prefix(root()).unwrap().display();
            let runs = compiled.iter().any(|it| file.starts_with(it));
            if leaves_out("test") && text.contains("#[test]") && !runs {
                wrong.push(format!("{name} has tests, and its manifest says `test = false`"));
            }
            if leaves_out("doctest") && has_example(&text) {
                wrong.push(format!("{name} has examples, and its manifest says `doctest = false`"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(has_example("/// ```\n/// f();\n/// ```") && !has_example("//! ```toml\n//! ```"));
}

/// The crates whose files are all on the trusted path or known to be beside it.
const PROVER: [&str; 8] =
    ["lower", "encode", "obligation", "ask", "induction", "solve", "diagrams", "verify"];

/// The files and folders that a table of ARCHITECTURE.md names in a column; those without `src` are
/// beside the one before.
fn named_in(table: &str, column: usize) -> Vec<PathBuf> {
    let mut named: Vec<PathBuf> = Vec::new();
    for row in table.lines().filter(|line| line.starts_with("| ")) {
        let cell = row.split(" | ").nth(column).unwrap();
        let mut base = PathBuf::new();
        for name in cell.split('`').skip(1).step_by(2) {
            if let Some(end) = name.find("src").filter(|_| name.contains('/')) {
                base = PathBuf::from(&name[..end + 3]);
                named.push(name.into());
            } else {
                named.push(base.join(name));
            }
        }
    }
    named
}

#[test]
fn the_trusted_path_is_named_file_by_file() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, section) = text.split_once("\n## The trusted path\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let (trusted, beside) = section.split_once("\nNothing else can make a proof.").unwrap();
    let named = [named_in(trusted, 1), named_in(beside, 1)].concat();
    let mut wrong = Vec::new();
    for path in &named {
        if !root().join(path).exists() {
            wrong.push(format!("{} does not exist", path.display()));
        }
    }
    for name in PROVER {
        let src = Path::new("smt").join(name).join("src");
        for file in sources(&root().join(&src)) {
            let file = file.strip_prefix(root()).unwrap();
            let times = named.iter().filter(|it| file.starts_with(it)).count();
            if times != 1 && file != src.join("lib.rs") {
                wrong.push(format!("{} is named {times} times", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
