// A pop from one node of a sorting tree, which leaves a gap. Combinational.
//
// Finds the lowest key of a node that is not empty (tree_node_push.sv defines a node) and
// removes it from the counts. tree_node_refill fills the gap.
module tree_node_pop #(
  parameter int unsigned Order      = 4,
  parameter int unsigned CountWidth = 1,
  parameter int unsigned KeyWidth   = 8,
  parameter int unsigned DataWidth  = 8,
  localparam int unsigned Pairs = Order > 1 ? Order * (Order - 1) / 2 : 1
) (
  input  logic [Order-1:0][CountWidth-1:0] count_i,
  input  logic [Order-1:0][KeyWidth-1:0]   key_i,
  input  logic [Order-1:0][DataWidth-1:0]  data_i,
  /* verilator lint_off UNUSEDSIGNAL */  // a node of one element has no pairs
  input  logic [Pairs-1:0]                 sooner_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [Order-1:0][CountWidth-1:0] count_o,
  // The lowest key, whose element (one-hot), and whether there is another below it.
  output logic [Order-1:0]                 element_o,
  output logic                             below_o,
  output logic [KeyWidth-1:0]              key_o,
  output logic [DataWidth-1:0]             data_o
);

  // Neighbours are compared, then the winners, and so on. So there is one winner even if
  // stamps have become too old to compare and the pairs form a circle.
  logic wins;

  always_comb begin
    element_o = '1;
    wins      = 1'b0;
    for (int unsigned half = 1; half < Order; half = 2 * half) begin
      for (int unsigned middle = half; middle < Order; middle = middle + 2 * half) begin
        // Elements from middle - half on against those from middle on.
        wins = 1'b0;
        for (int unsigned j = middle; j < middle + half && j < Order; j++) begin
          for (int unsigned i = middle - half; i < middle; i++) begin
            if (element_o[i] && element_o[j]) wins = wins | sooner_i[j*(j-1)/2+i];
          end
        end
        for (int unsigned e = middle - half; e < middle + half && e < Order; e++) begin
          if (wins != (e < middle)) element_o[e] = 1'b0;
        end
      end
    end
  end

  always_comb begin
    count_o = count_i;
    below_o = 1'b0;
    key_o   = '0;
    data_o  = '0;
    for (int unsigned e = 0; e < Order; e++) begin
      if (element_o[e]) begin
        count_o[e] = count_i[e] - 1'b1;
        below_o = below_o | (count_i[e] != CountWidth'(1));
        key_o   = key_o | key_i[e];
        data_o  = data_o | data_i[e];
      end
    end
  end

endmodule
