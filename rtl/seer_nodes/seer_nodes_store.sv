// The backing store of a cache: a request is answered `cycles_i` later, and as many requests are in
// flight as there are slots.
//
// The answer to a request of cycle t is offered in cycle t + `cycles_i`, or when the answers before
// it have been taken. The duration of a fetch must not change while any is in flight.
//
// Limits: a fetch takes at most half of 2^`TimeWidth` cycles, and is taken within as many.
module seer_nodes_store #(
  parameter int unsigned TimeWidth = 10,
  parameter int unsigned Entries   = 8,
  parameter int unsigned Width     = 18
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic [TimeWidth-1:0] cycles_i,
  input  logic                 ask_i,
  input  logic [Width-1:0]     ask_data_i,
  output logic                 valid_o,
  input  logic                 ready_i,
  output logic [Width-1:0]     data_o
);

  localparam int unsigned CountWidth = $clog2(Entries + 1);

  typedef struct packed {
    logic [TimeWidth-1:0] due;
    logic [Width-1:0]     data;
  } fetch_t;

  logic [TimeWidth-1:0]  now_q, early;
  logic [CountWidth-1:0] unused_count;
  logic                  some;
  fetch_t                first;

  always_ff @(posedge clk_i) begin
    now_q <= now_q + 1'b1;
    if (rst_i) now_q <= '0;
  end

  seer_nodes_fifo #(
    .Entries(Entries),
    .Width  ($bits(fetch_t))
  ) i_fetches (
    .clk_i,
    .rst_i,
    .put_i  (ask_i),
    .data_i ({now_q + cycles_i, ask_data_i}),
    .valid_o(some),
    .take_i (valid_o && ready_i),
    .data_o (first),
    .count_o(unused_count)
  );

  assign early   = first.due - now_q;
  assign valid_o = some && (early == '0 || early[TimeWidth-1]);
  assign data_o  = first.data;

  logic unused;
  assign unused = &{1'b0, unused_count};

endmodule
