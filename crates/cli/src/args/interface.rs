//! Names of network interfaces and namespaces.

use forebay::error::WrongValue;

/// Reads a name. Rejects texts that can be no names and might lead elsewhere as paths. The system says later whether the name
/// exists.
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
