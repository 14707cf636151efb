//! The command `forebay-proxy`.

use clap::Parser;
use forebay_proxy::settings::{Listen, Site, Size};
use forebay_proxy::{LOG_FORMAT, Running, Settings, StartError};
use std::path::PathBuf;
use std::process::ExitCode;

/// A caching HTTP proxy that evicts by measured latencies.
///
/// The shortest start: forebay-proxy --origin http://127.0.0.1:9000
///
/// Options take precedence over the configuration file. SIGTERM ends the proxy when the requests that it is answering
/// are answered; SIGHUP reads the sites and caching rules of the configuration file again, and opens the log again.
#[derive(Debug, Parser)]
#[command(name = "forebay-proxy", version)]
struct Arguments {
    /// Origin server, like http://127.0.0.1:9000; can be given several times
    #[arg(long = "origin", value_name = "URL")]
    origins: Vec<String>,
    /// Address at which clients connect [default: 127.0.0.1:8080]; can be given several times
    #[arg(long, value_name = "HOST:PORT")]
    listen: Vec<String>,
    /// Policy that chooses which objects leave, as in `forebay cache --policy` [default: lru-mad(sample=64)]
    #[arg(long, value_name = "NAME")]
    policy: Option<String>,
    /// Sum of the sizes of all stored answers [default: "256 MiB"]
    #[arg(long, value_name = "BYTES")]
    size: Option<Size>,
    /// Folder for stored answers, which are in memory without this option
    #[arg(long, value_name = "FOLDER")]
    disk: Option<PathBuf>,
    /// Address of /metrics, /health and POST /purge-all
    #[arg(long, value_name = "HOST:PORT")]
    admin: Option<String>,
    /// File of the access log, or - for standard output
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Number of threads that serve requests [default: one for each processor]
    #[arg(long, value_name = "NUMBER")]
    threads: Option<usize>,
    /// Configuration file in TOML (docs/proxy.md)
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Check the settings and end
    #[arg(long)]
    check: bool,
    /// Print the JSON schema of the configuration file and end
    #[arg(long)]
    schema: bool,
    /// Print the format of the access log, as `forebay cache --format-in access-log:log-format=...` takes it, and end
    #[arg(long)]
    log_format: bool,
}

impl Arguments {
    fn settings(self) -> Result<(Settings, Option<PathBuf>), StartError> {
        let mut settings = self.config.as_deref().map(Settings::read).transpose()?.unwrap_or_default();
        if !self.origins.is_empty() {
            settings.sites = vec![Site { origins: self.origins, ..Site::default() }];
        }
        if !self.listen.is_empty() {
            settings.listen = self.listen.into_iter().map(Listen::Plain).collect();
        }
        settings.policy = self.policy.unwrap_or(settings.policy);
        settings.storage.size = self.size.unwrap_or(settings.storage.size);
        settings.storage.folder = self.disk.or(settings.storage.folder);
        settings.admin = self.admin.or(settings.admin);
        settings.log = self.log.or(settings.log);
        settings.threads = self.threads.or(settings.threads);
        Ok((settings, self.config))
    }
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "this is the command")]
fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("error,forebay_proxy=warn")).init();
    let arguments = Arguments::parse();
    if arguments.schema {
        println!("{}", Settings::schema());
        return ExitCode::SUCCESS;
    }
    if arguments.log_format {
        println!("{LOG_FORMAT}");
        return ExitCode::SUCCESS;
    }
    let only_check = arguments.check;
    let prepared = arguments.settings().and_then(|(settings, config)| Running::prepare(settings, config));
    match prepared {
        Err(error) => {
            eprintln!("forebay-proxy: {error}");
            ExitCode::from(2)
        }
        Ok(running) => {
            eprintln!("forebay-proxy: {}", running.summary());
            if !only_check {
                running.run();
            }
            ExitCode::SUCCESS
        }
    }
}
