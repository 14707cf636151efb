//! Values of the command line in place of those of `param`.

use forebay_lang::{Ratio, Unit, Value, analyse};

#[test]
fn values_of_the_command_line_replace_those_of_params() {
    let text = "param B = 128 pkts; param k = 2; q[1..k] = Queue(B); out = Port(100)";
    let value = |number, unit| Value { number: Ratio::from_integer(number), unit };
    let with = |overrides: &[(&str, Value)]| {
        analyse(text, &overrides.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect())
    };
    let policy = with(&[("B", value(7, Unit::None)), ("k", value(3, Unit::None))]).policy.unwrap();
    assert_eq!((policy.queues.len(), policy.queues[2].size), (3, forebay_core::BufferSize::Packets(7)));
    let policy = with(&[("B", value(7, Unit::Bytes))]).policy.unwrap();
    assert_eq!(policy.queues[0].size, forebay_core::BufferSize::Bytes(7));
    assert!(!policy.params[0].in_packets);
    let unknown = with(&[("b", value(7, Unit::None))]);
    assert_eq!(unknown.diagnostics[0].code.as_str(), "unknown-param");
    assert_eq!(unknown.diagnostics[0].help.as_deref(), Some("did you mean `B`?"));
    let wrong = with(&[("B", value(0, Unit::None))]);
    assert_eq!(wrong.diagnostics[0].code.as_str(), "bad-value");
    let huge = with(&[("B", Value { number: Ratio::new(i128::MAX, 3), unit: Unit::None })]);
    assert_eq!(huge.diagnostics[0].code.as_str(), "too-large");
}
