//! The target `dpdk` with frames from files: fields are read and marks written as in Rust, whatever the frames are.

use crate::dpdk::{EAL, can_compile, program};
use crate::dpdk_network::{Running, all_accounted_for, next_line, signal, sum};
use crate::encapsulations;
use crate::headers_in_c::frame;
use forebay_core::Seed;
use forebay_lang::{Overrides, analyse};
use forebay_targets::headers::{Mapping, Metadata, write_marks};
use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Marks that tell what was read.
const POLICY: &str = "\
tell(q) =
    (arriving.class > 20 && arriving.value > 30000, mark, notify).
    (arriving.class > 20, notify).
    (arriving.value > 30000, mark);
q = Queue(8000 pkts);
q.congestion = tell(q);
out = Port(100);
";

const FRAMES: usize = 4_000;

/// The bytes of a file of captured frames.
fn captured(frames: &[Vec<u8>]) -> Vec<u8> {
    let mut file = Vec::new();
    for word in [0xa1b2_c3d4_u32, 4 << 16 | 2, 0, 0, 65_535, 1] {
        file.extend(word.to_ne_bytes());
    }
    for frame in frames {
        let length = u32::try_from(frame.len()).unwrap();
        for word in [0, 0, length, length] {
            file.extend(word.to_ne_bytes());
        }
        file.extend(frame);
    }
    file
}

/// The frames of such a file.
fn frames_of(mut file: &[u8]) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    file = &file[24..];
    while let Some((head, rest)) = file.split_at_checked(16) {
        let length = u32::from_ne_bytes(head[8..12].try_into().unwrap());
        let (frame, rest) = rest.split_at(length as usize);
        frames.push(frame.to_vec());
        file = rest;
    }
    frames
}

/// What the policy makes of a frame.
fn expected(mapping: &Mapping, frame: &[u8]) -> Vec<u8> {
    let packet = mapping.packet(frame, Metadata::default());
    let mut marks = packet.marks;
    if packet.class.0 > 20 {
        marks.set_congested();
    }
    if packet.value > 30_000 {
        marks.set_eligible_to_drop();
    }
    let mut marked = frame.to_vec();
    write_marks(&mut marked, marks);
    marked
}

#[test]
fn frames_leave_as_the_policy_marks_them() {
    if !can_compile() {
        return;
    }
    let value = "value=udp[0:2]";
    let mut mapping = Mapping::default();
    let (field, source) = Mapping::read_setting(value).unwrap();
    mapping.set(field, source);
    let policy = analyse(POLICY, &Overrides::new()).policy.unwrap();
    let (folder, program) = program(&policy, &[value]);
    let mut rng = Seed(5).stream("frames");
    let encapsulated = encapsulations::frames().into_iter().step_by(2).map(|frame| frame.bytes);
    let sides: [Vec<Vec<u8>>; 2] =
        [(0..FRAMES).map(|_| frame(&mut rng)).collect(), encapsulated.take(FRAMES).collect()];
    for (number, frames) in sides.iter().enumerate() {
        fs::write(folder.path().join(format!("in{number}")), captured(frames)).unwrap();
    }
    forward(&program, folder.path());
    for (number, frames) in sides.iter().enumerate() {
        let left = frames_of(&fs::read(folder.path().join(format!("out{}", 1 - number))).unwrap());
        let expected: Vec<Vec<u8>> = frames.iter().map(|frame| expected(&mapping, frame)).collect();
        let changed = expected.iter().zip(frames).filter(|(expected, frame)| expected != frame).count();
        assert!(changed > FRAMES / 10, "only {changed} frames are marked");
        assert_eq!(left.len(), expected.len());
        for (place, (left, expected)) in left.iter().zip(&expected).enumerate() {
            assert_eq!(left, expected, "side {number}, frame {place}");
        }
    }
}

/// Runs the program until all frames of both files have left.
fn forward(program: &Path, folder: &Path) {
    let mut running = Running(
        Command::new(program)
            .args(EAL)
            .args(["0", "--vdev=net_pcap0,rx_pcap=in0,tx_pcap=out0", "--vdev=net_pcap1,rx_pcap=in1,tx_pcap=out1"])
            .args(["--", "--json"])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap(),
    );
    let mut lines = BufReader::new(running.0.stdout.take().unwrap());
    running.begin();
    let mut sent = 0;
    for _ in 0..500 {
        signal(&running.0, "USR1");
        let report = next_line(&mut lines);
        all_accounted_for(&report);
        sent = report["lanes"].as_array().unwrap().iter().map(|lane| sum(&lane["ports"], "sent")).sum();
        if sent == 2 * FRAMES as u64 {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(sent, 2 * FRAMES as u64);
    signal(&running.0, "TERM");
    next_line(&mut lines);
    assert_eq!(next_line(&mut lines)["not_given_back"], 0);
    assert!(running.0.wait().unwrap().success());
}
