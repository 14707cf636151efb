//! Comparators as C functions: by their keys if these are known, or else by the policy's expression.

use super::Model;
use super::expressions::{number, truth};
use super::scope::{Object, Scope};
use super::value::{Truth, Value};
use super::writer::Writer;
use forebay_lang::ir::{Comparator, Num};

/// The kind of objects that a comparator compares.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Packets,
    Queues,
}

/// Writes the function `name` of `a` and `b`: below 0 if `a` precedes, above 0 if `b` does, 0 if they tie.
pub(super) fn function(out: &mut Writer, name: &str, comparator: &Comparator, of: Of, model: &Model<'_>) {
    out.comment(&model.names.in_text(&format!("{}: {}", comparator.name, comparator.before)));
    out.function(&format!("OQ_INLINE int {name}(oq_u32 a, oq_u32 b)"));
    let body = match &comparator.keys {
        Some(keys) => {
            let mut body = Vec::new();
            for key in keys {
                let [a, b] = ["a", "b"].map(|object| value(&key.value, object, of, model));
                let (Value::Text(a), Value::Text(b)) = (a, b) else { continue };
                let first = if key.descending { '>' } else { '<' };
                body.push((model.names.in_text(&key.to_string()), a, b, first));
            }
            body
        }
        None => {
            let [before, after] = [["a", "b"], ["b", "a"]].map(|objects| says(comparator, objects, of, model));
            unused(out, &["a", "b"], &[&before, &after]);
            out.when(&before, "return -1;");
            out.line(&format!("return {after};"));
            out.end();
            return;
        }
    };
    if body.is_empty() {
        out.line("(void)a;");
        out.line("(void)b;");
    } else {
        out.line("oq_i64 of_a, of_b;");
        out.line("");
    }
    for (key, a, b, first) in body {
        out.comment(&key);
        out.line(&format!("of_a = {a};"));
        out.line(&format!("of_b = {b};"));
        out.when("of_a != of_b", &format!("return of_a {first} of_b ? -1 : 1;"));
    }
    out.line("return 0;");
    out.end();
}

/// Marks the parameters that `texts` do not read as intentionally unused.
pub(super) fn unused(out: &mut Writer, parameters: &[&str], texts: &[&str]) {
    let is_in_a_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let reads = |text: &str, parameter: &str| {
        // Comments stand before the code of their line, or after it.
        let code = text.split("/*").enumerate().map(|(place, piece)| match place {
            0 => piece,
            _ => piece.split_once("*/").map_or("", |(_, code)| code),
        });
        code.flat_map(|code| code.split(|letter| !is_in_a_word(letter))).any(|word| word == parameter)
    };
    for parameter in parameters {
        if !texts.iter().any(|text| reads(text, parameter)) {
            out.line(&format!("(void){parameter};"));
        }
    }
}

fn object(text: &str, model: &Model<'_>) -> Option<Object> {
    Some(Object::new(text, 0..model.policy.queues.len()))
}

fn value(key: &Num, name: &'static str, of: Of, model: &Model<'_>) -> Value {
    let mut scope = Scope::new(model);
    match of {
        Of::Packets => scope.this_packet = Some(name),
        Of::Queues => scope.this_queue = object(name, model),
    }
    number(key, &scope)
}

fn says(comparator: &Comparator, [first, second]: [&'static str; 2], of: Of, model: &Model<'_>) -> String {
    let mut scope = Scope::new(model);
    match of {
        Of::Packets => (scope.first_packet, scope.second_packet) = (Some(first), Some(second)),
        Of::Queues => (scope.first_queue, scope.second_queue) = (object(first, model), object(second, model)),
    }
    match truth(&comparator.before, &scope) {
        Truth::Text(text) => text,
        known => known.text(),
    }
}
