//! The server at the path of the control socket, for a few clients at once.

use super::Answer;
use super::connection::{Connection, MOST_REQUEST_BYTES};
use super::job_thread::{JobOutcome, MOST_TIME, Preparing};
use super::request_handling::{Asked, ask, finish};
use crate::switch::Switch;
use forebay_core::{Duration, Time};
use rustix::event::{PollFd, PollFlags};
use rustix::fs::{Mode, fchmod};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, socket_with};
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// The most clients at once. Further clients get an error.
const MOST_CLIENTS: usize = 16;
/// The most clients that may wait to be accepted, in addition to `MOST_CLIENTS`.
const WAITING_CLIENTS: i32 = 128;
/// A client that has been silent for this long may be disconnected to accept another one.
const LEAST_SILENCE: Duration = Duration::from_ms(500);
/// The most requests of one client in a round, so that frames do not wait long for a busy client.
const REQUESTS_A_ROUND: usize = 4;

/// The control socket of a switch. The socket's path exists as long as this value.
pub struct Control {
    listener: UnixListener,
    path: PathBuf,
    /// The device and the inode of the path's file, which another switch may have replaced.
    file: (u64, u64),
    clients: Vec<Connection>,
    /// The number of clients that were accepted.
    taken_in: u64,
    /// Two job threads: one checks new policies, the other restores earlier ones, which does not wait for a check.
    preparing: [Preparing; 2],
}

/// Why there is no control socket.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// A switch answers at the path.
    #[error(
        "another switch uses this control socket; stop it (`forebay ctl stop`) or give this one another path \
         (--control)"
    )]
    InUse,
    /// The path is a file that is no socket.
    #[error("this is a file and no socket; give another path (--control), or remove it")]
    NoSocket,
    /// The system returned an error.
    #[error("the control socket cannot be made: {}", help(.0))]
    Io(#[from] io::Error),
}

/// Returns the system's error with its remedy.
fn help(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::PermissionDenied => "permission is denied; run as root, or name another path (--control)".to_owned(),
        ErrorKind::NotFound => "there is no such folder; make it, or name another path (--control)".to_owned(),
        // Sockets have no longer paths, and nothing else makes an argument wrong.
        ErrorKind::InvalidInput => {
            "the path is longer than the 107 bytes of a socket's; name another one (--control)".to_owned()
        }
        _ => error.to_string(),
    }
}

impl Control {
    /// Listens at a path, and replaces a socket there if no program listens at it any more. Only the user may connect.
    ///
    /// # Errors
    /// If another program listens there, or no socket can be made there.
    pub fn bind(path: &Path) -> Result<Self, BindError> {
        match fs::symlink_metadata(path) {
            Ok(file) if !file.file_type().is_socket() => return Err(BindError::NoSocket),
            Ok(_) => match UnixStream::connect(path) {
                Err(error) if error.kind() == ErrorKind::ConnectionRefused => fs::remove_file(path)?,
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) if error.kind() == ErrorKind::PermissionDenied => return Err(error.into()),
                // Also one whose listener has no room for more.
                _ => return Err(BindError::InUse),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        let listener = listen(path)?;
        let file = fs::symlink_metadata(path).map(|file| (file.dev(), file.ino()))?;
        let control = Self {
            listener,
            path: path.to_owned(),
            file,
            clients: Vec::new(),
            taken_in: 0,
            preparing: [Preparing::new()?, Preparing::new()?],
        };
        control.listener.set_nonblocking(true)?;
        Ok(control)
    }

    /// Adds the descriptors to wait for.
    pub(crate) fn wakers<'a>(&'a self, all: &mut Vec<PollFd<'a>>) {
        all.push(PollFd::new(&self.listener, PollFlags::IN));
        all.extend(self.preparing.iter().map(|preparing| PollFd::from_borrowed_fd(preparing.waker(), PollFlags::IN)));
        // A client that waits for its answer would go on reporting that it has more, or has disconnected.
        for client in self.clients.iter().filter(|client| !client.waits) {
            let output = if client.has_output() { PollFlags::OUT } else { PollFlags::empty() };
            all.push(PollFd::new(&client.stream, PollFlags::IN | output));
        }
    }

    /// Whether a request was read and not yet handled, or a job has exceeded its time.
    pub(crate) fn has_requests(&self, now: Time) -> bool {
        self.clients.iter().any(|client| !client.waits && client.has_line())
            || self.preparing.iter().any(|preparing| preparing.is_late(now))
    }

    /// Accepts clients, answers their requests, and drops clients that have disconnected. Returns whether one has asked
    /// the switch to stop.
    pub(crate) fn serve(&mut self, switch: &mut Switch, now: Time) -> bool {
        let mut stop = [0, 1].map(|place| self.end_job(switch, now, place)).contains(&true);
        for client in &mut self.clients {
            client.read(now);
            for _ in 0..REQUESTS_A_ROUND {
                if client.waits || client.is_too_long() {
                    break;
                }
                let Some(line) = client.next_line() else { break };
                match ask(switch, now, &line) {
                    Asked::Now(answer, stops) => {
                        say(client, &answer);
                        stop |= stops;
                    }
                    Asked::Later(job) => {
                        let preparing = &mut self.preparing[usize::from(job.is_rollback())];
                        if let Some(why) = preparing.is_busy() {
                            say(client, &Answer::Error(why.to_owned()));
                        } else if let Err(error) = preparing.begin(now, client.number, job) {
                            say(client, &Answer::Error(format!("cannot start a thread to check the policy: {error}")));
                        } else {
                            client.waits = true;
                        }
                    }
                }
            }
            if !client.waits && client.is_too_long() {
                say(client, &Answer::Error(format!("a request has at most {MOST_REQUEST_BYTES} bytes")));
                client.end();
            }
            client.write(now);
        }
        // Idle clients are dropped before others are turned away for their sake. Requests of new clients are read in
        // the next round.
        self.clients.retain(|client| !client.is_over() && !client.is_idle(now));
        self.accept(now);
        stop
    }

    /// Answers the request whose job is over, if there is one. Returns whether the switch is to stop.
    fn end_job(&mut self, switch: &mut Switch, now: Time, place: usize) -> bool {
        let Some((client, outcome)) = self.preparing[place].outcome(now) else { return false };
        let nothing = |why: String| (Answer::Error(why), false);
        let (answer, stop) = match outcome {
            JobOutcome::Done(done) => finish(switch, now, done),
            JobOutcome::GivenUp => nothing(format!(
                "checking the policy took longer than {} s, and was given up; make the policy smaller",
                MOST_TIME.as_ns() / 1_000_000_000
            )),
            JobOutcome::Failed => {
                nothing("checking the policy failed; this is a bug in forebay; nothing was changed".to_owned())
            }
        };
        // The client may have disconnected.
        if let Some(client) = self.clients.iter_mut().find(|other| other.number == client) {
            client.waits = false;
            say(client, &answer);
        }
        stop
    }

    /// Tells the client whose request is unanswered that the request will not be answered, since the switch stops.
    pub(crate) fn give_up(&mut self, now: Time) {
        for client in self.clients.iter_mut().filter(|client| client.waits) {
            say(client, &Answer::Error("the switch stops; nothing was changed".to_owned()));
            client.write(now);
        }
    }

    /// Disconnects the client that has been silent for the longest time, if that is at least `LEAST_SILENCE`. If all clients are busy, the
    /// oldest client that was answered is disconnected, so that a crowd keeps no client out.
    fn make_room(&mut self, now: Time) {
        let clients = || self.clients.iter().enumerate().filter(|(_, client)| !client.waits);
        let silent = clients().filter(|(_, client)| !client.has_line());
        let longest = silent.map(|(place, client)| (client.silent_for(now), place)).max();
        let answered = clients().filter(|(_, client)| client.is_answered());
        let first = answered.min_by_key(|(_, client)| (client.has_output() || client.has_line(), client.number));
        let leaves = match longest {
            Some((silence, place)) if silence >= LEAST_SILENCE => Some(place),
            _ => first.map(|(place, _)| place),
        };
        if let Some(place) = leaves {
            self.clients.remove(place);
        }
    }

    fn accept(&mut self, now: Time) {
        for _ in 0..MOST_CLIENTS {
            let Ok((stream, _)) = self.listener.accept() else { return };
            if stream.set_nonblocking(true).is_err() {
                continue;
            }
            self.taken_in += 1;
            let mut client = Connection::new(stream, self.taken_in, now);
            if self.clients.len() >= MOST_CLIENTS {
                self.make_room(now);
            }
            if self.clients.len() >= MOST_CLIENTS {
                say(
                    &mut client,
                    &Answer::Error(format!("{MOST_CLIENTS} other clients are connected; try again later")),
                );
                client.write(now);
                continue;
            }
            self.clients.push(client);
        }
    }
}

/// Listens at a path. The socket gets its permissions before its name, so that no other user can connect in between.
fn listen(path: &Path) -> io::Result<UnixListener> {
    let address = SocketAddrUnix::new(path)?;
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    fchmod(&socket, Mode::RUSR | Mode::WUSR)?;
    bind(&socket, &address)?;
    rustix::net::listen(&socket, WAITING_CLIENTS)?;
    Ok(UnixListener::from(socket))
}

fn say(client: &mut Connection, answer: &Answer) {
    // Texts and numbers can always be written.
    client.answer(&serde_json::to_vec(answer).unwrap_or_default());
}

impl Drop for Control {
    fn drop(&mut self) {
        let is_ours = fs::symlink_metadata(&self.path).is_ok_and(|file| (file.dev(), file.ino()) == self.file);
        if is_ours {
            // If it cannot be removed, the next switch does it.
            let _ = fs::remove_file(&self.path);
        }
    }
}
