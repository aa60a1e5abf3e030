//! Lanes that terminate early, and lanes that go on as helpers.
//!
//! A killed lane executes nothing more. A demoted lane goes on, but its stores to shared memory are
//! lost. Whether helpers are active in group instructions is implementation-defined, so a group
//! instruction that a helper may reach is not supported. No lane enters as a helper.

use laneproof_module::{Function, Place};
use laneproof_semantics::{Scalar, Type as Data};

use super::Builder;
use super::target::Pointer;
use crate::flat::{Activity, ActivityId, BranchTest, FlatValue, Unmodelled, ValueId, unmodelled};

const BOOL: Data = Data::Scalar(Scalar::Bool);

impl Builder<'_> {
    /// `OpKill`: under either reading the lanes have no further effect.
    pub(super) fn kill(&mut self, activity: ActivityId, place: Place) -> Result<(), Unmodelled> {
        if self.loops.cut {
            return Err(unmodelled("a killed lane, by induction,", place));
        }
        self.ended.killed.push(activity);
        Ok(())
    }

    /// `OpTerminateInvocation`.
    pub(super) fn terminate(
        &mut self,
        activity: ActivityId,
        place: Place,
    ) -> Result<(), Unmodelled> {
        if self.loops.cut {
            return Err(unmodelled("a killed lane, by induction,", place));
        }
        self.ended.terminated.push(activity);
        Ok(())
    }

    /// `OpDemoteToHelperInvocation`.
    pub(super) fn demote(&mut self, activity: ActivityId, place: Place) -> Result<(), Unmodelled> {
        if self.loops.cut {
            return Err(unmodelled("a demoted lane, by induction,", place));
        }
        let helper = self.helper_variable();
        let yes = self.truth(true);
        self.store(&helper, yes, activity);
        Ok(())
    }

    /// `OpIsHelperInvocationEXT`.
    pub(super) fn is_helper(&mut self, activity: ActivityId) -> ValueId {
        match self.ended.helper.clone() {
            Some(helper) => self.load(&helper, activity),
            None => self.truth(false),
        }
    }

    /// Those of these lanes whose stores take effect.
    pub(super) fn acting(&mut self, activity: ActivityId) -> ActivityId {
        if self.ended.helper.is_none() {
            return activity;
        }
        let helper = self.is_helper(activity);
        self.flat.activity(Activity::Edge(activity, BranchTest::Fails(helper)))
    }

    /// The lanes that were killed and demoted, at the end.
    pub(super) fn discards(&mut self, function: &Function) {
        let killed = std::mem::take(&mut self.ended.killed);
        self.flat.ends.killed = self.flat.union(killed);
        let terminated = std::mem::take(&mut self.ended.terminated);
        self.flat.ends.terminated = self.flat.union(terminated);
        self.flat.ends.demoted = self.ended.helper.is_some().then(|| self.is_helper(self.entry));
        self.flat.interface.entry_point =
            self.module.program.entry_points.iter().any(|entry| entry.function == function.id);
    }

    fn helper_variable(&mut self) -> Pointer {
        if let Some(helper) = &self.ended.helper {
            return helper.clone();
        }
        let no = self.truth(false);
        let helper = self.variable(BOOL, no, self.entry);
        self.ended.helper = Some(helper.clone());
        helper
    }

    fn truth(&mut self, value: bool) -> ValueId {
        self.flat.add(FlatValue::Constant(vec![Some(u64::from(value))]), BOOL)
    }
}
