//! The ledgers are compiled in: a change to one is a change to the crate.
fn main() {
    println!("cargo:rerun-if-changed=../semantics/text");
}
