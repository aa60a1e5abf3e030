//! Every outcome of a function by the second executor, under all that an implementation may choose.

use std::collections::BTreeSet;

use super::executor::{Executor, Grouping, Outcome};

/// Functions with more choices are passed over.
pub const RUNS: u64 = 1 << 12;

/// Walks all choices, one run after the other.
#[derive(Default)]
struct Walk {
    digits: Vec<(u64, u64)>,
    position: usize,
}

impl Walk {
    fn advance(&mut self) -> bool {
        self.digits.truncate(self.position);
        self.position = 0;
        while let Some((value, options)) = self.digits.pop() {
            if value + 1 < options {
                self.digits.push((value + 1, options));
                return true;
            }
        }
        false
    }
}

impl Grouping for Walk {
    fn pick(&mut self, options: u64) -> u64 {
        if self.position == self.digits.len() {
            self.digits.push((0, options));
        }
        self.position += 1;
        self.digits[self.position - 1].0
    }
}

/// Every outcome of `main`; `None`: there are too many choices.
pub fn expected(
    words: &[u32],
    main: u32,
    lanes: &[Vec<u32>],
    together: bool,
) -> Option<BTreeSet<Outcome>> {
    outcomes(words, together, RUNS, &|executor| executor.run(main, lanes))
}

/// Every outcome of runs of an executor; `None`: there are more than `most` choices.
pub fn outcomes(
    words: &[u32],
    together: bool,
    most: u64,
    run: &dyn Fn(&mut Executor<'_>) -> Outcome,
) -> Option<BTreeSet<Outcome>> {
    let module = rspirv::dr::load_words(words).expect("words");
    let mut walk = Walk::default();
    let mut found = BTreeSet::new();
    for _ in 0..most {
        found.insert(run(&mut Executor::new(&module, &mut walk, together)));
        if !walk.advance() {
            return Some(found);
        }
    }
    None
}
