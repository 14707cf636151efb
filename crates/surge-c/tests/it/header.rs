//! The header and the library have the same functions, structs and numbers.

use crate::c::{can_compile, here, output_of};
use forebay_surge_c::{Counts, SchedulerOptions, Served, Status};
use std::fs;
use std::mem::{offset_of, size_of};

/// Functions as `name(type, type): type`, of the types of C.
fn of_header(text: &str) -> Vec<String> {
    let text: String = text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join(" ");
    // What stands behind the end of a comment, or before the first one.
    let text: String = text.split("/*").map(|part| part.split_once("*/").map_or(part, |(_, rest)| rest)).collect();
    let mut all: Vec<String> = Vec::new();
    for part in text.split(';') {
        let Some((head, arguments)) = part.split_once('(') else { continue };
        let Some(arguments) = arguments.trim().strip_suffix(')') else { continue };
        let head: Vec<&str> = head.split_whitespace().collect();
        let Some((name, returns)) = head.split_last() else { continue };
        let stars = name.len() - name.trim_start_matches('*').len();
        let returns = format!("{}{}", returns.join(" "), "*".repeat(stars));
        let types = arguments.split(',').map(|argument| {
            let words: Vec<&str> = argument.split_whitespace().collect();
            let (name, kind) = words.split_last().unwrap();
            let stars = name.len() - name.trim_start_matches('*').len();
            format!("{}{}", kind.join(" "), "*".repeat(stars))
        });
        all.push(format!("{}({}): {returns}", name.trim_start_matches('*'), types.collect::<Vec<_>>().join(", ")));
    }
    all.sort();
    all
}

/// A type of Rust as C has it.
fn in_c(kind: &str) -> String {
    match kind.trim() {
        "u64" => "uint64_t".to_owned(),
        "u32" => "uint32_t".to_owned(),
        "i32" => "int32_t".to_owned(),
        "usize" => "size_t".to_owned(),
        "c_void" => "void".to_owned(),
        "c_char" => "char".to_owned(),
        "SchedulerOptions" => "struct forebay_surge_options".to_owned(),
        "Served" => "struct forebay_surge_served".to_owned(),
        "Counts" => "struct forebay_surge_counts".to_owned(),
        other => match (other.strip_prefix("*const "), other.strip_prefix("*mut ")) {
            (Some(of), _) => format!("const {}*", in_c(of)),
            (_, Some(of)) => format!("{}*", in_c(of)),
            _ => panic!("`{other}` has no type in C"),
        },
    }
}

fn of_library(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for part in text.split("extern \"C\" fn ").skip(1) {
        let (name, rest) = part.split_once('(').unwrap();
        let (arguments, rest) = rest.split_once(')').unwrap();
        let returns = rest.trim().strip_prefix("-> ").unwrap().split(" {").next().unwrap();
        let kinds = arguments.split(',').filter_map(|argument| argument.split_once(':').map(|(_, kind)| in_c(kind)));
        all.push(format!("{name}({}): {}", kinds.collect::<Vec<_>>().join(", "), in_c(returns)));
    }
    all.sort();
    all
}

#[test]
fn functions_have_the_same_names_and_types() {
    let header = of_header(&fs::read_to_string(here().join("include/forebay_surge.h")).unwrap());
    let library = of_library(&fs::read_to_string(here().join("src/calls.rs")).unwrap());
    assert_eq!(header, library);
    assert_eq!(header.len(), 13);
}

macro_rules! layout {
    ($kind:ident, $name:literal, $($field:ident),*) => {
        (
            $name,
            vec![$((stringify!($field), offset_of!($kind, $field))),*],
            size_of::<$kind>(),
        )
    };
}

#[test]
fn structs_and_numbers_are_the_same() {
    if !can_compile() {
        return;
    }
    let structs = [
        layout!(
            SchedulerOptions,
            "forebay_surge_options",
            struct_bytes,
            policy,
            estimator,
            measure,
            jobs,
            bytes,
            in_order
        ),
        layout!(Served, "forebay_surge_served", job, ticket, flow, size_bytes, estimate_ns, spent_before_ns),
        layout!(
            Counts,
            "forebay_surge_counts",
            submitted,
            refused,
            evicted,
            drained,
            done,
            cancelled,
            queued,
            in_service,
            requeued,
            submitted_bytes,
            done_bytes,
            work_spent_ns,
            worst_underestimate_ns,
            latency_p99_ns
        ),
    ];
    let statuses = [
        ("OK", Status::Ok),
        ("EMPTY", Status::Empty),
        ("CLOSED", Status::Closed),
        ("WORST", Status::Worst),
        ("TOO_LARGE", Status::TooLarge),
        ("NULL_POINTER", Status::NullPointer),
        ("NO_SCHEDULER", Status::NoScheduler),
        ("NO_TICKET", Status::NoTicket),
        ("INVALID", Status::Invalid),
        ("BUSY", Status::Busy),
        ("PANICKED", Status::Panicked),
    ];
    let (mut source, mut wanted) =
        ("#include <stdio.h>\n#include \"forebay_surge.h\"\nint main(void)\n{\n".to_owned(), Vec::new());
    for (name, fields, size) in structs {
        for (field, at) in fields {
            source += &format!("\tprintf(\"%zu\\n\", offsetof(struct {name}, {field}));\n");
            wanted.push(at.to_string());
        }
        source += &format!("\tprintf(\"%zu\\n\", sizeof(struct {name}));\n");
        wanted.push(size.to_string());
    }
    for (name, status) in statuses {
        source += &format!("\tprintf(\"%d\\n\", FOREBAY_SURGE_{name});\n");
        wanted.push((status as i32).to_string());
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("layout.c");
    fs::write(&file, source + "\treturn 0;\n}\n").unwrap();
    assert_eq!(output_of(&file).lines().collect::<Vec<_>>(), wanted);
}
