// Divides unsigned whole numbers, one bit of the quotient in each stage of a pipeline.
//
// Source: restoring division, as by hand (Hennessy, Patterson, "Computer Architecture", appendix
// J). Throughput: one division per cycle. Latency: NumeratorWidth cycles in which en_i is 1.
//
// Limits: with a denominator of 0 the quotient and the remainder are undefined. Data only, so there
// is no reset.
module policy_divider #(
  parameter int unsigned NumeratorWidth   = 8,
  parameter int unsigned DenominatorWidth = 8
) (
  input  logic                        clk_i,
  input  logic                        en_i,
  input  logic [NumeratorWidth-1:0]   numerator_i,
  input  logic [DenominatorWidth-1:0] denominator_i,
  output logic [NumeratorWidth-1:0]   quotient_o,
  output logic [DenominatorWidth-1:0] remainder_o
);

  // The remainder is below the denominator, and has one bit more with the next digit.
  typedef struct packed {
    logic [NumeratorWidth-1:0]   digits;  // the numerator's rest above, the quotient below
    logic [DenominatorWidth-1:0] rest;
    logic [DenominatorWidth-1:0] denominator;
  } step_t;

  step_t step_q [NumeratorWidth+1];

  assign step_q[0].digits      = numerator_i;
  assign step_q[0].rest        = '0;
  assign step_q[0].denominator = denominator_i;

  for (genvar stage = 0; stage < NumeratorWidth; stage++) begin : gen_stage
    logic [DenominatorWidth:0] rest, less;
    logic                      fits;

    assign rest = {step_q[stage].rest, step_q[stage].digits[NumeratorWidth-1]};
    assign less = rest - {1'b0, step_q[stage].denominator};
    assign fits = rest >= {1'b0, step_q[stage].denominator};

    always_ff @(posedge clk_i) begin
      if (en_i) begin
        step_q[stage+1].digits      <= NumeratorWidth'({step_q[stage].digits, fits});
        step_q[stage+1].rest        <= fits ? less[DenominatorWidth-1:0]
                                            : rest[DenominatorWidth-1:0];
        step_q[stage+1].denominator <= step_q[stage].denominator;
      end
    end

    logic unused;
    assign unused = &{rest[DenominatorWidth], less[DenominatorWidth]};
  end

  assign quotient_o  = step_q[NumeratorWidth].digits;
  assign remainder_o = step_q[NumeratorWidth].rest;

endmodule
