// Whether a key is before each element of a node of a sorting tree: because the key is
// lower, or because the element is empty. Combinational.
module tree_node_compare #(
  parameter int unsigned Order      = 4,
  parameter int unsigned CountWidth = 1,
  parameter int unsigned RankWidth  = 8,
  parameter int unsigned StampWidth = 0,
  localparam int unsigned KeyWidth = RankWidth + StampWidth
) (
  input  logic [Order-1:0][CountWidth-1:0] count_i,
  input  logic [Order-1:0][KeyWidth-1:0]   key_i,
  input  logic [KeyWidth-1:0]              compared_key_i,
  output logic [Order-1:0]                 ahead_o
);

  for (genvar e = 0; e < Order; e++) begin : gen_element
    logic lower;
    key_before #(
      .RankWidth (RankWidth),
      .StampWidth(StampWidth)
    ) u_before (
      .a_i     (compared_key_i),
      .b_i     (key_i[e]),
      .before_o(lower)
    );
    assign ahead_o[e] = lower || count_i[e] == '0;
  end

endmodule
