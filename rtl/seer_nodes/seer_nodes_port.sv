// Schedules the link: a port with strict priority, and control packets between packets.
//
// Frames follow one another without a pause as long as packets wait, each on the word behind the
// gap of the one before, on either half of a block. If no packet waits, the link is idle, and the
// next frame begins with a block.
//
// Source: Seer (NSDI 2024), section 3.1. Between two packets at most one control packet is sent,
// first, if it is due (`control_due_i`). Then, or without it, a packet is sent (`begins_o`). A
// packet that finds the link idle is sent at once (`from_idle_o`).
//
// Timing: `start_o` says that a frame may start in this cycle's block, `lane_o` on which half. The
// frame is chosen in the same cycle among those queued before it. `first_o` and `second_o` are the
// words of the block, as indices in their frames.
module seer_nodes_port
  import seer_nodes_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  some_i,          // a packet waits
  input  logic                  control_due_i,
  output logic                  start_o,
  output logic                  lane_o,
  output logic                  control_o,       // a control packet may begin
  output logic                  begins_o,        // a packet begins
  output logic                  from_idle_o,
  output logic                  sends_control_o, // the kind of frame of the words
  output logic                  first_valid_o,
  output logic [IndexWidth-1:0] first_o,
  output logic                  second_valid_o,
  output logic [IndexWidth-1:0] second_o
);

  localparam logic [IndexWidth-1:0] DataLength    = IndexWidth'(DataWords);
  localparam logic [IndexWidth-1:0] ControlLength = IndexWidth'(ControlWords);

  logic [IndexWidth-1:0] left_q, sent_q, length;   // words of the frame on the link
  logic                  idle_q, after_control_q, control_q, begins_control;

  assign start_o        = left_q < IndexWidth'(2) && !rst_i;
  assign lane_o         = left_q[0];
  assign from_idle_o    = idle_q;
  // A packet that finds the link idle is sent at once, and so is one behind a control packet.
  assign control_o      = start_o && some_i && !idle_q && !after_control_q;
  assign begins_control = control_o && control_due_i;
  assign begins_o       = start_o && some_i && !begins_control;
  assign length         = begins_control ? ControlLength : DataLength;

  always_ff @(posedge clk_i) begin
    if (begins_o || begins_control) begin
      left_q          <= length - (lane_o ? IndexWidth'(1) : IndexWidth'(2));
      sent_q          <= lane_o ? IndexWidth'(1) : IndexWidth'(2);
      control_q       <= begins_control;
      after_control_q <= begins_control;
      idle_q          <= 1'b0;
    end else begin
      left_q <= start_o ? '0 : left_q - IndexWidth'(2);
      sent_q <= sent_q + IndexWidth'(2);
      if (start_o) idle_q <= 1'b1;
    end
    if (rst_i) begin
      left_q          <= '0;
      idle_q          <= 1'b1;
      after_control_q <= 1'b0;
    end
  end

  // The last word of every frame is idle.
  logic goes_on, starts;
  assign goes_on         = left_q > IndexWidth'(1);
  assign starts          = begins_o || begins_control;
  assign first_valid_o   = goes_on || (starts && !lane_o);
  assign first_o         = goes_on ? sent_q : '0;
  assign second_valid_o  = goes_on || starts;
  assign second_o        = goes_on ? sent_q + 1'b1 : IndexWidth'(!lane_o);
  assign sends_control_o = starts ? begins_control : control_q;

endmodule
