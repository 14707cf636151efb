//! Objects that are larger than the part of the cache that takes in new objects.

use forebay_core::{ParamSpec, Params};

/// The parameter of policies with parts, of whose papers each has equal sizes.
pub(crate) const LARGE: ParamSpec = ParamSpec::choice(
    "large",
    &["reject", "admit"],
    "reject",
    "new objects larger than the part of the cache that they would enter: reject (as in libCacheSim) or admit; the paper has \
     equal sizes",
);

/// Whether the parameter [`LARGE`] says so.
pub(crate) fn rejects_large(params: &Params) -> bool {
    params.text(LARGE.name) == "reject"
}
