// A memory with one read and one write port, for everything that must be block RAM or SRAM.
//
// Latency: the data of a read presented in cycle t (read_i, raddr_i) are at rdata_o in cycle t + 2
// and only then. They pass the array's own output and a register behind it, which most devices have
// in their block RAM (with blank_i, if it can be cleared). Reads presented in cycle t + 1 and later
// see a write presented in cycle t. With blank_i in cycle t + 1, rdata_o is zero instead (the
// register is cleared), so a plain OR can join several sources.
//
// Limits: a read whose address is written in the same cycle returns undefined data, as on most
// devices. With FOREBAY_RAM_COLLIDE defined, a simulation returns random data then, so a design
// that depends on the data fails its tests. With FORMAL defined it is any data, so no proof depends
// on it. The contents after power-up are undefined, and there is no reset.
//
// `Parity` adds a bit to each word. error_o reports in cycle t + 2, beside the data, that the word
// and its bit do not agree. Words that were never written disagree at random, so ignore error_o for
// them.
module ram_1r1w #(
  parameter int unsigned Depth  = 16,
  parameter int unsigned Width  = 8,
  parameter bit          Parity = 1'b0,
  // A memory deeper than a few lookup tables gets a block of its own. Vivado and yosys read this
  // parameter. Other tools decide for themselves, and Verilator reports it as unused.
  /* verilator lint_off UNUSEDPARAM */
  parameter              Style  = Depth > 32 ? "block" : "auto",
  /* verilator lint_on UNUSEDPARAM */
  localparam int unsigned AddrWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                 clk_i,
  input  logic                 write_i,
  input  logic [AddrWidth-1:0] waddr_i,
  input  logic [Width-1:0]     wdata_i,
  input  logic                 read_i,
  input  logic [AddrWidth-1:0] raddr_i,
  input  logic                 blank_i,
  output logic [Width-1:0]     rdata_o,
  output logic                 error_o
);

  localparam int unsigned WordWidth = Width + (Parity ? 1 : 0);

  (* ram_style = Style *)
  logic [WordWidth-1:0] mem [Depth];
  logic [WordWidth-1:0] wword, array_q, rword_q;

  if (Parity) begin : gen_parity
    assign wword   = {^wdata_i, wdata_i};
    assign error_o = ^rword_q;
  end else begin : gen_plain
    assign wword   = wdata_i;
    assign error_o = 1'b0;
  end

`ifdef FORMAL
  logic [WordWidth-1:0] anything;  // not driven, so a proof holds for any value
`endif

  logic [WordWidth-1:0] stored;
`ifdef FOREBAY_RAM_FAULT
  ram_fault #(
    .Width(WordWidth)
  ) i_fault (
    .clk_i,
    .write_i,
    .word_i  (wword),
    .stored_o(stored)
  );
`else
  assign stored = wword;
`endif

  always_ff @(posedge clk_i) begin
    if (write_i) mem[waddr_i] <= stored;
  end

  always_ff @(posedge clk_i) begin
    if (read_i) array_q <= mem[raddr_i];
`ifdef FORMAL
    if (read_i && write_i && raddr_i == waddr_i) array_q <= anything;
`endif
`ifdef FOREBAY_RAM_COLLIDE
    if (read_i && write_i && raddr_i == waddr_i) begin
      for (int unsigned b = 0; b < WordWidth; b++) array_q[b] <= 1'($urandom());
    end
`endif
    rword_q <= blank_i ? '0 : array_q;
  end

  assign rdata_o = rword_q[Width-1:0];

endmodule
