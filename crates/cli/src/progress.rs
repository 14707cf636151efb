//! How far a run is: a bar on standard error, if that is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar for so many packets; `None` where nobody knows how many there will be.
pub(crate) fn bar(packets: Option<u64>) -> ProgressBar {
    let bar = packets.map_or_else(ProgressBar::no_length, ProgressBar::new);
    let style = ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} packets, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_draw_target(ProgressDrawTarget::stderr());
    bar
}
