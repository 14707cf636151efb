// Proof of bbq_first_one: for every bitmap and both ends, the result is the lowest or the highest
// set bit alone, and zero if no bit is set. The module has no state, so one step is the whole
// proof. The definition here is a loop that keeps the last bit that it finds.
module first_one_proof #(
  parameter int unsigned Width = 8
) (
  input logic [Width-1:0] bits_i,
  input logic             highest_i
);

  logic [Width-1:0] one, lowest, highest;

  bbq_first_one #(
    .Width(Width)
  ) dut (
    .bits_i,
    .highest_i,
    .one_o(one)
  );

  always_comb begin
    lowest  = '0;
    highest = '0;
    for (int unsigned i = 0; i < Width; i++) begin
      if (bits_i[i]) highest = Width'(1) << i;
      if (bits_i[Width-1-i]) lowest = Width'(1) << (Width - 1 - i);
    end
  end

  always_comb begin
    assert (one == (highest_i ? highest : lowest));
    cover (!highest_i && one == Width'(1) << (Width - 1));
    cover (highest_i && one == Width'(1));
    cover (bits_i == '1 && highest_i && one[Width-1]);
  end

endmodule
