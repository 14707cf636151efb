// The first one of many bits, and all bits from it on.
//
// Combinational. In groups of eight bits the search is a chain; among groups the steps
// double (a parallel prefix), so that the depth is 8 + log2(Width / 8) gates. All zeros give
// all zeros.
//
// Source: the parallel search of Seer's lists (NSDI 2024, section 4).
module seer_first #(
  parameter int unsigned Width = 128
) (
  input  logic [Width-1:0] bits_i,
  output logic [Width-1:0] first_o,
  output logic [Width-1:0] from_o
);

  localparam int unsigned Size   = 8;
  localparam int unsigned Groups = (Width + Size - 1) / Size;

  logic [Groups*Size-1:0] bits, inside_group;  // a one at or below, in the same group
  logic [Groups-1:0]      some, upto;          // a one in the group; in it or below

  assign bits = (Groups * Size)'(bits_i);

  always_comb begin
    for (int unsigned i = 0; i < Groups * Size; i++) begin
      inside_group[i] = bits[i];
      for (int unsigned below = 0; below < i % Size; below++) inside_group[i] |= bits[i-1-below];
    end
    for (int unsigned g = 0; g < Groups; g++) some[g] = inside_group[g*Size+Size-1];
  end

  always_comb begin
    upto = some;
    for (int unsigned step = 1; step < Groups; step *= 2) upto |= upto << step;
  end

  logic [Groups-1:0] earlier;
  assign earlier = upto << 1;

  always_comb begin
    for (int unsigned i = 0; i < Width; i++) begin
      from_o[i]  = inside_group[i] || earlier[i/Size];
      first_o[i] = bits[i] && !earlier[i/Size] && (i % Size == 0 || !inside_group[i-1]);
    end
  end

endmodule
