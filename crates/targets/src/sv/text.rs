//! SystemVerilog as people write it: lines, indented by two spaces.

/// The most characters of a line.
const COLUMNS: usize = 100;

/// A text that grows line by line.
#[derive(Default)]
pub(super) struct Text {
    text: String,
    depth: usize,
}

impl Text {
    /// One line; without text an empty one.
    pub(super) fn line(&mut self, text: &str) {
        if !text.is_empty() {
            self.text.push_str(&"  ".repeat(self.depth));
            self.text.push_str(text);
        }
        self.text.push('\n');
    }

    /// Several lines.
    pub(super) fn lines(&mut self, lines: &[String]) {
        lines.iter().for_each(|line| self.line(line));
    }

    /// A comment, on as many lines as it needs.
    pub(super) fn comment(&mut self, text: &str) {
        let most = COLUMNS - 2 * self.depth - 3;
        for paragraph in text.lines() {
            let mut line = String::new();
            for word in paragraph.split_whitespace() {
                if !line.is_empty() && line.len() + 1 + word.len() > most {
                    self.line(&format!("// {line}"));
                    line.clear();
                }
                if !line.is_empty() {
                    line.push(' ');
                }
                line.push_str(word);
            }
            self.line(&format!("// {line}"));
        }
    }

    /// A line, and what follows belongs to it.
    pub(super) fn open(&mut self, text: &str) {
        self.line(text);
        self.depth += 1;
    }

    /// The line after what belongs to another one.
    pub(super) fn close(&mut self, text: &str) {
        self.depth -= 1;
        self.line(text);
    }

    /// What follows belongs to what was written last.
    pub(super) fn deeper(&mut self) {
        self.depth += 1;
    }

    /// What follows does no longer.
    pub(super) fn back(&mut self) {
        self.depth -= 1;
    }

    /// The ports of a module, between its parentheses.
    pub(super) fn ports(&mut self, ports: &[&str]) {
        self.line("(");
        self.deeper();
        for (place, port) in ports.iter().enumerate() {
            self.line(&format!("{port}{}", if place + 1 < ports.len() { "," } else { "" }));
        }
        self.close(");");
        self.line("");
    }

    /// A list in braces, on as many lines as it needs, behind a beginning.
    pub(super) fn list(&mut self, begin: &str, elements: &[String], end: &str) {
        let one = format!("{begin}{{{}}}{end}", elements.join(", "));
        if one.len() + 2 * self.depth <= COLUMNS {
            self.line(&one);
            return;
        }
        self.open(&format!("{begin}{{"));
        let mut line = String::new();
        for (place, element) in elements.iter().enumerate() {
            let comma = if place + 1 < elements.len() { "," } else { "" };
            if !line.is_empty() && line.len() + element.len() + 2 + 2 * self.depth > COLUMNS {
                self.line(&line);
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(element);
            line.push_str(comma);
        }
        self.line(&line);
        self.close(&format!("}}{end}"));
    }

    /// What was written.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// An unsigned literal.
pub(super) fn unsigned(bits: u32, value: u128) -> String {
    format!("{bits}'d{value}")
}

/// A signed literal.
pub(super) fn signed(bits: u32, value: i128) -> String {
    let most = 1_u128 << (bits - 1).min(127);
    match value {
        // A decimal digit has two bits, as slang counts.
        _ if bits == 1 => format!("1'sb{}", u8::from(value != 0)),
        0.. => format!("{bits}'sd{value}"),
        _ if value.unsigned_abs() < most => format!("-{bits}'sd{}", value.unsigned_abs()),
        // The least has no opposite.
        _ => format!("{bits}'sh{most:x}"),
    }
}
