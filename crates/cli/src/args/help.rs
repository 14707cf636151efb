//! The command with its help: subcommands grouped by job, and examples for each.

use super::Cli;
use clap::builder::Styles;
use clap::{Command, CommandFactory};
use std::fmt::Write;

/// A subcommand and its examples.
type Subcommand = (&'static str, &'static [&'static str]);

/// Subcommands by job, each with its examples.
const JOBS: [(&str, &[Subcommand]); 7] = [
    (
        "Simulate",
        &[
            (
                "run",
                &[
                    "forebay run mine.toml --set traffic.load=1.2 --seed 7",
                    "forebay run mine.toml --out results",
                    "forebay run mine.toml --report report.html",
                ],
            ),
            ("merge", &["forebay merge results", "forebay merge all part-0 part-1"]),
            (
                "plot",
                &[
                    "forebay plot results --x load --y fct:p99 --log y --out fct.pdf",
                    "forebay plot results --y drop_share --where load=0.9 --columns 1 --out drops.svg --out drops.png",
                ],
            ),
            (
                "advise",
                &[
                    "forebay advise capture.pcap --rate 20Mbps --buffer 1000packets",
                    "forebay advise capture.pcap --rate 1Gbps --buffer 1.5MB --policy sfq --out advice",
                ],
            ),
            ("play", &["forebay play", "forebay play capture.pcap policy.oq"]),
            ("demo", &["forebay demo --out forebay-demo"]),
            ("repro", &["forebay repro", "forebay repro sp-pifo/leaf-spine --out figures"]),
        ],
    ),
    (
        "Caches",
        &[
            (
                "cache",
                &[
                    "forebay cache TRACE --policy lru,lru-mad,belady --capacity 64,512 --latency 100",
                    "forebay cache zipf:objects=1e4,requests=1e6 --policy lru,arc --capacity 512 --latency 100 --bound",
                ],
            ),
            (
                "bound",
                &[
                    "forebay bound TRACE --capacity 64 --latency 10000",
                    "forebay bound TRACE --capacity 64 --latency 100 --certificate bound.cert",
                ],
            ),
            ("verify", &["forebay verify bound.cert TRACE"]),
            ("curve", &["forebay curve TRACE --policy lru,lru-mad --latency 10000 --out curves"]),
            (
                "prefix",
                &[
                    "forebay prefix conversations:prompts=2000 --blocks 500,2000",
                    "forebay prefix conversation_trace.jsonl.xz --blocks 2000 --workers 10 --policy lru-leaf,queue-informed",
                ],
            ),
        ],
    ),
    ("Attacks", &[("attack", &["forebay attack mine.toml --out attack", "forebay attack mine.toml --search"])]),
    (
        "Policies",
        &[
            ("check", &["forebay check policy.oq", "forebay check policy.oq --target p4"]),
            ("fmt", &["forebay fmt policy.oq", "forebay fmt --check policy.oq"]),
            ("lsp", &["forebay lsp"]),
        ],
    ),
    (
        "Real datapaths",
        &[
            (
                "compile",
                &[
                    "forebay compile policy.oq --target dpdk --field queue=dscp -o program",
                    "forebay compile policy.oq --target sv -o hardware",
                ],
            ),
            (
                "conform",
                &[
                    "forebay conform policy.oq",
                    "forebay conform policy.oq --target c --packets 1000",
                    "forebay conform policy.oq --frames",
                ],
            ),
            ("deploy", &["forebay deploy policy.oq --dev eth0 --rate 1Gbps"]),
            ("set", &["forebay set K=20 --dev eth0"]),
            ("stats", &["forebay stats --dev eth0"]),
            ("undeploy", &["forebay undeploy --dev eth0"]),
            ("switch", &["forebay switch --port eth1 --port eth2 --policy policy.oq"]),
            ("ctl", &["forebay ctl stats"]),
        ],
    ),
    ("Traces", &[("trace", &["forebay trace info capture.pcap", "forebay trace convert capture.pcap packets.csv"])]),
    (
        "Reference",
        &[
            ("list", &["forebay list queues", "forebay list --format json"]),
            ("explain", &["forebay explain sp-pifo", "forebay explain port.rate", "forebay explain policy.oq"]),
            ("schema", &["forebay schema", "forebay schema --results"]),
            ("completions", &["forebay completions bash"]),
            ("man", &["forebay man", "forebay man --out pages"]),
        ],
    ),
];

/// The command line with its help.
pub(crate) fn command() -> Command {
    let mut command = Cli::command();
    for (_, subcommands) in JOBS {
        for (name, examples) in subcommands {
            let lines: String = examples.iter().map(|example| format!("\n  {example}")).collect();
            command = command.mut_subcommand(name, |subcommand| {
                let (on, off) = heading();
                subcommand.after_help(format!("{on}Examples:{off}{lines}"))
            });
        }
    }
    let template = template(&command);
    command.help_template(template)
}

/// The codes before and after a heading, as clap writes them.
fn heading() -> (String, String) {
    let styles = Styles::default();
    let style = styles.get_header();
    (format!("{style}"), format!("{style:#}"))
}

/// The help of the command, with a list of subcommands for each job.
fn template(command: &Command) -> String {
    const WIDTH: usize = 12;
    let (on, off) = heading();
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (job, subcommands) in JOBS {
        let _ = write!(text, "\n{on}{job}:{off}\n");
        for (name, _) in subcommands {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {name:WIDTH$} {about}");
        }
    }
    let _ = write!(text, "\n{on}Options:{off}\n{{options}}\n\n`forebay COMMAND --help` shows options and examples.");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subcommand_has_one_job() {
        let mut grouped: Vec<&str> = JOBS.iter().flat_map(|(_, all)| all.iter().map(|(name, _)| *name)).collect();
        let command = Cli::command();
        let mut all: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        grouped.sort_unstable();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }

    #[test]
    fn examples_are_commands() {
        for example in JOBS.iter().flat_map(|(_, all)| all.iter().flat_map(|(_, examples)| *examples)) {
            if let Err(error) = command().try_get_matches_from(example.split(' ')) {
                panic!("{example}: {error}");
            }
        }
    }

    #[test]
    fn help_is_short_lines_that_begin_with_a_verb() {
        let help = command().render_help().to_string();
        assert_eq!(help.lines().find(|line| line.chars().count() > 100), None);
        for job in ["Simulate:", "Caches:", "Attacks:", "Policies:", "Real datapaths:", "Traces:", "Reference:"] {
            assert!(help.contains(&format!("\n{job}\n")), "{help}");
        }
        assert!(!help.contains("Commands:"), "{help}");
    }
}
