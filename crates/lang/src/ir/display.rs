//! Prints expressions in the syntax of policies.

use super::{
    Action, Arith, BufferField, BufferRef, Cond, Key, NextField, Num, PacketField, PacketRef, PortField, PortRef,
    QueueField, QueueRef, Read, Relation, State,
};
use std::fmt;

impl fmt::Display for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Const(number) => write!(f, "{number}"),
            Self::Read(read) => write!(f, "{read}"),
            Self::Neg(operand) => write!(f, "-{}", Operand(operand)),
            Self::Arith(arith @ (Arith::Mod | Arith::Min | Arith::Max), left, right) => {
                write!(f, "{arith}({left}, {right})")
            }
            Self::Arith(arith, left, right) => write!(f, "{} {arith} {}", Operand(left), Operand(right)),
        }
    }
}

/// An operand, which is printed in parentheses where needed.
struct Operand<'a>(&'a Num);

impl fmt::Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Num::Arith(Arith::Add | Arith::Sub | Arith::Mul | Arith::Div, ..) => write!(f, "({})", self.0),
            Num::Const(number) if !number.is_integer() => write!(f, "({number})"),
            simple => write!(f, "{simple}"),
        }
    }
}

impl fmt::Display for Cond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Const(value) => write!(f, "{value}"),
            Self::Compare(relation, left, right) => write!(f, "{left} {relation} {right}"),
            Self::CompareProducts(relation, products) => {
                let [[a, b], [c, d]] = products.each_ref().map(|product| product.each_ref().map(Operand));
                write!(f, "{a} * {b} {relation} {c} * {d}")
            }
            Self::Not(operand) => write!(f, "!({operand})"),
            Self::And(left, right) => write!(f, "({left} && {right})"),
            Self::Or(left, right) => write!(f, "({left} || {right})"),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Drop(probability) => write!(f, "drop({probability})"),
            Self::Mark => f.write_str("mark"),
            Self::Notify => f.write_str("notify"),
            Self::Modify(state, value) => write!(f, "modify({state} := {value})"),
            Self::Call(routine, numbers) => {
                let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                write!(f, "action#{}({})", routine.0, numbers.join(", "))
            }
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::QueueAdm(queue) => write!(f, "{queue}.admState"),
            Self::QueueSched(queue) => write!(f, "{queue}.schedState"),
            Self::PortSched(port) => write!(f, "{port}.schedState"),
            Self::BufferAdm(buffer) => write!(f, "{buffer}.admState"),
            Self::HeadValue(queue) => write!(f, "{queue}.findHigh().value"),
            Self::ArrivingValue => f.write_str("arriving.value"),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", if self.descending { "highest" } else { "lowest" }, self.value)
    }
}

impl fmt::Display for Read {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Packet(packet, field) => write!(f, "{packet}.{field}"),
            Self::Queue(queue, field) => write!(f, "{queue}.{field}"),
            Self::Next(queue, field) => write!(f, "{queue}.next.{field}"),
            Self::Port(port, field) => write!(f, "{port}.{field}"),
            Self::Buffer(buffer, field) => write!(f, "{buffer}.{field}"),
            Self::Now => f.write_str("now"),
            Self::Parameter(id) => write!(f, "param#{}", id.0),
        }
    }
}

impl fmt::Display for PacketRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First => f.write_str("p1"),
            Self::Second => f.write_str("p2"),
            Self::This => f.write_str("p"),
            Self::Arriving => f.write_str("arriving"),
            Self::Head(queue) => write!(f, "{queue}.findHigh()"),
        }
    }
}

impl fmt::Display for QueueRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First => f.write_str("q1"),
            Self::Second => f.write_str("q2"),
            Self::This => f.write_str("q"),
            Self::Current => f.write_str("currQueue"),
            Self::Named(id) => write!(f, "queue#{}", id.0),
        }
    }
}

impl fmt::Display for PortRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::This => f.write_str("port"),
            Self::Named(id) => write!(f, "port#{}", id.0),
        }
    }
}

impl fmt::Display for BufferRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::This => f.write_str("b"),
            Self::Named(id) => write!(f, "buffer#{}", id.0),
        }
    }
}

macro_rules! words {
    ($($name:ident { $($variant:ident = $word:literal,)* })*) => {
        $(
            impl $name {
                /// Returns the property's name in a policy.
                #[must_use]
                pub fn word(self) -> &'static str {
                    match self {
                        $(Self::$variant => $word,)*
                    }
                }

                /// All properties of this kind.
                pub const ALL: &[Self] = &[$(Self::$variant),*];
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(self.word())
                }
            }
        )*
    };
}

words! {
    Arith { Add = "+", Sub = "-", Mul = "*", Div = "/", Mod = "mod", Min = "min", Max = "max", }
    Relation { Less = "<", LessEqual = "<=", Greater = ">", GreaterEqual = ">=", Equal = "==", NotEqual = "!=", }
    PacketField {
        PolicyId = "policyId", Queue = "queue", Value = "value", Processing = "processing", Slack = "slack",
        Flow = "flow", Arrival = "arrival", Size = "size", Remaining = "remaining", Class = "class", Rank = "rank",
        Marked = "marked", Notified = "notified",
    }
    QueueField { Size = "size", CurrSize = "currSize", CurrProcessing = "currProcessing", AdmState = "admState", SchedState = "schedState", }
    NextField { Size = "size", CurrSize = "currSize", AdmState = "admState", SchedState = "schedState", }
    PortField { Rate = "rate", SchedState = "schedState", }
    BufferField { Size = "size", CurrSize = "currSize", AdmState = "admState", }
}
