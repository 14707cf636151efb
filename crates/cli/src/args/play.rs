//! Arguments of `forebay play`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// Files to play with: a recording or a log, a policy (.oq), a scenario (.toml)
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Port on 127.0.0.1; with 0, the system chooses a free one
    #[arg(long, default_value_t = 8765, value_name = "NUMBER")]
    pub(crate) port: u16,
    /// Folder with the pages, as `make web` builds it [default: share/forebay/web beside the program's folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) pages: Option<PathBuf>,
}
