// The index of a node in its level: the index of the node above, then the element above
// it. Combinational.
module tree_index #(
  parameter int unsigned ParentWidth = 1,
  parameter int unsigned Order       = 4,
  parameter int unsigned IndexWidth  = 3
) (
  input  logic [ParentWidth-1:0] parent_i,
  input  logic [Order-1:0]       element_i,
  output logic [IndexWidth-1:0]  index_o
);

  localparam int unsigned DigitWidth = $clog2(Order);

  if (DigitWidth == 0) begin : gen_single
    assign index_o = IndexWidth'(parent_i);
    /* verilator lint_off UNUSEDSIGNAL */
    logic unused;
    /* verilator lint_on UNUSEDSIGNAL */
    assign unused = ^element_i;
  end else begin : gen_digit
    logic [DigitWidth-1:0] digit;
    always_comb begin
      digit = '0;
      for (int unsigned e = 0; e < Order; e++) begin
        if (element_i[e]) digit = digit | DigitWidth'(e);
      end
    end
    // Below the root the index above is always 0, and is not needed.
    assign index_o = IndexWidth'({parent_i, digit});
  end

endmodule
