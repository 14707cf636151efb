// A push into one node of a sorting tree. Combinational.
//
// A node is Order elements side by side. Each has a key with its data, and the count of
// the keys in its subtree, itself included. Key and data are undefined while the count is
// 0. `sooner` has for each pair of elements i < j, at bit j (j - 1) / 2 + i, whether i
// leaves before j; an occupied element is before an empty one. So finding the lowest key
// takes no comparison.
//
// The push goes into one element's subtree: the emptiest, the leftmost among equals
// (BMW-Tree), or with FillLeft the leftmost with room, of at most Places (pHeap). If the
// pushed key is lower than the element's, it replaces the element, and the replaced key
// goes on down.
module tree_node_push #(
  parameter int unsigned Order      = 4,
  parameter int unsigned Places     = 1,
  parameter int unsigned RankWidth  = 8,
  parameter int unsigned StampWidth = 0,
  parameter int unsigned DataWidth  = 8,
  parameter bit          FillLeft   = 1'b0,
  localparam int unsigned KeyWidth   = RankWidth + StampWidth,
  localparam int unsigned CountWidth = $clog2(Places + 1),
  localparam int unsigned Pairs      = Order > 1 ? Order * (Order - 1) / 2 : 1
) (
  input  logic [Order-1:0][CountWidth-1:0] count_i,
  input  logic [Order-1:0][KeyWidth-1:0]   key_i,
  input  logic [Order-1:0][DataWidth-1:0]  data_i,
  input  logic [Pairs-1:0]                 sooner_i,
  // The pushed key.
  input  logic [KeyWidth-1:0]              push_key_i,
  input  logic [DataWidth-1:0]             push_data_i,
  // Whether it is before all elements here.
  output logic                             first_o,
  // The node afterwards.
  output logic [Order-1:0][CountWidth-1:0] count_o,
  output logic [Order-1:0][KeyWidth-1:0]   key_o,
  output logic [Order-1:0][DataWidth-1:0]  data_o,
  output logic [Pairs-1:0]                 sooner_o,
  // The key that goes on down, if any; below which element (one-hot), and whether that
  // element has no others below it yet.
  output logic                             down_valid_o,
  output logic                             down_fresh_o,
  output logic [Order-1:0]                 down_element_o,
  output logic [KeyWidth-1:0]              down_key_o,
  output logic [DataWidth-1:0]             down_data_o
);

  logic [Order-1:0] vacant, single, chosen, ahead;

  tree_node_compare #(
    .Order     (Order),
    .CountWidth(CountWidth),
    .RankWidth (RankWidth),
    .StampWidth(StampWidth)
  ) u_compare (
    .count_i,
    .key_i,
    .compared_key_i(push_key_i),
    .ahead_o       (ahead)
  );
  assign first_o = &ahead;

  for (genvar e = 0; e < Order; e++) begin : gen_element
    assign vacant[e] = count_i[e] == '0;
    assign single[e] = count_i[e] == CountWidth'(1);
  end

  if (FillLeft) begin : gen_left
    always_comb begin
      chosen = '0;
      for (int unsigned e = Order; e > 0; e--) begin
        if (count_i[e-1] != CountWidth'(Places)) begin
          chosen = '0;
          chosen[e-1] = 1'b1;
        end
      end
    end
  end else begin : gen_emptiest
    always_comb begin
      chosen = '1;
      for (int unsigned j = 1; j < Order; j++) begin
        for (int unsigned i = 0; i < j; i++) begin
          if (count_i[i] <= count_i[j]) chosen[j] = 1'b0;
          else chosen[i] = 1'b0;
        end
      end
    end
  end

  always_comb begin
    count_o  = count_i;
    key_o    = key_i;
    data_o   = data_i;
    sooner_o = sooner_i;
    for (int unsigned e = 0; e < Order; e++) begin
      if (chosen[e]) count_o[e] = count_i[e] + 1'b1;
      if (chosen[e] && ahead[e]) begin
        key_o[e]  = push_key_i;
        data_o[e] = push_data_i;
      end
    end
    for (int unsigned j = 1; j < Order; j++) begin
      for (int unsigned i = 0; i < j; i++) begin
        if (chosen[i] && ahead[i]) sooner_o[j*(j-1)/2+i] = ahead[j];
        if (chosen[j] && ahead[j]) sooner_o[j*(j-1)/2+i] = !ahead[i];
      end
    end
  end

  assign down_element_o = chosen;
  assign down_valid_o   = |(chosen & ~vacant);
  assign down_fresh_o   = |(chosen & single);

  always_comb begin
    down_key_o  = push_key_i;
    down_data_o = push_data_i;
    for (int unsigned e = 0; e < Order; e++) begin
      if (chosen[e] && ahead[e]) begin
        down_key_o  = key_i[e];
        down_data_o = data_i[e];
      end
    end
  end

endmodule
