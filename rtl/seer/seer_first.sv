// The first one of many bits, and all bits from it on.
//
// Combinational, by a parallel prefix: in each step a bit combines twice as many bits below it, so
// the depth is log2(Width) gates. All zeros give all zeros.
//
// Source: the parallel search of Seer's lists (NSDI 2024, section 4).
module seer_first #(
  parameter int unsigned Width = 128
) (
  input  logic [Width-1:0] bits_i,
  output logic [Width-1:0] first_o,
  output logic [Width-1:0] from_o
);

  always_comb begin
    from_o = bits_i;
    for (int unsigned step = 1; step < Width; step *= 2) from_o |= from_o << step;
    first_o = from_o;
    for (int unsigned i = 1; i < Width; i++) first_o[i] = from_o[i] && !from_o[i-1];
  end

endmodule
