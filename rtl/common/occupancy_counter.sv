// The number of elements in a queue, and whether the queue is full or empty, all from
// registers.
//
// In each cycle one element is added or removed, or neither. The outputs have the effect
// from the next cycle on. An addition to a full queue or a removal from an empty one
// makes the outputs wrong.
module occupancy_counter #(
  parameter int unsigned Entries = 16,
  localparam int unsigned CountWidth = $clog2(Entries + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  put_i,
  input  logic                  take_i,
  output logic                  full_o,
  output logic                  empty_o,
  output logic [CountWidth-1:0] occupancy_o
);

  logic [CountWidth-1:0] occupancy_q;
  logic                  full_q, empty_q;

  // Full and empty use the count before, so they do not wait for a sum.
  always_ff @(posedge clk_i) begin
    occupancy_q <= occupancy_q + ({CountWidth{take_i}} | CountWidth'(put_i));
    full_q      <= put_i ? occupancy_q == CountWidth'(Entries - 1) : full_q && !take_i;
    empty_q     <= take_i ? occupancy_q == CountWidth'(1) : empty_q && !put_i;
    if (rst_i) begin
      occupancy_q <= '0;
      full_q      <= 1'b0;
      empty_q     <= 1'b1;
    end
  end

  assign full_o      = full_q;
  assign empty_o     = empty_q;
  assign occupancy_o = occupancy_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      assert (!(put_i && take_i)) else $error("an element is put in and taken out at once");
      assert (!(put_i && full_q)) else $error("an element is put into a full queue");
      assert (!(take_i && empty_q)) else $error("an element is taken from an empty queue");
    end
  end
`endif

endmodule
