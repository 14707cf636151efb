//! Vectorscan, as far as a filter over whole payloads needs it.
#![expect(unsafe_code, reason = "Vectorscan is a C library")]

use crate::native::load::{LoadError, function, open};
use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_ulonglong, c_void};
use std::path::PathBuf;
use std::ptr;
use std::sync::Arc;

const FILE: &str = "libhs.so.5";
const PACKAGE: &str = "libvectorscan5";

// Constants of hs_compile.h and hs_common.h.
const FLAG_DOTALL: c_uint = 2;
const FLAG_SINGLEMATCH: c_uint = 8;
const FLAG_ALLOWEMPTY: c_uint = 16;
const FLAG_PREFILTER: c_uint = 128;
const MODE_BLOCK: c_uint = 1;
const SUCCESS: c_int = 0;

type Database = *mut c_void;
type ScratchSpace = *mut c_void;
type OnMatch = unsafe extern "C" fn(c_uint, c_ulonglong, c_ulonglong, c_uint, *mut c_void) -> c_int;

/// `hs_compile_error_t`.
#[repr(C)]
struct RawError {
    message: *const c_char,
    expression: c_int,
}

type CompileMulti = unsafe extern "C" fn(
    *const *const c_char,
    *const c_uint,
    *const c_uint,
    c_uint,
    c_uint,
    *const c_void,
    *mut Database,
    *mut *mut RawError,
) -> c_int;
type Scan =
    unsafe extern "C" fn(Database, *const c_char, c_uint, c_uint, ScratchSpace, Option<OnMatch>, *mut c_void) -> c_int;

struct Functions {
    compile: CompileMulti,
    free_error: unsafe extern "C" fn(*mut RawError) -> c_int,
    free_database: unsafe extern "C" fn(Database) -> c_int,
    alloc_scratch: unsafe extern "C" fn(Database, *mut ScratchSpace) -> c_int,
    free_scratch: unsafe extern "C" fn(ScratchSpace) -> c_int,
    scan: Scan,
    version: unsafe extern "C" fn() -> *const c_char,
    /// Keeps the functions in memory.
    _library: Library,
}

/// The library.
#[derive(Clone)]
pub struct Vectorscan {
    functions: Arc<Functions>,
}

/// A pattern to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    /// What [`Filter::scan`] reports.
    pub id: u32,
    /// The pattern; a dot matches every byte.
    pub pattern: String,
    /// Whether the library may look for something simpler that matches wherever this does.
    pub prefilter: bool,
}

/// Why patterns do not compile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CompileError {
    /// The library's message.
    pub message: String,
    /// Which of the patterns is at fault, where the library knows.
    pub expression: Option<usize>,
}

impl Vectorscan {
    /// Loads the library, from `folders` where the system does not have it.
    ///
    /// # Errors
    /// If it is in none of the places or lacks a function.
    pub fn load(folders: &[PathBuf]) -> Result<Self, LoadError> {
        let library = open(FILE, PACKAGE, folders)?;
        // SAFETY: the types are those of hs_compile.h and hs_runtime.h; the library is kept beside the functions.
        let functions = unsafe {
            Functions {
                compile: function(&library, FILE, "hs_compile_multi")?,
                free_error: function(&library, FILE, "hs_free_compile_error")?,
                free_database: function(&library, FILE, "hs_free_database")?,
                alloc_scratch: function(&library, FILE, "hs_alloc_scratch")?,
                free_scratch: function(&library, FILE, "hs_free_scratch")?,
                scan: function(&library, FILE, "hs_scan")?,
                version: function(&library, FILE, "hs_version")?,
                _library: library,
            }
        };
        Ok(Self { functions: Arc::new(functions) })
    }

    /// The library's version, for example `5.4.9 2023-04-23`.
    #[must_use]
    pub fn version(&self) -> String {
        // SAFETY: it is a constant of the library that ends with a zero.
        unsafe { CStr::from_ptr((self.functions.version)()) }.to_string_lossy().into_owned()
    }

    /// Compiles patterns into one filter.
    ///
    /// # Errors
    /// If the library does not take a pattern, or all of them are too much together.
    pub fn compile(&self, expressions: &[Expression]) -> Result<Filter, CompileError> {
        let mut texts = Vec::new();
        for (index, expression) in expressions.iter().enumerate() {
            let text = CString::new(expression.pattern.as_str());
            texts.push(text.map_err(|_| CompileError {
                message: "the pattern has a zero byte".to_owned(),
                expression: Some(index),
            })?);
        }
        let pointers: Vec<*const c_char> = texts.iter().map(|text| text.as_ptr()).collect();
        let flags: Vec<c_uint> = expressions.iter().map(flags).collect();
        let ids: Vec<c_uint> = expressions.iter().map(|expression| expression.id).collect();
        let count = c_uint::try_from(expressions.len())
            .map_err(|_| CompileError { message: "too many patterns".to_owned(), expression: None })?;
        let mut filter =
            Filter { database: ptr::null_mut(), scratch: ptr::null_mut(), functions: Arc::clone(&self.functions) };
        let mut error: *mut RawError = ptr::null_mut();
        // SAFETY: the three arrays have `count` elements, the texts end with a zero, and database and
        // error are written to; a null platform means this machine.
        let result = unsafe {
            (self.functions.compile)(
                pointers.as_ptr(),
                flags.as_ptr(),
                ids.as_ptr(),
                count,
                MODE_BLOCK,
                ptr::null(),
                &raw mut filter.database,
                &raw mut error,
            )
        };
        if result != SUCCESS {
            return Err(self.take_error(error));
        }
        // SAFETY: the database was just made; a null scratch is allocated.
        let result = unsafe { (self.functions.alloc_scratch)(filter.database, &raw mut filter.scratch) };
        if result != SUCCESS {
            return Err(CompileError { message: format!("no scratch space (error {result})"), expression: None });
        }
        Ok(filter)
    }

    fn take_error(&self, error: *mut RawError) -> CompileError {
        if error.is_null() {
            return CompileError { message: "unknown error".to_owned(), expression: None };
        }
        // SAFETY: a compile that fails gives a valid error, whose message ends with a zero.
        let (message, expression) = unsafe {
            let message = CStr::from_ptr((*error).message).to_string_lossy().into_owned();
            (message, (*error).expression)
        };
        // SAFETY: it was made by this library and is freed once.
        unsafe { (self.functions.free_error)(error) };
        CompileError { message, expression: usize::try_from(expression).ok() }
    }
}

fn flags(expression: &Expression) -> c_uint {
    let prefilter = if expression.prefilter { FLAG_PREFILTER } else { 0 };
    FLAG_DOTALL | FLAG_ALLOWEMPTY | FLAG_SINGLEMATCH | prefilter
}

/// Patterns compiled into one automaton, with the data that a thread needs to scan.
pub struct Filter {
    database: Database,
    scratch: ScratchSpace,
    functions: Arc<Functions>,
}

// SAFETY: neither part is bound to the thread that made it.
unsafe impl Send for Filter {}

impl Drop for Filter {
    fn drop(&mut self) {
        // SAFETY: both were made by this library and are freed once; null is allowed.
        unsafe {
            (self.functions.free_scratch)(self.scratch);
            (self.functions.free_database)(self.database);
        }
    }
}

impl Filter {
    /// Appends the ids of the patterns that match in `payload`, in no order. Answers whether the
    /// library has scanned all of it; if not, any pattern may match.
    #[must_use]
    pub fn scan(&mut self, payload: &[u8], found: &mut Vec<u32>) -> bool {
        let Ok(length) = c_uint::try_from(payload.len()) else { return false };
        // SAFETY: the payload is as long as is said; the scratch belongs to the database and is borrowed
        // alone; `note` gets the vector, which lives longer than the call.
        let result = unsafe {
            (self.functions.scan)(
                self.database,
                payload.as_ptr().cast(),
                length,
                0,
                self.scratch,
                Some(note),
                ptr::from_mut(found).cast(),
            )
        };
        result == SUCCESS
    }
}

/// Called for every match; 0 means: go on.
unsafe extern "C" fn note(
    id: c_uint,
    _from: c_ulonglong,
    _to: c_ulonglong,
    _flags: c_uint,
    found: *mut c_void,
) -> c_int {
    // SAFETY: `scan` passes its vector, which no other code uses until it returns.
    let found = unsafe { &mut *found.cast::<Vec<u32>>() };
    found.push(id);
    0
}
