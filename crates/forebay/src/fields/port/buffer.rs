//! `buffer` of `[port]`.

use crate::fields::{Field, Type};

pub(crate) const ENTRY: Field = Field {
    name: "buffer",
    takes: Type::Buffer,
    meaning: "Room for waiting packets, for policies without a `buffer` of their own: `\"80 packets\"`, `\"150 KB\"`, \
              `\"64 KiB\"`. The packet being sent takes no buffer, but a packet must find room when it arrives, even \
              if the link is idle. At most 67,108,864 packets",
    default: None,
    example: "\"80 packets\"",
};
