//! A Vega-Lite specification with its data, for pictures in web pages and notebooks.

use crate::error::{Result, UserError};
use crate::figure::drawing::{Drawing, Format};
use crate::figure::model::{Axis, Panel, Series};
use crate::figure::palette::{Style, styles};
use crate::figure::plot::Plot;
use crate::figure::scene::Colour;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The entry of the registry.
pub(crate) const ENTRY: Format = Format { ending: "json", write };

const SCHEMA: &str = "https://vega.github.io/schema/vega-lite/v5.json";
/// The size of a plot in pixels.
const SIZE: (u32, u32) = (340, 220);

fn write(drawing: &Drawing<'_>) -> Result<Vec<u8>> {
    let figure = drawing.figure;
    let names = figure.names();
    let styles = styles(names.iter().copied().chain(figure.others.iter().map(String::as_str)));
    let layers = drawing.kind.plot.vega();
    let views: Vec<Value> =
        figure.panels.iter().map(|panel| view(panel, drawing.kind.plot, &layers, &names, &styles)).collect();
    let mut all = json!({"$schema": SCHEMA, "title": figure.title, "config": {"view": {"stroke": null}}});
    match <[Value; 1]>::try_from(views) {
        Ok([view]) => merge(&mut all, view),
        Err(views) => merge(&mut all, json!({"columns": figure.across.unwrap_or(2), "concat": views})),
    }
    let text = serde_json::to_string_pretty(&all)
        .map_err(|error| UserError::new(format!("the figure cannot be written as Vega-Lite: {error}")))?;
    Ok((text + "\n").into_bytes())
}

/// Adds fields to an object.
fn merge(all: &mut Value, more: Value) {
    if let (Value::Object(all), Value::Object(more)) = (all, more) {
        for (name, value) in more {
            // A view without a title of its own keeps that of the figure.
            if !(name == "title" && value == "") {
                all.insert(name, value);
            }
        }
    }
}

fn view(panel: &Panel, plot: &dyn Plot, layers: &[Value], names: &[&str], styles: &BTreeMap<String, Style>) -> Value {
    let values: Vec<Value> = panel.series.iter().flat_map(|series| rows(panel, series)).collect();
    let encoding = json!({
        "x": channel("x", &panel.x, plot.wants_names()),
        "y": channel("y", &panel.y, false),
        "color": {
            "field": "series", "type": "nominal", "title": null,
            "scale": {"domain": names, "range": colours(names, styles)},
        },
        "shape": {"field": "series", "type": "nominal", "title": null, "scale": {"domain": names}},
        "strokeDash": {"field": "series", "type": "nominal", "title": null, "scale": {"domain": names}},
        "tooltip": [{"field": "series"}, {"field": "x"}, {"field": "y"}, {"field": "ci95"}],
    });
    let layer: Vec<Value> = layers.iter().map(|layer| with(&encoding, layer)).collect();
    json!({
        "title": panel.title, "width": SIZE.0, "height": SIZE.1, "data": {"values": values}, "layer": layer,
    })
}

/// The layer with the encoding of the view; what the layer says itself goes first, and null takes a channel away.
fn with(encoding: &Value, layer: &Value) -> Value {
    let mut channels = encoding.as_object().cloned().unwrap_or_default();
    for (name, own) in layer["encoding"].as_object().into_iter().flatten() {
        match (own, channels.get_mut(name)) {
            (Value::Null, _) => {
                channels.remove(name);
            }
            // An end of an interval is on the axis of the value.
            (Value::Object(own), Some(Value::Object(channel))) => channel.extend(own.clone()),
            (own, _) => {
                channels.insert(name.clone(), own.clone());
            }
        }
    }
    json!({"mark": layer["mark"], "encoding": Value::Object(channels)})
}

fn rows<'a>(panel: &'a Panel, series: &'a Series) -> impl Iterator<Item = Value> {
    panel.shown(series).map(|point| {
        let mut row = Map::new();
        row.insert("series".to_owned(), json!(series.name));
        row.insert(
            "x".to_owned(),
            crate::figure::names::name_of(&panel.x, point.x).map_or_else(|| json!(point.x), |name| json!(name)),
        );
        row.insert("y".to_owned(), json!(point.y));
        if let Some(ci95) = point.ci95 {
            row.insert("ci95".to_owned(), json!(ci95));
            row.insert("low".to_owned(), json!(point.y - ci95));
            row.insert("high".to_owned(), json!(point.y + ci95));
        }
        Value::Object(row)
    })
}

/// `wants_names` says that each number of the axis has a slot as a name has.
fn channel(field: &str, axis: &Axis, wants_names: bool) -> Value {
    let unit = axis.unit.base();
    let title = if unit.is_empty() { axis.title.clone() } else { format!("{} ({unit})", axis.title) };
    if axis.names.is_empty() && !wants_names {
        let scale = if axis.is_logarithmic { json!({"type": "log"}) } else { json!({"zero": false}) };
        json!({"field": field, "type": "quantitative", "title": title, "scale": scale})
    } else if axis.names.is_empty() {
        json!({"field": field, "type": "ordinal", "title": title})
    } else {
        json!({"field": field, "type": "ordinal", "title": title, "sort": null})
    }
}

fn colours(names: &[&str], styles: &BTreeMap<String, Style>) -> Vec<String> {
    let colour = |name: &&str| {
        let Colour(red, green, blue) = styles.get(*name).copied().unwrap_or_default().colour();
        format!("#{red:02x}{green:02x}{blue:02x}")
    };
    names.iter().map(colour).collect()
}
