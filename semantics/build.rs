//! The specification files are compiled in: a change to one is a change to the crate.
fn main() {
    println!("cargo:rerun-if-changed=spec");
    println!("cargo:rerun-if-changed=text");
    println!("cargo:rerun-if-changed=machines");
}
