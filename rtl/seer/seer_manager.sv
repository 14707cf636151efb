// Seer's cache manager: which state is fetched next, and which one is evicted for it.
//
// Source: Seer (NSDI 2024), Algorithms 1 and 2, sections 3.2 and 4. Iterations follow one another
// without end. Each takes log2(P) + 2k + 1 cycles for P ports and k ways (log2 rounded up):
// - 1 cycle: the heads of all lists are read (line 10);
// - k cycles: whether the state of each head is cached, all ports at once, a way in each cycle
//   (line 11);
// - log2(P) cycles: the first arrival among the heads that are not cached (lines 17, 18);
// - k cycles: the ways of its set, one in each cycle. A way is free, or in A with the time of its
//   next packet, or in B. Also, which of A is needed last (Algorithm 2, lines 3, 4 and 9).
// The outcome takes effect in the next cycle, which is the first of the next iteration. Cached
// heads move to X, and so does a head for which a state is evicted (lines 12 and 22).
// `fetch_valid_o` is 1 for this one cycle. If the store is not ready in it, or a packet has
// requested this state itself meanwhile, nothing is fetched and the next iteration tries again. A
// head that is fetched into a free way moves to X when the next iteration finds it cached, as
// printed.
//
// Beyond the paper: a state that a packet had to fetch itself requests a slot when the fetch is
// complete (`place_*`). Algorithm 2 chooses the state to evict for it, with its own next packet as
// the new one. If no state can be evicted, the new state is not inserted. This takes k + 2 cycles
// between two iterations, and has priority over the next iteration.
//
// The cache is read one way in each cycle (`look_*` for the heads, `scan_*` for one set) and
// answers in the same cycle. A state on its way is in neither A nor B, so it is not evicted.
//
// Limits: an id is needed at the time of the first packet with this id on any port. Times must be
// within half of their range. A head for which no state can be evicted holds up all ports, as in
// Algorithm 1, until the expected packets change.
module seer_manager #(
  parameter int unsigned Ports     = 4,
  parameter int unsigned Ways      = 4,
  parameter int unsigned IdWidth   = 17,
  parameter int unsigned TimeWidth = 32,
  localparam int unsigned PortWidth = Ports > 1 ? $clog2(Ports) : 1,
  localparam int unsigned WayWidth  = Ways > 1 ? $clog2(Ways) : 1
) (
  input  logic                            clk_i,
  input  logic                            rst_i,
  // The lists of the ports.
  output logic                            ask_o,
  input  logic [Ports-1:0]                head_valid_i,
  input  logic [Ports-1:0][IdWidth-1:0]   head_id_i,
  input  logic [Ports-1:0][TimeWidth-1:0] head_arrival_i,
  output logic [Ports-1:0]                mark_o,
  output logic [IdWidth-1:0]              find_id_o,
  input  logic [Ports-1:0]                find_hit_i,
  input  logic [Ports-1:0][TimeWidth-1:0] find_arrival_i,
  // The cache.
  output logic [WayWidth-1:0]             look_way_o,      // of the sets of all heads
  input  logic [Ports-1:0]                look_hit_i,      // it has the head, or is fetching it
  input  logic [Ports-1:0]                look_asked_i,    // a packet fetches the head itself
  output logic                            scanning_o,
  output logic [IdWidth-1:0]              scan_for_o,      // of the set of this id
  output logic [WayWidth-1:0]             scan_way_o,
  input  logic                            scan_used_i,
  input  logic                            scan_here_i,
  input  logic [IdWidth-1:0]              scan_id_i,
  input  logic                            scan_asked_i,    // a packet fetches `scan_for_o` itself
  // The heuristic.
  output logic [Ways-1:0]                 among_o,
  input  logic [WayWidth-1:0]             choice_i,
  // A state that a packet has fetched.
  input  logic                            place_valid_i,
  output logic                            place_ready_o,
  input  logic [IdWidth-1:0]              place_id_i,
  // The outcome, in the cycle in which `commit_o` is 1.
  output logic                            commit_o,
  input  logic                            fetch_ready_i,
  output logic                            fetch_valid_o,
  output logic                            placed_valid_o,  // the answer to `place`
  output logic                            placed_enters_o,
  output logic [IdWidth-1:0]              id_o,            // of either
  output logic [PortWidth-1:0]            port_o,          // of a fetch
  output logic [WayWidth-1:0]             way_o,
  output logic                            evicts_o,
  output logic [IdWidth-1:0]              evicted_o,
  output logic                            changes_o        // this iteration has had an effect
);

  // ---- the steps of an iteration -----------------------------------------------------------

  localparam int unsigned Levels     = $clog2(Ports);
  localparam int unsigned CountWidth = $clog2(Levels + Ways + 1);

  typedef enum logic [2:0] {
    PhaseAsk,    // and the outcome of the iteration before
    PhaseLook,
    PhaseTree,
    PhaseWanted, // of a place
    PhaseScan
  } phase_e;

  phase_e                phase_q, phase_d;
  logic [CountWidth-1:0] step_q, step_d;
  logic                  last_way, starts_place, placing_q, ran_q;

  assign last_way     = step_q == CountWidth'(Ways - 1);
  assign starts_place = phase_q == PhaseAsk && place_valid_i && !rst_i;

  always_comb begin
    phase_d = phase_q;
    step_d  = step_q + 1'b1;
    unique case (phase_q)
      PhaseAsk: begin
        phase_d = place_valid_i ? PhaseWanted : PhaseLook;
        step_d  = '0;
      end
      PhaseLook: if (last_way) begin
        phase_d = Levels == 0 ? PhaseScan : PhaseTree;
        step_d  = '0;
      end
      PhaseTree: if (step_q == CountWidth'(Levels - 1)) begin
        phase_d = PhaseScan;
        step_d  = '0;
      end
      PhaseWanted: begin
        phase_d = PhaseScan;
        step_d  = '0;
      end
      default: if (last_way) begin
        phase_d = PhaseAsk;
        step_d  = '0;
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    phase_q <= phase_d;
    step_q  <= step_d;
    if (phase_q == PhaseAsk) placing_q <= place_valid_i;
    // Whether there is an iteration before this one.
    ran_q <= phase_q == PhaseScan || (ran_q && phase_q != PhaseAsk);
    if (rst_i) begin
      phase_q <= PhaseAsk;
      ran_q   <= 1'b0;
    end
  end

  assign ask_o         = phase_q == PhaseAsk;
  assign place_ready_o = phase_q == PhaseAsk && !rst_i;

  // ---- Algorithm 1, lines 10 to 16: heads, and which of them are cached --------------------

  logic [Ports-1:0]                cached_q, offered;
  logic [Ports-1:0][TimeWidth-1:0] arrival_q;

  assign look_way_o = WayWidth'(step_q);

  always_ff @(posedge clk_i) begin
    arrival_q <= head_arrival_i;
    if (phase_q == PhaseAsk) cached_q <= '0;
    if (phase_q == PhaseLook)
      cached_q <= cached_q | (head_valid_i & (look_hit_i | look_asked_i));
  end

  // ---- lines 17 and 18: the first arrival --------------------------------------------------

  logic                 first_valid;
  logic [TimeWidth-1:0] first_arrival;
  logic [IdWidth-1:0]   first_id;
  logic [PortWidth-1:0] first_port;

  assign offered = head_valid_i & ~cached_q;

  seer_min #(
    .Inputs   (Ports),
    .TimeWidth(TimeWidth),
    .DataWidth(IdWidth)
  ) i_first (
    .clk_i,
    .valid_i(offered),
    .time_i (arrival_q),
    .data_i (head_id_i),
    .valid_o(first_valid),
    .time_o (first_arrival),
    .data_o (first_id),
    .index_o(first_port)
  );

  // ---- the state to insert, and when it is needed ------------------------------------------

  logic                 found, wanted_q, new_valid;
  logic [TimeWidth-1:0] found_arrival, wanted_arrival_q, new_arrival;
  logic [IdWidth-1:0]   place_id_q, new_id;

  function automatic logic earlier(input logic [TimeWidth-1:0] a, input logic [TimeWidth-1:0] b);
    logic [TimeWidth-1:0] difference;
    difference = a - b;
    return difference[TimeWidth-1];
  endfunction

  // When an id is needed: the earliest of all ports.
  always_comb begin
    found         = 1'b0;
    found_arrival = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (find_hit_i[p] && (!found || earlier(find_arrival_i[p], found_arrival)))
        found_arrival = find_arrival_i[p];
      found |= find_hit_i[p];
    end
  end

  always_ff @(posedge clk_i) begin
    if (starts_place) place_id_q <= place_id_i;
    if (phase_q == PhaseWanted) {wanted_q, wanted_arrival_q} <= {found, found_arrival};
  end

  assign new_valid   = placing_q ? wanted_q : first_valid;
  assign new_arrival = placing_q ? wanted_arrival_q : first_arrival;
  assign new_id      = placing_q ? place_id_q : first_id;

  // ---- Algorithm 2: A, B, and which of A is needed last ------------------------------------

  logic [Ways-1:0]      b_q;
  logic                 free_q, last_q;
  logic [WayWidth-1:0]  free_way_q, last_way_q;
  logic [TimeWidth-1:0] last_arrival_q;
  logic [IdWidth-1:0]   last_id_q, id_q [Ways];
  logic                 in_a, later;

  assign scanning_o = phase_q == PhaseScan;
  assign scan_for_o = new_id;
  assign scan_way_o = WayWidth'(step_q);
  assign find_id_o  = phase_q == PhaseWanted ? place_id_q : scan_id_i;
  assign in_a       = scan_used_i && scan_here_i && found;

  // Of two that are needed at the same time, the higher id counts as the last.
  always_comb begin
    logic [TimeWidth+IdWidth-1:0] difference;
    difference = {last_arrival_q, last_id_q} - {found_arrival, scan_id_i};
    later      = !last_q || difference[TimeWidth+IdWidth-1];
  end

  always_ff @(posedge clk_i) begin
    if (phase_q == PhaseScan) begin
      if (!scan_used_i && !free_q) {free_q, free_way_q} <= {1'b1, WayWidth'(step_q)};
      for (int unsigned w = 0; w < Ways; w++) begin
        if (step_q == CountWidth'(w)) begin
          b_q[w]  <= scan_used_i && scan_here_i && !found;
          id_q[w] <= scan_id_i;
        end
      end
      if (in_a && later) begin
        last_q         <= 1'b1;
        last_way_q     <= WayWidth'(step_q);
        last_arrival_q <= found_arrival;
        last_id_q      <= scan_id_i;
      end
    end else begin
      {free_q, last_q} <= '0;
    end
  end

  // ---- the outcome: in the first cycle of the next iteration -------------------------------

  logic commits, evicts, fits;

  assign commits = phase_q == PhaseAsk && ran_q && !rst_i;
  assign among_o = b_q;

  always_comb begin
    evicts = 1'b0;
    way_o  = free_way_q;
    if (!free_q && b_q != '0) begin
      evicts = 1'b1;
      way_o  = choice_i;
    end else if (!free_q) begin
      evicts = last_q && new_valid && earlier(new_arrival, last_arrival_q);
      way_o  = last_way_q;
    end
    fits = free_q || evicts;
  end

  always_comb begin
    evicted_o = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      if (way_o == WayWidth'(w)) evicted_o |= id_q[w];
    end
  end

  logic offers;
  assign offers = commits && !placing_q && new_valid && fits && !scan_asked_i;

  assign commit_o        = commits;
  assign fetch_valid_o   = offers;
  assign placed_valid_o  = commits && placing_q;
  assign placed_enters_o = fits;
  assign id_o            = new_id;
  assign port_o          = first_port;
  assign evicts_o        = evicts;

  always_comb begin
    mark_o = commits && !placing_q ? cached_q : '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (offers && fetch_ready_i && evicts && first_port == PortWidth'(p)) mark_o[p] = 1'b1;
    end
  end

  assign changes_o = placed_valid_o || (offers && fetch_ready_i) || mark_o != '0;

endmodule
