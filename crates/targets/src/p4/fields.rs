//! A field of the policy's packet as P4 reads it from headers.

use super::headers::{Needs, header, latest, piece};
use super::text::Text;
use crate::headers::{Field, Layer, Part, Source};

/// Writes the statements that set `name` to the field, or to 0 if its header is missing.
pub(super) fn read(text: &mut Text, name: &str, field: Field, source: Source, needs: &Needs) {
    text.line(&format!("// {}: {source}", field.name()));
    text.line(&format!("bit<64> {name} = 0;"));
    let mut from = |header: &str, head: &str, value: &str| {
        text.block(&format!("if (hdr.{header}.isValid(){head})"), |text| {
            text.line(&format!("{name} = (bit<64>){value};"));
        });
    };
    let in_head = |layer, end| match latest(layer, end) {
        Some((begin, latest)) => format!(" && meta.{begin} <= {latest}"),
        None => String::new(),
    };
    match source.part {
        Part::Dscp => {
            from("ipv4", &in_head(Layer::Ip, 0), "hdr.ipv4.traffic_class[7:2]");
            from("ipv6", &in_head(Layer::Ip6, 0), "hdr.ipv6.traffic_class[7:2]");
        }
        Part::Pcp => from("tag_0", "", "hdr.tag_0.priority"),
        Part::Bytes { layer, offset, width } => {
            let (offset, width) = (u16::from(offset), u16::from(width));
            let (last, _) = needs.place(layer, offset + width - 1);
            from(&last, &in_head(layer, offset + width), &bytes(layer, offset, width, needs));
        }
        // These are constants, or were refused.
        Part::Number(_) | Part::Priority | Part::Mark | Part::FlowHash | Part::Egress => {}
    }
    if source.shift > 0 {
        text.line(&format!("{name} = {name} >> {};", source.shift));
    }
    if source.mask != u64::MAX {
        text.line(&format!("{name} = {name} & {};", source.mask));
    }
    if super::headers::most(source).is_ok_and(|most| most > field.most()) {
        text.block(&format!("if ({name} > {})", field.most()), |text| {
            text.line(&format!("{name} = {};", field.most()));
        });
    }
}

/// Returns the expression for some bytes of a layer: fields of its header, and pieces after it.
pub(super) fn bytes(layer: Layer, offset: u16, width: u16, needs: &Needs) -> String {
    let (begin, end) = (offset * 8, (offset + width) * 8);
    let mut parts = Vec::new();
    let mut at = 0;
    let mut see = |name: String, bits: u16| {
        let (from, to) = (begin.max(at), end.min(at + bits));
        if from < to {
            let whole = to - from == bits;
            parts.push(if whole { name } else { format!("{name}[{}:{}]", at + bits - 1 - from, at + bits - to) });
        }
        at += bits;
    };
    let header = header(layer);
    for (field, bits) in header.fields {
        see(format!("hdr.{}.{field}", header.name), *bits);
    }
    let mut from = header.bytes();
    for (number, end) in needs.ends(layer).iter().enumerate() {
        see(format!("hdr.{}.bits", piece(layer, number)), (end - from) * 8);
        from = *end;
    }
    if let [part] = &parts[..] { part.clone() } else { format!("({})", parts.join(" ++ ")) }
}
