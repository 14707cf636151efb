// A word some cycles later: a value that is known early in a pipeline waits here for later values.
//
// Throughput: one word per cycle. Latency: Cycles cycles in which en_i is 1; none if Cycles is 0.
//
// Limits: Cycles registers of Width bits and no memory; data only, so there is no reset.
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
    // Without a register the clock is unused.
    logic unused;
    assign unused = &{clk_i, en_i};
    assign q_o = d_i;
  end else begin : gen_registers
    // One vector, shifted: Verilator loses all but one word of a loop over more than 64 words.
    logic [Cycles*Width-1:0] words_q;

    always_ff @(posedge clk_i) begin
      if (en_i) words_q <= (Cycles * Width)'({words_q, d_i});
    end

    assign q_o = words_q[Cycles*Width-1-:Width];
  end

endmodule
