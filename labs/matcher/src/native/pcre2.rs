//! PCRE2 with its just-in-time compiler, as far as a resumable match needs it.
#![expect(unsafe_code, reason = "PCRE2 is a C library")]

use crate::native::load::{LoadError, function, open};
use libloading::Library;
use std::ffi::{c_int, c_void};
use std::path::PathBuf;
use std::ptr;
use std::sync::Arc;

const FILE: &str = "libpcre2-8.so.0";
const PACKAGE: &str = "libpcre2-8-0";

// Constants of pcre2.h 10.42; they are part of the binary interface.
const DOLLAR_ENDONLY: u32 = 0x10;
const DOTALL: u32 = 0x20;
const USE_OFFSET_LIMIT: u32 = 0x0080_0000;
const JIT_COMPLETE: u32 = 1;
const CONFIG_VERSION: u32 = 11;
const ERROR_NOMATCH: c_int = -1;
const ERROR_MATCHLIMIT: c_int = -47;
const ERROR_DEPTHLIMIT: c_int = -53;

/// Stack of the compiled code, in bytes: at first and at most.
const STACK: (usize, usize) = (32 << 10, 16 << 20);

type Code = *mut c_void;
type Context = *mut c_void;
type Data = *mut c_void;
type Stack = *mut c_void;
type Unused = *mut c_void;

struct Functions {
    compile: unsafe extern "C" fn(*const u8, usize, u32, *mut c_int, *mut usize, Unused) -> Code,
    code_free: unsafe extern "C" fn(Code),
    jit_compile: unsafe extern "C" fn(Code, u32) -> c_int,
    search: unsafe extern "C" fn(Code, *const u8, usize, usize, u32, Data, Context) -> c_int,
    data_create: unsafe extern "C" fn(u32, Unused) -> Data,
    data_free: unsafe extern "C" fn(Data),
    context_create: unsafe extern "C" fn(Unused) -> Context,
    context_free: unsafe extern "C" fn(Context),
    set_match_limit: unsafe extern "C" fn(Context, u32) -> c_int,
    set_offset_limit: unsafe extern "C" fn(Context, usize) -> c_int,
    stack_create: unsafe extern "C" fn(usize, usize, Unused) -> Stack,
    stack_assign: unsafe extern "C" fn(Context, Unused, Stack),
    stack_free: unsafe extern "C" fn(Stack),
    error_message: unsafe extern "C" fn(c_int, *mut u8, usize) -> c_int,
    config: unsafe extern "C" fn(u32, *mut c_void) -> c_int,
    /// Keeps the functions in memory.
    _library: Library,
}

/// The library.
#[derive(Clone)]
pub struct Pcre2 {
    functions: Arc<Functions>,
}

/// Why a pattern does not compile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at byte {offset}: {message}")]
pub struct RegexError {
    /// Where in the pattern.
    pub offset: usize,
    /// The error.
    pub message: String,
}

impl Pcre2 {
    /// Loads the library, from `folders` where the system does not have it.
    ///
    /// # Errors
    /// If it is in none of the places or lacks a function.
    pub fn load(folders: &[PathBuf]) -> Result<Self, LoadError> {
        let library = open(FILE, PACKAGE, folders)?;
        // SAFETY: the types are those of pcre2.h; the library is kept beside the functions.
        let functions = unsafe {
            Functions {
                compile: function(&library, FILE, "pcre2_compile_8")?,
                code_free: function(&library, FILE, "pcre2_code_free_8")?,
                jit_compile: function(&library, FILE, "pcre2_jit_compile_8")?,
                search: function(&library, FILE, "pcre2_match_8")?,
                data_create: function(&library, FILE, "pcre2_match_data_create_8")?,
                data_free: function(&library, FILE, "pcre2_match_data_free_8")?,
                context_create: function(&library, FILE, "pcre2_match_context_create_8")?,
                context_free: function(&library, FILE, "pcre2_match_context_free_8")?,
                set_match_limit: function(&library, FILE, "pcre2_set_match_limit_8")?,
                set_offset_limit: function(&library, FILE, "pcre2_set_offset_limit_8")?,
                stack_create: function(&library, FILE, "pcre2_jit_stack_create_8")?,
                stack_assign: function(&library, FILE, "pcre2_jit_stack_assign_8")?,
                stack_free: function(&library, FILE, "pcre2_jit_stack_free_8")?,
                error_message: function(&library, FILE, "pcre2_get_error_message_8")?,
                config: function(&library, FILE, "pcre2_config_8")?,
                _library: library,
            }
        };
        Ok(Self { functions: Arc::new(functions) })
    }

    /// The library's version, for example `10.42 2022-12-11`.
    #[must_use]
    pub fn version(&self) -> String {
        let mut text = [0_u8; 64];
        // SAFETY: the text is at most 24 bytes long (pcre2api says how to size it), with its end.
        unsafe { (self.functions.config)(CONFIG_VERSION, text.as_mut_ptr().cast()) };
        text_of(&text)
    }

    /// Compiles a pattern of bytes in which a dot matches every byte and `$` only the end.
    ///
    /// # Errors
    /// If the pattern is wrong.
    pub fn compile(&self, pattern: &str) -> Result<Regex, RegexError> {
        let (mut error, mut offset) = (0, 0);
        let options = DOTALL | DOLLAR_ENDONLY | USE_OFFSET_LIMIT;
        // SAFETY: the pattern is as long as is said; error and offset are written to; a null
        // context means the defaults.
        let code = unsafe {
            (self.functions.compile)(
                pattern.as_ptr(),
                pattern.len(),
                options,
                &raw mut error,
                &raw mut offset,
                ptr::null_mut(),
            )
        };
        if code.is_null() {
            return Err(RegexError { offset, message: self.message(error) });
        }
        // SAFETY: the code was just made and has no other owner.
        let jit = unsafe { (self.functions.jit_compile)(code, JIT_COMPLETE) } == 0;
        Ok(Regex { code, jit, functions: Arc::clone(&self.functions) })
    }

    /// The data that a thread needs to match; `None` if there is no memory.
    #[must_use]
    pub fn scratch(&self) -> Option<Scratch> {
        // SAFETY: null means the defaults; each result is checked, and freed by `Scratch`, which
        // does not free what is null.
        let scratch = unsafe {
            Scratch {
                data: (self.functions.data_create)(1, ptr::null_mut()),
                context: (self.functions.context_create)(ptr::null_mut()),
                stack: (self.functions.stack_create)(STACK.0, STACK.1, ptr::null_mut()),
                functions: Arc::clone(&self.functions),
            }
        };
        if scratch.data.is_null() || scratch.context.is_null() || scratch.stack.is_null() {
            return None;
        }
        // SAFETY: context and stack are there, and the stack is freed after the last use of the context.
        unsafe { (self.functions.stack_assign)(scratch.context, ptr::null_mut(), scratch.stack) };
        Some(scratch)
    }

    fn message(&self, error: c_int) -> String {
        let mut text = [0_u8; 256];
        // SAFETY: the buffer is as long as is said; the message is cut to it.
        unsafe { (self.functions.error_message)(error, text.as_mut_ptr(), text.len()) };
        text_of(&text)
    }
}

fn text_of(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// The data that a thread needs to match. Used by one match at a time.
pub struct Scratch {
    data: Data,
    context: Context,
    stack: Stack,
    functions: Arc<Functions>,
}

// SAFETY: none of its parts is bound to the thread that made it.
unsafe impl Send for Scratch {}

impl Drop for Scratch {
    fn drop(&mut self) {
        // SAFETY: all three were made by this library, are freed once, and null is allowed.
        unsafe {
            (self.functions.data_free)(self.data);
            (self.functions.context_free)(self.context);
            (self.functions.stack_free)(self.stack);
        }
    }
}

/// How far a search may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The first position at which a match may begin.
    pub from: usize,
    /// The last position at which a match may begin.
    pub to: usize,
    /// How often the matcher may branch, for each position at which a match may begin.
    pub steps: u32,
}

/// The result of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// A match.
    Match,
    /// No match begins within the limits.
    NoMatch,
    /// More steps are needed.
    StepsUsedUp,
    /// The matcher has given up: its stack or its memory is used up.
    Failed,
}

/// A compiled pattern.
pub struct Regex {
    code: Code,
    jit: bool,
    functions: Arc<Functions>,
}

// SAFETY: compiled code is never written to after `compile` (pcre2api, "Multithreading").
unsafe impl Send for Regex {}
// SAFETY: as above; a match writes only to `Scratch`.
unsafe impl Sync for Regex {}

impl Drop for Regex {
    fn drop(&mut self) {
        // SAFETY: made by this library and freed once.
        unsafe { (self.functions.code_free)(self.code) };
    }
}

impl Regex {
    /// Whether it runs as machine code.
    #[must_use]
    pub fn is_jit(&self) -> bool {
        self.jit
    }

    /// Looks for a match in `subject` that begins within the limits. Look-behinds and anchors see the bytes before
    /// `from`, so that a search can be cut at any position.
    pub fn search(&self, scratch: &mut Scratch, subject: &[u8], limits: Limits) -> Search {
        if limits.from > subject.len() {
            return Search::NoMatch;
        }
        // SAFETY: the context is valid and no match uses it now, since the scratch is borrowed alone.
        unsafe {
            (scratch.functions.set_match_limit)(scratch.context, limits.steps);
            (scratch.functions.set_offset_limit)(scratch.context, limits.to);
        }
        // SAFETY: the subject is as long as is said and the search begins within it.
        let result = unsafe {
            (self.functions.search)(
                self.code,
                subject.as_ptr(),
                subject.len(),
                limits.from,
                0,
                scratch.data,
                scratch.context,
            )
        };
        match result {
            0.. => Search::Match,
            ERROR_NOMATCH => Search::NoMatch,
            ERROR_MATCHLIMIT | ERROR_DEPTHLIMIT => Search::StepsUsedUp,
            _ => Search::Failed,
        }
    }
}
