// The neighbour: packets arrive, wait in two classes and leave over the link. It notifies the
// target of packets that wait: in gaps, through the side channel, and in control packets.
//
// Source: Seer (NSDI 2024), sections 3.1 and 5.2.
//
// A packet arrives at `packet_*`, at most one per cycle. If a packet of cycle n finds the link
// idle, it begins with the block that leaves at `block_o` in cycle n + 10. A notification says when
// its packet will have left, in times of words from the start of the frame behind it.
//
// The next frame is decided on two cycles after n. From then on,
// - cycles 1 to 8: notifications are taken into a control packet;
// - cycle 2: the first words of a frame are made, and are at the side channel in cycle 3;
// - cycles 4 and 5: notifications are taken into the gap in front of a packet;
// - cycle 6: this packet leaves the queue of notifications, which drops its own if it is there.
//
// With `before_i`, the notification of a packet that finds the link idle is sent in front of it.
// Without it, none is sent: behind its packet a notification is useless (section 5, where idle
// characters end a packet).
//
// Limits: `Packets` of each class, and `Entries` notifications of both.
module seer_nodes_neighbour
  import seer_nodes_pkg::*;
#(
  parameter int unsigned Entries = 256,
  parameter int unsigned Packets = 1024,
  localparam int unsigned CountWidth = $clog2(Entries + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  packet_valid_i,
  input  logic                  packet_class_i,
  input  logic [IdWidth-1:0]    packet_id_i,
  input  logic [CountWidth-1:0] threshold_i,  // m
  input  logic [31:0]           interval_i,   // t, in octets
  input  logic                  before_i,
  output logic                  block_valid_o,
  output logic [BlockWidth-1:0] block_o,
  output logic                  refused_o     // a notification found no room
);

  localparam int unsigned WordsAt    = 2;
  localparam int unsigned TakenAt    = 6;
  localparam int unsigned CollectsTo = PerControl;
  localparam int unsigned TimeWidth  = 32;
  localparam int unsigned SizeWidth  = 11;
  localparam int unsigned TellsWidth = DelayWidth + 2;   // delays in octets
  localparam int unsigned WaitsWidth = $clog2(Packets + 1);

  // ---- packets that wait -------------------------------------------------------------------

  logic               came_q, class_q;
  logic [IdWidth-1:0] id_q;
  logic [1:0]         some, takes;
  logic               begins, chosen;
  logic [1:0][IdWidth-1:0]    first_id;
  logic [1:0][WaitsWidth-1:0] unused_waiting;

  // The gate takes a cycle, so the packets wait for one too.
  always_ff @(posedge clk_i) begin
    came_q          <= packet_valid_i && !rst_i;
    {class_q, id_q} <= {packet_class_i, packet_id_i};
  end

  for (genvar c = 0; c < 2; c++) begin : gen_class
    seer_nodes_fifo #(
      .Entries(Packets),
      .Width  (IdWidth)
    ) i_packets (
      .clk_i,
      .rst_i,
      .put_i  (came_q && class_q == 1'(c)),
      .data_i (id_q),
      .valid_o(some[c]),
      .take_i (takes[c]),
      .data_o (first_id[c]),
      .count_o(unused_waiting[c])
    );
  end

  assign chosen = !some[0];
  assign takes  = {begins && chosen, begins && !chosen};

  // ---- the link ----------------------------------------------------------------------------

  logic                  may_start, lane, from_idle, may_control, control_due, control, sends_control;
  logic                  first_valid, second_valid;
  logic [IndexWidth-1:0] first, second;

  seer_nodes_port i_port (
    .clk_i,
    .rst_i,
    .some_i         (some != '0),
    .control_due_i  (control_due),
    .start_o        (may_start),
    .lane_o         (lane),
    .control_o      (may_control),
    .begins_o       (begins),
    .from_idle_o    (from_idle),
    .sends_control_o(sends_control),
    .first_valid_o  (first_valid),
    .first_o        (first),
    .second_valid_o (second_valid),
    .second_o       (second)
  );

  assign control = may_control && control_due;

  // ---- notifications -----------------------------------------------------------------------

  logic [31:0]           cycle_q;
  logic [TakenAt:0]      begun_q;       // so many cycles since the decision on a packet
  logic [CollectsTo:0]   control_q;     // and since the decision on a control packet
  logic                  class_of_q, gap_q;
  logic                  passes, passes_class, fpm_valid, fpm_ready, phy_ready;
  logic                  of_control, gap_open, stale;
  logic [IdWidth-1:0]    passes_id;
  logic [SizeWidth-1:0]  unused_size;
  logic [TellsWidth-1:0] delay;
  logic [CountWidth-1:0] fpms;
  fpm_t                  fpm;

  always_ff @(posedge clk_i) begin
    cycle_q   <= cycle_q + 1'b1;
    begun_q   <= {begun_q[TakenAt-1:0], begins};
    control_q <= {control_q[CollectsTo-1:0], control};
    if (begins) {class_of_q, gap_q} <= {chosen, before_i || !from_idle};
    if (rst_i) {cycle_q, begun_q, control_q} <= '0;
  end

  seer_nodes_gate #(
    .Width(IdWidth + 1)
  ) i_gate (
    .clk_i,
    .rst_i,
    .packet_valid_i,
    .packet_i       ({packet_class_i, packet_id_i}),
    .close_i        (begins || control),
    .came_q_i       (came_q),
    .open_i         (begun_q[TakenAt-1] || control_q[CollectsTo]),
    .passes_o       (passes),
    .passes_packet_o({passes_class, passes_id})
  );

  seer_egress #(
    .Classes   (2),
    .Entries   (Entries),
    .PerGap    (2),
    .PerControl(PerControl),
    .IdWidth   (IdWidth),
    .SizeWidth (SizeWidth),
    .DelayWidth(TellsWidth),
    .TimeWidth (TimeWidth)
  ) i_egress (
    .clk_i,
    .rst_i,
    .now_i          ({cycle_q[28:0], lane && may_start, 2'b0}),
    .queued_valid_i (passes),
    .queued_class_i (passes_class),
    .queued_asks_i  (1'b1),
    .queued_id_i    (passes_id),
    .queued_size_i  (SizeWidth'(PacketOctets)),
    .refused_o,
    .left_valid_i   (begun_q[TakenAt-1]),
    .left_class_i   (class_of_q),
    .left_size_i    (SizeWidth'(PacketOctets)),
    .stale_o        (stale),
    .threshold_i,
    .interval_i,
    .control_valid_o(control_due),
    .control_ready_i(may_control),
    .gap_i          (begins),
    .idle_i         (1'b0),
    .fpm_valid_o    (fpm_valid),
    .fpm_ready_i    (fpm_ready),
    .fpm_control_o  (of_control),
    .fpm_id_o       (fpm.id),
    .fpm_size_o     (unused_size),
    .fpm_delay_o    (delay),
    .waiting_o      (fpms)
  );

  assign gap_open  = gap_q && begun_q[TakenAt-2:0] != '0;
  assign fpm.delay = delay[TellsWidth-1:2];
  assign fpm_ready = of_control ? control_q[CollectsTo-1:0] != '0 : gap_open && phy_ready;

  // ---- the notifications of a control packet -----------------------------------------------

  localparam int unsigned PlaceWidth = $clog2(PerControl);

  fpm_t [PerControl-1:0] fpms_q;
  logic [PlaceWidth-1:0] collected_q;
  logic [FpmsWidth-1:0]  carries_q;

  always_ff @(posedge clk_i) begin
    if (fpm_valid && fpm_ready && of_control) begin
      fpms_q[collected_q] <= fpm;
      collected_q         <= collected_q + 1'b1;
    end
    if (control) begin
      collected_q <= '0;
      carries_q   <= 32'(fpms) > PerControl ? FpmsWidth'(PerControl) : FpmsWidth'(fpms);
    end
  end

  // ---- words, and blocks -------------------------------------------------------------------

  typedef struct packed {
    logic                  valid;
    logic [IndexWidth-1:0] index;
  } place_t;

  typedef struct packed {
    logic         control;
    place_t [1:0] place;
  } pair_t;

  pair_t [WordsAt-1:0]   pair_q;
  logic [IdWidth-1:0]    id_of_q;
  logic [BlockWidth-1:0] block_q;
  logic                  running_q;

  function automatic word_t word_of(input place_t place, input logic is_control);
    word_t                 word;
    logic [IndexWidth-1:0] length, fpm_place;
    length    = is_control ? IndexWidth'(ControlWords) : IndexWidth'(DataWords);
    fpm_place = place.index - FpmsAt;
    word      = '{kind: WordData, data: '0};
    if (!place.valid || place.index > length - IndexWidth'(TailWords)) word.kind = WordIdle;
    else if (place.index == '0) word = '{kind: WordStart, data: StartOctets};
    else if (place.index == IndexWidth'(1)) word.data = PreambleOctets;
    else if (place.index == TypeAt) 
      word.data = is_control ? {16'(carries_q), ControlType} : 32'(DataType);
    else if (place.index == length - IndexWidth'(TailWords)) word.kind = WordEnd;
    else if (!is_control && place.index == IdAt) word.data = 32'(id_of_q);
    else if (is_control && fpm_place < IndexWidth'(carries_q))
      word.data = fpms_q[PlaceWidth'(fpm_place)];
    return word;
  endfunction

  always_ff @(posedge clk_i) begin
    pair_q  <= {pair_q[WordsAt-2:0],
                sends_control, second_valid, second, first_valid, first};
    if (begins) id_of_q <= first_id[chosen];
    block_q <= encode(word_of(pair_q[WordsAt-1].place[0], pair_q[WordsAt-1].control),
                      word_of(pair_q[WordsAt-1].place[1], pair_q[WordsAt-1].control));
    running_q <= !rst_i;
    if (rst_i) pair_q <= '0;
  end

  seer_phy_tx #(
    .Width(FpmWidth)
  ) i_phy (
    .clk_i,
    .rst_i,
    .enable_i     (1'b1),
    .block_valid_i(running_q),
    .block_i      (block_q),
    .block_valid_o,
    .block_o,
    .fpm_valid_i  (fpm_valid && !of_control && gap_open),
    .fpm_ready_o  (phy_ready),
    .fpm_i        (fpm)
  );

  logic unused;
  assign unused = &{1'b0, stale, delay[1:0], unused_size, unused_waiting};

endmodule
