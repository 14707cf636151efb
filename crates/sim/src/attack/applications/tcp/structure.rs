//! The structure of the waiting segments of a flow: a list as published, or in a tree or a buffer (SurgeProtector, thesis, sections 3.2.1,
//! 3.2.2 and 3.8).

use super::out_of_order::Placed;

/// The structure of the waiting segments of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Structure {
    /// A linked list, followed from its head, as in Pigasus.
    #[default]
    List,
    /// A balanced search tree, as in Linux.
    Tree,
    /// A buffer of the size of the window for each flow, into which data is written at its place. Nothing is looked for.
    Buffer,
}

impl Structure {
    /// All variants, with their names.
    pub const ALL: [(&'static str, Self); 3] = [("list", Self::List), ("tree", Self::Tree), ("buffer", Self::Buffer)];

    /// Returns the number of nodes that are visited to insert a segment.
    ///
    /// In a list, these are the nodes before the segment, the nodes that it overlaps with or releases, and the next node. In a tree, the
    /// nodes on the path from the root to a leaf replace the nodes before the segment.
    #[must_use]
    pub fn looked(self, placed: Placed) -> usize {
        match self {
            _ if placed.is_old => 0,
            Self::List => placed.nodes.min(placed.before + placed.touched + 1),
            Self::Tree => height(placed.nodes) + placed.touched,
            Self::Buffer => 0,
        }
    }

    /// Returns the number of visited nodes for the last segment of a flow of gaps, with `nodes` nodes before it.
    #[must_use]
    pub fn behind(self, nodes: usize) -> usize {
        self.looked(Placed { nodes, before: nodes, touched: 0, is_old: false })
    }

    /// Returns the number of visited nodes for the last of `nodes` nodes, if its segment arrives again.
    #[must_use]
    pub fn again(self, nodes: usize) -> usize {
        self.looked(Placed { nodes, before: nodes.saturating_sub(1), touched: nodes.min(1), is_old: false })
    }
}

/// Returns the number of levels of a balanced tree with `nodes` nodes.
fn height(nodes: usize) -> usize {
    (usize::BITS - nodes.leading_zeros()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_as_high_as_halving_takes() {
        for nodes in 0..1_000 {
            let (mut left, mut levels) = (nodes, 0);
            while left > 0 {
                levels += 1;
                left /= 2;
            }
            assert_eq!(Structure::Tree.behind(nodes), levels);
            assert_eq!(Structure::List.behind(nodes), nodes);
            assert_eq!(Structure::Buffer.behind(nodes), 0);
        }
    }
}
