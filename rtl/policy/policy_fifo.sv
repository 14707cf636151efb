// A small first-in first-out memory whose oldest word is on its port (AXI4-Stream at the output).
//
// Throughput: one word in and one out per cycle. Latency: 1 cycle from put_i to valid_o. A word on
// data_o stays until it is taken; valid_o does not wait for ready_i.
//
// Limits: the memory is of lookup tables. The writer must ensure that there is room.
module policy_fifo #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 4,
  localparam int unsigned CountWidth = $clog2(Depth + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  put_i,
  input  logic [Width-1:0]      data_i,
  output logic                  valid_o,
  input  logic                  ready_i,
  output logic [Width-1:0]      data_o,
  output logic [CountWidth-1:0] count_o
);

  localparam int unsigned PlaceWidth = Depth > 1 ? $clog2(Depth) : 1;

  logic [PlaceWidth-1:0] first_q, free_q;
  logic [CountWidth-1:0] count_q;
  logic                  take;

  assign valid_o = count_q != '0;
  assign take    = valid_o && ready_i;
  assign count_o = count_q;

  lookup_ram #(
    .Depth(Depth),
    .Width(Width)
  ) i_words (
    .clk_i,
    .write_i(put_i),
    .waddr_i(free_q),
    .wdata_i(data_i),
    .raddr_i(first_q),
    .rdata_o(data_o)
  );

  function automatic logic [PlaceWidth-1:0] after(logic [PlaceWidth-1:0] place);
    return place == PlaceWidth'(Depth - 1) ? '0 : place + 1'b1;
  endfunction

  always_ff @(posedge clk_i) begin
    if (put_i) free_q <= after(free_q);
    if (take) first_q <= after(first_q);
    if (put_i != take) count_q <= put_i ? count_q + 1'b1 : count_q - 1'b1;
    if (rst_i) begin
      first_q <= '0;
      free_q  <= '0;
      count_q <= '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && put_i) begin
      assert (count_q != CountWidth'(Depth)) else $error("policy_fifo: a word without room");
    end
  end
`endif

endmodule
