//! Broken specifications are refused with the place, what was expected and what fits.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use laneproof_semantics::Specification;
use miette::{GraphicalReportHandler, GraphicalTheme};

/// One file a mistake, in `tests/mistakes`, beside the report that it must give.
#[test]
fn every_broken_file_is_reported() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    insta::glob!(&folder, "*.lps", |path| {
        let text = fs::read_to_string(path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let error = Specification::built_in()
            .extended_with(&name, &text)
            .expect_err("a broken specification was accepted");
        let mut report = String::new();
        GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor())
            .with_width(100)
            .render_report(&mut report, &error)
            .unwrap();
        insta::with_settings!({ snapshot_path => folder.join("reports"), prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(report);
        });
    });
    let files = stems(&folder, ".lps");
    let reports = stems(&folder.join("reports"), ".lps.snap");
    assert_eq!(files, reports, "a file without a report, or a report without a file");
}

/// The names in a folder that end so, without the ending and what the snapshots prepend.
fn stems(folder: &Path, ending: &str) -> BTreeSet<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names =
        names.filter_map(|name| name.to_string_lossy().strip_suffix(ending).map(String::from));
    names.map(|name| name.rsplit('@').next().unwrap_or_default().to_owned()).collect()
}
