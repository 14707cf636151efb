//! Writes C as people do: lines that are indented by tabs.

use std::collections::HashMap;

/// A text that is built line by line.
#[derive(Default)]
pub(super) struct Writer {
    text: String,
    depth: usize,
}

impl Writer {
    /// Adds a line; an empty one without text.
    pub(super) fn line(&mut self, text: &str) {
        if !text.is_empty() {
            self.text.push_str(&"\t".repeat(self.depth));
            self.text.push_str(text);
        }
        self.text.push('\n');
    }

    /// Adds a line for the preprocessor.
    pub(super) fn directive(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Adds a comment, which may have several lines.
    pub(super) fn comment(&mut self, text: &str) {
        let text = text.replace("*/", "* /");
        match text.split_once('\n') {
            None => self.line(&format!("/* {text} */")),
            Some(_) => {
                self.line("/*");
                text.lines().for_each(|line| self.line(&format!(" * {line}")));
                self.line(" */");
            }
        }
    }

    /// Adds a line that opens a block.
    pub(super) fn open(&mut self, text: &str) {
        self.line(&format!("{text} {{"));
        self.depth += 1;
    }

    /// Adds the head of a function.
    pub(super) fn function(&mut self, head: &str) {
        self.line(head);
        self.body();
    }

    /// Begins the body of a function, after its head.
    pub(super) fn body(&mut self) {
        self.line("{");
        self.depth += 1;
    }

    /// Ends a block.
    pub(super) fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    /// Ends a function.
    pub(super) fn end(&mut self) {
        self.close();
        self.line("");
    }

    /// Adds a condition for one line.
    pub(super) fn when(&mut self, condition: &str, then: &str) {
        self.line(&format!("if ({condition})"));
        self.line(&format!("\t{then}"));
    }

    /// Adds a switch over objects: `lines[i]` runs if `on` is i; an empty line does nothing. The most frequent line is the default.
    pub(super) fn switch(&mut self, on: &str, lines: &[String]) {
        let mut distinct: Vec<(&String, Vec<usize>)> = Vec::new();
        let mut places: HashMap<&String, usize> = HashMap::new();
        for (object, line) in lines.iter().enumerate() {
            let place = *places.entry(line).or_insert(distinct.len());
            if place == distinct.len() {
                distinct.push((line, Vec::new()));
            }
            distinct[place].1.push(object);
        }
        let Some(default) = distinct.iter().max_by_key(|(_, objects)| objects.len()).map(|(line, _)| *line) else {
            return;
        };
        if distinct.len() == 1 {
            if !default.is_empty() {
                self.line(default);
            }
            return;
        }
        self.open(&format!("switch ({on})"));
        self.depth -= 1;
        for (line, objects) in distinct.into_iter().filter(|(line, _)| *line != default) {
            objects.into_iter().for_each(|object| self.line(&format!("case {object}:")));
            if !line.is_empty() {
                self.line(&format!("\t{line}"));
            }
            if !line.starts_with("return") {
                self.line("\tbreak;");
            }
        }
        self.line("default:");
        self.line(&format!("\t{}", if default.is_empty() { "break;" } else { default }));
        self.depth += 1;
        self.close();
    }

    /// Returns the whole text, between the guards of a header.
    pub(super) fn header(self, about: &str, guard: &str) -> String {
        let mut all = Self::default();
        all.comment(about);
        all.line(&format!("#ifndef {guard}"));
        all.line(&format!("#define {guard}"));
        all.line("");
        all.text + &self.text + "#endif\n"
    }

    /// Returns the text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Adds text unchanged.
    pub(super) fn add(&mut self, text: &str) {
        self.text.push_str(text);
    }
}
