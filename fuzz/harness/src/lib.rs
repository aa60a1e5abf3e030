//! What several fuzz targets make of their bytes.

use arbitrary::Unstructured;
use laneproof_generator::{Generated, Numbers, ModuleProfile, Request, generate};
use laneproof_semantics::ModuleKind;
use laneproof_toolchains::mutated;

/// A request of any kind that the generator knows; small ones where something is to be proved.
pub fn request(u: &mut Unstructured<'_>, small: bool) -> Option<Request> {
    let [profile, module_kind, size] = u.arbitrary::<[u8; 3]>().ok()?;
    let profile = ModuleProfile::ALL[usize::from(profile) % ModuleProfile::ALL.len()];
    let module_kind = if module_kind % 2 == 0 { ModuleKind::Shader } else { ModuleKind::Kernel };
    let sizes = if small { 2 } else { 6 };
    let mut request = Request::new(profile, module_kind, 1 << (2 + size % sizes));
    if small {
        request.statements = 6;
    }
    Some(request)
}

/// A module, and a neighbor of it where there is one.
pub fn pair(bytes: &[u8]) -> Option<(Generated, Option<Vec<u32>>)> {
    let mut u = Unstructured::new(bytes);
    let request = request(&mut u, true)?;
    let seed = u.arbitrary().ok()?;
    let generated = generate(&request, &mut u).ok()?;
    let neighbor = mutated(&generated.words, &mut Numbers::new(seed));
    Some((generated, neighbor))
}
