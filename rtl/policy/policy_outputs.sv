// Reports departures and drops to the host, in the order of the decisions.
//
// A decision writes an event here. If it takes a packet out of the queue block, the event waits for
// the block's answer, which says which packet it was. Answers cannot be held back, so a decision is
// only made while there is room for its event: `depart_room_o`, `drop_room_o`.
//
// Throughput: an event per cycle. Latency: 2 cycles from the event, or 1 from the answer.
//
// Limits: the block answers each operation after the same number of cycles, at least 1.
module policy_outputs
  import forebay_queue_pkg::*;
  import policy_pkg::*;
  import policy_core_pkg::*;
#(
  parameter int unsigned Outstanding = 32
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  input  logic                   event_valid_i,
  input  event_t                 event_i,
  output logic                   depart_room_o,
  output logic                   drop_room_o,
  input  logic                   rsp_valid_i,
  input  op_e                    rsp_op_i,
  input  status_e                rsp_status_i,
  input  ticket_t                rsp_data_i,
  output logic [1:0]             served_marks_o,
  output logic [QueueWidth-1:0]  served_queue_o,
  output logic                   m_axis_depart_tvalid_o,
  input  logic                   m_axis_depart_tready_i,
  output logic [DepartWidth-1:0] m_axis_depart_tdata_o,
  output logic                   m_axis_drop_tvalid_o,
  input  logic                   m_axis_drop_tready_i,
  output logic [DropWidth-1:0]   m_axis_drop_tdata_o
);

  localparam int unsigned RoomWidth = $clog2(Outstanding + 1);

  // ---- events that wait to be reported -------------------------------------------------------

  event_t first;
  logic   waiting, answer, told;

  policy_fifo #(
    .Width($bits(event_t)),
    .Depth(2 * Outstanding)
  ) i_events (
    .clk_i,
    .rst_i,
    .put_i  (event_valid_i),
    .data_i (event_i),
    .valid_o(waiting),
    .ready_i(told),
    .data_o (first),
    /* verilator lint_off PINCONNECTEMPTY */
    .count_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  assign answer = rsp_valid_i && rsp_op_i inside {OpDequeueMin, OpDequeueMax};
  assign told   = waiting && (!first.answered || answer);

  // ---- events in the host's format ------------------------------------------------------------

  logic [IdWidth-1:0]     id;
  logic [1:0]             marks;
  logic [DepartWidth-1:0] depart;
  logic [DropWidth-1:0]   drop;

  assign id     = first.answered ? rsp_data_i.id : first.id;
  assign marks  = first.answered ? rsp_data_i.marks | first.marks : '0;
  assign depart = {first.none, marks, first.port, first.queue_index, id};
  assign drop   = {id != first.id, first.rule, first.queue_index, id};

  assign served_marks_o = told && first.departs && first.answered ?
                          first.marks & ~rsp_data_i.marks : '0;
  assign served_queue_o = first.queue_index;

  policy_fifo #(
    .Width(DepartWidth),
    .Depth(Outstanding)
  ) i_depart (
    .clk_i,
    .rst_i,
    .put_i  (told && first.departs),
    .data_i (depart),
    .valid_o(m_axis_depart_tvalid_o),
    .ready_i(m_axis_depart_tready_i),
    .data_o (m_axis_depart_tdata_o),
    /* verilator lint_off PINCONNECTEMPTY */
    .count_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  policy_fifo #(
    .Width(DropWidth),
    .Depth(Outstanding)
  ) i_drop (
    .clk_i,
    .rst_i,
    .put_i  (told && !first.departs),
    .data_i (drop),
    .valid_o(m_axis_drop_tvalid_o),
    .ready_i(m_axis_drop_tready_i),
    .data_o (m_axis_drop_tdata_o),
    /* verilator lint_off PINCONNECTEMPTY */
    .count_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  // ---- room: slots without an event
  // --------------------------------------------------------------

  logic [RoomWidth-1:0] depart_room_q, drop_room_q;
  logic                 departs, departed, drops, dropped;

  assign departs  = event_valid_i && event_i.departs;
  assign drops    = event_valid_i && !event_i.departs;
  assign departed = m_axis_depart_tvalid_o && m_axis_depart_tready_i;
  assign dropped  = m_axis_drop_tvalid_o && m_axis_drop_tready_i;

  assign depart_room_o = depart_room_q != '0;
  assign drop_room_o   = drop_room_q != '0;

  always_ff @(posedge clk_i) begin
    if (departs != departed) begin
      depart_room_q <= departs ? depart_room_q - 1'b1 : depart_room_q + 1'b1;
    end
    if (drops != dropped) drop_room_q <= drops ? drop_room_q - 1'b1 : drop_room_q + 1'b1;
    if (rst_i) begin
      depart_room_q <= RoomWidth'(Outstanding);
      drop_room_q   <= RoomWidth'(Outstanding);
    end
  end

  // Only the handle and the marks of an answer are reported.
  logic unused;
  assign unused = &{rsp_data_i, rsp_status_i};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && rsp_valid_i) begin
      assert (rsp_status_i == StatusDone) else $error("policy_core: the queue block refuses");
    end
    if (!rst_i && answer) begin
      assert (waiting && first.answered) else $error("policy_core: an answer to nothing");
    end
    if (!rst_i && departs) assert (depart_room_o) else $error("policy_core: no room");
    if (!rst_i && drops) assert (drop_room_o) else $error("policy_core: no room");
  end
`endif

endmodule
