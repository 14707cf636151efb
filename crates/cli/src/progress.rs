//! How far a run is: a bar on standard error, if that is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar for so many packets; `None` where nobody knows how many there will be.
pub(crate) fn bar(packets: Option<u64>) -> ProgressBar {
    let bar = packets.map_or_else(ProgressBar::no_length, ProgressBar::new);
    styled(bar, "{wide_bar} {human_pos} of {human_len} packets, {eta} left")
}

/// A bar for so many nanoseconds of simulated time.
pub(crate) fn simulated(nanoseconds: u64) -> ProgressBar {
    styled(ProgressBar::new(nanoseconds), "{wide_bar} {percent} % of the simulated time, {eta} left")
}

/// A count of requests; nobody knows how many there will be.
pub(crate) fn requests() -> ProgressBar {
    styled(ProgressBar::no_length(), "{spinner} {human_pos} requests, {per_sec}")
}

/// A bar for so many steps, each with a message.
pub(crate) fn steps(steps: u64) -> ProgressBar {
    styled(ProgressBar::new(steps), "{bar:20} {pos}/{len}, {eta} left; {wide_msg}")
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_draw_target(ProgressDrawTarget::stderr());
    bar
}
