// Trials of a probability: whether a drop happens.
//
// Source: xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators",
// 2021), as in the engines of forebay, number by number. A probability other than 0 and 1 takes one
// number, and the drop happens if the number is below it.
//
// Throughput: one trial per cycle. Latency: none. drops_o and sure_o are there in the cycle of
// chance_i, which counts in cycles with ask_i.
//
// Limits: two additions of 64 bits, one behind the other, and a comparison in one cycle.
module policy_random #(
  parameter logic [3:0][63:0] Init = {64'd4, 64'd3, 64'd2, 64'd1}  // not all 0
) (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        ask_i,
  input  logic [64:0] chance_i,  // bit 64: certain; others: how many of 2^64 numbers drop
  output logic        drops_o,
  output logic        sure_o
);

  logic [3:0][63:0] state_q, state_d;
  logic [63:0]      sum, number, low, high;

  assign sum    = state_q[0] + state_q[3];
  assign number = {sum[40:0], sum[63:41]} + state_q[0];
  assign low    = state_q[2] ^ state_q[0];
  assign high   = state_q[3] ^ state_q[1];

  assign state_d[0] = state_q[0] ^ high;
  assign state_d[1] = state_q[1] ^ low;
  assign state_d[2] = low ^ {state_q[1][46:0], 17'b0};
  assign state_d[3] = {high[18:0], high[63:19]};

  assign sure_o  = chance_i[64];
  assign drops_o = sure_o || number < chance_i[63:0];

  always_ff @(posedge clk_i) begin
    if (ask_i && !sure_o && chance_i[63:0] != '0) state_q <= state_d;
    if (rst_i) state_q <= Init;
  end

endmodule
