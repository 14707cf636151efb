// Find first set: the lowest or the highest one of a bitmap, as a one-hot word and as a
// number.
//
// Combinational. Groups of four bits are searched in parallel with the search for the
// group, so the upper bits of the number are known before the lower ones. All zeros give
// all zeros.
module bbq_first_one #(
  parameter int unsigned Width = 8,
  localparam int unsigned IndexWidth = $clog2(Width)
) (
  input  logic [Width-1:0]      bits_i,
  input  logic                  highest_i,
  output logic [Width-1:0]      one_o,
  output logic [IndexWidth-1:0] index_o
);

  localparam int unsigned Size   = Width < 4 ? Width : 4;  // of a group
  localparam int unsigned Groups = Width / Size;

  // The lowest or the highest one of up to eight bits.
  function automatic logic [7:0] first_of(input logic [7:0] bits, input logic highest);
    logic [7:0] alone;
    logic       below, above;
    below = 1'b0;
    above = 1'b0;
    alone = '0;
    for (int unsigned i = 0; i < 8; i++) begin
      if (!highest && !below) alone[i] = 1'b1;
      if (highest && !above) alone[7-i] = 1'b1;
      below |= bits[i];
      above |= bits[7-i];
    end
    return bits & alone;
  endfunction

  logic [Groups-1:0]           some, group;
  logic [Groups-1:0][Size-1:0] first;

  always_comb begin
    for (int unsigned g = 0; g < Groups; g++) begin
      some[g]  = |bits_i[g*Size+:Size];
      first[g] = Size'(first_of(8'(bits_i[g*Size+:Size]), highest_i));
    end
    group = Groups'(first_of(8'(some), highest_i));
  end

  always_comb begin
    index_o = '0;
    for (int unsigned g = 0; g < Groups; g++) begin
      one_o[g*Size+:Size] = group[g] ? first[g] : '0;
      for (int unsigned i = 0; i < Size; i++) begin
        // The upper part of a number follows from the group alone.
        if (group[g]) index_o |= IndexWidth'(g * Size);
        if (group[g] && first[g][i]) index_o |= IndexWidth'(i);
      end
    end
  end

endmodule
