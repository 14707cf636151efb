//! Tables for people.
//!
//! ```
//! use forebay::output::table::plain_table;
//!
//! let header = ["policy", "drops"].map(str::to_owned).to_vec();
//! let rows = [["fifo", "120"], ["srpt", "7"]].map(|row| row.map(str::to_owned).to_vec());
//! assert_eq!(plain_table(header, rows.to_vec()), "policy  drops\nfifo      120\nsrpt        7\n");
//! ```

use comfy_table::{CellAlignment, Table};
use forebay_core::Duration;

/// Returns a table without lines, which is readable everywhere and can be copied into a text: a column of names, aligned left, then columns
/// of numbers, aligned right.
pub fn plain_table(header: Vec<String>, rows: Vec<Vec<String>>) -> String {
    aligned_table(header, rows, 1)
}

/// Returns a table as [`plain_table`], but with all columns aligned left.
pub fn text_table(header: Vec<String>, rows: Vec<Vec<String>>) -> String {
    aligned_table(header, rows, usize::MAX)
}

/// Returns a table with `texts` columns of text before the columns of numbers.
fn aligned_table(header: Vec<String>, rows: Vec<Vec<String>>, texts: usize) -> String {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    let columns = header.len();
    table.set_header(header);
    for row in rows {
        table.add_row(row);
    }
    for index in 0..columns {
        if let Some(column) = table.column_mut(index) {
            column.set_padding((0, 2));
            column.set_cell_alignment(if index < texts { CellAlignment::Left } else { CellAlignment::Right });
        }
    }
    trim_lines(&table.to_string())
}

/// Returns the text without spaces at the ends of lines.
pub fn trim_lines(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Writes a share in percent.
pub(crate) fn percent(share: f64) -> String {
    if share == 0.0 { "0 %".to_owned() } else { format!("{:.2} %", share * 100.0) }
}

/// A time in nanoseconds with the unit that suits it; `-` where there is none.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "delays are not negative and shorter than 200 days"
)]
pub(crate) fn ns(ns: Option<f64>) -> String {
    ns.map_or_else(|| "-".to_owned(), |ns| Duration::from_ps((ns * 1e3) as u64).to_string())
}

/// Writes a rate in the unit that suits it.
pub(crate) fn rate(bps: u64) -> String {
    forebay_core::Rate::from_bits_per_second(bps).map_or_else(String::new, |rate| rate.to_string())
}
