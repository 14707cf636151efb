// How large the PIFO in front of a BBQ has to be.
package bbq_front_pkg;

  // Clock cycles of a system cycle: the BBQ takes one operation in each.
  localparam int unsigned Phases = 2;

  // The fewest elements that the PIFO must hold: the system cycles from a refill's request
  // to its use. A BBQ of that latency gets the request one clock cycle after the dequeue
  // that asks for it.
  function automatic int unsigned front_entries(input int unsigned latency);
    return (latency + 1) / Phases;
  endfunction

endpackage
