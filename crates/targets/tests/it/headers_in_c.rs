//! Fields and marks of frames are the same in C and in Rust: frames of all kinds, cut and damaged, under random mappings.

use crate::build::{one_port, packets, queue};
use crate::program::{can_compile, made};
use forebay_core::{Marks, Packet, Rng, Seed};
use forebay_targets::TargetOptions;
use forebay_targets::headers::{Field, Layer, Mapping, Metadata, Part, Source, write_marks};
use rand::RngExt;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Frames for each mapping.
const FRAMES: usize = 3_000;
const MAPPINGS: u64 = 14;

/// A host as strict as a kernel about indexes. The buffer behind the frame's head keeps old bytes, which nothing may
/// read.
const HOST: &str = r#"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#define OQ_AT(array, index, mask) \
    (array)[((index) & (mask)) + 0 * sizeof(char[sizeof(array) / sizeof((array)[0]) == (mask) + 1ul ? 1 : -1])]
#define OQ_ALL_FIELDS
#include "oq_core.h"
#include "oq_fields.h"
#include "oq_marking.h"

static unsigned char frame[4096];

int main(void)
{
    uint32_t about[5];
    while (fread(about, sizeof about, 1, stdin) == 1 && about[0] <= sizeof frame) {
        struct oq_fields f;
        if (about[0] && fread(frame, about[0], 1, stdin) != 1)
            return 1;
        memcpy(oq_frame_head, frame, about[0] < 128 ? about[0] : 128);
        memset(&f, 0xee, sizeof f);
#ifdef OQ_READS_EGRESS
        oq_egress = about[4];
#endif
        oq_read_fields(&f, about[0], about[0], about[1], about[2]);
        printf("%u %u %" PRIu64 " %" PRIu64 " %u %" PRIu64 " %u %" PRIu64 " %u %u ", f.queue, f.value,
               (uint64_t)f.processing, (uint64_t)f.slack, f.flow, (uint64_t)f.remaining, f.class, (uint64_t)f.rank,
               f.size, f.marks);
        oq_write_marks(frame, about[0], about[3]);
        for (unsigned i = 0; i != about[0]; i++)
            printf("%02x", frame[i]);
        printf("\n");
    }
    return 0;
}
"#;

/// A frame with its metadata, and the marks to write.
pub(crate) struct Case {
    pub(crate) bytes: Vec<u8>,
    pub(crate) metadata: Metadata,
    pub(crate) marks: Marks,
}

#[test]
fn headers_are_read_and_marks_written_the_same_as_c() {
    if !can_compile() {
        return;
    }
    let mut seen = Seen::default();
    for seed in 0..MAPPINGS {
        let mut rng = Seed(seed).stream("headers");
        let mapping = mapping(&mut rng);
        let cases: Vec<Case> = (0..FRAMES).map(|_| case(&mut rng)).collect();
        let found = answers(mapping, &cases);
        assert_eq!(found.len(), cases.len());
        for (place, (case, found)) in cases.iter().zip(&found).enumerate() {
            assert_eq!(
                *found,
                expected(&mapping, case, &mut seen),
                "mapping {seed}, frame {place}: {:02x?}",
                case.bytes
            );
        }
    }
    let least = seen.flows.min(seen.tagged).min(seen.capable).min(seen.changed);
    assert!(least > FRAMES, "too few frames to show anything: {seen:?}");
}

/// How many frames had what.
#[derive(Debug, Default)]
struct Seen {
    flows: usize,
    tagged: usize,
    capable: usize,
    changed: usize,
}

fn expected(mapping: &Mapping, case: &Case, seen: &mut Seen) -> String {
    let packet = mapping.packet(&case.bytes, case.metadata);
    let mut bytes = case.bytes.clone();
    write_marks(&mut bytes, case.marks);
    seen.flows += usize::from(packet.flow.0 != 0);
    seen.tagged += usize::from(packet.marks.eligible_to_drop());
    seen.capable += usize::from(packet.marks.ecn_capable());
    seen.changed += usize::from(bytes != case.bytes);
    let mut text = shown(&packet);
    bytes.iter().for_each(|byte| write!(text, "{byte:02x}").unwrap());
    text
}

/// The fields as the host writes them.
pub(crate) fn shown(packet: &Packet) -> String {
    format!(
        "{} {} {} {} {} {} {} {} {} {} ",
        packet.queue.0,
        packet.value,
        packet.processing.as_ns(),
        packet.slack.as_ns(),
        packet.flow.0,
        packet.remaining_bytes,
        packet.class.0,
        packet.rank,
        packet.size_bytes,
        bits(packet.marks)
    )
}

fn bits(marks: Marks) -> u32 {
    u32::from(marks.eligible_to_drop()) | u32::from(marks.congested()) << 1 | u32::from(marks.ecn_capable()) << 2
}

/// What the C of a mapping says of frames.
pub(crate) fn answers(mapping: Mapping, cases: &[Case]) -> Vec<String> {
    answers_if(mapping, cases, ("", ""))
}

/// The same with another text in place of one of `oq_headers.h` that is there, in all places.
pub(crate) fn answers_if(mapping: Mapping, cases: &[Case], (from, to): (&str, &str)) -> Vec<String> {
    let policy = one_port(vec![queue("q", packets(2))]);
    let folder = made("c", &policy, &TargetOptions { mapping, ..TargetOptions::default() });
    if !from.is_empty() {
        let headers = folder.path().join("oq_headers.h");
        let text = fs::read_to_string(&headers).unwrap();
        assert!(text.contains(from), "there is no `{from}`");
        fs::write(headers, text.replace(from, to)).unwrap();
    }
    fs::write(folder.path().join("host.c"), HOST).unwrap();
    let output = Command::new("cc")
        .args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined", "-o", "host", "host.c"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut child =
        Command::new(folder.path().join("host")).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = Vec::new();
    for case in cases {
        let length = u32::try_from(case.bytes.len()).unwrap();
        for word in [length, case.metadata.priority, case.metadata.mark, bits(case.marks), case.metadata.egress] {
            input.extend(word.to_ne_bytes());
        }
        input.extend(&case.bytes);
    }
    let mut pipe = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || pipe.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

fn mapping(rng: &mut Rng) -> Mapping {
    let mut mapping = Mapping::default();
    for field in Field::ALL {
        if rng.random_bool(0.8) {
            mapping.set(field, source(rng));
        }
    }
    mapping
}

fn source(rng: &mut Rng) -> Source {
    let most = if rng.random_bool(0.7) { 24 } else { 120 };
    let part = match rng.random_range(0..11) {
        0 => Part::Number(rng.random_range(0..=u64::MAX) >> rng.random_range(0..64)),
        1 => Part::Dscp,
        2 => Part::Pcp,
        3 => Part::Priority,
        4 => Part::Mark,
        5 => Part::FlowHash,
        6 => Part::Egress,
        _ => Part::Bytes {
            layer: [Layer::Ether, Layer::Ip, Layer::Ip6, Layer::Tcp, Layer::Udp][rng.random_range(0..5_usize)],
            offset: rng.random_range(0..most),
            width: [1, 2, 4, 8][rng.random_range(0..4_usize)],
        },
    };
    let shift = if rng.random_bool(0.3) { rng.random_range(0..64) } else { 0 };
    let mask = if rng.random_bool(0.3) { rng.random_range(0..=u64::MAX) } else { u64::MAX };
    Source { part, header: forebay_core::IpHeader::Outer, shift, mask }
}

fn case(rng: &mut Rng) -> Case {
    let mut bytes = frame(rng);
    if rng.random_bool(0.3) {
        bytes.truncate(rng.random_range(0..=bytes.len()));
    }
    if rng.random_bool(0.4) && !bytes.is_empty() {
        for _ in 0..rng.random_range(1..4) {
            let at = rng.random_range(0..bytes.len().min(80));
            bytes[at] = rng.random();
        }
    }
    let mut marks = Marks::default();
    if rng.random_bool(0.7) {
        marks.set_congested();
    }
    if rng.random_bool(0.5) {
        marks.set_eligible_to_drop();
    }
    let metadata = Metadata { priority: rng.random(), mark: rng.random(), egress: rng.random() };
    Case { bytes, metadata, marks }
}

/// A frame of some kind, with few different addresses; checksums are any.
pub(crate) fn frame(rng: &mut Rng) -> Vec<u8> {
    let mut bytes: Vec<u8> = vec![rng.random_range(0..4); 12];
    for _ in 0..[0, 0, 1, 1, 2, 3][rng.random_range(0..6_usize)] {
        bytes.extend([[0x81, 0x00], [0x88, 0xa8], [0x91, 0x00], [0x92, 0x00]][rng.random_range(0..4_usize)]);
        bytes.extend([rng.random::<u8>(), rng.random::<u8>()]);
    }
    let protocol = [6, 17, 17, 1, 44][rng.random_range(0..5_usize)];
    match rng.random_range(0..10) {
        0 => bytes.extend([0x08, 0x06, 0, 1, 8, 0, 6, 4]),
        1..6 => {
            let words: u8 = if rng.random_bool(0.7) { 5 } else { rng.random_range(0..16) };
            bytes.extend([0x08, 0x00, 0x40 | words, rng.random(), 0, 100, 0, 1]);
            let fragment: u16 = [0, 0, 0x4000, 0x2000, 0x2001, 0x1000][rng.random_range(0..6_usize)];
            bytes.extend(fragment.to_be_bytes());
            bytes.extend([64, protocol, rng.random(), rng.random(), 10, 0, 0, rng.random_range(1..4), 10, 0, 1, 1]);
            bytes.extend(vec![1; usize::from(words.saturating_sub(5)) * 4]);
        }
        _ => {
            bytes.extend([0x86, 0xdd, 0x60 | rng.random_range(0..16), rng.random(), 0, 0, 0, 60, protocol, 64]);
            bytes.extend((0..32).map(|_| rng.random_range(0..2)));
        }
    }
    let payload = if rng.random_bool(0.9) { 60 } else { 1_400 };
    bytes.extend((0..rng.random_range(0..payload)).map(|_| rng.random::<u8>()));
    bytes
}
