//! The catalogue at up to four lanes by every choice of abstractions: what two of them decide is the
//! same. One file in `STRIDE`; all of them where `LANEPROOF_WHOLE` is set.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::support::header::Header;
use crate::support::pair::{ABSTRACTION_SETS, files};
use crate::support::sampled;
use laneproof_module::load_bytes;
use laneproof_semantics::Specification;
use laneproof_verify::{Options, Side, States, Verdict, verify};

const SIZES: [u32; 3] = [1, 2, 4];
/// One file in this many is asked about, unless all are.
const STRIDE: usize = 29;

fn specification(path: &Path, header: &Header) -> Specification {
    let mut specification = Specification::built_in().clone();
    for name in header.all("spec") {
        let text = std::fs::read_to_string(path.with_file_name(name)).unwrap();
        specification = specification.extended_with(name, &text).unwrap();
    }
    specification
}

/// The verdict of each set of abstractions, or `None` for a file about other sizes.
fn verdicts(path: &PathBuf) -> Option<Vec<Verdict>> {
    let text = std::fs::read_to_string(path).unwrap();
    let header = Header::parse(&text);
    let mut sizes = header.numbers("sizes").unwrap_or_else(|| SIZES.to_vec());
    sizes.retain(|size| SIZES.contains(size));
    if sizes.is_empty() {
        return None;
    }
    let specification = specification(path, &header);
    let program = load_bytes(text.as_bytes(), &path.display().to_string()).unwrap();
    let side = |name| program.function(name).map(|it| Side { program: &program, function: it });
    let source = side("src").or_else(|| side("property")).expect("a source or a property");
    let reading = |text: &String| {
        let (name, alternative) = text.split_once('=').unwrap();
        (name.trim().to_owned(), alternative.trim().to_owned())
    };
    let set = |abstractions: &&[laneproof_verify::Abstraction]| {
        let options = Options {
            states: States {
                sizes: sizes.clone(),
                all_active: header.is("active", "all"),
                partial: header.is("partial", "yes"),
                ..States::default()
            },
            profile: header.get("profile").map(str::to_owned),
            readings: header.all("reading").iter().map(reading).collect(),
            timeout: Duration::from_secs(1),
            abstractions: abstractions.iter().copied().collect(),
            ..Options::default()
        };
        verify(&specification, source, side("tgt"), &options).unwrap().verdict
    };
    Some(ABSTRACTION_SETS.iter().map(set).collect())
}

#[test]
fn abstractions_do_not_disagree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs/theorems");
    let files = sampled(files(&folder), STRIDE);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.extend(verdicts(path).map(|verdicts| (path, verdicts)));
        }
        found
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let found: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    let mut asked = 0;
    let mut undecided = 0;
    let mut wrong = Vec::new();
    for (path, verdicts) in found {
        asked += 1;
        let name = path.strip_prefix(&folder).unwrap().display().to_string();
        let mut decided: Vec<Verdict> = verdicts.clone();
        decided.retain(|verdict| *verdict != Verdict::Unknown);
        if decided.len() < verdicts.len() {
            undecided += 1;
            println!("{name}: {verdicts:?}");
        }
        decided.dedup();
        if decided.len() > 1 {
            wrong.push(format!("{name}: {verdicts:?}"));
        }
    }
    println!("{asked} files, {undecided} of them unknown to some set of abstractions");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        asked * 2 > files.len(),
        "only {asked} of {} files are about so few lanes",
        files.len()
    );
    assert!(undecided < asked / 2, "{undecided} of {asked} files are unknown to some set");
}
