//! Names of network interfaces and namespaces.

use forebay::error::WrongValue;

/// Reads a name. Whether there is such a thing the system says later; these can be none, and might lead elsewhere as paths.
pub(super) fn name(text: &str) -> Result<String, WrongValue> {
    if text.is_empty() {
        return Err("the name is empty; `ip link` lists interfaces, and `ip netns` namespaces".into());
    }
    if text.contains('/') || text == "." || text == ".." {
        return Err(
            format!("`{text}` cannot be a name; give one that `ip link` or `ip netns` lists, without a path").into()
        );
    }
    Ok(text.to_owned())
}
