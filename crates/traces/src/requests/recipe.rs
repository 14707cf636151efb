//! A recipe of a trace in one word, to be given in place of a file:
//! `zipf:objects=1e4,requests=1e6,skew=0.9`; several, joined with `+`, are a mixture.

use super::generate::{Common, GENERATORS, Mixture, Part};
use super::{RecipeError, RequestReader, Spec, SpecError};
use forebay_core::registry::find;

/// A checked recipe, from which the same trace can be made any number of times.
#[derive(Debug, Clone)]
pub struct Recipe {
    parts: Vec<Spec>,
}

impl Recipe {
    /// Returns whether `text` begins with the name of a generator, and so is meant as a recipe.
    #[must_use]
    pub fn is_meant(text: &str) -> bool {
        let name = text.split([':', '+']).next().unwrap_or(text).trim();
        find("generator", GENERATORS, name).is_ok()
    }

    /// Reads and checks a recipe.
    ///
    /// # Errors Names the generator or the parameter that is wrong, and what to write instead.
    pub fn parse(text: &str) -> Result<Self, RecipeError> {
        let recipe = Self { parts: parts(text).into_iter().map(Spec::parse).collect::<Result<_, _>>()? };
        recipe.open()?;
        Ok(recipe)
    }

    /// Returns the recipe with this seed in place of its own.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        for part in &mut self.parts {
            part.set("seed", &seed.to_string());
        }
        self
    }

    /// Returns the recipe with this seed, if it has none of its own.
    #[must_use]
    pub fn with_default_seed(mut self, seed: u64) -> Self {
        for part in &mut self.parts {
            part.set_default("seed", &seed.to_string());
        }
        self
    }

    /// Returns the number of requests.
    #[must_use]
    pub fn requests(&self) -> f64 {
        let of_part = |spec: &Spec| {
            let entry = find("generator", GENERATORS, &spec.name).ok()?;
            let common = Common::new(&spec.params(entry.about.params).ok()?).ok()?;
            Some(common.requests as f64)
        };
        self.parts.iter().filter_map(of_part).sum()
    }

    /// Opens the trace at its beginning.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn open(&self) -> Result<Box<dyn RequestReader>, RecipeError> {
        let checked = self.parts.iter().map(|spec| {
            let entry = find("generator", GENERATORS, &spec.name)?;
            let params = spec.params(entry.about.params)?;
            let common = Common::new(&params).map_err(|error| SpecError::Wrong { name: spec.name.clone(), error })?;
            Ok((entry, common, params))
        });
        let checked = checked.collect::<Result<Vec<_>, RecipeError>>()?;
        let total: f64 = checked.iter().map(|(_, common, _)| common.requests as f64).sum();
        let mut parts = Vec::new();
        let mut first_key = 0_u64;
        for (index, (entry, mut common, params)) in checked.into_iter().enumerate() {
            common.settle(index, first_key, total);
            let name = entry.about.name;
            let (generator, keys) =
                (entry.open)(&common, &params).map_err(|error| SpecError::Wrong { name: name.to_owned(), error })?;
            first_key = first_key.saturating_add(keys);
            parts.push(Part::new(name, generator, common));
        }
        Mixture::new(parts).map(|mixture| Box::new(mixture) as Box<dyn RequestReader>)
    }
}

/// The recipes that `+` joins; in a number like `1e+6` it joins nothing.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (place, _) in text.match_indices('+') {
        let next = text[place + 1..].trim_start();
        if next.is_empty() || next.starts_with(|c: char| c.is_alphabetic() || c == '+') {
            parts.push(text[start..place].trim());
            start = place + 1;
        }
    }
    parts.push(text[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plus_joins_recipes_but_not_digits() {
        assert_eq!(parts("zipf:requests=1e+6 + loop+scans"), ["zipf:requests=1e+6", "loop", "scans"]);
        assert_eq!(parts("zipf+"), ["zipf", ""]);
    }
}
