//! How large things may be: for each number of an input, the largest that runs in so much memory and time, and what happens above it.

use crate::files::{ChoreResult, root};
use crate::program;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

/// Something that grows. Its time and memory are assumed to grow at least as fast as its number.
struct Wall {
    name: &'static str,
    /// The first number that is tried.
    from: u64,
    /// What is run, with which files.
    input: fn(u64) -> Input,
}

struct Input {
    arguments: Vec<String>,
    files: Vec<(&'static str, String)>,
}

const WALLS: [Wall; 12] = [
    Wall { name: "packets through a port", from: 1_000_000, input: |number| port(number, "fifo", 0.9, 1_000) },
    Wall { name: "packets that wait in a FIFO", from: 250_000, input: |number| port(2 * number, "fifo", 2.0, number) },
    Wall { name: "packets that wait in a PIFO", from: 250_000, input: |number| port(2 * number, "pifo", 2.0, number) },
    Wall { name: "flows in a network", from: 100_000, input: |number| network("name = \"star\", hosts = 16", number) },
    Wall {
        name: "hosts of a star",
        from: 1_000,
        input: |number| network(&format!("name = \"star\", hosts = {number}"), 10_000),
    },
    Wall {
        name: "k of a fat tree, k^3/4 hosts",
        from: 8,
        input: |k| network(&format!("name = \"fat-tree\", k = {k}"), 10_000),
    },
    Wall { name: "requests under LRU", from: 1_000_000, input: |number| cache(number, "lru") },
    Wall { name: "requests under LRU-MAD", from: 1_000_000, input: |number| cache(number, "lru-mad") },
    Wall { name: "requests under Belady", from: 1_000_000, input: |number| cache(number, "belady") },
    Wall { name: "requests of a bound", from: 100_000, input: bound },
    Wall { name: "queues of a policy in OpenQueue", from: 16, input: queues },
    Wall { name: "cases of a policy in OpenQueue", from: 16, input: cases },
];

/// The outcome of a run.
enum Came {
    Through { seconds: f64, bytes: f64 },
    Refused(String),
}

/// Finds the walls whose names contain one of `names`, or all.
pub(crate) fn find(options: &[&str]) -> ChoreResult<String> {
    let (mut memory, mut seconds, mut names) = ("8GB", 600, Vec::new());
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match (*option, options.as_slice().first()) {
            ("--memory", Some(size)) => memory = size,
            ("--seconds", Some(number)) => {
                seconds =
                    number.parse().map_err(|_| vec![format!("--seconds takes a whole number, not `{number}`")])?;
            }
            (name, _) if !name.starts_with("--") => {
                names.push(name);
                continue;
            }
            (other, _) => {
                return Err(vec![format!("unknown option `{other}`; there are --memory SIZE and --seconds N")]);
            }
        }
        options.next();
    }
    let chosen: Vec<&Wall> =
        WALLS.iter().filter(|wall| names.is_empty() || names.iter().any(|name| wall.name.contains(name))).collect();
    if chosen.is_empty() {
        let all = WALLS.map(|wall| wall.name).join(", ");
        return Err(vec![format!("unknown wall; the walls are: {all}")]);
    }
    let folder = root().join("target/walls");
    // The program is copied, so that a build meanwhile changes nothing.
    let program = folder.join("forebay");
    let built = program::built()?;
    fs::create_dir_all(&folder)
        .and_then(|()| fs::copy(built, &program))
        .map_err(|error| vec![format!("{}: {error}", folder.display())])?;
    println!("| what | largest | seconds | memory | above it |\n| --- | --- | --- | --- | --- |");
    let limits = Limits { memory, time: Duration::from_secs(seconds) };
    chosen.into_iter().try_for_each(|wall| limits.find(wall, &program, &folder))?;
    Ok(format!("within {memory} and {seconds} s of CPU time for each run, one thread, in powers of two"))
}

struct Limits<'a> {
    memory: &'a str,
    time: Duration,
}

impl Limits<'_> {
    /// Goes up until a number is rejected or would take too long, and prints a line.
    fn find(&self, wall: &Wall, program: &Path, folder: &Path) -> ChoreResult<()> {
        let (mut number, mut through) = (wall.from, 0);
        let mut largest = "none | - | -".to_owned();
        let mut refused: Option<(u64, String)> = None;
        let above = loop {
            eprintln!("{}: {}", wall.name, grouped(number));
            match self.run(&(wall.input)(number), program, folder)? {
                Came::Through { seconds, bytes } => {
                    through = number;
                    largest = format!("{} | {seconds:.1} | {:.0} MB", grouped(number), bytes / 1e6);
                    match (self.factor(seconds), &refused) {
                        (_, Some((at, why))) if *at == 2 * number => break format!("{}: {why}", grouped(*at)),
                        (None, _) => break format!("{}: about {:.0} s", grouped(2 * number), 2.0 * seconds),
                        (Some(_), Some(_)) => number *= 2,
                        (Some(factor), None) => number *= factor,
                    }
                }
                Came::Refused(why) if number <= (2 * through).max(wall.from) => {
                    break format!("{}: {why}", grouped(number));
                }
                Came::Refused(why) => {
                    refused = Some((number, why));
                    number /= 2;
                }
            }
        };
        println!("| {} | {largest} | {above} |", wall.name);
        Ok(())
    }

    /// The power of two by which a number that took so long may grow, 16 at most; none if twice the time is too long.
    fn factor(&self, seconds: f64) -> Option<u64> {
        [16_u32, 8, 4, 2]
            .into_iter()
            .find(|factor| seconds * f64::from(*factor) <= self.time.as_secs_f64())
            .map(u64::from)
    }

    fn run(&self, input: &Input, program: &Path, folder: &Path) -> ChoreResult<Came> {
        let failed = |error: std::io::Error| vec![format!("{}: {error}", folder.display())];
        for (name, content) in &input.files {
            fs::write(folder.join(name), content).map_err(failed)?;
        }
        let said: PathBuf = folder.join("said");
        let mut command = Command::new(program);
        command.args(&input.arguments).args(["--memory", self.memory, "--threads", "1"]);
        command.current_dir(folder).stdout(Stdio::null());
        let mut child = command.stderr(File::create(&said).map_err(failed)?).spawn().map_err(failed)?;
        let (mut most, mut seconds) = (0.0, 0.0);
        let status: ExitStatus = loop {
            most = peak(child.id()).unwrap_or(most);
            seconds = cpu_seconds(child.id()).unwrap_or(seconds);
            if let Some(status) = child.try_wait().map_err(failed)? {
                break status;
            }
            if seconds > self.time.as_secs_f64() {
                child.kill().and_then(|()| child.wait()).map_err(failed)?;
                return Ok(Came::Refused(format!("more than {} s", self.time.as_secs())));
            }
            thread::sleep(Duration::from_millis(10));
        };
        if status.success() {
            return Ok(Came::Through { seconds, bytes: most });
        }
        let said = fs::read_to_string(&said).map_err(failed)?;
        let error = said.lines().find(|line| line.starts_with("error")).unwrap_or("it ended without a word");
        Ok(Came::Refused(error.trim_start_matches("error: ").to_owned()))
    }
}

/// The most memory that a process has held, in bytes.
fn peak(process: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kilobytes| kilobytes * 1024.0)
}

/// The CPU time of a process, which other work on the machine does not lengthen; Linux counts in hundredths of a second.
fn cpu_seconds(process: u32) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let after_name = stat.rsplit_once(") ")?.1;
    let ticks: f64 = after_name.split(' ').skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    Some(ticks / 100.0)
}

/// With a comma between each three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let place = |at: usize| if at > 0 && (digits.len() - at).is_multiple_of(3) { "," } else { "" };
    digits.char_indices().map(|(at, digit)| format!("{}{digit}", place(at))).collect()
}

fn scenario(text: String) -> Input {
    Input { arguments: vec!["run".to_owned(), "s.toml".to_owned()], files: vec![("s.toml", text)] }
}

fn port(packets: u64, queue: &str, load: f64, buffer: u64) -> Input {
    scenario(format!(
        "[port]\nrate = \"10 Gbps\"\nbuffer = \"{buffer} packets\"\n[traffic]\narrivals = \"poisson\"\nload = {load}\n\
         packets = {packets}\nrank = {{ distribution = \"uniform\", min = 0, max = 99 }}\n[[policy]]\nname = \"p\"\n\
         rank = \"packet-rank\"\nqueue = \"{queue}\"\n"
    ))
}

/// Short flows, as many as start within a second.
fn network(topology: &str, flows: u64) -> Input {
    scenario(format!(
        "[network]\ntopology = {{ {topology}, rate = \"100 Gbps\" }}\nduration = \"1 s\"\n[[workload]]\n\
         sizes = {{ name = \"fixed\", bytes = 1000 }}\nflows_per_second = {flows}\n[[policy]]\nname = \"p\"\ntransport = \"dctcp\"\n\
         port = {{ rank = \"arrival\", queue = \"fifo\", buffer = \"100 packets\" }}\n"
    ))
}

fn cache(requests: u64, policy: &str) -> Input {
    caching(&["cache"], requests, &["--policy", policy, "--sample", "100%"])
}

fn bound(requests: u64) -> Input {
    caching(&["bound"], requests, &[])
}

fn caching(command: &[&str], requests: u64, more: &[&str]) -> Input {
    let recipe = format!("zipf:objects={},requests={requests}", requests / 10);
    let all = [command, &[recipe.as_str(), "--capacity", "5%", "--latency", "100"], more].concat();
    Input { arguments: all.into_iter().map(str::to_owned).collect(), files: Vec::new() }
}

/// The longest queue first, of as many as there are ranks.
fn queues(number: u64) -> Input {
    let policy = format!(
        "q[1..{number}] = Queue(64 KB);\nout = Port(100, q[1..{number}]);\nlongest(q1, q2) = (q1.size > q2.size);\n\
         out.schedPrio = longest;\nclassify(p) = (true, enter(q[min(p.rank, {}) + 1]));\n",
        number - 1
    );
    policy_in_a_port(number, policy)
}

/// A case for each rank, of which the last ones are asked last.
fn cases(number: u64) -> Input {
    let cases: String = (0..number).map(|rank| format!("    (p.rank == {rank}, enter(q{})).\n", rank % 2)).collect();
    let queues =
        "q0 = Queue(64 KB);\nq1 = Queue(64 KB);\nout = Port(100, q0, q1);\nlongest(a, b) = (a.size > b.size);\n";
    policy_in_a_port(
        number,
        format!("{queues}out.schedPrio = longest;\nclassify(p) =\n{cases}    (true, enter(q0));\n"),
    )
}

fn policy_in_a_port(number: u64, policy: String) -> Input {
    let text = format!(
        "[port]\nrate = \"10 Gbps\"\nbuffer = \"1000 packets\"\n[traffic]\narrivals = \"poisson\"\nload = 0.9\n\
         packets = 100_000\nrank = {{ distribution = \"uniform\", min = 0, max = {number} }}\n[[policy]]\nname = \"p\"\n\
         policy = \"p.oq\"\n"
    );
    let mut input = scenario(text);
    input.files.push(("p.oq", policy));
    input
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_stand_in_threes() {
        let numbers = [7, 100, 1_000, 12_345, 1_000_000];
        assert_eq!(numbers.map(grouped), ["7", "100", "1,000", "12,345", "1,000,000"]);
    }
}
