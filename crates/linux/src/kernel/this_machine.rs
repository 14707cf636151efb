//! The machine that this program runs on.

use crate::kernel::error::Result;
use crate::kernel::host::{Held, Host, Said};
use crate::kernel::lock::Lock;
use crate::kernel::policy::KernelPolicy;
use crate::kernel::program_actions::Does;
use crate::kernel::{loader, requirements};
use std::path::Path;
use std::process::Command;
use std::{fs, io};

/// The machine that this program runs on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Machine;

impl Held for Lock {}

impl Host for Machine {
    fn check(&self) -> Result<()> {
        requirements::check()
    }

    fn lock(&self, folder: &Path) -> Result<Box<dyn Held>> {
        Ok(Box::new(Lock::take(folder)?))
    }

    fn iproute(&self, netns: Option<&str>, program: &str, arguments: &[&str]) -> io::Result<Said> {
        let mut command = Command::new(program);
        if let Some(netns) = netns {
            command.args(["-n", netns]);
        }
        let output = command.args(arguments).output()?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(Said { success: output.status.success(), output: text(&output.stdout), error: text(&output.stderr) })
    }

    fn load_discipline(&self, folder: &Path, kind: &str, object: &Path) -> Result<()> {
        loader::load_qdisc(folder, kind, object)
    }

    fn load_policy(&self, folder: &Path, version: u32, policy: &KernelPolicy, names: &[u32]) -> Result<Does> {
        loader::load_policy(folder, version, policy, names)
    }

    fn read_map(&self, path: &Path) -> Result<Vec<u8>> {
        loader::read(path)
    }

    fn write_map(&self, path: &Path, value: &[u8]) -> Result<()> {
        loader::write(path, value)
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir_all(path)
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        Ok(fs::read_dir(folder)?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }

    fn read(&self, path: &Path) -> io::Result<String> {
        fs::read_to_string(path)
    }

    fn write(&self, path: &Path, text: &str) -> io::Result<()> {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}
