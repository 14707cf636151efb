//! A figure as a kind of plot on a page, which formats write.

use super::layout;
use super::model::Figure;
use super::page::Page;
use super::plot::Kind;
use super::scene::Scene;
use crate::error::Result;

/// A figure, drawn.
pub(super) struct Drawing<'a> {
    pub(super) figure: &'a Figure,
    pub(super) kind: &'static Kind,
    pub(super) page: Page,
}

impl Drawing<'_> {
    pub(super) fn scene(&self) -> Scene {
        layout::scene(self.figure, self.kind.plot, &self.page)
    }
}

/// A format of figures: an entry of the registry.
pub struct Format {
    /// How names of such files end, without a dot.
    pub(super) ending: &'static str,
    pub(super) write: fn(&Drawing<'_>) -> Result<Vec<u8>>,
}
