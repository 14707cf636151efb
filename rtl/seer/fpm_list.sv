// The packets that one ingress port expects: F of Seer's Algorithm 1, and the part of X that
// arrived at this port.
//
// One ordered list has both. Marked entries are in X (their state is in the cache or on its way),
// unmarked ones are in F. So an entry that moves from F to X is not copied, X never overflows, and
// a notification delays later packets in both.
//
// Source: Seer (NSDI 2024), sections 3.2 and 4, figure 4. An arrival is expected at the time of the
// notification (FPM) plus its delay. The paper compares arrivals; this list compares the times at
// which packets begin to arrive. The two are the same for packets of one length, and the latter is
// right for any. A packet that begins no earlier than the new packet is delayed by the new packet's
// time on the link.
//
// Three requests are possible, in this order of priority:
// - `come`: a packet has arrived or was dropped. The first expected packet with this id is removed;
// - `push`: a control packet occupied the link. All packets are delayed;
// - `fpm`: a notification has arrived.
// `come` takes 2 cycles, the others 3. Between them, with `Patience`, the first packet is given up
// if it is later than that. `ask`, `head`, `mark` and `find` are those of the list, with arrivals
// for keys.
//
// Limits: times wrap around, and all expected times must be within half of their range. One tick is
// the time of 1 / `TicksPerByte` bytes on the link. If notifications are lost or arrive behind
// their packets, set `Patience`. Otherwise the list fills with packets that never arrive.
module fpm_list
  import seer_pkg::*;
#(
  parameter int unsigned Entries      = 256,
  parameter int unsigned IdWidth      = 17,
  parameter int unsigned SizeWidth    = 11,
  parameter int unsigned DelayWidth   = 16,
  parameter int unsigned TimeWidth    = 32,
  parameter int unsigned TicksPerByte = 1,
  parameter int unsigned Patience     = 0,   // ticks; 0: for ever
  localparam int unsigned CountWidth = $clog2(Entries + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic [TimeWidth-1:0]  now_i,
  input  logic                  come_valid_i,
  output logic                  come_ready_o,
  input  logic [IdWidth-1:0]    come_id_i,
  input  logic                  push_valid_i,
  output logic                  push_ready_o,
  input  logic [SizeWidth-1:0]  push_size_i,   // bytes
  input  logic                  fpm_valid_i,
  output logic                  fpm_ready_o,
  input  logic [TimeWidth-1:0]  fpm_time_i,    // when its carrier had arrived
  input  logic [IdWidth-1:0]    fpm_id_i,
  input  logic [SizeWidth-1:0]  fpm_size_i,    // bytes
  input  logic [DelayWidth-1:0] fpm_delay_i,   // ticks
  output logic                  refused_o,     // a notification found no room
  output logic                  expired_o,     // a packet was given up
  input  logic                  ask_i,
  output logic                  head_valid_o,  // the first of F, when last asked
  output logic [IdWidth-1:0]    head_id_o,
  output logic [TimeWidth-1:0]  head_arrival_o,
  input  logic                  mark_i,        // the head joins X
  input  logic [IdWidth-1:0]    find_id_i,     // the first of F and X with this id
  output logic                  find_hit_o,
  output logic [TimeWidth-1:0]  find_arrival_o,
  output logic [CountWidth-1:0] occupancy_o
);

  localparam int unsigned TickWidth = $clog2((2 ** SizeWidth - 1) * TicksPerByte + 1);

  logic                 ready, overdue, inserts_q, expires_q, answered, done;
  list_op_e             op;
  logic [TickWidth-1:0] fpm_ticks, push_ticks;
  logic [TimeWidth-1:0] start;

  assign fpm_ticks  = TickWidth'(fpm_size_i) * TickWidth'(TicksPerByte);
  assign push_ticks = TickWidth'(push_size_i) * TickWidth'(TicksPerByte);
  assign start      = fpm_time_i + TimeWidth'(fpm_delay_i) - TimeWidth'(fpm_ticks);

  always_comb begin
    if (come_valid_i)      op = ListDelete;
    else if (overdue)      op = ListDeleteFirst;
    else if (push_valid_i) op = ListPush;
    else                   op = ListInsert;
  end

  assign come_ready_o = ready;
  assign push_ready_o = ready && op == ListPush;
  assign fpm_ready_o  = ready && op == ListInsert;

  // ---- the list ----------------------------------------------------------------------------

  logic                 min_valid, max_valid, full, empty;
  logic [TimeWidth-1:0] min_start, max_start, head_start, find_start;
  logic [IdWidth-1:0]   min_id, max_id;
  logic [TickWidth-1:0] min_ticks, max_ticks, head_ticks, find_ticks;

  ordered_list #(
    .Entries   (Entries),
    .KeyWidth  (TimeWidth),
    .TagWidth  (IdWidth),
    .ValueWidth(TickWidth),
    .PushWidth (TickWidth),
    .Wrap      (1'b1)
  ) i_list (
    .clk_i,
    .rst_i,
    .req_valid_i     (come_valid_i || overdue || push_valid_i || fpm_valid_i),
    .req_ready_o     (ready),
    .req_op_i        (op),
    .req_key_i       (start),
    .req_tag_i       (op == ListDelete ? come_id_i : fpm_id_i),
    .req_value_i     (fpm_ticks),
    .req_push_i      (op == ListPush ? push_ticks : fpm_ticks),
    .rsp_valid_o     (answered),
    .rsp_done_o      (done),
    .ask_i,
    .min_valid_o     (min_valid),
    .min_key_o       (min_start),
    .min_tag_o       (min_id),
    .min_value_o     (min_ticks),
    .max_valid_o     (max_valid),
    .max_key_o       (max_start),
    .max_tag_o       (max_id),
    .max_value_o     (max_ticks),
    .unmarked_valid_o(head_valid_o),
    .unmarked_key_o  (head_start),
    .unmarked_tag_o  (head_id_o),
    .unmarked_value_o(head_ticks),
    .find_tag_i      (find_id_i),
    .find_hit_o,
    .find_key_o      (find_start),
    .find_value_o    (find_ticks),
    .mark_i,
    .full_o          (full),
    .empty_o         (empty),
    .occupancy_o
  );

  assign head_arrival_o = head_start + TimeWidth'(head_ticks);
  assign find_arrival_o = find_start + TimeWidth'(find_ticks);

  // ---- expired packets, and reports --------------------------------------------------------

  // How late the first packet is, by the shorter way around.
  logic [TimeWidth-1:0] lateness;
  assign lateness = now_i - min_start - TimeWidth'(min_ticks);
  assign overdue  = Patience != 0 && min_valid && !lateness[TimeWidth-1] &&
                    lateness > TimeWidth'(Patience);

  always_ff @(posedge clk_i) begin
    if (ready) {inserts_q, expires_q} <= {op == ListInsert, op == ListDeleteFirst};
  end

  assign refused_o = answered && inserts_q && !done;
  assign expired_o = answered && expires_q;

  logic unused;
  assign unused = &{1'b0, min_id, max_valid, max_start, max_id, max_ticks, full, empty};

endmodule
