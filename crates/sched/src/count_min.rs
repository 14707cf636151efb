//! A count-min sketch: a number for every flow in a table of fixed size.
//!
//! Each row hashes the flow to one of its cells; the estimate is the least of the flow's cells. Cells are shared, so an estimate may be too
//! high, and since [`raise`](CountMin::raise) never lowers a cell, it is never too low. Only cells below the new value are raised
//! (conservative update, Estan and Varghese, SIGCOMM'02), which suits a sketch whose numbers only rise. Source: Cormode and Muthukrishnan,
//! J. Algorithms 2005.

use forebay_core::{FlowId, Rng, mix};
use rand::Rng as _;

/// Rows of cells, each with a hash of its own.
#[derive(Debug, Clone)]
pub(crate) struct CountMin {
    /// One row after the other.
    cells: Box<[u64]>,
    /// The keys of the rows' hashes.
    keys: Box<[u64]>,
    columns: usize,
}

impl CountMin {
    /// `rows` times `columns` cells of zero, with hashes drawn from `rng`.
    pub(crate) fn new(rows: usize, columns: usize, rng: &mut Rng) -> Self {
        assert!(rows > 0 && columns > 0, "a sketch has cells");
        Self { cells: vec![0; rows * columns].into(), keys: (0..rows).map(|_| rng.next_u64()).collect(), columns }
    }

    /// Returns the index of the cell of `flow` in `row`.
    fn place(&self, row: usize, flow: FlowId) -> usize {
        // Flows are numbered in a row, and a linear hash would spread such numbers more evenly than chance, so that the sketch would
        // look too good.
        let hash = mix(self.keys[row].wrapping_add(flow.0.into()));
        // The remainder is below the number of columns.
        row * self.columns + usize::try_from(hash % self.columns as u64).unwrap_or(0)
    }

    /// Returns an estimate that is at least the value to which `flow` was raised last.
    pub(crate) fn estimate(&self, flow: FlowId) -> u64 {
        (0..self.keys.len()).map(|row| self.cells[self.place(row, flow)]).min().unwrap_or(0)
    }

    /// Raises the value of `flow` to at least `value`.
    pub(crate) fn raise(&mut self, flow: FlowId, value: u64) {
        for row in 0..self.keys.len() {
            let place = self.place(row, flow);
            self.cells[place] = self.cells[place].max(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt;
    use std::collections::BTreeMap;

    /// Raises random flows and returns how many estimates were too high.
    fn too_high(rows: usize, columns: usize, flows: u32) -> usize {
        let mut rng = Seed(5).stream("count-min");
        let mut sketch = CountMin::new(rows, columns, &mut rng);
        let mut truth = BTreeMap::new();
        for step in 0..5_000_u64 {
            let flow = FlowId(rng.random_range(0..flows));
            sketch.raise(flow, step);
            truth.insert(flow, step);
            let probe = FlowId(rng.random_range(0..flows));
            let value = truth.get(&probe).copied().unwrap_or(0);
            assert!(sketch.estimate(probe) >= value, "{rows} x {columns}: an estimate is never too low");
        }
        truth.iter().filter(|&(&flow, &value)| sketch.estimate(flow) > value).count()
    }

    #[test]
    fn it_never_underestimates_and_is_exact_where_no_cells_are_shared() {
        assert_eq!(too_high(1, 1, 100), 99, "one cell has only the value of the flow that was raised last");
        let narrow = too_high(1, 200, 100);
        let deep = too_high(4, 200, 100);
        assert!(narrow > deep, "more rows collide less: {narrow} and {deep} of 100 flows are too high");
        assert_eq!(too_high(2, 1 << 20, 100), 0);
    }

    #[test]
    fn flows_share_a_cell_as_often_as_chance_has_it() {
        let (columns, flows) = (64, 2_000_u32);
        let sketch = CountMin::new(1, columns, &mut Seed(6).stream("count-min"));
        let mut load = vec![0_u32; columns];
        (0..flows).for_each(|flow| load[sketch.place(0, FlowId(flow))] += 1);
        // 31 are expected in each cell, with a deviation of 5.6.
        assert!(load.iter().all(|&load| (8..64).contains(&load)), "{load:?}");
    }
}
