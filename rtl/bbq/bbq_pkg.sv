// The shape of a Bitmapped Bucket Queue, from its parameters.
package bbq_pkg;

  // Guard bits per child: bit j says "at least j elements below", as far as is known. A
  // dequeue's effect on the count is known two cycles after the choice of the child, so
  // that three bits keep the lowest one, which is the bitmap, exact (see bbq_level.sv).
  localparam int unsigned Guard = 3;

  // How many operations before it one operation may share state in flight with.
  localparam int unsigned Window = 4;

  // What an operation that was admitted does on its way down the pipeline.
  typedef struct packed {
    logic active;   // anything; a peek if it neither puts nor takes
    logic put;      // an enqueue
    logic take;     // a dequeue
    logic highest;  // a dequeue or peek of the highest rank, not the lowest
  } action_t;

  // Levels whose place in the tree the partition says alone: they need no bitmap
  // (appendix A.2). At least one level stays.
  function automatic int unsigned steered(
    int unsigned levels, int unsigned width, int unsigned partitions
  );
    int unsigned whole;
    whole = $clog2(partitions) / $clog2(width);
    return whole < levels ? whole : levels - 1;
  endfunction

  // Cycles from the acceptance of an operation to its answer.
  function automatic int unsigned latency(
    int unsigned levels, int unsigned width, int unsigned partitions
  );
    int unsigned skipped;
    skipped = steered(levels, width, partitions);
    return 2 * (levels - skipped) + 5 + (skipped > 0 ? 2 : 0);
  endfunction

endpackage
