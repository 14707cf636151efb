// Another eviction heuristic: first in, first out, independent of later accesses.
//
// Ports, latencies and source are those of `seer_lru`, which it can replace. It is an instance of
// `seer_lru` that sees only insertions.
module seer_fifo #(
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

  seer_lru #(
    .Sets(Sets),
    .Ways(Ways)
  ) i_order (
    .clk_i,
    .rst_i,
    .touch_valid_i (touch_valid_i && touch_enters_i),
    .touch_enters_i(1'b1),
    .touch_set_i,
    .touch_way_i,
    .choose_set_i,
    .choose_among_i,
    .choose_way_o
  );

endmodule
