// The earliest of several times, a level of a tree in each cycle.
//
// The answer to the inputs of cycle t is there in cycle t + log2(Inputs), rounded up. Of equal
// times, the one with the lowest index counts. New inputs may arrive in each cycle. With one input
// it is a wire.
//
// Source: Seer (NSDI 2024), section 4, primitive 4. Times wrap around: the compared times must be
// within half of their range.
module seer_min #(
  parameter int unsigned Inputs    = 4,
  parameter int unsigned TimeWidth = 32,
  parameter int unsigned DataWidth = 17,
  localparam int unsigned IndexWidth = Inputs > 1 ? $clog2(Inputs) : 1
) (
  input  logic                             clk_i,
  input  logic [Inputs-1:0]                valid_i,
  input  logic [Inputs-1:0][TimeWidth-1:0] time_i,
  input  logic [Inputs-1:0][DataWidth-1:0] data_i,
  output logic                             valid_o,
  output logic [TimeWidth-1:0]             time_o,
  output logic [DataWidth-1:0]             data_o,
  output logic [IndexWidth-1:0]            index_o
);

  localparam int unsigned Levels = $clog2(Inputs);

  typedef struct packed {
    logic                  valid;
    logic [TimeWidth-1:0]  at;
    logic [DataWidth-1:0]  data;
    logic [IndexWidth-1:0] index;
  } offer_t;

  // Level 0 is the inputs; each level above has half as many.
  for (genvar level = 0; level <= Levels; level++) begin : gen_level
    localparam int unsigned Width = (Inputs + 2 ** level - 1) / 2 ** level;
    offer_t [Width-1:0] offer;

    if (level == 0) begin : gen_inputs
      for (genvar i = 0; i < Inputs; i++) begin : gen_input
        assign offer[i] = {valid_i[i], time_i[i], data_i[i], IndexWidth'(i)};
      end
    end else begin : gen_compare
      localparam int unsigned Below = (Inputs + 2 ** (level - 1) - 1) / 2 ** (level - 1);
      for (genvar i = 0; i < Width; i++) begin : gen_pair
        if (2 * i + 1 < Below) begin : gen_two
          offer_t               left, right;
          logic [TimeWidth-1:0] difference;
          assign left       = gen_level[level-1].offer[2*i];
          assign right      = gen_level[level-1].offer[2*i+1];
          assign difference = right.at - left.at;
          always_ff @(posedge clk_i) begin
            offer[i] <= right.valid && (!left.valid || difference[TimeWidth-1]) ? right : left;
          end
        end else begin : gen_one
          always_ff @(posedge clk_i) offer[i] <= gen_level[level-1].offer[2*i];
        end
      end
    end
  end

  if (Levels == 0) begin : gen_wire
    logic unused;
    assign unused = &{1'b0, clk_i};
  end

  assign {valid_o, time_o, data_o, index_o} = gen_level[Levels].offer[0];

endmodule
