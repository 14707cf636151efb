//! The arguments of `forebay plot`.

use clap::{Args, ValueEnum};
use forebay::error::WrongValue;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct PlotArgs {
    /// A folder of results (`forebay run --out`), a result.csv or result.parquet, or another table of columns
    pub(crate) result: PathBuf,
    /// The field of the horizontal axis: an axis of the sweep, rank, class [default: policy]
    #[arg(long, value_name = "FIELD")]
    pub(crate) x: Option<String>,
    /// Metric, e.g. fct:p99; may be given several times, and each metric has panels of its own
    #[arg(long, value_name = "METRIC")]
    pub(crate) y: Vec<String>,
    /// The fields whose values are series, e.g. policy,buffer [default: policy]
    #[arg(long, value_name = "FIELD,...", value_delimiter = ',')]
    pub(crate) by: Vec<String>,
    /// The fields whose values are panels, e.g. size_class,load
    #[arg(long, value_name = "FIELD,...", value_delimiter = ',')]
    pub(crate) panel_by: Vec<String>,
    /// Draw only the panel with this title
    #[arg(long, value_name = "TITLE")]
    pub(crate) panel: Option<String>,
    /// Use only rows in which the field has this value, e.g. load=0.6; may be given several times
    #[arg(long = "where", value_name = "FIELD=VALUE", value_parser = pair)]
    pub(crate) with: Vec<(String, String)>,
    /// Kind of plot: lines, bars, distribution, heat-map or time-series [default: one that suits the horizontal axis]
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// Make these axes logarithmic
    #[arg(long, value_enum, value_name = "AXES")]
    pub(crate) log: Option<Log>,
    /// Write this title above the figure [default: none]
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(crate) title: String,
    /// Width of the figure, e.g. 120mm [default: 88mm with one panel, else 180mm]
    #[arg(long, value_name = "MM", allow_negative_numbers = true, value_parser = millimetres, conflicts_with = "columns")]
    pub(crate) width: Option<f64>,
    /// Make the figure as wide as one column (88 mm) or two columns (180 mm) of a journal
    #[arg(long, value_name = "1|2", allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(crate) columns: Option<u8>,
    /// Height of the figure, e.g. 60mm [default: one that suits its panels]
    #[arg(long, value_name = "MM", allow_negative_numbers = true, value_parser = millimetres)]
    pub(crate) height: Option<f64>,
    /// Size of all texts, at least 6pt
    #[arg(long, value_name = "PT", allow_negative_numbers = true, default_value = "8pt", value_parser = points)]
    pub(crate) font_size: f64,
    /// Dots per inch of a PNG
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 300.0)]
    pub(crate) dpi: f64,
    /// Write the figure here, in the format of the ending: .svg, .pdf, .png, .json (Vega-Lite) or .csv (the plotted numbers);
    /// may be given several times. The numbers and the Vega-Lite specification are written beside a picture
    /// [default: print the numbers as CSV]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Vec<PathBuf>,
    /// Write only the picture, without the numbers and the specification beside it
    #[arg(long, requires = "out")]
    pub(crate) alone: bool,
}

/// Logarithmic axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Log {
    /// The horizontal axis
    X,
    /// The vertical axis
    Y,
    /// Both axes
    Both,
}

fn pair(text: &str) -> Result<(String, String), WrongValue> {
    let (field, value) = text.split_once('=').ok_or("write it as FIELD=VALUE, for example load=0.6")?;
    Ok((field.trim().to_owned(), value.trim().to_owned()))
}

fn millimetres(text: &str) -> Result<f64, WrongValue> {
    measure(text, "mm", "for example 88mm")
}

fn points(text: &str) -> Result<f64, WrongValue> {
    measure(text, "pt", "for example 8pt")
}

/// A number with or without its unit.
fn measure(text: &str, unit: &str, example: &str) -> Result<f64, WrongValue> {
    let number = text.trim().strip_suffix(unit).unwrap_or(text).trim().parse::<f64>();
    number.map_err(|_| format!("write a number of {unit}, {example}").into())
}
