// The egress side of Seer for one port: notifies the node at the other end of packets that wait.
//
// Source: Seer (NSDI 2024), section 3.1, figures 2 and 3. A packet that enters the queue of its
// class enqueues a notification (FPM: request id, size) in the FPM queue of that class. FPMs leave
// in strict priority, class 0 first, first come first served within a class, each with its expected
// delay. The delay is the backlog of higher classes, and of its own up to and with its packet. It
// counts from when the carrier of the FPM has been sent. So it does not include the paper's t_FPM,
// which the receiver's clock would count a second time.
//
// Carriers, which the controller of the link opens:
// - `gap_i`: an inter-packet gap begins: up to `PerGap` FPMs may leave in it;
// - `control_valid_o`: more than `threshold_i` FPMs wait (m), and since the last control packet
//   `interval_i` ticks or more have passed (t). If `control_ready_i` is 1 in such a cycle, a
//   control packet begins, with up to `PerControl` FPMs;
// - `idle_i`: the link is idle: all may leave.
// The carrier opened last is in effect from the next cycle on. FPMs are offered at `fpm_*`, one in
// each cycle, as long as the carrier has room; `fpm_control_o` says which carrier it is.
//
// `left_*`: the first packet of a class begins to leave. If its FPM has not been sent, the FPM is
// useless now and is dropped (`stale_o`). In such a cycle no FPM is offered. `refused_o`: the
// packet of the cycle before found no room for its FPM.
//
// Timing: all takes effect in the next cycle; one packet can arrive and one leave in each.
//
// Limits: `Entries` FPMs of all classes together (each class has room for all of them). Delays
// above the range of `DelayWidth` are sent as the highest delay. A tick is 1 / `TicksPerByte` bytes
// on the link; packets have a byte or more.
module seer_egress #(
  parameter int unsigned Classes      = 2,
  parameter int unsigned Entries      = 256,
  parameter int unsigned PerGap       = 2,
  parameter int unsigned PerControl   = 8,
  parameter int unsigned IdWidth      = 17,
  parameter int unsigned SizeWidth    = 11,
  parameter int unsigned DelayWidth   = 16,
  parameter int unsigned TimeWidth    = 32,
  parameter int unsigned TicksPerByte = 1,
  localparam int unsigned ClassWidth = Classes > 1 ? $clog2(Classes) : 1,
  localparam int unsigned CountWidth = $clog2(Entries + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic [TimeWidth-1:0]  now_i,
  input  logic                  queued_valid_i,
  input  logic [ClassWidth-1:0] queued_class_i,
  input  logic                  queued_asks_i,   // it needs a state: an FPM is made
  input  logic [IdWidth-1:0]    queued_id_i,
  input  logic [SizeWidth-1:0]  queued_size_i,   // bytes
  output logic                  refused_o,
  input  logic                  left_valid_i,
  input  logic [ClassWidth-1:0] left_class_i,
  input  logic [SizeWidth-1:0]  left_size_i,
  output logic                  stale_o,
  input  logic [CountWidth-1:0] threshold_i,     // m
  input  logic [TimeWidth-1:0]  interval_i,      // t
  output logic                  control_valid_o,
  input  logic                  control_ready_i,
  input  logic                  gap_i,
  input  logic                  idle_i,
  output logic                  fpm_valid_o,
  input  logic                  fpm_ready_i,
  output logic                  fpm_control_o,
  output logic [IdWidth-1:0]    fpm_id_o,
  output logic [SizeWidth-1:0]  fpm_size_o,
  output logic [DelayWidth-1:0] fpm_delay_o,
  output logic [CountWidth-1:0] waiting_o
);

  if (Classes == 0 || Entries == 0 || PerGap + PerControl == 0 || TicksPerByte == 0) begin : gen_none
    $error("seer_egress: Classes, Entries and TicksPerByte are 1 or more, and PerGap or PerControl is");
  end
  if (DelayWidth >= TimeWidth) begin : gen_delay
    $error("seer_egress: a delay is cut to DelayWidth bits, which are fewer than TimeWidth");
  end

  localparam int unsigned TickWidth  = $clog2((2 ** SizeWidth - 1) * TicksPerByte + 1);
  localparam int unsigned Most       = PerGap > PerControl ? PerGap : PerControl;
  localparam int unsigned RoomWidth  = $clog2(Most + 1);

  logic [TickWidth-1:0]  queued_ticks, left_ticks;
  logic [CountWidth-1:0] waiting_q;
  logic                  room, stored, sent, control;

  assign queued_ticks = TickWidth'(queued_size_i) * TickWidth'(TicksPerByte);
  assign left_ticks   = TickWidth'(left_size_i) * TickWidth'(TicksPerByte);
  assign room         = waiting_q != CountWidth'(Entries);
  assign stored       = queued_valid_i && queued_asks_i && room;
  assign sent         = fpm_valid_o && fpm_ready_i;
  assign control      = control_valid_o && control_ready_i;

  // ---- the classes -------------------------------------------------------------------------

  logic [Classes-1:0]                some, stale, chosen;
  logic [Classes-1:0][IdWidth-1:0]   id;
  logic [Classes-1:0][SizeWidth-1:0] size;
  logic [Classes-1:0][TimeWidth-1:0] first_wait, backlog;

  for (genvar c = 0; c < Classes; c++) begin : gen_class
    fpm_queue #(
      .Entries  (Entries),
      .IdWidth  (IdWidth),
      .SizeWidth(SizeWidth),
      .TickWidth(TickWidth),
      .TimeWidth(TimeWidth)
    ) i_queue (
      .clk_i,
      .rst_i,
      .put_i       (queued_valid_i && queued_class_i == ClassWidth'(c)),
      .store_i     (stored),
      .put_id_i    (queued_id_i),
      .put_size_i  (queued_size_i),
      .put_ticks_i (queued_ticks),
      .left_i      (left_valid_i && left_class_i == ClassWidth'(c)),
      .left_ticks_i(left_ticks),
      .stale_o     (stale[c]),
      .take_i      (sent && chosen[c]),
      .some_o      (some[c]),
      .first_id_o  (id[c]),
      .first_size_o(size[c]),
      .first_wait_o(first_wait[c]),
      .backlog_o   (backlog[c])
    );
  end

  // ---- the first FPM of the highest class, and the delay of its packet ---------------------

  logic [TimeWidth-1:0] delay;

  always_comb begin
    logic higher;
    higher     = 1'b0;
    chosen     = '0;
    delay      = '0;
    fpm_id_o   = '0;
    fpm_size_o = '0;
    for (int unsigned c = 0; c < Classes; c++) begin
      chosen[c] = some[c] && !higher;
      if (chosen[c]) begin
        fpm_id_o   = id[c];
        fpm_size_o = size[c];
      end
      if (!higher) delay += chosen[c] ? first_wait[c] : backlog[c];
      higher |= some[c];
    end
  end

  assign fpm_delay_o = delay > TimeWidth'(2 ** DelayWidth - 1) ? '1 : DelayWidth'(delay);

  // ---- carriers ----------------------------------------------------------------------------

  logic [RoomWidth-1:0] carries_q;    // FPMs that still fit into it
  logic                 all_q, in_control_q;

  assign fpm_valid_o   = some != '0 && (all_q || carries_q != '0) && !left_valid_i && !rst_i;
  assign fpm_control_o = in_control_q;

  always_ff @(posedge clk_i) begin
    if (sent && !all_q) carries_q <= carries_q - 1'b1;
    if (gap_i || control || idle_i) begin
      carries_q    <= control ? RoomWidth'(PerControl) : RoomWidth'(PerGap);
      all_q        <= idle_i && !control && !gap_i;
      in_control_q <= control;
    end
    if (rst_i) {carries_q, all_q, in_control_q} <= '0;
  end

  // ---- when a control packet is due --------------------------------------------------------

  logic [TimeWidth-1:0] last_q;
  logic                 rested_q, rested;

  // Registered, so that time may wrap around afterwards.
  assign rested          = rested_q || now_i - last_q >= interval_i;
  assign control_valid_o = waiting_q > threshold_i && rested && !rst_i;

  always_ff @(posedge clk_i) begin
    rested_q <= rested && !control;
    if (control) last_q <= now_i;
    if (rst_i) rested_q <= 1'b1;
  end

  // ---- number of FPMs that wait ------------------------------------------------------------

  logic refused_q;

  always_ff @(posedge clk_i) begin
    waiting_q <= waiting_q + CountWidth'(stored) - CountWidth'(sent) - CountWidth'(|stale);
    refused_q <= queued_valid_i && queued_asks_i && !room;
    if (rst_i) begin
      waiting_q <= '0;
      refused_q <= 1'b0;
    end
  end

  assign stale_o   = |stale && !rst_i;
  assign refused_o = refused_q && !rst_i;
  assign waiting_o = waiting_q;

endmodule
