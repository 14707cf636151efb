//! The variables of nginx: `$remote_addr`.

use super::role::Role;
use crate::requests::log::NS_PER_S;

/// Returns the meaning of a variable.
pub(super) fn role(name: &str) -> Role {
    match name {
        "request" => Role::Request,
        "request_method" => Role::Method,
        "request_uri" | "uri" | "document_uri" => Role::Url,
        "args" | "query_string" => Role::Query,
        "host" | "http_host" | "server_name" => Role::Host,
        "status" => Role::Status,
        "body_bytes_sent" => Role::Body,
        "bytes_sent" => Role::Sent,
        "time_local" => Role::Common,
        "time_iso8601" => Role::Iso,
        "msec" => Role::Epoch(NS_PER_S),
        "request_time" => Role::Elapsed(NS_PER_S),
        "upstream_response_time" => Role::Upstream,
        "upstream_cache_status" => Role::Cache,
        _ => name
            .strip_prefix("sent_http_")
            .or_else(|| name.strip_prefix("upstream_http_"))
            .filter(|header| is_cache_header(header))
            .map_or(Role::Ignored, |_| Role::Cache),
    }
}

/// Returns whether a header of an answer has the result of a cache lookup. Dashes are underscores.
pub(super) fn is_cache_header(name: &str) -> bool {
    let known = ["x_cache", "x_cache_status", "x_proxy_cache", "cache_status", "cf_cache_status"];
    known.contains(&name.to_ascii_lowercase().replace('-', "_").as_str())
}
