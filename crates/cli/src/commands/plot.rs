//! `forebay plot RESULT`.

use crate::Done;
use crate::args::{Log, PlotArgs};
use forebay::error::{Result, UserError};
use forebay::figure::{Figure, Page};
use forebay::output::folder;
use forebay::picture::{Request, Table};
use std::path::Path;

/// Files beside a picture: the format, and the end of the file's name.
const BESIDE: [(&str, &str); 2] = [("csv", "data.csv"), ("json", "vl.json")];

pub(crate) fn run(args: &PlotArgs) -> Result<Done> {
    let table = Table::read(&args.result)?;
    let (figure, kind) = request(args).figure(&table)?;
    let page = page(args, &figure)?;
    if args.out.is_empty() {
        let numbers = figure.draw(kind, &page, "csv")?;
        return Ok(Done::ok(String::from_utf8_lossy(&numbers)));
    }
    // All figures are drawn before the first one is written.
    let mut files = Vec::new();
    for out in &args.out {
        let ending = out.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        files.push((out.clone(), figure.draw(kind, &page, ending)?));
        let is_picture = !BESIDE.iter().any(|(format, _)| *format == ending);
        for (format, ending) in BESIDE.iter().filter(|_| is_picture && !args.alone) {
            files.push((out.with_extension(ending), figure.draw(kind, &page, format)?));
        }
    }
    for (file, bytes) in &files {
        let name = file.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| UserError::argument("out", format!("{} names no file", file.display())))?;
        let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
        folder::write(parent, name, bytes)?;
    }
    Ok(Done::ok(""))
}

fn request(args: &PlotArgs) -> Request {
    Request {
        x: args.x.clone(),
        y: args.y.clone(),
        by: args.by.clone(),
        panel_by: args.panel_by.clone(),
        panel: args.panel.clone(),
        with: args.with.clone(),
        kind: args.kind.clone(),
        log: [matches!(args.log, Some(Log::X | Log::Both)), matches!(args.log, Some(Log::Y | Log::Both))],
        title: args.title.clone(),
    }
}

fn page(args: &PlotArgs, figure: &Figure) -> Result<Page> {
    let width = match (args.width, args.columns) {
        (Some(width), _) => width,
        (None, Some(1)) => 88.0,
        (None, None) if figure.panels.len() == 1 => 88.0,
        (None, _) => 180.0,
    };
    let page = Page::new(width, args.font_size, args.dpi)?;
    args.height.map_or(Ok(page), |height| page.with_height(height))
}
