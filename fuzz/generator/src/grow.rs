//! Grows a tree, statement by statement, out of what is visible.

use crate::ModuleTarget;
use arbitrary::{Result, Unstructured};
use laneproof_semantics::{FloatFormat, Scalar, Type};
use rspirv::spirv::Capability;

use crate::request::{ModuleProfile, Request};
use crate::tree::{
    End, Tree, TreeBlock, TreeConstant, TreeDefinition, TreeFunction, TreeOperand, TreeStatement,
    TreeValue, ends_dead,
};
use laneproof_semantics::ModuleKind;

/// A value that can be used here.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub value: TreeValue,
    pub ty: Type,
    /// It is the same in all lanes that are here.
    pub uniform: bool,
    /// No lane's value is undefined.
    pub defined: bool,
}

/// The place of the next statement.
#[derive(Clone, Debug)]
pub(crate) struct Here {
    /// All invocations of the workgroup come here together.
    pub converged: bool,
    /// Which lanes are here together is the implementation's choice.
    pub loose: bool,
    /// Constructs around.
    pub depth: usize,
    /// Types of what the innermost loop carries.
    pub in_loop: Option<Vec<Type>>,
    /// Types of what a return gives; the entry point returns nothing.
    pub returns: Option<Type>,
    /// In the entry point: its variables, memory and outputs can be reached.
    pub entry: bool,
    /// Functions that can be called from here on.
    pub callable: usize,
}

pub(crate) struct Grower<'r, 'u, 'b> {
    pub request: &'r Request,
    pub u: &'u mut Unstructured<'b>,
    pub tree: Tree,
    pub scope: Vec<Known>,
    pub here: Here,
    /// Statements left.
    pub budget: usize,
    /// Types of values.
    pub types: Vec<Type>,
}

/// A scalar, or a vector of more than one.
pub(crate) const fn shaped(element: Scalar, count: u32) -> Type {
    if count == 1 { Type::Scalar(element) } else { Type::Vector { element, count } }
}

const SIGNED: Scalar = Scalar::Int { width: 32, signed: true };

/// Grows a tree.
pub(crate) fn grow(request: &Request, u: &mut Unstructured<'_>) -> Result<Tree> {
    let size = request.subgroup_size;
    let mut workgroup = size * u.int_in_range(1..=2)?;
    if request.profile == ModuleProfile::Single || workgroup > 128 {
        workgroup = size;
    }
    if request.partial && size > 1 && u.arbitrary()? {
        workgroup -= u.int_in_range(1..=size - 1)?;
    }
    let tree = Tree {
        target: ModuleTarget {
            module_kind: request.module_kind,
            version: request.version,
            subgroup_size: size,
            workgroup,
            maximal_reconvergence: request.maximal_reconvergence,
        },
        lane: TreeValue(0),
        invocation: TreeValue(1),
        inputs: Vec::new(),
        variables: Vec::new(),
        output_words: 0,
        functions: Vec::new(),
        foreign: None,
        body: TreeBlock { statements: Vec::new(), end: End::Return(None) },
        next: 2,
    };
    let here = Here {
        converged: true,
        loose: false,
        depth: 0,
        in_loop: None,
        returns: None,
        entry: true,
        callable: 0,
    };
    let types = scalars(request);
    let scope = Vec::new();
    let mut grower = Grower { request, u, tree, scope, here, budget: request.statements, types };
    grower.whole()?;
    Ok(grower.tree)
}

/// The scalar types that a request allows.
fn scalars(request: &Request) -> Vec<Type> {
    let mut types = vec![Type::U32, Type::U32, Type::BOOL, Type::Scalar(Scalar::F32)];
    if request.module_kind == ModuleKind::Shader {
        types.push(Type::Scalar(SIGNED));
    }
    let sized = [
        (Capability::Int8, Scalar::uint(8)),
        (Capability::Int16, Scalar::uint(16)),
        (Capability::Int64, Scalar::uint(64)),
        (Capability::Float16, Scalar::F16),
        (Capability::Float64, Scalar::F64),
    ];
    let allowed = sized.into_iter().filter(|(capability, _)| request.allows(*capability));
    types.extend(allowed.map(|(_, scalar)| Type::Scalar(scalar)));
    types
}

impl Grower<'_, '_, '_> {
    fn whole(&mut self) -> Result<()> {
        if matches!(self.request.profile, ModuleProfile::Divergent | ModuleProfile::Memory) {
            for _ in 0..self.u.int_in_range(0..=2)? {
                self.function()?;
            }
        }
        for value in [self.tree.lane, self.tree.invocation] {
            self.scope.push(Known { value, ty: Type::U32, uniform: false, defined: true });
        }
        let rows = self.rows();
        let row = match self.request.profile {
            ModuleProfile::Single if !rows.is_empty() => Some(*self.u.choose(&rows)?),
            _ => None,
        };
        let foreign = match self.request.profile {
            ModuleProfile::Lowered => self.foreign()?,
            _ => None,
        };
        let count = match foreign {
            Some(_) => 2,
            None => self.u.int_in_range(3..=6)?,
        };
        for number in 0..count {
            // Something to branch on, always.
            let ty = match row {
                _ if number < 2 => Type::U32,
                Some(row) => self.type_over(row.over)?,
                None => self.any_type()?,
            };
            let definition = self.define(&ty, false, true);
            self.tree.inputs.push(definition);
        }
        if let Some(foreign) = &foreign {
            self.foreign_inputs(foreign);
        }
        if matches!(self.request.profile, ModuleProfile::Divergent | ModuleProfile::Memory) {
            for _ in 0..self.u.int_in_range(0..=2)? {
                let ty = self.any_type()?;
                self.tree.variables.push(ty);
            }
        }
        self.here.callable = self.tree.functions.len();
        let mut statements = self.initial_stores()?;
        statements.extend(match (&foreign, row) {
            (Some(foreign), _) => self.lowered(foreign)?,
            (None, Some(row)) => self.single(row)?,
            (None, None) => self.statements()?,
        });
        if self.tree.output_words == 0 {
            self.budget = 0;
            statements.push(self.output()?);
        }
        self.tree.body = TreeBlock { statements, end: End::Return(None) };
        self.tree.foreign = foreign;
        Ok(())
    }

    /// A function that takes and returns one or two values; it may have group instructions and
    /// return early.
    fn function(&mut self) -> Result<()> {
        let outer = (std::mem::take(&mut self.scope), self.here.clone(), self.budget);
        let result = self.any_type()?;
        let parameters = [Type::U32, self.any_type()?];
        let parameters = parameters.map(|ty| self.define(&ty, false, true)).to_vec();
        self.here = Here {
            converged: false,
            returns: Some(result.clone()),
            entry: false,
            callable: 0,
            ..self.here.clone()
        };
        self.budget = self.u.int_in_range(2..=7)?;
        let statements = self.statements()?;
        let dead = ends_dead(&statements);
        let end = if dead { End::Unreachable } else { End::Return(Some(self.operand(&result)?)) };
        let body = TreeBlock { statements, end };
        self.tree.functions.push(TreeFunction { parameters, result, body });
        (self.scope, self.here, self.budget) = outer;
        Ok(())
    }

    /// Statements until the budget of this block is used.
    pub fn statements(&mut self) -> Result<Vec<TreeStatement>> {
        let most = if self.here.depth == 0 { self.budget } else { self.u.int_in_range(1..=5)? };
        let mut statements = Vec::new();
        while statements.len() < most && self.budget > 0 {
            self.budget -= 1;
            statements.extend(self.statement()?);
            if ends_dead(&statements) {
                break;
            }
        }
        Ok(statements)
    }

    /// A new value, visible from here on.
    pub fn define(&mut self, ty: &Type, uniform: bool, defined: bool) -> TreeDefinition {
        let definition = self.fresh(ty);
        let value = definition.value;
        self.scope.push(Known { value, ty: ty.clone(), uniform, defined });
        definition
    }

    /// A new value that is not visible yet.
    pub fn fresh(&mut self, ty: &Type) -> TreeDefinition {
        let value = TreeValue(self.tree.next);
        self.tree.next += 1;
        TreeDefinition { value, ty: ty.clone() }
    }

    /// A type: mostly one with an existing value.
    pub fn any_type(&mut self) -> Result<Type> {
        if !self.scope.is_empty() && self.u.ratio(1, 2)? {
            let known: Vec<Type> = self.scope.iter().map(|known| known.ty.clone()).collect();
            return Ok(self.u.choose(&known)?.clone());
        }
        let scalar = self.u.choose(&self.types)?.clone();
        match scalar {
            Type::Scalar(element) if self.u.ratio(1, 5)? => {
                Ok(shaped(element, self.u.int_in_range(2..=4)?))
            }
            scalar => Ok(scalar),
        }
    }

    /// What is known of an operand.
    pub fn known(&self, operand: &TreeOperand) -> (bool, bool) {
        match operand {
            TreeOperand::Value(value) => {
                let known = self.scope.iter().find(|known| known.value == *value);
                known.map_or((false, false), |known| (known.uniform, known.defined))
            }
            _ => (true, true),
        }
    }

    /// A value of a type that meets a condition, if there is one.
    pub fn visible(
        &mut self,
        ty: &Type,
        meets: impl Fn(&Known) -> bool,
    ) -> Result<Option<TreeOperand>> {
        let fitting: Vec<TreeValue> = self
            .scope
            .iter()
            .filter(|known| known.ty == *ty && meets(known))
            .map(|known| known.value)
            .collect();
        if fitting.is_empty() {
            return Ok(None);
        }
        // The newest are the most interesting.
        let back = if self.u.arbitrary()? { fitting.len().min(3) } else { fitting.len() };
        let index = fitting.len() - 1 - self.u.int_in_range(0..=back - 1)?;
        Ok(Some(TreeOperand::Value(fitting[index])))
    }

    /// A value of a type, or now and then a constant.
    pub fn operand(&mut self, ty: &Type) -> Result<TreeOperand> {
        if !self.u.ratio(1, 8)?
            && let Some(value) = self.visible(ty, |_| true)?
        {
            return Ok(value);
        }
        Ok(TreeOperand::Constant(self.constant(ty)?))
    }

    /// A value of a type that is defined in all lanes.
    pub fn defined(&mut self, ty: &Type) -> Result<TreeOperand> {
        match self.visible(ty, |known| known.defined)? {
            Some(value) => Ok(value),
            None => Ok(TreeOperand::Constant(self.constant(ty)?)),
        }
    }

    /// A constant: small numbers and borders.
    pub fn constant(&mut self, ty: &Type) -> Result<TreeConstant> {
        let mut bits = Vec::new();
        for scalar in ty.leaves() {
            let mask = if scalar.width() >= 64 { u64::MAX } else { (1 << scalar.width()) - 1 };
            let number = match scalar {
                Scalar::Bool => u64::from(self.u.arbitrary::<bool>()?),
                Scalar::Float(format) => *self.u.choose(&match format {
                    FloatFormat::Half => [0, 0x3c00, 0xc000, 0x3800],
                    FloatFormat::Bfloat16 => [0, 0x3f80, 0xc000, 0x3f00],
                    FloatFormat::Single => [0, 0x3f80_0000, 0xc000_0000, 0x3f00_0000],
                    FloatFormat::Double => [0, 0x3ff0 << 48, 0xc000 << 48, 0x3fe0 << 48],
                })?,
                _ => *self.u.choose(&[0, 1, 2, 3, 5, 7, 31, mask, mask >> 1, mask ^ mask >> 1])?,
            };
            bits.push(number & mask);
        }
        Ok(TreeConstant { ty: ty.clone(), bits })
    }

    /// Runs `grow` in a nested block: what it defines is not visible afterwards.
    pub fn nested<T>(
        &mut self,
        here: Here,
        grow: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let outer = std::mem::replace(&mut self.here, here);
        let visible = self.scope.len();
        let grown = grow(self);
        self.scope.truncate(visible);
        self.here = outer;
        grown
    }
}
