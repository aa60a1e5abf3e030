//! The catalogue is compiled in: a file that comes or goes has to rebuild it.

fn main() {
    println!("cargo::rerun-if-changed=theorems");
}
