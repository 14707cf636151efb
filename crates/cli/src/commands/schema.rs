//! `forebay schema`: the JSON Schema of scenarios.

use crate::Done;
use forebay::error::Result;
use forebay::fields::json_schema;
use forebay::output::folder;

pub(crate) fn run() -> Result<Done> {
    folder::json(&json_schema()).map(Done::ok)
}
