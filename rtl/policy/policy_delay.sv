// A word some cycles later: what is known early in a pipeline waits here for what is not.
//
// Throughput: one word a cycle. Latency: Cycles cycles in which en_i is 1; none if it is 0.
//
// Limits: Cycles registers of Width bits and no memory; data only, so that nothing is reset.
module policy_delay #(
  parameter int unsigned Width  = 8,
  parameter int unsigned Cycles = 1
) (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] q_o
);

  if (Cycles == 0) begin : gen_wire
    // Without a register the clock has nothing to do.
    logic unused;
    assign unused = &{clk_i, en_i};
    assign q_o = d_i;
  end else begin : gen_registers
    logic [Cycles-1:0][Width-1:0] word_q;

    always_ff @(posedge clk_i) begin
      if (en_i) word_q <= (Cycles * Width)'({word_q, d_i});
    end

    assign q_o = word_q[Cycles-1];
  end

endmodule
