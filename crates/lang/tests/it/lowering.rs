//! Expressions mean what a direct evaluation of them says.

use forebay_lang::ir::{PacketField, PacketRef, Read};
use forebay_lang::{Fixed, Overrides, Ratio, analyse};
use proptest::prelude::*;

/// An expression, with how it is written and how it is evaluated side by side.
#[derive(Debug, Clone)]
enum Tree {
    Number(u16, u8),
    Value(bool),
    Neg(Box<Tree>),
    Op(&'static str, Box<Tree>, Box<Tree>),
}

/// A number, and whether it is a constant: those are exact, others are rounded by each operation.
type Number = (Ratio, bool);

impl Tree {
    fn text(&self, names: [&str; 2]) -> String {
        match self {
            Self::Number(number, 0) => number.to_string(),
            Self::Number(number, _) => format!("{number}.5"),
            Self::Value(second) => format!("{}.value", names[usize::from(*second)]),
            Self::Neg(inner) => format!("-({})", inner.text(names)),
            Self::Op(op @ ("mod" | "min" | "max"), left, right) => {
                format!("{op}({}, {})", left.text(names), right.text(names))
            }
            Self::Op(op, left, right) => format!("({} {op} {})", left.text(names), right.text(names)),
        }
    }

    /// `None` if a constant divides by 0, is too large or too fine.
    fn value(&self, values: [Fixed; 2]) -> Option<Number> {
        let (exact, constant) = match self {
            Self::Number(number, half) => {
                let half = if *half == 0 { Ratio::from_integer(0) } else { Ratio::new(1, 2) };
                (half + i128::from(*number), true)
            }
            Self::Value(second) => return Some((values[usize::from(*second)].exact(), false)),
            Self::Neg(inner) => {
                let (value, constant) = inner.value(values)?;
                (-value, constant)
            }
            Self::Op(op, left, right) => {
                let ((a, first), (b, second)) = (left.value(values)?, right.value(values)?);
                let zero = b == Ratio::from_integer(0);
                let quotient = |a: Ratio, b: Ratio| if zero { Ratio::from_integer(0) } else { a / b };
                if second && zero && matches!(*op, "/" | "mod") {
                    return None;
                }
                let exact = match *op {
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a * b,
                    "/" => quotient(a, b),
                    "mod" if zero => Ratio::from_integer(0),
                    "mod" => a - b * quotient(a, b).floor(),
                    "min" => a.min(b),
                    _ => a.max(b),
                };
                (exact, first && second)
            }
        };
        if !constant {
            return Some((Fixed::floor(exact).exact(), false));
        }
        let small = exact < Ratio::from_integer(1 << 47) && exact > Ratio::from_integer(-(1 << 47));
        (small && *exact.denom() <= forebay_lang::number::MAX_DENOMINATOR).then_some((exact, true))
    }

    fn reads(&self) -> bool {
        match self {
            Self::Number(..) => false,
            Self::Value(_) => true,
            Self::Neg(inner) => inner.reads(),
            Self::Op(_, left, right) => left.reads() || right.reads(),
        }
    }
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        (any::<u16>(), 0..2_u8).prop_map(|(n, half)| Tree::Number(n % 100, half)),
        any::<bool>().prop_map(Tree::Value)
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        let op = prop::sample::select(&["+", "-", "*", "/", "mod", "min", "max"][..]);
        prop_oneof![
            1 => inner.clone().prop_map(|inner| Tree::Neg(Box::new(inner))),
            4 => (op, inner.clone(), inner).prop_map(|(op, a, b)| Tree::Op(op, Box::new(a), Box::new(b))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    /// In a condition, where it stands itself, and where it is called by another name or with exchanged arguments.
    #[test]
    fn an_expression_is_evaluated_as_it_is_written(tree in tree(), values in any::<[i32; 2]>()) {
        let values = values.map(|value| Fixed(i64::from(value) * 7));
        let objects = "q = Queue(1); out = Port(1)\n";
        let text = tree.text(["arriving", "first"]);
        let named = tree.text(["arriving", "q.findHigh()"]);
        let condition = format!(
            "{objects}named = {named}\nq.congestion(q) = let first = q.findHigh() in \
             ({text} > .25, mark).(named > .25, mark).(.25 < {text}, mark)"
        );
        let analysis = analyse(&condition, &Overrides::new());
        let Some((expected, _)) = tree.value(values) else {
            prop_assert!(analysis.policy.is_none(), "{}", condition);
            return Ok(());
        };
        prop_assert!(analysis.policy.is_some(), "{}\n{:?}", condition, analysis.diagnostics);
        let policy = analysis.policy.unwrap();
        let mut read = |read| match read {
            Read::Packet(PacketRef::Arriving, PacketField::Value) => values[0],
            Read::Packet(PacketRef::Head(_), PacketField::Value) => values[1],
            other => panic!("{other}"),
        };
        for case in &policy.queues[0].congestion.cases {
            prop_assert_eq!(case.when.holds(&mut read), expected > Ratio::new(1, 4), "{}", condition);
            if !tree.reads() {
                prop_assert!(matches!(case.when, forebay_lang::ir::Cond::Const(_)), "{}", condition);
            }
        }
    }
}
