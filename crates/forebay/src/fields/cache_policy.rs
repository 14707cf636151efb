//! The fields of a policy that is compared, and of a mixture of recipes.

use super::{Field, Manual, Table, Type};
use crate::catalogue::Kind;

pub(super) const PAGE: &str = "docs/scenario.md";

/// Recipes that are played together.
pub(super) static MIXTURE: Table = Table {
    name: "`trace` of several recipes",
    word: "mixture",
    scenario: "cache",
    title: "A request trace of several recipes",
    manual: Manual { page: PAGE, section: "Caches", column: Some("field of a mixture, `trace = { mixture = [...] }`") },
    readers: &["`trace`"],
    needs: &[&["mixture"]],
    within: &[],
    fields: &[Field {
        name: "mixture",
        takes: Type::List { of: &Type::Named(Kind::RequestGenerator), most: 100 },
        meaning: "Recipes whose requests are mixed; each has objects of its own, and `requests` is its weight",
        default: None,
        example: "[{ name = \"zipf\", requests = 900_000 }, { name = \"scans\", requests = 100_000 }]",
    }],
};

/// A policy that is compared.
pub(super) static CACHE_POLICY: Table = Table {
    name: "[[policy]]",
    word: "policy",
    scenario: "cache",
    title: "A cache policy that is compared",
    manual: Manual { page: PAGE, section: "Caches", column: Some("field of `[[policy]]` of caches") },
    readers: &["[[policy]]"],
    needs: &[&["name"]],
    within: &[],
    fields: &[Field {
        name: "name",
        takes: Type::CachePolicy,
        meaning: "Cache policy; `-mad` selects its MAD form, and `-RULE` after either adds a rule of admission, as in `lru-tinylfu` \
                  (`forebay list admission-rules`). Its parameters are further fields: `name = \"lru-mad\"`, `sample = 16`. A list of values makes one policy for each value",
        default: None,
        example: "\"lru-mad\"",
    }],
};
