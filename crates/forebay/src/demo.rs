//! The recording and the scenario of `forebay demo`, which are part of the program.
//!
//! ```
//! use forebay::demo::{Embedded, SCENARIO};
//! use forebay::question::Kind;
//! use forebay::{Changes, Question};
//!
//! let demo = Question::parse("demo", SCENARIO, &Embedded, &Changes::default())?;
//! let Kind::Port(scenario) = demo.kind() else { unreachable!("the demo has a port") };
//! assert_eq!(scenario.policies(), 8);
//!
//! let other = SCENARIO.replace("mixed.pcap", "mine.pcap");
//! assert!(Question::parse("other", &other, &Embedded, &Changes::default()).is_err());
//! # Ok::<(), forebay::UserError>(())
//! ```

use crate::error::{Result, UserError};
use crate::scenario::Files;
use std::io::Read;

/// Eight policies on the recording.
pub const SCENARIO: &str = include_str!("../demo/scenario.toml");

/// A recording (pcap) of real TCP and UDP traffic in five classes.
pub const RECORDING: &[u8] = forebay_recording::MIXED;

/// The name of the recording in the scenario.
pub const RECORDING_NAME: &str = "mixed.pcap";

/// Opens the recording, and no other file.
///
/// ```
/// use forebay::scenario::Files;
///
/// let (name, _content) = forebay::demo::Embedded.open("mixed.pcap")?;
/// assert_eq!(name, "mixed.pcap");
/// # Ok::<(), forebay::UserError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Embedded;

impl Files for Embedded {
    fn open(&self, name: &str) -> Result<(String, Box<dyn Read + Send + '_>)> {
        if name == RECORDING_NAME {
            Ok((name.to_owned(), Box::new(RECORDING)))
        } else {
            Err(UserError::at(name, "the demo has only its own recording"))
        }
    }
}
