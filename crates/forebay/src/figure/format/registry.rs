//! Every format of figures: one file for each.

forebay_core::registry! {
    /// Every format of figures.
    pub static FORMATS: [super::drawing::Format] = {
        mod svg;
        mod pdf;
        mod png;
        mod vega_lite;
        mod csv;
    }
}
