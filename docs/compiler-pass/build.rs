//! Tests run with the Z3 that laneproof is linked with.

fn main() {
    laneproof_link::z3();
}
