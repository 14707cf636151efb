//! Fields of `[[policy]]`, in all its forms.

use super::{CLASS, Field, Key, Manual, Range, Table, Type};
use crate::catalogue::Kind;
use forebay_sched::{MAX_MANTISSA_BITS, MAX_WEIGHT};

/// A policy in any of its forms.
pub(super) const ANY: Type = Type::Any(&[Type::Table(&POLICY), Type::Table(&OPENQUEUE)]);
/// The divisor of ranks.
pub(super) const RANK_UNIT: Type =
    Type::Any(&[Type::Integer { min: 1, max: i64::MAX as u64, unit: "" }, Type::Table(&STEPS)]);
/// Values of the constants of a policy in OpenQueue.
const CONSTANTS: Type = Type::Map {
    key: Key::Constant,
    of: &Type::Any(&[Type::Number { range: Range::From(f64::MIN, f64::MAX), unit: "" }, Type::Text]),
};

/// A policy that is compared: a rank function, a queue and a drop rule.
pub(super) static POLICY: Table = Table {
    name: "[[policy]]",
    word: "policy",
    scenario: "scenario",
    title: "A policy that is compared: a rank function, a queue and a drop rule",
    manual: Manual { page: "docs/scenario.md", section: "`[[policy]]`", column: Some("field") },
    readers: &["[[policy]]", "`port`", "`nic`"],
    needs: &[&["rank", "tree"], &["queue"]],
    within: &[],
    fields: &[
        Field {
            name: "rank",
            takes: Type::Any(&[Type::Named(Kind::RankFunction), Type::Named(Kind::FlowRank)]),
            meaning: "Rank function, or flow rank",
            default: None,
            example: "\"stfq\"",
        },
        Field {
            name: "tree",
            takes: Type::Table(&NODE),
            meaning: "Instead of `rank`: a tree of rank functions",
            default: None,
            example: "{ rank = \"strict\", children = [{ rank = \"arrival\", classes = [46] }, { rank \
                      = \"stfq\" }] }",
        },
        Field {
            name: "queue",
            takes: Type::Named(Kind::Queue),
            meaning: "Rank queue; which to choose",
            default: None,
            example: "\"sp-pifo\"",
        },
        Field {
            name: "drop",
            takes: Type::Named(Kind::DropRule),
            meaning: "Drop rule",
            default: Some("`\"tail\"`"),
            example: "\"worst-first\"",
        },
        Field {
            name: "mark",
            takes: Type::Named(Kind::MarkRule),
            meaning: "Mark rule, also for a `tree`",
            default: Some("nothing is marked"),
            example: "{ name = \"threshold\", packets = 65 }",
        },
        Field {
            name: "pace",
            takes: Type::Named(Kind::PaceRule),
            meaning: "Pace rule: the time from which packets may depart; needs `queue = \"pieo\"`",
            default: Some("at once"),
            example: "{ name = \"token-bucket\", rate = \"1 Gbps\" }",
        },
        Field {
            name: "name",
            takes: Type::Label,
            meaning: "Name of the policy in results; must be unique",
            default: Some("the rank function and the queue"),
            example: "\"SP-PIFO\"",
        },
        Field {
            name: "buffer",
            takes: Type::Buffer,
            meaning: "Room for waiting packets, instead of the port's",
            default: Some("the port's"),
            example: "\"80 packets\"",
        },
        Field {
            name: "rank_unit",
            takes: RANK_UNIT,
            meaning: "Divides ranks before they enter the queue, rounding down; or `{ \
                      steps_per_doubling = 256 }`, see below",
            default: Some("1"),
            example: "100",
        },
        Field {
            name: "below",
            takes: Type::Table(&super::attack::BELOW),
            meaning: "Under attack: the policy that takes over when goodput falls below a watermark, like \
                      `{ goodput = \"8 Gbps\", rank = \"job-ratio\", queue = \"pifo\", drop = \
                      \"worst-first\" }`",
            default: Some("none"),
            example: "{ goodput = \"8 Gbps\", rank = \"job-ratio\", queue = \"pifo\", drop = \"worst-first\" }",
        },
    ],
};

/// A policy written in OpenQueue.
pub(super) static OPENQUEUE: Table = Table {
    name: "[[policy]] in OpenQueue",
    word: "policy",
    scenario: "scenario",
    title: "A policy written in OpenQueue",
    manual: Manual { page: "docs/scenario.md", section: "A policy in OpenQueue", column: Some("field") },
    readers: &["[[policy]]", "`port`", "`nic`"],
    needs: &[&["policy"]],
    within: &[],
    fields: &[
        Field {
            name: "policy",
            takes: Type::File,
            meaning: "The OpenQueue file, relative to the scenario",
            default: None,
            example: "\"lqd.oq\"",
        },
        Field {
            name: "params",
            takes: CONSTANTS,
            meaning: "Values of the `param`s of the policy: numbers, or texts with units. A number \
                      without unit has the unit of the value in the file. In a `[network]`, `\"links\"` is the \
                      number of links of the switch",
            default: Some("those in the file"),
            example: "{ B = 64 }",
        },
        Field {
            name: "name",
            takes: Type::Label,
            meaning: "Name of the policy in results",
            default: Some("the file's name"),
            example: "\"LQD\"",
        },
        Field {
            name: "changes",
            takes: Type::List { of: &Type::Table(&CHANGE), most: 100_000 },
            meaning: "Other versions, applied between two packets. Each has `at`, and a `policy`, \
                      `params`, or both. Without `policy` the file stays, and params that are not \
                      given keep their values; a `policy` starts with the values in its file",
            default: Some("none"),
            example: "[{ at = \"1 s\", policy = \"b.oq\", params = { B = 8 }, transition = \"rerank\" }]",
        },
        Field {
            name: "transition",
            takes: Type::Choice(&["drain", "rerank"]),
            meaning: "Field of a change. `\"drain\"`: packets that wait depart first, as before; `\"rerank\"`: they \
                      take their slots in the new orders (details)",
            default: Some("`\"drain\"`"),
            example: "\"rerank\"",
        },
        Field {
            name: "engine",
            takes: Type::Choice(&["fast", "reference"]),
            meaning: "`\"fast\"`, or `\"reference\"`: the slow engine that defines correct behaviour. Both give the \
                      same result",
            default: Some("`\"fast\"`"),
            example: "\"reference\"",
        },
    ],
};

/// A node of a tree of rank functions.
pub(super) static NODE: Table = Table {
    name: "`tree`",
    word: "tree",
    scenario: "scenario",
    title: "A node of a tree of rank functions",
    manual: Manual { page: "docs/scenario.md", section: "A tree of rank functions", column: Some("field of a node") },
    readers: &["a node of `tree`", "a node"],
    needs: &[&["rank"]],
    within: &[],
    fields: &[
        Field {
            name: "rank",
            takes: Type::Named(Kind::RankFunction),
            meaning: "Rank function. In a leaf it ranks packets; elsewhere it ranks the node's \
                      children as if each were a flow",
            default: None,
            example: "\"stfq\"",
        },
        Field {
            name: "children",
            takes: Type::List { of: &Type::Table(&NODE), most: 100_000 },
            meaning: "Nodes below this one, to any depth",
            default: Some("none: the node is a leaf"),
            example: "[{ rank = \"arrival\" }, { rank = \"stfq\", classes = [46] }]",
        },
        Field {
            name: "classes",
            takes: Type::List { of: &CLASS, most: 256 },
            meaning: "Classes whose packets go to this leaf; a class belongs to one leaf only",
            default: Some("all that no other leaf names"),
            example: "[46]",
        },
        Field {
            name: "weight",
            takes: Type::Integer { min: 1, max: MAX_WEIGHT as u64, unit: "" },
            meaning: "Weight of this node among its siblings, 1 to 1,000,000, where the parent's \
                      `rank` is `stfq`, `wf2q` or `wfq`",
            default: Some("1"),
            example: "3",
        },
        Field {
            name: "queue",
            takes: Type::Named(Kind::Queue),
            meaning: "Rank queue of this node, in place of the tree's, see below",
            default: Some("that of the tree"),
            example: "\"sp-pifo\"",
        },
        Field {
            name: "pace",
            takes: Type::Named(Kind::PaceRule),
            meaning: "Pace rule of a child: the time from which its parent may choose it for a packet, see below",
            default: Some("at once"),
            example: "{ name = \"token-bucket\", rate = \"1 Gbps\", of = \"all\" }",
        },
        Field {
            name: "rank_unit",
            takes: Type::Integer { min: 1, max: i64::MAX as u64, unit: "" },
            meaning: "Divides the ranks of this node, rounding down",
            default: Some("1"),
            example: "1",
        },
    ],
};

/// Another version of a policy in OpenQueue.
pub(super) static CHANGE: Table = Table {
    name: "a change",
    word: "change",
    scenario: "scenario",
    title: "Another version of a policy in OpenQueue",
    manual: Manual { page: "docs/scenario.md", section: "A policy in OpenQueue", column: None },
    readers: &["a change"],
    needs: &[&["at"]],
    within: &[],
    fields: &[
        Field {
            name: "at",
            takes: Type::PositiveDuration,
            meaning: "When the version takes over",
            default: None,
            example: "\"1 s\"",
        },
        Field {
            name: "policy",
            takes: Type::File,
            meaning: "The OpenQueue file",
            default: Some("the file before"),
            example: "\"b.oq\"",
        },
        Field {
            name: "params",
            takes: CONSTANTS,
            meaning: "Values of the `param`s",
            default: Some("as before"),
            example: "{ B = 8 }",
        },
        Field {
            name: "transition",
            takes: Type::Choice(&["drain", "rerank"]),
            meaning: "Whether packets that wait depart first, as before, or take their slots in the new orders",
            default: Some("`\"drain\"`"),
            example: "\"rerank\"",
        },
    ],
};

/// Ranks that are quantised to a number of steps per doubling.
pub(super) static STEPS: Table = Table {
    name: "`rank_unit`",
    word: "rank_unit",
    scenario: "scenario",
    title: "Ranks that are quantised to a number of steps per doubling",
    manual: Manual { page: "docs/scenario.md", section: "`[[policy]]`", column: None },
    readers: &["rank_unit"],
    needs: &[&["steps_per_doubling"]],
    within: &[],
    fields: &[Field {
        name: "steps_per_doubling",
        takes: Type::Integer { min: 1, max: 1 << MAX_MANTISSA_BITS, unit: "steps" },
        meaning: "Number of steps, a power of two",
        default: None,
        example: "256",
    }],
};
