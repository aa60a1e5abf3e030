#![allow(missing_docs)]
use crate::language::ast::*;
use std::collections::BTreeMap;
use std::sync::Arc;
#[derive(Default)]
pub struct Specification {
    pub instructions: BTreeMap<Arc<str>, Arc<Instruction>>,
    pub functions: BTreeMap<Arc<str>, Arc<Function>>,
    pub built_ins: BTreeMap<Arc<str>, Arc<BuiltIn>>,
    pub readings: BTreeMap<Arc<str>, Arc<Reading>>,
    pub profiles: BTreeMap<Arc<str>, Arc<Profile>>,
}
