// Flips bits of a memory's words as they are written, to test whether the memory's parity and its
// reader detect this. For simulation only: each ram_1r1w has an instance.
//
// +ram_fault=NAME chooses the memory, by the name that each prints when the simulation begins. One
// word in +ram_fault_one_in=N gets one bit flipped.
module ram_fault #(
  parameter int unsigned Width = 8
) (
  input  logic             clk_i,
  input  logic             write_i,
  input  logic [Width-1:0] word_i,
  output logic [Width-1:0] stored_o
);

  string       chosen;
  int unsigned one_in;
  bit          here;

  initial begin
    $display("memory %m");
    here = 1'($value$plusargs("ram_fault=%s", chosen)) && chosen == $sformatf("%m");
    if (!$value$plusargs("ram_fault_one_in=%d", one_in)) one_in = 100;
  end

  logic [Width-1:0] flip_q;

  always_ff @(posedge clk_i) begin
    flip_q <= '0;
    if (here && $urandom_range(one_in - 1) == 0) flip_q[$urandom_range(Width-1)] <= 1'b1;
    if (write_i && flip_q != '0) $display("flipped");
  end

  assign stored_o = word_i ^ flip_q;

endmodule
