//! Links the Z3 that was chosen.

fn main() {
    laneproof_link::z3();
}
