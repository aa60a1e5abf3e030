//! Environments: which documents hold in them, and the pages that say so.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::path::Path;

use laneproof_semantics::Specification;
use laneproof_semantics::as_written::AsWritten;

/// The pages are what the files say; `LANEPROOF_UPDATE=1` writes them anew.
#[test]
fn each_environment_has_its_page() {
    let specification = Specification::built_in();
    let texts = &AsWritten::built_in().specification;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/environments");
    let mut pages = 0;
    for environment in specification.environments() {
        let page = specification.environment_page(environment, texts).unwrap();
        let file = folder.join(format!("{environment}.md"));
        if std::env::var_os("LANEPROOF_UPDATE").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &page).unwrap();
        }
        let written = std::fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(written, page, "{} is out of date", file.display());
        pages += 1;
    }
    assert_eq!(pages, 3);
}

#[test]
fn environments_cite_their_own_documents_only() {
    let specification = Specification::built_in();
    let others = [
        ("vulkan", &["level_zero", "OpenCL", "cl_intel_spirv_subgroups"][..]),
        ("opencl", &["level_zero", "Vulkan"]),
        ("level-zero", &["Vulkan", "OpenCL", "cl_intel_spirv_subgroups"]),
    ];
    for (environment, others) in others {
        let inner = specification.in_environment(environment);
        let instructions = inner.instructions.values().flat_map(|it| &it.clauses);
        let built_ins = inner.built_ins.values().flat_map(|it| &it.clauses);
        let documents: BTreeSet<&str> =
            instructions.chain(built_ins).map(|clause| &*clause.document).collect();
        for other in others {
            assert!(!documents.contains(other), "{environment} cites {other}");
        }
    }
}

#[test]
fn environments_differ() {
    let specification = Specification::built_in();
    let texts = &AsWritten::built_in().specification;
    let pages: BTreeSet<String> = ["vulkan", "opencl", "level-zero"]
        .iter()
        .map(|it| specification.environment_page(it, texts).unwrap())
        .collect();
    assert_eq!(pages.len(), 3);
    assert_eq!(specification.environment_page("literal", texts), None);
}

#[test]
fn a_sentence_takes_the_place_of_another_where_it_holds() {
    let text = "environment here\nenvironment there\ndocument A revision 1 \"A\"\n\
        instruction OpX operands Value : u32 result u32\n\
        [1] \"one\" result is Value\n[2] \"two\" undefined value when Value = 7\n\
        document B revision 1 \"B\" for there\nextend OpX section \"S\"\n\
        [1] replaces [2] \"another\" undefined behavior when Value = 7\n";
    let read = Specification::from_files(vec![("a.lps".into(), text.into())]);
    let specification = read.unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error)));
    let ids = |environment: &str| -> Vec<String> {
        let inner = specification.in_environment(environment);
        inner.instructions["OpX"].clauses.iter().map(|it| it.id.to_string()).collect()
    };
    assert_eq!(ids("here"), ["A/OpX/1", "A/OpX/2"]);
    assert_eq!(ids("there"), ["A/OpX/1", "B/OpX/1"]);
}
