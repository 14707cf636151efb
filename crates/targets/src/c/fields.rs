//! The C code that reads a policy's fields from the headers of a frame, as [`Mapping::packet`] does.

use super::writer::Writer;
use crate::headers::{Field, Layer, Mapping, Part, Source};
use forebay_core::encapsulation::MOST;
use forebay_lang::Policy;

/// Returns the text of `oq_fields.h`.
pub(super) fn fields(policy: &Policy, mapping: &Mapping) -> String {
    let read = Field::read_by(policy);
    let mut out = Writer::default();
    out.comment("IP is looked for behind so many encapsulations.");
    out.line(&format!("#define OQ_MOST_ENCAPSULATIONS {MOST}u"));
    out.line("#include \"oq_headers.h\"");
    out.line("");
    let mut sources = Field::ALL.into_iter().filter_map(|field| mapping.source(field));
    let has_egress = sources.any(|source| source.part == Part::Egress);
    if has_egress {
        out.comment(
            "The port to which the host forwards the frame, from 0; the host sets it before it calls oq_read_fields.",
        );
        out.line("#define OQ_READS_EGRESS 1");
        out.line("OQ_STATE oq_u32 oq_egress;");
        out.line("");
    }
    out.comment(
        "The fields of the frame of which the first `length` bytes are in oq_frame_head; `size` is how many there are in all,\n\
         `priority` and `mark` are what the host knows of it otherwise, or 0. What the policy does not read is 0 as well, unless\n\
         the host defines OQ_ALL_FIELDS.",
    );
    out.line("OQ_INLINE void oq_read_fields(struct oq_fields *fields, oq_u32 length, oq_u32 size, oq_u32 priority,");
    out.line("\t\t\t      oq_u32 mark)");
    out.body();
    out.line("(void)priority;");
    out.line("(void)mark;");
    if has_egress {
        out.line("(void)oq_egress;");
    }
    out.line("oq_find_headers(length);");
    for field in Field::ALL {
        let name = field.name();
        let Some(source) = mapping.source(field) else {
            out.line(&format!("fields->{name} = 0;"));
            continue;
        };
        let is_read = read.contains(&field);
        if !is_read {
            out.directive("#ifndef OQ_ALL_FIELDS");
            out.comment("the policy does not read it");
            out.line(&format!("fields->{name} = 0;"));
            out.directive("#else");
        }
        out.comment(&format!("{name}={source}"));
        let (kind, most) = (kind(field), field.most());
        let value = match number(source) {
            Number::Constant(value) => format!("{}ull", value.min(most)),
            Number::Text(text) if most == u64::MAX => text,
            Number::Text(text) => format!("oq_at_most({text}, {most}ull)"),
        };
        out.line(&format!("fields->{name} = ({kind}){value};"));
        if !is_read {
            out.directive("#endif");
        }
    }
    out.line("fields->size = size;");
    out.line("fields->marks = (oq_u8)oq_frame_marks();");
    out.end();
    out.header("Where the fields of packets come from.", "OQ_FIELDS_H")
}

/// Returns a field's C type.
fn kind(field: Field) -> &'static str {
    match field {
        Field::Class => "oq_u8",
        Field::Queue => "oq_u16",
        Field::Value | Field::Flow => "oq_u32",
        Field::Processing | Field::Slack | Field::Remaining | Field::Rank => "oq_u64",
    }
}

enum Number {
    Constant(u64),
    Text(String),
}

/// The number of a source.
fn number(source: Source) -> Number {
    let part = match source.part {
        Part::Number(number) => return Number::Constant(number >> source.shift & source.mask),
        Part::Dscp => "oq_frame_class() >> 2".to_owned(),
        Part::Pcp => "oq_frame_tag() >> 13".to_owned(),
        Part::Priority => "priority".to_owned(),
        Part::Mark => "mark".to_owned(),
        Part::FlowHash => "oq_flow_hash()".to_owned(),
        Part::Egress => "oq_egress".to_owned(),
        Part::Bytes { layer, offset, width } => {
            let begin = match layer {
                Layer::Ether => "0",
                Layer::Ip => "oq_frame.ipv4",
                Layer::Ip6 => "oq_frame.ipv6",
                Layer::Tcp => "oq_frame.tcp",
                Layer::Udp => "oq_frame.udp",
            };
            format!("oq_frame_number({begin}, {offset}, {width})")
        }
    };
    let mut text = format!("(oq_u64)({part})");
    if source.shift != 0 {
        text = format!("({text} >> {})", source.shift);
    }
    if source.mask != u64::MAX {
        text = format!("({text} & {:#x}ull)", source.mask);
    }
    Number::Text(text)
}
