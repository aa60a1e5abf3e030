//! Links the Z3 that was chosen.

fn main() {
    // The catalogue is compiled in: a file that comes or goes has to rebuild its package.
    println!("cargo::rerun-if-changed=theorems");
    println!("cargo::rerun-if-changed=lowerings");
    laneproof_link::z3();
}
