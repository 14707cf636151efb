//! Tests of the points of documents, and of their number.

use super::count::Counter;
use super::points::points;
use super::shape::Shape;
use super::zip::Zip;
use super::*;
use crate::fields::SCENARIOS;

fn shape() -> Shape {
    let network = SCENARIOS.iter().find(|kind| kind.word == "network").unwrap();
    Shape::of(network.top)
}

fn zip(text: &str) -> Zip {
    let document = Node::parse("s.toml", text).unwrap();
    Zip::read(document.table("").unwrap().get("zip")).unwrap()
}

#[test]
fn as_many_points_are_made_as_are_counted() {
    for (text, expected, longest) in [
        ("a = 1", 1, None),
        ("a = [1, 2]\n[network]\nb = [1, 2, 3]\nsize_classes = [1, 2, 3, 4]", 6, Some("b")),
        (
            "[[workload]]\nload = [1, 2]\n[[workload]]\nload = [1, 2, 3]\nsizes = [{ m = [1, 2] }, { m = 3 }]",
            18,
            Some("load"),
        ),
        ("a = [[1, 2], [3, { b = [4, 5] }]]", 5, Some("a")),
        ("[network.series]\nlinks = [1, 2]\nevery = [1, 2]", 2, Some("every")),
        ("rank = { name = \"strict\", order = [46, 34] }", 1, None),
        ("rank = { name = \"strict\", order = [[46, 34], [34, 46], [8]] }", 3, Some("order")),
        ("zip = [\"a\", \"b\"]\n[network]\na = [1, 2, 3]\nb = [4, 5, 6]\nc = [7, 8]", 6, Some("b")),
        ("zip = [[\"a\", \"b\"], [\"x.c\", \"d\"]]\na = [1, 2]\nb = [4, 5]\n[x]\nc = [7, 8]\nd = [1, 1]", 4, Some("d")),
    ] {
        let mut node = Node::parse("s.toml", text).unwrap();
        let zip = zip(text);
        node.remove(&["zip"]);
        let count = Counter { zip: &zip }.of(&shape(), &node, &mut Vec::new());
        assert_eq!(count.points, points(&shape(), &node, &zip).unwrap().len(), "{text}");
        assert_eq!((count.points, count.longest.map(|(name, ..)| name)), (expected, longest), "{text}");
    }
}

#[test]
fn what_nobody_could_wait_for_is_counted_at_once() {
    let list: Vec<String> = (0..1_000).map(|value| value.to_string()).collect();
    let fields: String = ('a'..='z').map(|name| format!("{name} = [{}]\n", list.join(", "))).collect();
    let node = Node::parse("s.toml", &fields).unwrap();
    assert_eq!(Counter { zip: &Zip::default() }.of(&shape(), &node, &mut Vec::new()).points, usize::MAX);
    // A list of none makes their product none, and is told before the others are made.
    let node = Node::parse("s.toml", &format!("{fields}[network]\nnone = []\n")).unwrap();
    let count = Counter { zip: &Zip::default() }.of(&shape(), &node, &mut Vec::new());
    assert_eq!((count.points, count.empty.map(|(name, _)| name)), (0, Some("none")));
}

#[test]
fn zipped_lists_go_together_and_are_equally_long() {
    let text = "zip = [\"a\", \"b\"]\na = [1, 2]\nb = [4, 5]\nc = [7, 8]";
    let node = Node::parse("s.toml", text).unwrap();
    let made = points(&shape(), &node, &zip(text)).unwrap();
    let values: Vec<String> = made
        .iter()
        .map(|point| point.choices.iter().map(|choice| choice.value.text.as_str()).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(values, ["1 4 7", "1 4 8", "2 5 7", "2 5 8"]);

    let uneven = "zip = [\"a\", \"b\"]\na = [1, 2]\nb = [4, 5, 6]";
    let error = points(&shape(), &Node::parse("s.toml", uneven).unwrap(), &zip(uneven)).unwrap_err().to_string();
    assert!(error.contains("`a` has 2 values and `b` has 3"), "{error}");

    let scenario = |zip: &str| {
        let text =
            format!("zip = {zip}\n[[workload]]\nload = [0.1, 0.2]\n[[policy]]\nx = [1, 2]\ny = 3\n[[policy]]\nx = 5");
        let network = SCENARIOS.iter().find(|kind| kind.word == "network").unwrap();
        let node = Node::parse("s.toml", &text).unwrap();
        Sweep::of(&node, network.top, 1, "transport = \"newreno\"").map(|sweep| {
            let runs = sweep.points.iter().map(|point| sweep.policies_of(point).count());
            runs.sum::<usize>()
        })
    };
    // The loads with both values of the first policy and the one of the second, or each load with its own value.
    assert!(scenario("[\"y.z\"]").unwrap_err().to_string().contains("no field `y.z` has a list of values"));
    assert_eq!(scenario("[\"load\", \"x\"]").unwrap(), 4);
}
