//! Statements: blocks, and phis where they meet.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Expr, Stmt};
use super::Writing;
use super::values::Value;

type Names = BTreeMap<String, Value>;

/// The names that statements assign to.
fn assigned(of: &[Stmt]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for statement in of {
        match statement {
            Stmt::Assign { place, .. } => {
                let mut place = place;
                while let Expr::Index(of, _) | Expr::Member(of, _) = place {
                    place = of;
                }
                if let Expr::Name(name) = place {
                    all.insert(name.clone());
                }
            }
            Stmt::If { then, other, .. } => {
                all.extend(assigned(then));
                all.extend(assigned(other));
            }
            Stmt::For { step, body, .. } => {
                step.iter().for_each(|it| all.extend(assigned(std::slice::from_ref(&**it))));
                all.extend(assigned(body));
            }
            Stmt::While { body, .. } | Stmt::DoWhile { body, .. } | Stmt::Block(body) => {
                all.extend(assigned(body));
            }
            _ => {}
        }
    }
    all
}

/// A loop's parts.
struct Loop<'s> {
    /// Before each iteration.
    before: Option<&'s Expr>,
    body: &'s [Stmt],
    step: Option<&'s Stmt>,
    /// After each iteration.
    after: Option<&'s Expr>,
}

impl Writing<'_> {
    /// A whole body, which ends in a return.
    pub(super) fn body(&mut self, of: &[Stmt]) -> Option<()> {
        let (Stmt::Return(Some(value)), before) = of.split_last()? else { return None };
        self.statements(before)?;
        let value = self.value(value, None)?;
        self.text.line(&format!("OpReturnValue {}", value.id));
        Some(())
    }

    fn statements(&mut self, of: &[Stmt]) -> Option<()> {
        of.iter().try_for_each(|it| self.statement(it))
    }

    /// What is declared inside is forgotten behind.
    fn scope(&mut self, of: &[Stmt]) -> Option<()> {
        let outer: Vec<String> = self.names.keys().cloned().collect();
        self.statements(of)?;
        self.names.retain(|name, _| outer.contains(name));
        Some(())
    }

    fn statement(&mut self, of: &Stmt) -> Option<()> {
        match of {
            Stmt::Declare { length: Some(_), .. } => return None,
            Stmt::Declare { ty, name, value, .. } => {
                let value = match value {
                    Some(value) => self.value(value, Some(ty))?,
                    None => {
                        let of = self.text.ty(ty)?;
                        Value { id: self.text.constant(&format!("OpUndef {of}")), ty: ty.clone() }
                    }
                };
                let value = self.converted(value, ty)?;
                self.names.insert(name.clone(), value);
            }
            Stmt::Assign { place, operator, value } => {
                let value = match *operator {
                    "" => value.clone(),
                    operator => Expr::binary(operator, place.clone(), value.clone()),
                };
                self.assign(place, &value)?;
            }
            Stmt::If { test, then, other } => self.branch(test, then, other)?,
            Stmt::For { first, test, step, body } => {
                let outer: Vec<String> = self.names.keys().cloned().collect();
                first.iter().try_for_each(|it| self.statement(it))?;
                let step = step.as_deref();
                self.looped(&Loop { before: Some(test.as_ref()?), body, step, after: None })?;
                self.names.retain(|name, _| outer.contains(name));
            }
            Stmt::While { test, body } => {
                self.looped(&Loop { before: Some(test), body, step: None, after: None })?;
            }
            Stmt::DoWhile { body, test } => {
                self.looped(&Loop { before: None, body, step: None, after: Some(test) })?;
            }
            Stmt::Block(inner) => self.scope(inner)?,
            Stmt::Do(call) => self.effect(call)?,
            Stmt::Switch { .. } | Stmt::Break | Stmt::Continue | Stmt::Return(_) => return None,
        }
        Some(())
    }

    fn assign(&mut self, place: &Expr, value: &Expr) -> Option<()> {
        // Two loops may have counters of one name and two types.
        let ty = match place {
            Expr::Name(name) => self.names.get(name)?.ty.clone(),
            _ => self.types.of_expression(place)?,
        };
        let value = self.value(value, Some(&ty))?;
        let value = self.converted(value, &ty)?;
        match place {
            Expr::Name(name) => {
                self.names.insert(name.clone(), value);
            }
            Expr::Index(of, index) => {
                let Expr::Name(name) = &**of else { return None };
                if let Some(pointer) = self.cell(name, index) {
                    self.text.line(&format!("OpStore {} {}", pointer.id, value.id));
                    return Some(());
                }
                let (whole, at) = (self.names.get(name)?.clone(), self.value(index, Some("uint"))?);
                let parts = format!("{} {} {}", whole.id, value.id, at.id);
                let whole = self.emit("OpVectorInsertDynamic", &whole.ty, &parts)?;
                self.names.insert(name.clone(), whole);
            }
            Expr::Member(of, member) => {
                let Expr::Name(name) = &**of else { return None };
                let whole = self.names.get(name)?.clone();
                let at = "xyzw".find(member.as_str())?;
                let parts = format!("{} {} {at}", value.id, whole.id);
                let whole = self.emit("OpCompositeInsert", &whole.ty, &parts)?;
                self.names.insert(name.clone(), whole);
            }
            _ => return None,
        }
        Some(())
    }

    fn label(&mut self, id: &str) {
        self.text.line(&format!("{id} = OpLabel"));
        id.clone_into(&mut self.block);
    }

    fn branch(&mut self, test: &Expr, then: &[Stmt], other: &[Stmt]) -> Option<()> {
        let test = self.value(test, Some("bool"))?;
        let [yes, no, merge] = ["then", "else", "merge"].map(|name| self.text.fresh(name));
        self.text.line(&format!("OpSelectionMerge {merge} None"));
        self.text.line(&format!("OpBranchConditional {} {yes} {no}", test.id));
        let before = self.names.clone();
        let mut sides: Vec<(Names, String)> = Vec::new();
        for (label, body) in [(yes, then), (no, other)] {
            self.names = before.clone();
            self.label(&label);
            self.scope(body)?;
            sides.push((self.names.clone(), self.block.clone()));
            self.text.line(&format!("OpBranch {merge}"));
        }
        self.label(&merge);
        let (second, first) = (sides.pop()?, sides.pop()?);
        for (name, value) in before {
            let (a, b) = (first.0.get(&name)?, second.0.get(&name)?);
            let value = match a == b {
                true => a.clone(),
                false => {
                    let parts = format!("{} {} {} {}", a.id, first.1, b.id, second.1);
                    self.emit("OpPhi", &value.ty, &parts)?
                }
            };
            self.names.insert(name, value);
        }
        Some(())
    }

    fn looped(&mut self, of: &Loop<'_>) -> Option<()> {
        let mut changed = assigned(of.body);
        of.step.iter().for_each(|it| changed.extend(assigned(std::slice::from_ref(*it))));
        let [header, body, next, merge] =
            ["header", "body", "continue", "merge"].map(|name| self.text.fresh(name));
        let entered = self.block.clone();
        self.text.line(&format!("OpBranch {header}"));
        self.label(&header);
        let place = self.text.place();
        let mut phis: Vec<(String, Value, Value)> = Vec::new();
        for name in changed {
            let Some(first) = self.names.get(&name).cloned() else { continue };
            let phi = Value { id: self.text.fresh(&name), ty: first.ty.clone() };
            self.names.insert(name.clone(), phi.clone());
            phis.push((name, first, phi));
        }
        self.text.line(&format!("OpLoopMerge {merge} {next} None"));
        let mut behind = self.names.clone();
        match of.before {
            Some(test) => {
                let block = self.text.fresh("test");
                self.text.line(&format!("OpBranch {block}"));
                self.label(&block);
                let test = self.value(test, Some("bool"))?;
                self.text.line(&format!("OpBranchConditional {} {body} {merge}", test.id));
            }
            None => self.text.line(&format!("OpBranch {body}")),
        }
        self.label(&body);
        self.scope(of.body)?;
        self.text.line(&format!("OpBranch {next}"));
        self.label(&next);
        of.step.iter().try_for_each(|it| self.statement(it))?;
        match of.after {
            Some(test) => {
                let test = self.value(test, Some("bool"))?;
                behind = self.names.clone();
                self.text.line(&format!("OpBranchConditional {} {header} {merge}", test.id));
            }
            None => self.text.line(&format!("OpBranch {header}")),
        }
        let last = self.block.clone();
        let mut lines = Vec::new();
        for (name, first, phi) in phis {
            let (ty, again) = (self.text.ty(&phi.ty)?, &self.names.get(&name)?.id);
            let first = first.id;
            lines.push(format!("{} = OpPhi {ty} {first} {entered} {again} {last}", phi.id));
        }
        self.text.insert(place, lines);
        self.label(&merge);
        self.names = behind;
        Some(())
    }
}
