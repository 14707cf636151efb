// The default eviction heuristic: least recently used.
//
// For each set, a bit for each pair of ways says which of them was touched later. So a touch takes
// one cycle, and the answer of a choice is there in the same cycle. Reset clears nothing: ways that
// were never touched are not among those to choose from.
//
// Source: Seer (NSDI 2024), Algorithm 2, line 6: "any caching heuristic". A module with the same
// parameters and ports can replace it: FOREBAY_SEER_HEURISTIC names it.
//
// Ports: `touch_*`: a packet was answered from a way, or a state was inserted into it
// (`touch_enters_i`). `choose_*`: which of the ways in `choose_among_i` is evicted; one or more are
// set.
module seer_lru #(
  parameter int unsigned Sets = 16,
  parameter int unsigned Ways = 4,
  localparam int unsigned SetWidth = Sets > 1 ? $clog2(Sets) : 1,
  localparam int unsigned WayWidth = Ways > 1 ? $clog2(Ways) : 1
) (
  input  logic                clk_i,
  input  logic                rst_i,
  input  logic                touch_valid_i,
  input  logic                touch_enters_i,
  input  logic [SetWidth-1:0] touch_set_i,
  input  logic [WayWidth-1:0] touch_way_i,
  input  logic [SetWidth-1:0] choose_set_i,
  input  logic [Ways-1:0]     choose_among_i,
  output logic [WayWidth-1:0] choose_way_o
);

  // [i][j]: way i was touched after way j.
  typedef logic [Ways-1:0][Ways-1:0] order_t;

  order_t touched, changed, order;

  lookup_ram #(
    .Depth(Sets),
    .Width(Ways * Ways),
    .Reads(2)
  ) i_order (
    .clk_i,
    .write_i(touch_valid_i),
    .waddr_i(touch_set_i),
    .wdata_i(changed),
    .raddr_i({choose_set_i, touch_set_i}),
    .rdata_o({order, touched})
  );

  always_comb begin
    changed = touched;
    for (int unsigned i = 0; i < Ways; i++) begin
      for (int unsigned j = 0; j < Ways; j++) begin
        if (touch_way_i == WayWidth'(i)) changed[i][j] = 1'b1;
        else if (touch_way_i == WayWidth'(j)) changed[i][j] = 1'b0;
      end
    end
  end

  always_comb begin
    choose_way_o = '0;
    for (int unsigned i = 0; i < Ways; i++) begin
      logic latest_of_none;
      latest_of_none = choose_among_i[i];
      for (int unsigned j = 0; j < Ways; j++) begin
        if (j != i && choose_among_i[j] && order[i][j]) latest_of_none = 1'b0;
      end
      if (latest_of_none) choose_way_o |= WayWidth'(i);
    end
  end

  logic unused;
  assign unused = &{1'b0, rst_i, touch_enters_i};

endmodule
