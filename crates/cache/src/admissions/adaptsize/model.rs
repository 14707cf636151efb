//! The Markov model of AdaptSize: the hit ratio of LRU if objects of size s enter with probability exp(-s / c).

/// Objects that are requested about as often and are of about the same size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Objects {
    /// How many there are.
    pub count: f64,
    /// Mean requests for each of them in an interval.
    pub rate: f64,
    /// Mean size.
    pub size: f64,
}

/// Steps of each bisection.
const HALVINGS: u32 = 12;
/// Steps of the search for the scale, once its octave is known.
const GOLDEN: u32 = 12;

/// Returns the scale c with the highest hit ratio; infinity, with which every object enters, if no other has a higher one.
///
/// The hit ratio may have several maxima over c. So the search tries a scale in each octave between the [least](least_scale)
/// and eight times the largest size, and then looks around the best by golden section.
#[must_use]
pub fn best_scale(objects: &[Objects], capacity: f64) -> f64 {
    let most = objects.iter().map(|objects| objects.size).fold(0.0, f64::max);
    let total: f64 = objects.iter().map(|objects| objects.count * objects.size).sum();
    if total <= capacity {
        return f64::INFINITY;
    }
    let least = least_scale(objects, capacity);
    let mut time = 1.0 / objects.iter().map(|objects| objects.rate).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let mut ratio = |scale: f64| hit_ratio(objects, capacity, scale, &mut time);
    let octaves = std::iter::successors(Some(least), |&scale| (scale < 8.0 * most).then_some(2.0 * scale));
    let mut best = (ratio(f64::INFINITY), f64::INFINITY);
    for scale in octaves {
        let found = (ratio(scale), scale);
        best = if found.0 > best.0 { found } else { best };
    }
    if best.1 == f64::INFINITY {
        return best.1;
    }
    let (mut low, mut high) = ((best.1.log2() - 1.0).max(least.log2()), best.1.log2() + 1.0);
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    for _ in 0..GOLDEN {
        let inner = [high - golden * (high - low), low + golden * (high - low)];
        let [left, right] = inner.map(|exponent| (ratio(exponent.exp2()), exponent.exp2()));
        if left.0 > right.0 {
            high = inner[1];
        } else {
            low = inner[0];
        }
        for found in [left, right] {
            best = if found.0 > best.0 { found } else { best };
        }
    }
    best.1
}

/// Returns the least scale with which as much enters an empty cache within an interval, by expectation, as it holds. With lower
/// ones the cache would be far from the steady state that the model is about.
#[must_use]
pub fn least_scale(objects: &[Objects], capacity: f64) -> f64 {
    let fills = |scale: f64| {
        let enters = |objects: &Objects| 1.0 - (-objects.rate * (-objects.size / scale).exp()).exp();
        let entered: f64 = objects.iter().map(|objects| objects.count * objects.size * enters(objects)).sum();
        entered >= capacity
    };
    let (mut low, mut high) = (0.0, 64.0_f64);
    if !fills(high.exp2()) {
        return f64::INFINITY;
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if fills(middle.exp2()) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high.exp2()
}

/// Returns the share of requests that hit. `time` is a first guess of the [characteristic time](characteristic_time), and is
/// replaced by it.
#[must_use]
pub fn hit_ratio(objects: &[Objects], capacity: f64, scale: f64, time: &mut f64) -> f64 {
    *time = characteristic_time(objects, capacity, scale, *time);
    let requests: f64 = objects.iter().map(|objects| objects.count * objects.rate).sum();
    let hits: f64 = objects.iter().map(|objects| objects.count * objects.rate * in_cache(objects, scale, *time)).sum();
    if requests > 0.0 { hits / requests } else { 0.0 }
}

/// The probability that an object is in the cache. The object enters by a request with probability a = exp(-s / c), and
/// leaves if it is not requested for the time T: (exp(rT) - 1) a / (1 + (exp(rT) - 1) a).
fn in_cache(objects: &Objects, scale: f64, time: f64) -> f64 {
    let odds = (objects.rate * time).exp_m1() * (-objects.size / scale).exp();
    if odds.is_infinite() { 1.0 } else { odds / (1.0 + odds) }
}

/// The time T after which an object leaves that is not requested: the expected size of the objects in the cache is
/// then its capacity. The search begins at `guess`; the greatest number if the objects never fill the cache.
fn characteristic_time(objects: &[Objects], capacity: f64, scale: f64, guess: f64) -> f64 {
    let fits = |time: f64| {
        let used: f64 =
            objects.iter().map(|objects| objects.count * objects.size * in_cache(objects, scale, time)).sum();
        used <= capacity
    };
    let mut low = guess.clamp(1e-300, 1e300);
    while !fits(low) && low > 1e-300 {
        low /= 2.0;
    }
    while fits(2.0 * low) {
        low *= 2.0;
        if low > 1e300 {
            return f64::MAX;
        }
    }
    let mut high = 2.0 * low;
    for _ in 0..HALVINGS {
        let middle = (low * high).sqrt();
        if fits(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt as _;

    /// Objects by Zipf's law whose sizes do not depend on how often they are requested.
    fn objects(seed: u64) -> Vec<Objects> {
        let mut rng = Seed(seed).stream("test/adaptsize");
        let object = |rank: u32| {
            let size = 2.0_f64.powf(rng.random_range(6.0..12.0)).round();
            Objects { count: 1.0, rate: 9e3 / f64::from(rank), size }
        };
        (1..=400).map(object).collect()
    }

    /// The share of requests that hit, in a list with the most recently used object at its end.
    fn played(objects: &[Objects], capacity: f64, scale: f64, seed: u64) -> f64 {
        let mut rng = Seed(seed).stream("test/adaptsize/requests");
        let rates: Vec<f64> = objects
            .iter()
            .scan(0.0, |sum, objects| {
                *sum += objects.rate;
                Some(*sum)
            })
            .collect();
        let (mut list, mut used, mut hits) = (Vec::<usize>::new(), 0.0, 0);
        for request in 0..60_000 {
            let drawn = rng.random_range(0.0..rates[rates.len() - 1]);
            let key = rates.partition_point(|&sum| sum <= drawn);
            let size = objects[key].size;
            if let Some(at) = list.iter().position(|&other| other == key) {
                list.remove(at);
                list.push(key);
                hits += i32::from(request >= 20_000);
            } else if rng.random::<f64>() < (-size / scale).exp() {
                while used + size > capacity {
                    used -= objects[list.remove(0)].size;
                }
                used += size;
                list.push(key);
            }
        }
        f64::from(hits) / 40_000.0
    }

    #[test]
    fn predicts_the_hit_ratio_of_lru() {
        for seed in 0..3 {
            let objects = objects(seed);
            for scale in [1e3, 3e3, 1e4, f64::INFINITY] {
                let (model, real) = (hit_ratio(&objects, 6e4, scale, &mut 1.0), played(&objects, 6e4, scale, seed));
                assert!((model - real).abs() < 0.015, "c = {scale}: model {model}, played {real}");
            }
        }
    }

    /// No scale of a fine grid above the least is better, and every guess of the time gives the same.
    #[test]
    fn finds_the_best_scale() {
        for seed in 0..5 {
            let objects = objects(seed);
            let ratio = |scale: f64| hit_ratio(&objects, 6e4, scale, &mut 1.0);
            let found = best_scale(&objects, 6e4);
            let least = least_scale(&objects, 6e4);
            let grid = (0..256).map(|step| ratio(least * 2.0_f64.powf(f64::from(step) / 16.0))).fold(0.0, f64::max);
            assert!(ratio(found) > grid - 2e-4, "c = {found}: {} {grid}", ratio(found));
            assert!(ratio(found) > ratio(f64::INFINITY) + 0.02, "sizes matter");
            for guess in [1e-250, 1e-3, 1e9, 1e280] {
                let other = hit_ratio(&objects, 6e4, found, &mut { guess });
                assert!((other - ratio(found)).abs() < 1e-3);
            }
        }
    }

    #[test]
    fn everything_enters_where_all_fit_or_too_little_is_requested() {
        let equal: Vec<Objects> = objects(1).iter().map(|objects| Objects { size: 1.0, ..*objects }).collect();
        assert_eq!((best_scale(&equal, 400.0), best_scale(&objects(1), 1e9)), (f64::INFINITY, f64::INFINITY));
        let few = [Objects { count: 100.0, rate: 0.1, size: 1.0 }];
        assert_eq!((best_scale(&[], 10.0), best_scale(&few, 50.0)), (f64::INFINITY, f64::INFINITY));
        let nothing = [Objects { count: 3.0, rate: 0.0, size: 0.0 }];
        assert_eq!((best_scale(&nothing, 10.0), hit_ratio(&nothing, 10.0, 1.0, &mut 1.0)), (f64::INFINITY, 0.0));
    }
}
