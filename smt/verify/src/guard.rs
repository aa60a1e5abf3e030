//! Panics are internal errors: they are caught, and reported with their place.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

/// Stack size of a thread that proves: terms nest as deeply as the modules that they come from.
pub const STACK: usize = 256 << 20;

thread_local! {
    /// Where the last panic of this thread happened.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// From now on a panic prints nothing; [`guarded`] returns its message and place.
pub fn quiet() {
    set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        PLACE.with(|last| *last.borrow_mut() = place);
    }));
}

/// Runs `work`; a panic in it becomes an error message.
///
/// # Errors
///
/// If the work panics: the message of an internal error.
pub fn guarded<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    // No state that the work may have left inconsistent outlives it.
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let place = PLACE.with(|last| last.borrow_mut().take());
        let place = place.map(|place| format!(" (at {place})")).unwrap_or_default();
        format!("internal error in laneproof, please report it: {}{place}", said(payload.as_ref()))
    })
}

/// The message of a panic.
fn said(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&'static str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
