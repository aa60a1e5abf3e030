//! Parts of extremes that count for nothing beside others: the least of a value and of the greatest
//! of that value and of others is the value.

use rustc_hash::FxHashMap;

use crate::Exhausted;
use crate::bdd::Bdd;
use crate::fault::BrokenLaw;
use crate::form::{Atom, AtomId, Form, Forms};
use crate::operator::Operator;
use crate::word::Word;

/// Parts are compared one by one where there are not more pairs.
const PAIRS: usize = 1 << 14;

/// The values that a part is the opposite extreme of, and where each of them takes part.
type Members = FxHashMap<AtomId, Bdd>;

impl Forms {
    /// An extreme without the parts that are outdone by others: those that are the opposite extreme
    /// of at least the values that the other one is of.
    pub(crate) fn without_absorbed(&mut self, mut form: Form) -> Result<Form, Exhausted> {
        let Some(opposite) = form.operator.opposite_extreme() else { return Ok(form) };
        let members: Vec<(Members, bool)> =
            form.parts.iter().map(|(atom, _)| self.members(*atom, opposite)).collect();
        let several = members.iter().filter(|(members, _)| members.len() > 1).count();
        if several == 0 || several * members.len() > PAIRS {
            return Ok(form);
        }
        for place in 0..members.len() {
            let (all, _) = &members[place];
            if all.len() < 2 {
                continue;
            }
            for (other, (fewer, alone)) in members.iter().enumerate() {
                let contained =
                    fewer.iter().all(|(atom, here)| *here != Bdd::TRUE || all.contains_key(atom));
                // What stands beside the values of the other one would count, too.
                if other == place || !alone || !contained {
                    continue;
                }
                let mut outdone = form.parts[other].1.bit(0);
                for (atom, here) in fewer {
                    let there = all.get(atom).copied().unwrap_or(Bdd::FALSE);
                    let fits = self.diagrams.or(!*here, there)?;
                    if !self.diagrams.has(BrokenLaw::AnyIsAbsorbed) {
                        outdone = self.diagrams.and(outdone, fits)?;
                    }
                }
                let counts = self.diagrams.and(form.parts[place].1.bit(0), !outdone)?;
                form.parts[place].1 = Word::flag(counts, 2);
            }
        }
        form.parts.retain(|(_, word)| !word.is_zero());
        Ok(form)
    }

    /// What a part is the extreme of, and whether nothing else limits it; any other part is that of
    /// itself alone.
    fn members(&self, atom: AtomId, operator: Operator) -> (Members, bool) {
        if let Atom::Form(inner) = *self.atom(atom) {
            let form = self.form(inner);
            if form.operator == operator {
                let members = form.parts.iter().map(|(atom, word)| (*atom, word.bit(0))).collect();
                return (members, form.rest == operator.neutral(form.width));
            }
        }
        ([(atom, Bdd::TRUE)].into_iter().collect(), true)
    }
}
