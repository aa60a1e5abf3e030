//! Classes of slots of two loops that are equal in all lanes.

use std::collections::HashSet;

use laneproof_encode::EncodedSide;
use laneproof_semantics::denote::{DenoteError, Leaf};
use laneproof_semantics::term::{Node, Sort, Symbol, Term};

use super::both_sides::BothSides;
use super::places::{Class, Hypotheses, Place};
use super::relations::Step;
use super::statement::Moment;

impl<'f> BothSides<'f, '_> {
    /// Looks at the loop of one side.
    pub(super) fn on<T>(&mut self, of_target: bool, look: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.loops.of_target, of_target);
        let found = look(self);
        self.loops.of_target = before;
        found
    }

    pub(super) const fn side(&mut self, of_target: bool) -> &mut EncodedSide<'f> {
        if of_target { &mut self.target } else { &mut self.source }
    }

    /// What a lane holds.
    pub(super) fn held_in(
        &mut self,
        place: Place,
        moment: Moment,
        lane: Term,
    ) -> Result<Vec<Leaf>, DenoteError> {
        self.on(place.of_target, |sides| sides.held(moment, place.slot, lane))
    }

    /// All slots of both sides, those of the leading loop first: the first slot of a class represents
    /// it.
    pub(super) fn places(&mut self) -> Result<Vec<Place>, DenoteError> {
        let mut places = Vec::new();
        let leading = self.of_leading();
        for of_target in [leading, !leading] {
            let slots = self.on(of_target, |sides| sides.cut())?.slots.len();
            places.extend((0..slots).map(|slot| Place { of_target, slot }));
        }
        Ok(places)
    }

    /// The slots that the code after the loops uses, each with its own symbol so far.
    pub(super) fn used_after(&mut self, terms: &[Term]) -> Result<Vec<Place>, DenoteError> {
        let below: HashSet<Term> = self.below(terms).into_iter().collect();
        let symbols: HashSet<Symbol> = below
            .into_iter()
            .filter_map(|term| match *self.pool.node(term) {
                Node::Apply(symbol, _) => Some(symbol),
                _ => None,
            })
            .collect();
        let mut places = self.places()?;
        places.retain(|place| {
            let header = &self.side(place.of_target).header;
            let mut held = header.held.iter().filter(|((slot, _), _)| *slot == place.slot);
            held.any(|(_, (bits, mark))| {
                symbols.contains(bits) || mark.is_some_and(|mark| symbols.contains(&mark))
            })
        });
        Ok(places)
    }

    /// Two slots are of one type.
    pub(super) fn alike(&mut self, a: Place, b: Place) -> bool {
        let [a, b] = [a, b].map(|it| self.on(it.of_target, |sides| sides.ty(it.slot)));
        a.is_some() && a == b
    }

    /// The coarsest classes: all slots of a type with an initial value, except those with visibly
    /// different increments.
    pub(super) fn coarsest(&mut self) -> Result<Vec<Class>, DenoteError> {
        let mut classes: Vec<(Class, Option<Step>)> = Vec::new();
        for place in self.places()? {
            if !self.on(place.of_target, |sides| sides.begins(place.slot)) {
                continue;
            }
            let step = self.step(place)?.map(|(_, step)| step);
            let fits = |(class, of_class): &(Class, _)| {
                *of_class == step && self.alike(class.places[0], place)
            };
            match classes.iter().position(fits) {
                Some(own) => classes[own].0.places.push(place),
                None => classes.push((Class { places: vec![place], defined: true }, step)),
            }
        }
        Ok(classes.into_iter().map(|(class, _)| class).collect())
    }

    /// From now on the slots of a class are one function of the lane and, if no loop leads, the same
    /// lanes are at both headers.
    pub(super) fn share(&mut self, classes: &[Class], at_once: bool) -> Result<(), DenoteError> {
        if at_once {
            let live = self.pool.symbol("live", Sort::Bool);
            (self.source.header.live, self.target.header.live) = (Some(live), Some(live));
        }
        for (number, class) in classes.iter().enumerate() {
            let first = class.places[0];
            let leaves = self.on(first.of_target, |sides| sides.leaves_of(first.slot))?;
            for (leaf, scalar) in leaves.into_iter().enumerate() {
                let name = format!("held.{number}.{leaf}");
                let mark = (!class.defined).then(|| {
                    let sort = Sort::Bool;
                    self.pool.symbol(format!("{name}.undefined"), sort)
                });
                let symbols = (self.pool.symbol(name, Sort::from(scalar)), mark);
                for place in &class.places {
                    self.side(place.of_target).header.held.insert((place.slot, leaf), symbols);
                }
            }
        }
        Ok(())
    }

    /// Nothing refutes that `bad` is never met.
    pub(super) fn never(&mut self, given: Hypotheses<'_>, bad: Term) -> Result<bool, DenoteError> {
        if self.pool.bool_of(bad) == Some(false) {
            return Ok(true);
        }
        self.excluded(given.stage, given.known, given.behaves, bad)
    }

    /// The classes, split by slots that differ at a moment; `None` if none differ.
    pub(super) fn refined(
        &mut self,
        (classes, used_after): (&[Class], &[Place]),
        moment: Moment,
        given: Hypotheses<'_>,
    ) -> Result<Option<Vec<Class>>, DenoteError> {
        let lane = self.lane;
        let (mut finer, mut changed) = (Vec::new(), false);
        for class in classes {
            let [first, others @ ..] = class.places.as_slice() else { continue };
            let leading = self.held_in(*first, moment, lane)?;
            let mut same = Class { places: vec![*first], defined: class.defined };
            if class.defined {
                let undefined = self.pool.any(leading.iter().map(|leaf| leaf.undefined));
                let entered = self.entered_by(&[*first], lane)?;
                let undefined = self.pool.and(entered, undefined);
                same.defined = self.never(given, undefined)?;
            }
            let mut apart = Vec::new();
            for &other in others {
                let held = self.held_in(other, moment, lane)?;
                let differ = self.differ(&leading, &held);
                let looked_at = self.looked_at([*first, other], used_after, moment, lane)?;
                let differ = self.pool.and(looked_at, differ);
                if self.never(given, differ)? {
                    same.places.push(other);
                } else {
                    apart.push(other);
                }
            }
            changed |= same.defined != class.defined || !apart.is_empty();
            finer.push(same);
            if !apart.is_empty() {
                finer.push(Class { places: apart, defined: class.defined });
            }
        }
        Ok(changed.then_some(finer))
    }

    /// Puts values with which lanes leave into the classes of the slots that they equal at that
    /// moment. Such a value is defined only for lanes that have left, and a result only for lanes
    /// that have returned. A target slot that equals no source slot while lanes are in the loop may
    /// equal one after they have left.
    pub(super) fn taken_along(
        &mut self,
        classes: &mut Vec<Class>,
        used_after: &[Place],
        given: Hypotheses<'_>,
    ) -> Result<(), DenoteError> {
        for place in self.places()? {
            let own = classes.iter().position(|class| class.places.contains(&place));
            let stays = |own: usize| classes[own].places.iter().any(|it| !it.of_target);
            if own.is_some_and(stays) || (own.is_some() && !used_after.contains(&place)) {
                continue;
            }
            let mut home = None;
            for (number, class) in classes.iter().enumerate() {
                let first = class.places[0];
                // A further class of target slots only is of no use.
                let useful = own.is_none() || (own != Some(number) && !first.of_target);
                if useful && self.alike(first, place) && self.same_once_gone(place, class, given)? {
                    home = Some(number);
                    break;
                }
            }
            match (home, own) {
                (Some(home), own) => {
                    if let Some(own) = own {
                        classes[own].places.retain(|it| *it != place);
                    }
                    classes[home].places.push(place);
                    classes.retain(|class| !class.places.is_empty());
                }
                (None, Some(_)) => {}
                (None, None) => {
                    let defined = self.kept_of_gone(place, given, |sides, moment, lane| {
                        let taken = sides.held_in(place, moment, lane)?;
                        Ok(sides.pool.any(taken.iter().map(|leaf| leaf.undefined)))
                    })?;
                    classes.push(Class { places: vec![place], defined });
                }
            }
        }
        Ok(())
    }

    /// In lanes that have left, a slot equals a class.
    fn same_once_gone(
        &mut self,
        place: Place,
        class: &Class,
        given: Hypotheses<'_>,
    ) -> Result<bool, DenoteError> {
        let first = class.places[0];
        self.kept_of_gone(place, given, |sides, moment, lane| {
            let taken = sides.held_in(place, moment, lane)?;
            let held = sides.held_in(first, moment, lane)?;
            let mut fails = vec![sides.differ(&taken, &held)];
            if class.defined {
                fails.extend(taken.iter().map(|leaf| leaf.undefined));
            }
            Ok(sides.pool.any(fails))
        })
    }

    /// A condition about slots of lanes that have left, where these are used after the loop, is
    /// preserved by an iteration, and is not needed for lanes that are still at the header.
    fn kept_of_gone(
        &mut self,
        place: Place,
        given: Hypotheses<'_>,
        fails: impl Fn(&mut Self, Moment, Term) -> Result<Term, DenoteError>,
    ) -> Result<bool, DenoteError> {
        let lane = self.lane;
        let flag = self.flag(place, Moment::Start, lane)?;
        if flag.is_some_and(|flag| self.pool.bool_of(flag) != Some(false)) {
            return Ok(false);
        }
        let breaks = |sides: &mut Self, moment: Moment, lane: Term| {
            let entered = sides.entered_by(&[place], lane)?;
            let live = sides.on(place.of_target, |sides| sides.live(moment, lane))?;
            let fails = fails(sides, moment, lane)?;
            let flag = sides.flag(place, moment, lane)?;
            let pool = &mut sides.pool;
            let of_live = flag.unwrap_or_else(|| pool.bool(false));
            let of_gone = flag.map_or(fails, |flag| pool.and(flag, fails));
            let either = pool.ite(live, of_live, of_gone);
            Ok::<Term, DenoteError>(pool.and(entered, either))
        };
        let before = self.of_any_lane(|sides, any| {
            let breaks = breaks(sides, Moment::Before, any)?;
            Ok(sides.pool.not(breaks))
        })?;
        let bad = breaks(self, Moment::After, lane)?;
        let known = [given.known, &[before]].concat();
        self.never(Hypotheses { known: &known, ..given }, bad)
    }

    /// The flag that says whether a slot is used after a lane has left, if there is one.
    fn flag(
        &mut self,
        place: Place,
        moment: Moment,
        lane: Term,
    ) -> Result<Option<Term>, DenoteError> {
        let flag = self.on(place.of_target, |sides| sides.slot(place.slot))?.only_of;
        let Some(slot) = flag else { return Ok(None) };
        let leaves = self.held_in(Place { slot, ..place }, moment, lane)?;
        Ok(leaves.first().map(|leaf| leaf.bits))
    }
}
