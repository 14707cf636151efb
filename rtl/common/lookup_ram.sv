// A small memory that is read in the same cycle: registers with multiplexers, or the memory of
// lookup tables where a device has it. For some hundred words; a larger memory belongs in
// ram_1r1w.sv.
//
// One write port and `Reads` read ports. Data of a read are there in the cycle of its address; a
// write is visible from the next cycle on. The contents after power-up are undefined, and there is
// no reset.
module lookup_ram #(
  parameter int unsigned Depth = 16,
  parameter int unsigned Width = 8,
  parameter int unsigned Reads = 1,
  localparam int unsigned AddrWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                            clk_i,
  input  logic                            write_i,
  input  logic [AddrWidth-1:0]            waddr_i,
  input  logic [Width-1:0]                wdata_i,
  input  logic [Reads-1:0][AddrWidth-1:0] raddr_i,
  output logic [Reads-1:0][Width-1:0]     rdata_o
);

  // Without this, yosys makes block RAM of it if the address is a register. Block RAM answers some
  // ns later.
  (* ram_style = "distributed" *)
  logic [Width-1:0] mem [Depth];

  always_ff @(posedge clk_i) begin
    if (write_i) mem[waddr_i] <= wdata_i;
  end

  for (genvar r = 0; r < Reads; r++) begin : gen_read
    assign rdata_o[r] = mem[raddr_i[r]];
  end

endmodule
