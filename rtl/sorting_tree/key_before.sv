// Whether key a leaves before key b: lower rank, or equal rank and earlier stamp.
//
// A key is a rank followed by a stamp of arrival. Stamps wrap around: a stamp is earlier
// than another if it is less than half the circle behind it. Without stamps (StampWidth
// 0), equal ranks are not before each other. Combinational.
module key_before #(
  parameter int unsigned RankWidth  = 8,
  parameter int unsigned StampWidth = 0,
  localparam int unsigned KeyWidth = RankWidth + StampWidth
) (
  input  logic [KeyWidth-1:0] a_i,
  input  logic [KeyWidth-1:0] b_i,
  output logic                before_o
);

  if (StampWidth == 0) begin : gen_rank
    assign before_o = a_i < b_i;
  end else begin : gen_stamp
    // The sign of the difference; its other bits are unused.
    /* verilator lint_off UNUSEDSIGNAL */
    logic [StampWidth-1:0] behind;
    /* verilator lint_on UNUSEDSIGNAL */
    logic [RankWidth-1:0] a_rank, b_rank;
    assign behind   = a_i[StampWidth-1:0] - b_i[StampWidth-1:0];
    assign a_rank   = a_i[KeyWidth-1:StampWidth];
    assign b_rank   = b_i[KeyWidth-1:StampWidth];
    assign before_o = a_rank < b_rank || (a_rank == b_rank && behind[StampWidth-1]);
  end

endmodule
