// Find first set: the lowest or the highest one of a bitmap, as a bit of its own.
//
// Combinational. All zeros give all zeros.
module bbq_first_one #(
  parameter int unsigned Width = 8
) (
  input  logic [Width-1:0] bits_i,
  input  logic             highest_i,
  output logic [Width-1:0] one_o
);

  logic [Width-1:0] alone;  // nothing set below, or above

  always_comb begin
    logic any_below, any_above;
    any_below = 1'b0;
    any_above = 1'b0;
    alone     = '0;
    for (int unsigned i = 0; i < Width; i++) begin
      if (!highest_i && !any_below) alone[i] = 1'b1;
      if (highest_i && !any_above) alone[Width-1-i] = 1'b1;
      any_below |= bits_i[i];
      any_above |= bits_i[Width-1-i];
    end
  end

  assign one_o = bits_i & alone;

endmodule
