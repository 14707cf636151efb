// Numbers arrivals, so that equal ranks can be told apart by when they came.
//
// Counts the elements put into the queue since it was last empty. When the numbers are
// used up, all that come get the highest one until the queue has been empty, and
// unique_o is 0 meanwhile: their order among equal ranks is not known.
module bbq_front_stamp #(
  parameter int unsigned StampWidth = 1
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  empty_i,   // the queue is empty now
  input  logic                  put_i,     // an element is put in now and gets stamp_o
  output logic [StampWidth-1:0] stamp_o,
  output logic                  unique_o   // no two elements in the queue have one number
);

  logic [StampWidth-1:0] next_q;
  logic                  last_q;      // the highest number has been given
  logic                  repeated_q;  // more than once

  assign stamp_o  = empty_i ? '0 : next_q;
  assign unique_o = empty_i || !repeated_q;

  always_ff @(posedge clk_i) begin
    if (put_i) begin
      if (stamp_o != '1) next_q <= stamp_o + 1'b1;
      else               next_q <= '1;
      last_q     <= stamp_o == '1;
      repeated_q <= !empty_i && last_q;
    end
    if (rst_i) begin
      last_q     <= 1'b0;
      repeated_q <= 1'b0;
    end
  end

endmodule
