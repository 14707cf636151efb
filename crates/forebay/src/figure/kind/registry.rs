//! Every kind of plot: one file for each.

forebay_core::registry! {
    /// Every kind of plot.
    pub static KINDS: [super::plot::Kind] = {
        mod lines;
        mod bars;
        mod distribution;
        mod heat_map;
        mod time_series;
    }
}
