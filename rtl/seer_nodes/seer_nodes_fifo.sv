// A FIFO: one word in and one out per cycle. A word is at the output in the next cycle at the
// earliest.
//
// Limits: `Entries` is a power of two. A word written into a full FIFO breaks it.
module seer_nodes_fifo #(
  parameter int unsigned Entries = 16,
  parameter int unsigned Width   = 32,
  localparam int unsigned AddrWidth  = $clog2(Entries),
  localparam int unsigned CountWidth = $clog2(Entries + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  put_i,
  input  logic [Width-1:0]      data_i,
  output logic                  valid_o,
  input  logic                  take_i,
  output logic [Width-1:0]      data_o,
  output logic [CountWidth-1:0] count_o
);

  logic [AddrWidth-1:0] head_q, tail_q;
  logic                 full, empty;

  lookup_ram #(
    .Depth(Entries),
    .Width(Width)
  ) i_data (
    .clk_i,
    .write_i(put_i),
    .waddr_i(tail_q),
    .wdata_i(data_i),
    .raddr_i(head_q),
    .rdata_o(data_o)
  );

  always_ff @(posedge clk_i) begin
    if (put_i) tail_q <= tail_q + 1'b1;
    if (take_i) head_q <= head_q + 1'b1;
    if (rst_i) {head_q, tail_q} <= '0;
  end

  // The count sees one of both per cycle.
  occupancy_counter #(
    .Entries(Entries)
  ) i_count (
    .clk_i,
    .rst_i,
    .put_i (put_i && !take_i),
    .take_i(take_i && !put_i),
    .full_o     (full),
    .empty_o    (empty),
    .occupancy_o(count_o)
  );

  assign valid_o = !empty && !rst_i;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      assert (!put_i || !full || take_i) else $error("something is put into a full FIFO");
      assert (!take_i || !empty) else $error("something is taken from an empty FIFO");
    end
  end
`else
  logic unused;
  assign unused = &{1'b0, full};
`endif

endmodule
