//! Any picture of any result: selected rows of its table become the points of a figure.
//!
//! ```
//! use forebay::demo::{Embedded, SCENARIO};
//! use forebay::figure::Page;
//! use forebay::picture::{Request, Table};
//! use forebay::{Changes, Question, Session};
//!
//! let demo = Question::parse("demo", SCENARIO, &Embedded, &Changes::default())?;
//! let table = Table::from(&demo.run(&Session::default())?.frame());
//! let request = Request { x: Some("policy".to_owned()), y: vec!["delay:p99".to_owned()], ..Request::default() };
//! let (figure, kind) = request.figure(&table)?;
//! let svg = figure.draw(kind, &Page::one_column(), "svg")?;
//! assert!(kind == "bars" && String::from_utf8_lossy(&svg).contains("delay, p99"));
//! # Ok::<(), forebay::UserError>(())
//! ```

mod axis_titles;
mod figure;
mod named_picture;
mod recipe;
mod rows;
mod table;

use crate::error::{Result, UserError};
use crate::figure::Figure;
pub(crate) use axis_titles::{title_of_metric, unit_of_field, unit_of_metric};
pub use named_picture::Picture;
pub(crate) use recipe::{Across, Recipe, Sweep, rows_of};
pub use table::Table;

/// A request for a figure: fields by their names in the table.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The field of the horizontal axis; by default the policy.
    pub x: Option<String>,
    /// The metrics, such as `fct:p99`, each with panels of its own; for a table without metrics, its columns.
    pub y: Vec<String>,
    /// The fields whose values are series; by default the policy, unless it is on the horizontal axis.
    pub by: Vec<String>,
    /// The fields whose values are panels.
    pub panel_by: Vec<String>,
    /// The title of the only panel that is drawn.
    pub panel: Option<String>,
    /// Fields and the values that they must have.
    pub with: Vec<(String, String)>,
    /// The kind of plot; by default one that suits the horizontal axis.
    pub kind: Option<String>,
    /// Whether the axes x and y are logarithmic.
    pub log: [bool; 2],
    /// The title above the figure.
    pub title: String,
}

impl Request {
    /// Returns the figure, and its kind of plot.
    ///
    /// # Errors If a name is unknown, or unrelated rows would be mixed.
    pub fn figure(&self, table: &Table) -> Result<(Figure, &'static str)> {
        let mut made = figure::make(self, table)?;
        if let Some(wanted) = &self.panel {
            let titles: Vec<String> = made.0.panels.iter().map(|panel| panel.title.clone()).collect();
            made.0.panels.retain(|panel| panel.title == *wanted);
            if made.0.panels.is_empty() {
                let near = forebay_core::registry::suggest(wanted, titles.iter().map(String::as_str));
                return Err(UserError::argument("panel", format!("there is no panel `{wanted}`{near}")));
            }
        }
        Ok(made)
    }
}

#[cfg(test)]
mod tests;
