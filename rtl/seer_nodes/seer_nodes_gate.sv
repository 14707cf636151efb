// Packets on their way to the notification queues, held while notifications are taken.
//
// A gap or a control packet carries the notifications that were known when it was opened, although
// taking them lasts some cycles. So packets that arrive in these cycles are notified afterwards:
// from the cycle in which `close_i` is 1 until `open_i`, only packets that arrived before it pass.
//
// A packet passes at the earliest in the cycle after its arrival (`packet_*`). With `came_q_i` the
// deciding module says that a packet arrived in the cycle before, of which the decision does not
// know yet.
//
// Limits: if packets arrive in nearly all cycles while a control packet begins, some notifications
// are too late for the gap behind it. Only links at least ten times as fast as this one bring
// packets so often.
module seer_nodes_gate #(
  parameter int unsigned Entries = 16,
  parameter int unsigned Width   = 18
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic             packet_valid_i,
  input  logic [Width-1:0] packet_i,
  input  logic             close_i,
  input  logic             came_q_i,
  input  logic             open_i,
  output logic             passes_o,
  output logic [Width-1:0] passes_packet_o
);

  localparam int unsigned CountWidth = $clog2(Entries + 1);

  logic                  some, closed_q, opens;
  logic [CountWidth-1:0] waiting, older_q, older;

  seer_nodes_fifo #(
    .Entries(Entries),
    .Width  (Width)
  ) i_packets (
    .clk_i,
    .rst_i,
    .put_i  (packet_valid_i),
    .data_i (packet_i),
    .valid_o(some),
    .take_i (passes_o),
    .data_o (passes_packet_o),
    .count_o(waiting)
  );

  assign older   = close_i ? waiting - CountWidth'(came_q_i) : older_q;
  assign opens    = !close_i && (!closed_q || open_i);
  assign passes_o = some && (opens || older != '0);

  always_ff @(posedge clk_i) begin
    older_q <= older - CountWidth'(passes_o && older != '0);
    closed_q <= close_i || (closed_q && !open_i);
    if (rst_i) begin
      older_q <= '0;
      closed_q <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      assert (!open_i || older_q == '0) else $error("a packet was told of too late");
      assert (!close_i || !closed_q || open_i) else $error("a gap opens before the last one closed");
    end
  end
`endif

endmodule
