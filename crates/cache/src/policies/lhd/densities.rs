//! What LHD learns: the hit density of every class of objects at every age.

/// Counts how lifetimes end, and from that predicts hits per unit of time.
///
/// Tables grow with the greatest age at which a lifetime ended; all that is beyond has
/// one density for its class.
#[derive(Debug, Clone)]
pub(super) struct Densities {
    classes: usize,
    /// What remains of the counts after a reconfiguration.
    keep: f64,
    /// By age, then by class: how many lifetimes ended in a hit, and how many otherwise.
    hits: Vec<f64>,
    evictions: Vec<f64>,
    /// By age, then by class, after the first reconfiguration.
    densities: Option<Vec<f64>>,
}

impl Densities {
    /// Tables for as many `ages` take no more memory later.
    pub(super) fn new(classes: usize, keep: f64, ages: usize) -> Self {
        let counts = || Vec::with_capacity(classes * ages);
        Self { classes, keep, hits: counts(), evictions: counts(), densities: None }
    }

    fn index(&mut self, class: usize, age: usize) -> usize {
        let index = age * self.classes + class;
        if self.hits.len() <= index {
            self.hits.resize((age + 1) * self.classes, 0.0);
            self.evictions.resize((age + 1) * self.classes, 0.0);
        }
        index
    }

    /// A lifetime of `age` ended in a hit.
    #[inline]
    pub(super) fn hit(&mut self, class: usize, age: usize) {
        let index = self.index(class, age);
        self.hits[index] += 1.0;
    }

    /// A lifetime of `age` ended in an eviction.
    #[inline]
    pub(super) fn evicted(&mut self, class: usize, age: usize) {
        let index = self.index(class, age);
        self.evictions[index] += 1.0;
    }

    /// The hit density of an object of size 1: 1 at most. Before anything is learnt, less
    /// for older objects and more for classes that were hit sooner.
    #[inline]
    pub(super) fn of(&self, class: usize, age: usize) -> f64 {
        match &self.densities {
            None => (class + 1) as f64 / (self.classes * (age + 1)) as f64,
            Some(densities) => densities.get(age * self.classes + class).copied().unwrap_or(0.0),
        }
    }

    /// Converts counts from ages in units of 2^`before` requests to units of 2^`after`. `max` is the greatest age.
    pub(super) fn change_ages(&mut self, before: u32, after: u32, max: usize) {
        let Self { classes, hits, evictions, .. } = self;
        for counts in [hits, evictions] {
            let mut converted = Vec::new();
            for (index, &count) in counts.iter().enumerate() {
                let (age, class) = (index / *classes, index % *classes);
                let from = (age << before) >> after;
                // An age in finer units is one of several, each as likely.
                let parts = 1_usize << before.saturating_sub(after).min(20);
                for part in 0..parts {
                    let age = if age >= max { age } else { (from + part).min(max - 1) };
                    let to = age * *classes + class;
                    if converted.len() <= to {
                        converted.resize((age + 1) * *classes, 0.0);
                    }
                    converted[to] += count / parts as f64;
                }
            }
            *counts = converted;
        }
    }

    /// Reconfigures: learns from the counts, which then weigh less.
    ///
    /// The density at an age is a ratio. Above stands the number of lifetimes that end in a hit after it, and below the sum
    /// of the remaining times of all lifetimes that reach it. The paper computes both sums from the greatest age down in
    /// the same way.
    pub(super) fn learn(&mut self) {
        let densities = self.densities.get_or_insert_default();
        densities.resize(self.hits.len(), 0.0);
        for class in 0..self.classes {
            let (mut hits, mut lifetimes, mut remaining) = (0.0, 0.0, 0.0);
            for index in (class..self.hits.len()).step_by(self.classes).rev() {
                hits += self.hits[index];
                lifetimes += self.hits[index] + self.evictions[index];
                remaining += lifetimes;
                densities[index] = if remaining > 0.0 { hits / remaining } else { 0.0 };
            }
        }
        for count in self.hits.iter_mut().chain(&mut self.evictions) {
            *count *= self.keep;
        }
    }
}
