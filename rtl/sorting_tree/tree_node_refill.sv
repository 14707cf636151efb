// Fills the gap that a pop left in one node of a sorting tree. Combinational.
//
// The gap is filled with the lowest key of the node below it. If there is none, the
// element is empty from now on, and behind all others. tree_node_push.sv defines a node.
module tree_node_refill #(
  parameter int unsigned Order      = 4,
  parameter int unsigned CountWidth = 1,
  parameter int unsigned RankWidth  = 8,
  parameter int unsigned StampWidth = 0,
  parameter int unsigned DataWidth  = 8,
  localparam int unsigned KeyWidth = RankWidth + StampWidth,
  localparam int unsigned Pairs = Order > 1 ? Order * (Order - 1) / 2 : 1
) (
  input  logic [Order-1:0][CountWidth-1:0] count_i,  // without the removed key
  input  logic [Order-1:0][KeyWidth-1:0]   key_i,
  input  logic [Order-1:0][DataWidth-1:0]  data_i,
  input  logic [Pairs-1:0]                 sooner_i,
  // The element of the gap (one-hot), and the key that fills it, if there is any.
  input  logic [Order-1:0]                 element_i,
  input  logic                             refill_valid_i,
  input  logic [KeyWidth-1:0]              refill_key_i,
  input  logic [DataWidth-1:0]             refill_data_i,
  output logic [Order-1:0][KeyWidth-1:0]   key_o,
  output logic [Order-1:0][DataWidth-1:0]  data_o,
  output logic [Pairs-1:0]                 sooner_o
);

  logic [Order-1:0] lower, ahead;

  tree_node_compare #(
    .Order     (Order),
    .CountWidth(CountWidth),
    .RankWidth (RankWidth),
    .StampWidth(StampWidth)
  ) u_compare (
    .count_i,
    .key_i,
    .compared_key_i(refill_key_i),
    .ahead_o       (lower)
  );
  assign ahead = refill_valid_i ? lower : '0;

  always_comb begin
    key_o    = key_i;
    data_o   = data_i;
    sooner_o = sooner_i;
    for (int unsigned e = 0; e < Order; e++) begin
      if (element_i[e]) begin
        key_o[e]  = refill_key_i;
        data_o[e] = refill_data_i;
      end
    end
    for (int unsigned j = 1; j < Order; j++) begin
      for (int unsigned i = 0; i < j; i++) begin
        if (element_i[i]) sooner_o[j*(j-1)/2+i] = ahead[j];
        if (element_i[j]) sooner_o[j*(j-1)/2+i] = !ahead[i];
      end
    end
  end

endmodule
