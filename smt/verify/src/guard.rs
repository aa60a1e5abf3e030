//! Panics, which are faults of ours: caught where they happen, and told with their place.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

/// Bytes of stack for a thread that proves: terms nest as deep as the modules that they come from.
pub const STACK: usize = 256 << 20;

thread_local! {
    /// Where the last panic of this thread happened.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// From now on a panic prints nothing: what [`guarded`] returns says what there is to say, and
/// where it happened.
pub fn quiet() {
    set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        PLACE.with(|last| *last.borrow_mut() = place);
    }));
}

/// Does some work; a panic in it becomes a message.
///
/// # Errors
///
/// The work panicked: an internal error, said so.
pub fn guarded<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    // Nothing that the work may have left half done outlives it.
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let place = PLACE.with(|last| last.borrow_mut().take());
        let place = place.map(|place| format!(" (at {place})")).unwrap_or_default();
        format!("internal error in laneproof, please report it: {}{place}", said(payload.as_ref()))
    })
}

/// What a panic said.
fn said(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&'static str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
