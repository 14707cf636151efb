//! Finding a library: where the system has it, else in given folders.

use libloading::Library;
use std::path::PathBuf;

/// Why a library cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It was found in none of the folders.
    #[error("{file} is missing; run: apt-get install {package}, or: cargo xtask fetch-debian")]
    Missing {
        /// The file that was looked for.
        file: &'static str,
        /// The Debian package that has it.
        package: &'static str,
    },
    /// It lacks a function, or cannot do what the matcher needs.
    #[error("{file} is not usable: {reason}")]
    Unusable {
        /// The file.
        file: &'static str,
        /// What it lacks.
        reason: String,
    },
}

/// Opens `file`: as the system's loader finds it, else in the first of `folders` that has it.
#[expect(unsafe_code, reason = "loading a library runs its initialisers")]
pub(crate) fn open(file: &'static str, package: &'static str, folders: &[PathBuf]) -> Result<Library, LoadError> {
    let places = std::iter::once(PathBuf::from(file)).chain(folders.iter().map(|folder| folder.join(file)));
    for place in places {
        // SAFETY: the initialisers of these two libraries only set up their own state, and they
        // are named by the version of their binary interface.
        if let Ok(library) = unsafe { Library::new(place) } {
            return Ok(library);
        }
    }
    Err(LoadError::Missing { file, package })
}

/// The function called `name`.
///
/// # Safety
/// `F` must be the function's C type, and what is returned must not outlive `library`.
#[expect(unsafe_code, reason = "the type of a function of C cannot be checked")]
pub(crate) unsafe fn function<F: Copy>(
    library: &Library,
    file: &'static str,
    name: &'static str,
) -> Result<F, LoadError> {
    // SAFETY: the caller's promise.
    match unsafe { library.get::<F>(name.as_bytes()) } {
        Ok(symbol) => Ok(*symbol),
        Err(_) => Err(LoadError::Unusable { file, reason: format!("it has no function {name}") }),
    }
}
