// The states that packets are fetching themselves: requested, and not yet arrived.
//
// `add_i` adds an id, `remove_i` removes it. Both take a cycle, and only one of them is in a cycle.
// Which of the ids in `find_i` are in the set is known in the same cycle.
//
// Source: Seer (NSDI 2024) leaves open what the manager knows of misses. Here it fetches no state
// that a packet is already fetching.
//
// Limits: `Entries` at once; check `full_o` before an addition.
module seer_asked #(
  parameter int unsigned Entries = 8,
  parameter int unsigned IdWidth = 17,
  parameter int unsigned Finds   = 2
) (
  input  logic                          clk_i,
  input  logic                          rst_i,
  input  logic                          add_i,
  input  logic                          remove_i,
  input  logic [IdWidth-1:0]            id_i,
  input  logic [Finds-1:0][IdWidth-1:0] find_i,
  output logic [Finds-1:0]              found_o,
  output logic                          full_o
);

  logic [IdWidth-1:0] id_q [Entries];
  logic [Entries-1:0] used_q, vacant, unused_from;

  seer_first #(
    .Width(Entries)
  ) i_vacant (
    .bits_i (~used_q),
    .first_o(vacant),
    .from_o (unused_from)
  );

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Entries; i++) begin
      if (add_i && vacant[i]) begin
        used_q[i] <= 1'b1;
        id_q[i]   <= id_i;
      end
      if (remove_i && id_q[i] == id_i) used_q[i] <= 1'b0;
    end
    if (rst_i) used_q <= '0;
  end

  always_comb begin
    found_o = '0;
    for (int unsigned f = 0; f < Finds; f++) begin
      for (int unsigned i = 0; i < Entries; i++) begin
        if (used_q[i] && id_q[i] == find_i[f]) found_o[f] = 1'b1;
      end
    end
  end

  assign full_o = &used_q;

  logic unused;
  assign unused = &{1'b0, unused_from};

endmodule
