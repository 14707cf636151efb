//! Arguments of `forebay play`.

use super::number::whole;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// Files to play with: a recording or a log, a policy (.oq), a scenario (.toml)
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Port on 127.0.0.1; with 0, the system chooses a free one
    #[arg(long, default_value_t = 8765, value_name = "NUMBER", allow_negative_numbers = true, value_parser = whole::<u16>(0..=65535))]
    pub(crate) port: u16,
    /// Folder with the pages, as `make web` builds it [default: share/forebay/web beside the program's folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) pages: Option<PathBuf>,
}
