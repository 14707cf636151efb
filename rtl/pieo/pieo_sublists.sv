// The sublists of a PIEO: a memory per slot, so a whole sublist is read or written at
// once. A word has an element of the sublist, sorted by rank, and a time of the same
// sublist's times, sorted on their own.
//
// Latency: that of ram_1r1w, 2 cycles. A read that meets a write to the same sublist
// returns undefined data. error_o has a bit for each slot.
module pieo_sublists #(
  parameter int unsigned Sublists     = 8,
  parameter int unsigned Slots        = 4,
  parameter int unsigned ElementWidth = 42,
  parameter int unsigned TimeWidth    = 16,
  parameter bit          Parity       = 1'b0,
  localparam int unsigned IndexWidth  = $clog2(Sublists)
) (
  input  logic                               clk_i,
  input  logic                               write_i,
  input  logic [IndexWidth-1:0]              write_index_i,
  input  logic [Slots-1:0][ElementWidth-1:0] elements_i,
  input  logic [Slots-1:0][TimeWidth-1:0]    times_i,
  input  logic                               read_i,
  input  logic [IndexWidth-1:0]              read_index_i,
  output logic [Slots-1:0][ElementWidth-1:0] elements_o,
  output logic [Slots-1:0][TimeWidth-1:0]    times_o,
  output logic [Slots-1:0]                   error_o
);

  for (genvar i = 0; i < Slots; i++) begin : gen_slot
    ram_1r1w #(
      .Depth(Sublists),
      .Width(ElementWidth + TimeWidth),
      .Parity(Parity)
    ) u_memory (
      .clk_i,
      .write_i,
      .waddr_i(write_index_i),
      .wdata_i({elements_i[i], times_i[i]}),
      .read_i,
      .raddr_i(read_index_i),
      .blank_i(1'b0),
      .rdata_o({elements_o[i], times_o[i]}),
      .error_o(error_o[i])
    );
  end

endmodule
