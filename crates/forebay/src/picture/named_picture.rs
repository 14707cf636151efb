//! A figure with the name of its file in folders of results.

use crate::error::Result;
use crate::figure::{Figure, Page};

/// The maximum number of panels in a picture: those of the first values.
const MOST_PANELS: usize = 24;

/// A figure, its kind of plot, and the name of its file.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The name of the file without its ending.
    pub name: String,
    /// The kind of plot.
    pub kind: &'static str,
    /// The figure.
    pub figure: Figure,
}

impl Picture {
    /// Creates a picture whose file has this name, of which only letters, digits and dots are kept.
    #[must_use]
    pub fn new(name: &str, kind: &'static str, figure: Figure) -> Self {
        let words = name.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.');
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        Self { name: words.join("-"), kind, figure }
    }

    /// Creates a picture of a figure that has a panel for each of many values: with the first panels, and a title that states their total
    /// number. Returns `None` without panels.
    pub(crate) fn of_panels(name: &str, kind: &'static str, mut figure: Figure) -> Option<Self> {
        let panels = figure.panels.len();
        if panels > MOST_PANELS {
            figure.panels.truncate(MOST_PANELS);
            figure.title += &format!(" (the first {MOST_PANELS} of {panels} panels)");
        }
        (panels > 0).then(|| Self::new(name, kind, figure))
    }

    /// Returns the files of the picture: the figure as SVG, and the plotted numbers as CSV.
    ///
    /// # Errors
    /// If there is no such kind of plot.
    pub fn files(&self) -> Result<Vec<(String, Vec<u8>)>> {
        let page = Page::of_panels(self.figure.panels.len());
        let file =
            |(format, ending)| Ok((format!("{}.{ending}", self.name), self.figure.draw(self.kind, &page, format)?));
        [("svg", "svg"), ("csv", "data.csv")].into_iter().map(file).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Axis, Point, Unit};

    #[test]
    fn panels_that_are_left_out_are_counted() {
        let axis = Axis::linear("x", Unit::Plain);
        let mut figure = Figure::titled("queues", "policy");
        assert!(Picture::of_panels("queues", "lines", figure.clone()).is_none());
        for link in 0..30 {
            figure.panel(&format!("link {link}"), [&axis, &axis]).add("FIFO", [Point::of(1.0, 1.0)]);
        }
        let picture = Picture::of_panels("queues", "lines", figure).unwrap();
        assert_eq!(picture.figure.panels.len(), 24);
        assert_eq!(picture.figure.title, "queues (the first 24 of 30 panels)");
    }

    #[test]
    fn file_names_are_safe() {
        let picture = Picture::new("fct-by-load/../x y", "lines", Figure::default());
        assert_eq!(picture.name, "fct-by-load-..-x-y");
        let names: Vec<String> = picture.files().unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["fct-by-load-..-x-y.svg", "fct-by-load-..-x-y.data.csv"]);
    }
}
