//! The size of a figure on paper.

use crate::error::{Result, UserError};

/// The number of points in a millimetre.
pub(super) const POINTS_PER_MM: f64 = 72.0 / 25.4;

/// The size of a figure on paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Page {
    width_mm: f64,
    font_size: f64,
    dpi: f64,
    height_mm: Option<f64>,
}

/// Widths of one and two columns of a journal.
const COLUMNS: [f64; 2] = [88.0, 180.0];

impl Page {
    /// Creates a page of this width, with texts of this size in points, and with `dpi` dots per inch in formats made of dots.
    ///
    /// # Errors
    /// If a number is out of its range.
    pub fn new(width_mm: f64, font_size: f64, dpi: f64) -> Result<Self> {
        within("width", width_mm, 40.0, 1000.0, "mm")?;
        within("font-size", font_size, 6.0, 30.0, "pt")?;
        within("dpi", dpi, 50.0, 1200.0, "dots per inch")?;
        Ok(Self { width_mm, font_size, dpi, height_mm: None })
    }

    /// Returns the page with this height, whatever its content.
    ///
    /// # Errors
    /// If the height is out of its range.
    pub fn with_height(self, height_mm: f64) -> Result<Self> {
        within("height", height_mm, 20.0, 2000.0, "mm")?;
        Ok(Self { height_mm: Some(height_mm), ..self })
    }

    /// Returns a page for one column of a journal: 88 mm wide.
    #[must_use]
    pub fn one_column() -> Self {
        Self { width_mm: COLUMNS[0], font_size: 8.0, dpi: 300.0, height_mm: None }
    }

    /// Returns a page for two columns of a journal: 180 mm wide.
    #[must_use]
    pub fn two_columns() -> Self {
        Self { width_mm: COLUMNS[1], ..Self::one_column() }
    }

    /// Returns a page whose width suits `panels` panels in a folder of results, which people view on a screen.
    #[must_use]
    pub fn of_panels(panels: usize) -> Self {
        Self { width_mm: if panels > 1 { COLUMNS[1] } else { 130.0 }, ..Self::one_column() }
    }

    /// Returns the width in points.
    pub(super) fn width(&self) -> f64 {
        self.width_mm * POINTS_PER_MM
    }

    /// Returns the height in points, if it is given.
    pub(super) fn height(&self) -> Option<f64> {
        Some(self.height_mm? * POINTS_PER_MM)
    }

    /// Returns the font size in points.
    pub(super) fn font_size(&self) -> f64 {
        self.font_size
    }

    /// Returns the resolution in dots per inch.
    pub(super) fn dpi(&self) -> f64 {
        self.dpi
    }
}

fn within(name: &str, value: f64, least: f64, most: f64, unit: &str) -> Result<()> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(UserError::argument(name, format!("{value} {unit} is not from {least} to {most} {unit}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_nobody_can_read_is_rejected() {
        let error = Page::new(88.0, 5.0, 300.0).unwrap_err();
        assert_eq!(error.to_string(), "--font-size: 5 pt is not from 6 to 30 pt");
        assert_eq!(Page::new(88.0, 8.0, 300.0), Ok(Page::one_column()));
        assert!(Page::new(f64::NAN, 8.0, 300.0).is_err());
    }
}
