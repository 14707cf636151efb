//! `forebay schema`: the JSON Schema of scenarios, or of results.

use crate::Done;
use crate::args::SchemaArgs;
use forebay::error::Result;
use forebay::fields::json_schema;
use forebay::output::folder;
use forebay::result_schema::result_schema;

pub(crate) fn run(args: &SchemaArgs) -> Result<Done> {
    let schema = if args.results { result_schema() } else { json_schema() };
    folder::json(&schema).map(Done::ok)
}
