//! Care sets: evaluation only in the states of a set, so that functions that agree there become
//! one.
//!
//! Each variable is replaced by its generalized cofactor for the set, by which an assignment
//! outside of the set is taken to one inside, and those inside stay as they are. A function built
//! of these variables is the original one after that step, so two functions that agree in the set
//! become one diagram; and every state of the set is still an assignment under which all values
//! are right.

use rustc_hash::FxHashMap;

use crate::Exhausted;
use crate::bdd::{Bdd, Diagrams, Level};
use crate::fault::BrokenLaw;
use crate::order::is_free;
use crate::word::Word;

/// A set of states that is kept from one attempt to the next: decisions, operands before what uses
/// them. An operand is twice a place in the list plus two, plus one where it is complemented; 0 and
/// 1 are true and false.
#[derive(Clone, Debug)]
pub(crate) struct Saved {
    decisions: Vec<(Level, u32, u32)>,
    root: u32,
}

/// A larger set costs more than it saves.
const LARGEST: usize = 1 << 12;
/// What is compared in a larger set takes longer than it saves.
const SMALL: usize = 1 << 8;
/// The distance in the order up to which variables are checked for links.
const NEIGHBORS: usize = 2;

impl Diagrams {
    /// Sets the care set. No variable may have been made before.
    pub(crate) fn restrict(&mut self, set: &Saved) {
        let mut built: Vec<Bdd> = Vec::new();
        let of = |built: &[Bdd], operand: u32| match operand {
            0 | 1 => Bdd::constant(operand == 0),
            _ => built[(operand / 2 - 1) as usize].complement_if(operand % 2 == 1),
        };
        for &(level, low, high) in &set.decisions {
            let (low, high) = (of(&built, low), of(&built, high));
            let decision = self.decision(level, low, high);
            built.push(decision);
        }
        self.care = Some(of(&built, set.root));
    }

    /// The set of states of a function, unless it is too large to be of use.
    pub(crate) fn saved(&self, function: Bdd) -> Option<Saved> {
        self.saved_up_to(function, LARGEST)
    }

    /// A function has few decisions.
    pub(crate) fn is_small(&self, function: Bdd) -> bool {
        self.saved_up_to(function, SMALL).is_some()
    }

    fn saved_up_to(&self, function: Bdd, largest: usize) -> Option<Saved> {
        let (mut decisions, mut places) = (Vec::new(), FxHashMap::default());
        let mut pending = vec![function];
        let number = |places: &FxHashMap<usize, u32>, operand: Bdd| {
            let place =
                if operand.node() == 0 { Some(0) } else { places.get(&operand.node()).copied() };
            place.map(|place| place + u32::from(operand.is_complemented()))
        };
        while let Some(&next) = pending.last() {
            if number(&places, next).is_some() {
                pending.pop();
                continue;
            }
            let (level, low, high) = self.node_of(next);
            match (number(&places, low), number(&places, high)) {
                (Some(low), Some(high)) => {
                    decisions.push((level, low, high));
                    places.insert(next.node(), 2 * decisions.len() as u32);
                    if decisions.len() > largest {
                        return None;
                    }
                    pending.pop();
                }
                _ => pending.extend([low, high]),
            }
        }
        let root = number(&places, function)?;
        Some(Saved { decisions, root })
    }

    /// A variable in the states of the set that is cared for.
    pub(crate) fn in_care(&mut self, level: Level) -> Bdd {
        let variable = self.decision(level, Bdd::FALSE, Bdd::TRUE);
        let Some(care) = self.care.filter(|_| is_free(level)) else { return variable };
        if let Some(&known) = self.images.get(&level) {
            return known;
        }
        let image = self.cofactor(variable, care, &mut FxHashMap::default());
        self.images.insert(level, image);
        image
    }

    /// The generalized cofactor of a function for a set that is not empty.
    fn cofactor(&mut self, function: Bdd, set: Bdd, known: &mut FxHashMap<(Bdd, Bdd), Bdd>) -> Bdd {
        if set == Bdd::TRUE || function == Bdd::TRUE || function == Bdd::FALSE {
            return function;
        }
        if let Some(&known) = known.get(&(function, set)) {
            return known;
        }
        let level = self.level(function).min(self.level(set));
        let (set_low, set_high) = self.cofactors(set, level);
        let (low, high) = self.cofactors(function, level);
        let result = match (set_low, set_high) {
            (Bdd::FALSE, set) => self.cofactor(high, set, known),
            (set, Bdd::FALSE) => self.cofactor(low, set, known),
            (set_low, _) if self.has(BrokenLaw::CareOfOneSide) => {
                let low = self.cofactor(low, set_low, known);
                let high = self.cofactor(high, set_low, known);
                self.decision(level, low, high)
            }
            (set_low, set_high) => {
                let low = self.cofactor(low, set_low, known);
                let high = self.cofactor(high, set_high, known);
                self.decision(level, low, high)
            }
        };
        known.insert((function, set), result);
        result
    }

    /// A word that is the same in the states of a set, which is not empty, and as simple as it may
    /// be elsewhere.
    pub(crate) fn word_within(&mut self, word: &Word, set: Bdd, width: u32) -> Word {
        let mut known = FxHashMap::default();
        let bits = word.bits(width);
        Word::of(bits.into_iter().map(|bit| self.cofactor(bit, set, &mut known)).collect(), width)
    }

    /// Many variables of a function follow from a neighbor, so that it is a useful care set.
    pub(crate) fn links(&mut self, function: Bdd) -> Result<bool, Exhausted> {
        let levels = self.support(function);
        let mut linked = 0;
        for (place, &level) in levels.iter().enumerate() {
            let neighbors = &levels[place + 1..levels.len().min(place + 1 + NEIGHBORS)];
            linked += usize::from(self.is_linked(function, level, neighbors)?);
        }
        Ok(linked > 0 && linked * 4 >= levels.len())
    }

    fn is_linked(
        &mut self,
        function: Bdd,
        level: Level,
        neighbors: &[Level],
    ) -> Result<bool, Exhausted> {
        let variable = self.variable(level);
        for &neighbor in neighbors {
            let neighbor = self.variable(neighbor);
            for (a, b) in [(true, true), (true, false), (false, true), (false, false)] {
                let both = self.and(variable.complement_if(!a), neighbor.complement_if(!b))?;
                if self.disjoint(function, both)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
