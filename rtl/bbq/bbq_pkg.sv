// The shape of a Bitmapped Bucket Queue, from its parameters.
package bbq_pkg;

  // Guard bits per child: bit j is set if at least j elements are known to be below. The
  // effect of a dequeue on the count is known two cycles after the choice of the child.
  // So three bits keep the lowest one, which is the bitmap, exact (see bbq_level.sv).
  localparam int unsigned Guard = 3;

  // An operation may share state in flight with up to this many operations before it.
  localparam int unsigned Window = 4;

  // Actions of an admitted operation on its way down the pipeline.
  typedef struct packed {
    logic active;   // anything; a peek if neither an enqueue nor a dequeue
    logic put;      // an enqueue
    logic take;     // a dequeue
    logic highest;  // a dequeue or peek of the highest rank, not the lowest
  } action_t;

  // Levels in which the partition alone decides the path: they need no bitmap (appendix
  // A.2). At least one level stays.
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
