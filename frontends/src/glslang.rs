//! The compiler glslang, called by its C interface: the crate `glslang` starts it, but has no way to
//! ask for debug lines, which messages and tables need.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_void};
use std::mem::size_of;
use std::ptr::{self, NonNull};

use glslang::limits::{DEFAULT_LIMITS, ResourceLimits};
use glslang::{Compiler, GlslProfile, ShaderMessage};
use glslang_sys as sys;
use serde::{Deserialize, Serialize};

/// What a text without `#version` is taken for.
const VERSION: (i32, GlslProfile) = (460, GlslProfile::Core);

/// Why glslang gives no module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// Its log, in which each complaint is a line.
    Log(String),
    /// Another reason.
    Other(String),
    /// It was ended because it took too much; of what, in words.
    Bound(String),
}

/// Runs glslang: in this process or, where a source may be hostile, in one that can be ended.
pub trait Glslang: Sync {
    /// The words of the module that a compute shader compiles to, with debug lines.
    ///
    /// # Errors
    ///
    /// If the text does not compile.
    fn words(&self, text: &str) -> Result<Vec<u32>, Refusal>;
}

/// Runs it in this process, for as long as it takes: of macros that name each other a few lines
/// may take longer, and more memory, than there is.
#[derive(Clone, Copy, Debug)]
pub struct InProcess;

impl Glslang for InProcess {
    fn words(&self, text: &str) -> Result<Vec<u32>, Refusal> {
        let other = |reason: &str| Refusal::Other(reason.to_owned());
        Compiler::acquire().ok_or_else(|| other("glslang does not start"))?;
        // Outside of comments GLSL is ASCII, and glslang may cut a message within a character, so
        // other characters are replaced.
        let ascii = |c: char| if c.is_ascii() && c != '\0' { c } else { '@' };
        let code = CString::new(text.chars().map(ascii).collect::<String>())
            .map_err(|_| other("its text has a zero in it"))?;
        let versioned = text.lines().any(|line| line.trim_start().starts_with("#version"));
        let limits = limits();
        let input = input(&code, versioned, &limits);
        let shader = Shader::parsed(&input)?;
        Linked::new(&shader)?.words()
    }
}

/// The limits of an implementation that the crate has for all.
fn limits() -> sys::glslang_resource_t {
    const {
        assert!(size_of::<ResourceLimits>() == size_of::<sys::glslang_resource_t>());
    }
    // SAFETY: a structure whose one field is the other, and is as large as it.
    unsafe { ptr::from_ref(&DEFAULT_LIMITS).cast::<sys::glslang_resource_t>().read() }
}

fn messages() -> sys::glslang_messages_t {
    let wanted = ShaderMessage::DEFAULT
        | ShaderMessage::SPV_RULES
        | ShaderMessage::VULKAN_RULES
        | ShaderMessage::CASCADING_ERRORS;
    wanted.into()
}

/// A compute shader for Vulkan 1.3.
fn input(code: &CStr, versioned: bool, limits: &sys::glslang_resource_t) -> sys::glslang_input_t {
    sys::glslang_input_t {
        language: sys::glslang_source_t::GLSL,
        stage: sys::glslang_stage_t::Compute,
        client: sys::glslang_client_t::Vulkan,
        client_version: sys::glslang_target_client_version_t::Vulkan1_3,
        target_language: sys::glslang_target_language_t::SPIRV,
        target_language_version: sys::glslang_target_language_version_t::SPIRV1_6,
        code: code.as_ptr(),
        default_version: VERSION.0,
        default_profile: VERSION.1,
        force_default_version_and_profile: i32::from(!versioned),
        forward_compatible: 0,
        messages: messages(),
        resource: limits,
        callbacks: sys::glsl_include_callbacks_s {
            include_system: None,
            include_local: Some(no_file),
            free_include_result: None,
        },
        callbacks_ctx: ptr::null_mut(),
    }
}

/// `#include` finds no file. Otherwise glslang would read files from the working folder, which the
/// cache key does not cover.
unsafe extern "C" fn no_file(
    _: *mut c_void,
    _: *const c_char,
    _: *const c_char,
    _: usize,
) -> *mut sys::glsl_include_result_t {
    ptr::null_mut()
}

/// A shader that glslang has parsed.
struct Shader(NonNull<sys::glslang_shader_t>);

impl Shader {
    fn parsed(input: &sys::glslang_input_t) -> Result<Self, Refusal> {
        // SAFETY: the input, and the text and limits that it points to, outlive both calls.
        unsafe {
            let handle = NonNull::new(sys::glslang_shader_create(input))
                .ok_or_else(|| Refusal::Other("glslang does not start".to_owned()))?;
            let shader = Self(handle);
            let handle = handle.as_ptr();
            let parsed = sys::glslang_shader_preprocess(handle, input) != 0
                && sys::glslang_shader_parse(handle, input) != 0;
            match parsed {
                true => Ok(shader),
                false => Err(Refusal::Log(text(sys::glslang_shader_get_info_log(handle)))),
            }
        }
    }
}

impl Drop for Shader {
    fn drop(&mut self) {
        // SAFETY: made by `parsed`, deleted once.
        unsafe { sys::glslang_shader_delete(self.0.as_ptr()) }
    }
}

/// A program of one shader, linked; it must not outlive the shader.
struct Linked<'s>(NonNull<sys::glslang_program_t>, std::marker::PhantomData<&'s Shader>);

impl<'s> Linked<'s> {
    fn new(shader: &'s Shader) -> Result<Self, Refusal> {
        // SAFETY: both handles live; the log is copied before the program is deleted.
        unsafe {
            let handle = NonNull::new(sys::glslang_program_create())
                .ok_or_else(|| Refusal::Other("glslang does not start".to_owned()))?;
            let program = Self(handle, std::marker::PhantomData);
            let handle = handle.as_ptr();
            sys::glslang_program_add_shader(handle, shader.0.as_ptr());
            match sys::glslang_program_link(handle, messages().0) {
                0 => Err(Refusal::Log(text(sys::glslang_program_get_info_log(handle)))),
                _ => Ok(program),
            }
        }
    }

    /// Its SPIR-V, with `OpLine`, as it is before any optimization.
    fn words(&self) -> Result<Vec<u32>, Refusal> {
        let mut options = sys::glslang_spv_options_s {
            generate_debug_info: true,
            strip_debug_info: false,
            disable_optimizer: true,
            optimize_size: false,
            optimize_performance: false,
            disassemble: false,
            validate: false,
            emit_nonsemantic_shader_debug_info: false,
            emit_nonsemantic_shader_debug_source: false,
            compile_only: false,
            optimize_allow_expanded_id_bound: false,
            compiler_signature: ptr::null(),
            command_line_arguments: ptr::null(),
            current_working_directory: ptr::null(),
        };
        let program = self.0.as_ptr();
        // SAFETY: the program is linked and has this stage; glslang writes as many words as it says.
        unsafe {
            let stage = sys::glslang_stage_t::Compute;
            sys::glslang_program_SPIRV_generate_with_options(program, stage, &raw mut options);
            let mut words = vec![0; sys::glslang_program_SPIRV_get_size(program)];
            sys::glslang_program_SPIRV_get(program, words.as_mut_ptr());
            match words.is_empty() {
                true => Err(Refusal::Other("glslang wrote no module".to_owned())),
                false => Ok(words),
            }
        }
    }
}

impl Drop for Linked<'_> {
    fn drop(&mut self) {
        // SAFETY: made by `new`, deleted once.
        unsafe { sys::glslang_program_delete(self.0.as_ptr()) }
    }
}

/// A copy of one of glslang's texts.
///
/// # Safety
///
/// It is null or ends with a zero.
unsafe fn text(text: *const std::ffi::c_char) -> String {
    match text.is_null() {
        true => String::new(),
        // SAFETY: as the caller promises.
        false => unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned(),
    }
}
