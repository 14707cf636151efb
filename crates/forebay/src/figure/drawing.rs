//! A figure as a kind of plot on a page, which formats write.

use super::layout;
use super::model::Figure;
use super::page::{POINTS_PER_MM, Page};
use super::plot::Kind;
use super::scene::Scene;
use crate::error::{Result, UserError};

/// A figure with its kind of plot and its page.
pub(super) struct Drawing<'a> {
    pub(super) figure: &'a Figure,
    pub(super) kind: &'static Kind,
    pub(super) page: Page,
}

impl Drawing<'_> {
    /// Returns the content of the page.
    ///
    /// # Errors If the figure does not fit the height of the page.
    pub(super) fn scene(&self) -> Result<Scene> {
        let scene = layout::scene(self.figure, self.kind.plot, &self.page);
        if self.page.height().is_some_and(|height| scene.height > height + 0.5) {
            let needed = (scene.height / POINTS_PER_MM).ceil();
            return Err(UserError::argument("height", format!("this figure needs at least {needed} mm")));
        }
        Ok(scene)
    }
}

/// A format of figures: an entry of the registry.
pub struct Format {
    /// The ending of the format's file names, without a dot.
    pub(super) ending: &'static str,
    pub(super) write: fn(&Drawing<'_>) -> Result<Vec<u8>>,
}
