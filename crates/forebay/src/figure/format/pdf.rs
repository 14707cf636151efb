//! PDF, with its font, so that text can be searched and copied.

use crate::error::{Result, UserError};
use crate::figure::drawing::{Drawing, Format};
use crate::figure::font;
use crate::figure::scene::{Colour, Item, Path, Scene, Step, Text};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{CidFontType, FontFlags, LineJoinStyle, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish as _, Name, Pdf, Rect, Ref, Str};
use std::collections::BTreeMap;
use std::io::{self, Write as _};

/// The entry of the registry.
pub(crate) const ENTRY: Format = Format { ending: "pdf", write };

const CATALOG: i32 = 1;
const PAGES: i32 = 2;
const PAGE: i32 = 3;
const CONTENT: i32 = 4;
const FONT: i32 = 5;
const CID_FONT: i32 = 6;
const DESCRIPTOR: i32 = 7;
const CMAP: i32 = 8;
const FILE: i32 = 9;
const INFO: i32 = 10;

const NAME: Name<'static> = Name(b"DejaVuSansCondensed");
const SYSTEM: SystemInfo<'static> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

fn write(drawing: &Drawing<'_>) -> Result<Vec<u8>> {
    file(&drawing.scene()?).map_err(|error| UserError::new(format!("the picture cannot be written as PDF: {error}")))
}

fn file(scene: &Scene) -> io::Result<Vec<u8>> {
    let mut pdf = Pdf::new();
    pdf.catalog(Ref::new(CATALOG)).pages(Ref::new(PAGES));
    pdf.pages(Ref::new(PAGES)).kids([Ref::new(PAGE)]).count(1);
    let mut page = pdf.page(Ref::new(PAGE));
    page.parent(Ref::new(PAGES)).contents(Ref::new(CONTENT));
    page.media_box(Rect::new(0.0, 0.0, single(scene.width), single(scene.height)));
    page.resources().fonts().pair(Name(b"F"), Ref::new(FONT));
    page.finish();
    let content = packed(&content(scene))?;
    pdf.stream(Ref::new(CONTENT), &content).filter(Filter::FlateDecode);
    write_font(&mut pdf, scene)?;
    let mut info = pdf.document_info(Ref::new(INFO));
    info.title(pdf_writer::TextStr(&scene.title)).creator(pdf_writer::TextStr("forebay"));
    info.finish();
    Ok(pdf.finish())
}

fn packed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

#[expect(clippy::cast_possible_truncation, reason = "places on paper need no more digits")]
fn single(value: f64) -> f32 {
    ((value * 1000.0).round() / 1000.0) as f32
}

/// Everything on the page; in PDF, y grows upwards.
fn content(scene: &Scene) -> Vec<u8> {
    let mut content = Content::new();
    content.transform([1.0, 0.0, 0.0, -1.0, 0.0, single(scene.height)]);
    content.set_line_join(LineJoinStyle::RoundJoin);
    for item in &scene.items {
        match item {
            Item::Path(path) => write_path(&mut content, path),
            Item::Text(text) => write_text(&mut content, text),
        }
    }
    content.finish().into_vec()
}

fn parts(Colour(red, green, blue): Colour) -> [f32; 3] {
    [red, green, blue].map(|part| single(f64::from(part) / 255.0))
}

fn write_path(content: &mut Content, path: &Path) {
    if let Some(fill) = path.fill {
        let [red, green, blue] = parts(fill);
        content.set_fill_rgb(red, green, blue);
    }
    if let Some(stroke) = path.stroke {
        let [red, green, blue] = parts(stroke.colour);
        content.set_stroke_rgb(red, green, blue).set_line_width(single(stroke.width));
        content.set_dash_pattern(stroke.dash.iter().map(|length| single(length * stroke.width)), 0.0);
    }
    for step in &path.steps {
        match *step {
            Step::Move(x, y) => content.move_to(single(x), single(y)),
            Step::Line(x, y) => content.line_to(single(x), single(y)),
            Step::Curve(a, b, c, d, x, y) => {
                content.cubic_to(single(a), single(b), single(c), single(d), single(x), single(y))
            }
            Step::Close => content.close_path(),
        };
    }
    match (path.fill, path.stroke) {
        (Some(_), Some(_)) => content.fill_nonzero_and_stroke(),
        (Some(_), None) => content.fill_nonzero(),
        (None, Some(_)) => content.stroke(),
        (None, None) => content.end_path(),
    };
}

fn write_text(content: &mut Content, text: &Text) {
    let [red, green, blue] = parts(text.colour);
    let glyphs: Vec<u8> = text.words.chars().flat_map(|letter| font::glyph(letter).0.to_be_bytes()).collect();
    let (x, y) = (single(text.x), single(text.y));
    // Letters stand upright though y grows downwards here.
    let matrix = if text.is_turned { [0.0, -1.0, -1.0, 0.0, x, y] } else { [1.0, 0.0, 0.0, -1.0, x, y] };
    content.begin_text().set_fill_rgb(red, green, blue);
    content.set_font(Name(b"F"), single(text.size)).set_text_matrix(matrix).show(Str(&glyphs)).end_text();
}

/// The font by the numbers of its glyphs, and the letters that they are.
fn write_font(pdf: &mut Pdf, scene: &Scene) -> io::Result<()> {
    let mut font = pdf.type0_font(Ref::new(FONT));
    font.base_font(NAME).encoding_predefined(Name(b"Identity-H"));
    font.descendant_font(Ref::new(CID_FONT)).to_unicode(Ref::new(CMAP));
    font.finish();
    let letters: BTreeMap<u16, char> =
        scene.texts().flat_map(|text| text.words.chars()).map(|letter| (font::glyph(letter).0, letter)).collect();
    let mut cid = pdf.cid_font(Ref::new(CID_FONT));
    cid.subtype(CidFontType::Type2).base_font(NAME).system_info(SYSTEM).font_descriptor(Ref::new(DESCRIPTOR));
    cid.cid_to_gid_map_predefined(Name(b"Identity"));
    let mut widths = cid.widths();
    for (glyph, letter) in &letters {
        widths.consecutive(*glyph, [single(font::advance(*letter) * 1000.0)]);
    }
    widths.finish();
    cid.finish();
    let face = font::face();
    let scaled = |units: i16| single(f64::from(units) * 1000.0 / font::units());
    let bounds = face.global_bounding_box();
    let mut descriptor = pdf.font_descriptor(Ref::new(DESCRIPTOR));
    descriptor.name(NAME).flags(FontFlags::NON_SYMBOLIC).italic_angle(0.0).stem_v(80.0);
    descriptor.bbox(Rect::new(scaled(bounds.x_min), scaled(bounds.y_min), scaled(bounds.x_max), scaled(bounds.y_max)));
    descriptor.ascent(scaled(face.ascender())).descent(scaled(face.descender()));
    descriptor.cap_height(single(font::CAP * 1000.0)).font_file2(Ref::new(FILE));
    descriptor.finish();
    let mut cmap = UnicodeCmap::new(Name(b"Custom"), SYSTEM);
    for (glyph, letter) in &letters {
        cmap.pair(*glyph, *letter);
    }
    pdf.cmap(Ref::new(CMAP), &cmap.finish());
    let file = packed(font::TRUETYPE)?;
    let length = i32::try_from(font::TRUETYPE.len()).unwrap_or(i32::MAX);
    pdf.stream(Ref::new(FILE), &file).filter(Filter::FlateDecode).pair(Name(b"Length1"), length);
    Ok(())
}
