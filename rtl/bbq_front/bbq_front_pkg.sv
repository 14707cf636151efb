// The size that the PIFO in front of a BBQ needs.
package bbq_front_pkg;

  // Clock cycles of a system cycle: the BBQ takes one operation in each.
  localparam int unsigned Phases = 2;

  // The fewest tokens that the PIFO must hold: the system cycles from the dequeue that
  // requests a token to the first dequeue that can use it. A BBQ of that latency gets the
  // request a clock cycle later. Then the token's first element is read, which takes four
  // clock cycles.
  function automatic int unsigned front_entries(input int unsigned latency);
    return (1 + latency + 4) / Phases;
  endfunction

endpackage
