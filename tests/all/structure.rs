//! How the sources are built: no import cycle within a crate, files that one can read, no struct
//! that holds everything. Read from the syntax trees, so that no wording of an import hides it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, ItemMod, ItemStruct, ItemUse, UseTree};
use walkdir::WalkDir;

/// Lines of a file.
const LINES: usize = 500;
/// Fields of a struct.
const FIELDS: usize = 12;

/// The path of a module within its crate.
type Module = Vec<String>;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folders of all crates, by the name of the folder.
fn crates() -> Vec<PathBuf> {
    let hidden = |name: &str| name.starts_with('.') || name == "target";
    let folders = WalkDir::new(root()).into_iter().filter_entry(move |entry| {
        entry.depth() == 0 || !entry.file_name().to_str().is_some_and(hidden)
    });
    let mut crates = Vec::new();
    for entry in folders {
        let folder = entry.unwrap().into_path();
        if folder.join("Cargo.toml").is_file() && folder.join("src").is_dir() {
            crates.push(folder);
        }
    }
    crates
}

/// Every source file below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let files = WalkDir::new(folder).sort_by_file_name().into_iter();
    let files = files.map(|entry| entry.unwrap().into_path());
    files.filter(|path| path.extension().is_some_and(|it| it == "rs")).collect()
}

fn parsed(file: &Path) -> syn::File {
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
struct Named {
    here: Module,
    found: BTreeSet<Module>,
}

impl Named {
    /// Adds a path, if it leads within the crate.
    fn add(&mut self, path: &[String]) {
        let mut rest = path;
        let mut from = match rest.first().map(String::as_str) {
            Some("crate") => Module::new(),
            Some("self" | "super") => self.here.clone(),
            _ => return,
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
        self.found.insert(from);
    }

    fn tree(&mut self, before: &[String], tree: &UseTree) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.tree(&with(&path.ident), &path.tree),
            UseTree::Name(name) => self.add(&with(&name.ident)),
            UseTree::Rename(name) => self.add(&with(&name.ident)),
            UseTree::Glob(_) => self.add(before),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.tree(before, tree));
            }
        }
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|it| {
        it.path().is_ident("cfg")
            && it.parse_args::<syn::Path>().is_ok_and(|of| of.is_ident("test"))
    })
}

impl<'ast> Visit<'ast> for Named {
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

/// Which modules each module imports from, but for its parents and children.
fn imports(src: &Path) -> BTreeMap<Module, BTreeSet<Module>> {
    let files = sources(src);
    let modules: BTreeSet<Module> = files.iter().map(|file| module_of(src, file)).collect();
    let mut imports = BTreeMap::new();
    for file in &files {
        let here = module_of(src, file);
        let mut named = Named { here: here.clone(), found: BTreeSet::new() };
        named.visit_file(&parsed(file));
        let module = |path: &Module| {
            let lengths = (0..=path.len()).rev();
            lengths.map(|length| path[..length].to_vec()).find(|it| modules.contains(it))
        };
        let apart = |it: &Module| !it.starts_with(&here) && !here.starts_with(it);
        let found: BTreeSet<Module> = named.found.iter().filter_map(module).filter(apart).collect();
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

#[test]
fn a_file_has_few_lines_and_a_struct_few_fields() {
    struct Structs(Vec<String>);
    impl<'ast> Visit<'ast> for Structs {
        fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
            if item.fields.len() > FIELDS {
                self.0.push(format!("{} has {} fields", item.ident, item.fields.len()));
            }
        }
    }
    let mut large = Vec::new();
    for folder in crates() {
        for part in ["src", "tests", "benches", "examples"] {
            let part = folder.join(part);
            let files = part.is_dir().then(|| sources(&part));
            for file in files.into_iter().flatten() {
                let name = file.strip_prefix(root()).unwrap().display().to_string();
                let lines = fs::read_to_string(&file).unwrap().lines().count();
                if lines > LINES {
                    large.push(format!("{name} has {lines} lines"));
                }
                let mut structs = Structs(Vec::new());
                structs.visit_file(&parsed(&file));
                large.extend(structs.0.into_iter().map(|it| format!("{name}: {it}")));
            }
        }
    }
    assert!(large.is_empty(), "{}", large.join("\n"));
}
