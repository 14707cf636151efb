//! Reads the patterns of a ModSecurity rule set: the argument of `@rx` in each `SecRule`.
//!
//! A directive is a line; a backslash at its end goes on with the next. Arguments are bare
//! words or stand in double quotes, in which `\"` is a quote. Variables, transformations,
//! actions and chains are not followed: the matcher sees a whole payload, as the Full
//! Matcher of an intrusion detection system does.

use std::collections::HashMap;

/// A pattern and the first rule that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The file, as it was named to the reader.
    pub file: String,
    /// The line on which the rule begins, from 1.
    pub line: usize,
    /// The number in its actions; links of a chain have none.
    pub id: Option<u64>,
    /// The regular expression.
    pub pattern: String,
}

/// An error in a rule file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct RuleError {
    /// The file.
    pub file: String,
    /// The line on which the directive begins, from 1.
    pub line: usize,
    /// The error, and what to do about it.
    pub message: String,
}

/// The rules that were read, and counts of the others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleSet {
    /// Each different pattern once, in the order of reading.
    pub rules: Vec<Rule>,
    /// How many directives `SecRule` there were.
    pub directives: usize,
    /// How many of them have the operator `@rx`.
    pub regular: usize,
    /// How many have a pattern that an earlier rule has.
    pub repeated: usize,
    /// How many fire where their pattern does not match, for which no filter can be.
    pub negated: usize,
    /// How many have a pattern with a macro, `%{...}`, whose value is known per request only.
    pub macros: usize,
    /// How many transform their input first; the transformations are left out.
    pub transformed: usize,
    known: HashMap<String, usize>,
}

impl RuleSet {
    /// Adds the rules of a file.
    ///
    /// # Errors
    /// If a quote is not closed, a directive not finished, or a rule has no operator or no pattern.
    pub fn read(&mut self, file: &str, text: &str) -> Result<(), RuleError> {
        let mut lines = text.lines().enumerate();
        while let Some((index, first)) = lines.next() {
            let error =
                |message: &str| RuleError { file: file.to_owned(), line: index + 1, message: message.to_owned() };
            if first.trim_start().starts_with('#') {
                continue;
            }
            let mut directive = first.to_owned();
            while directive.ends_with('\\') {
                directive.pop();
                let (_, next) = lines.next().ok_or_else(|| {
                    error("the file ends after a backslash that says that the line goes on; remove it, or add the rest")
                })?;
                directive.push_str(next);
            }
            let Some(rest) = directive.trim().strip_prefix("SecRule ") else { continue };
            let arguments = arguments(rest).map_err(|open| error(&open.to_string()))?;
            let [_, operator, actions @ ..] = arguments.as_slice() else {
                return Err(error("SecRule needs variables and an operator"));
            };
            self.add(file, index + 1, operator, actions.first().map_or("", String::as_str))?;
        }
        Ok(())
    }

    fn add(&mut self, file: &str, line: usize, operator: &str, actions: &str) -> Result<(), RuleError> {
        self.directives += 1;
        let (negated, operator) = operator.strip_prefix('!').map_or((false, operator), |operator| (true, operator));
        // A text without an operator is a regular expression.
        let pattern = match operator.strip_prefix("@rx") {
            Some(pattern) if pattern.is_empty() || pattern.starts_with(' ') => pattern.trim_start(),
            _ if operator.starts_with('@') => return Ok(()),
            _ => operator,
        };
        if pattern.is_empty() {
            let message = "@rx without a pattern; write \"@rx PATTERN\"".to_owned();
            return Err(RuleError { file: file.to_owned(), line, message });
        }
        self.regular += 1;
        if negated {
            self.negated += 1;
        } else if pattern.contains("%{") {
            self.macros += 1;
        } else if self.known.contains_key(pattern) {
            self.repeated += 1;
        } else {
            let actions: Vec<&str> = actions.split(',').map(str::trim).collect();
            let named = |name: &str| actions.iter().find_map(|action| action.strip_prefix(name));
            if actions.iter().any(|action| action.starts_with("t:") && *action != "t:none") {
                self.transformed += 1;
            }
            self.known.insert(pattern.to_owned(), self.rules.len());
            let id = named("id:").and_then(|id| id.trim_matches('\'').parse().ok());
            self.rules.push(Rule { file: file.to_owned(), line, id, pattern: pattern.to_owned() });
        }
        Ok(())
    }
}

/// A quote in a directive does not end.
#[derive(Debug, thiserror::Error)]
#[error("a quote is not closed; close it, or write \\\" for a quote that is meant")]
struct OpenQuote;

/// Splits a directive into its arguments.
fn arguments(text: &str) -> Result<Vec<String>, OpenQuote> {
    let mut arguments = Vec::new();
    let mut characters = text.chars().peekable();
    loop {
        while characters.next_if(|character| character.is_whitespace()).is_some() {}
        match characters.peek() {
            None => return Ok(arguments),
            Some('"') => {
                characters.next();
                arguments.push(quoted(&mut characters)?);
            }
            Some(_) => {
                let mut word = String::new();
                while let Some(character) = characters.next_if(|character| !character.is_whitespace()) {
                    word.push(character);
                }
                arguments.push(word);
            }
        }
    }
}

/// What follows an opening quote, up to the closing one.
fn quoted(characters: &mut impl Iterator<Item = char>) -> Result<String, OpenQuote> {
    let mut text = String::new();
    while let Some(character) = characters.next() {
        match character {
            '"' => return Ok(text),
            '\\' => match characters.next() {
                Some('"') => text.push('"'),
                // Any other backslash belongs to the regular expression.
                Some(other) => text.extend(['\\', other]),
                None => break,
            },
            _ => text.push(character),
        }
    }
    Err(OpenQuote)
}
