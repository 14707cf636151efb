//! Tests components with state in a simulated world with faults that a seed determines.
//!
//! Each of [`SYSTEMS`] lives many short lives. In each, calls fail, processes are killed, power is lost and clocks jump, as the life's seed
//! determines. Then all faults stop, and the promises are checked. A life that breaks a promise panics with its seed. The seed repeats the
//! life, since a life does not depend on threads, clocks, disks or addresses of the machine.
//!
//! ```
//! let life = forebay_chaos::Life { seed: 7, ..Default::default() };
//! let coverage = forebay_chaos::system("sweep").live(&life);
//! println!("{} faults", coverage.faults());
//! ```

pub mod disk;
mod fault;
mod planted_faults;
#[path = "system/registry.rs"]
pub mod system;

pub use fault::{Coverage, Fault, Site};
pub use planted_faults::Planted;
pub use system::{Life, SYSTEMS, System, system};
