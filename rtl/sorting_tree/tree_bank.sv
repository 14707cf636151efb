// The nodes of a level below one element of the nodes above: a memory, or a register if it
// is a single node.
//
// The node of a read presented in cycle t is at node_o in cycle t + 2 and only then.
// Writes presented in cycle t and later may or may not be visible, so the reader must
// forward them.
module tree_bank #(
  parameter int unsigned Depth  = 1,
  parameter int unsigned Width  = 8,
  parameter bit          Parity = 1'b0,
  localparam int unsigned AddrWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                 clk_i,
  input  logic                 write_i,
  input  logic [AddrWidth-1:0] waddr_i,
  input  logic [Width-1:0]     node_i,
  input  logic                 read_i,
  input  logic [AddrWidth-1:0] raddr_i,
  output logic [Width-1:0]     node_o,
  output logic                 error_o
);

  if (Depth == 1) begin : gen_register
    logic [Width-1:0] node_q;
    /* verilator lint_off UNUSEDSIGNAL */
    logic unused;
    /* verilator lint_on UNUSEDSIGNAL */

    always_ff @(posedge clk_i) begin
      if (write_i) node_q <= node_i;
    end

    assign node_o  = node_q;
    assign error_o = 1'b0;
    assign unused  = Parity | read_i | (|raddr_i) | (|waddr_i);
  end else begin : gen_memory
    ram_1r1w #(
      .Depth (Depth),
      .Width (Width),
      .Parity(Parity)
    ) u_ram (
      .clk_i,
      .write_i,
      .waddr_i,
      .wdata_i(node_i),
      .read_i,
      .raddr_i,
      .blank_i(1'b0),
      .rdata_o(node_o),
      .error_o
    );
  end

endmodule
