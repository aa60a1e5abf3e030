//! Numbers of which it is known which ones they may be, as what a search of bits finds.

use super::{FormId, Forms};
use crate::bdd::Bdd;
use crate::word::Word;

impl Forms {
    /// Notes of a number which ones it may be; it is one of them in every state.
    pub(crate) fn note_places(&mut self, id: FormId, places: Vec<(u128, Bdd)>) {
        self.places.entry(id).or_insert(places);
    }

    /// The places that a number may be, if it is one.
    pub(crate) fn places(&self, id: FormId) -> Option<&[(u128, Bdd)]> {
        self.places.get(&id).map(Vec::as_slice)
    }

    /// Where a place is this number, if it is a place and that a constant.
    pub(crate) fn place(&self, id: FormId, number: &Word) -> Option<Bdd> {
        let places = self.places.get(&id)?;
        let number = number.constant(self.form(id).width)?;
        let here = places.iter().find(|(place, _)| *place == number);
        Some(here.map_or(Bdd::FALSE, |(_, here)| *here))
    }
}
