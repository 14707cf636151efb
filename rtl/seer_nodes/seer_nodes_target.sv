// The target: the traffic from the link, the cache that is notified of it, and a store behind it.
//
// Source: Seer (NSDI 2024), sections 3.2, 4 and 5.2. A packet whose state is neither in the cache
// nor on its way fetches it. The packet waits aside and delays no other packet. The store serves
// any number of fetches at a time.
module seer_nodes_target
  import seer_nodes_pkg::*;
  import seer_pkg::*;
#(
  parameter int unsigned Sets    = 64,
  parameter int unsigned Ways    = 2,
  parameter int unsigned Entries = 32,   // packets that are expected
  parameter int unsigned Fetches = 64,   // prefetches in flight; a power of two
  localparam int unsigned WayWidth   = Ways > 1 ? $clog2(Ways) : 1,
  localparam int unsigned TimeWidth  = 32,
  localparam int unsigned FetchWidth = 10
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  block_valid_i,
  input  logic [BlockWidth-1:0] block_i,
  input  logic [FetchWidth-1:0] fetch_cycles_i,  // duration of a fetch; 2 or more
  output logic                  ready_o,         // the sets are empty, and no decision is made
  output logic [1:0]            damaged_o,
  output logic [1:0]            lost_o,
  // Events, in the cycle in which they occur.
  output logic                  told_o,          // a notification is taken into the list
  output logic                  told_push_o,     // or a control packet delays all
  output logic [IdWidth-1:0]    told_id_o,
  output logic [TimeWidth-1:0]  told_arrival_o,  // when its packet is expected
  output logic                  refused_o,
  output logic                  answer_o,        // a packet was taken in the cycle before
  output logic [IdWidth-1:0]    answer_id_o,
  output whereabouts_e          answer_where_o,
  output logic                  fetch_o,
  output logic [IdWidth-1:0]    fetch_id_o,
  output logic                  filled_o,
  output logic [IdWidth-1:0]    filled_id_o,
  output logic                  placed_o,
  output logic                  placed_enters_o,
  output logic [IdWidth-1:0]    placed_id_o,
  output logic                  evicts_o,        // of a fetch or a place
  output logic [IdWidth-1:0]    evicted_o
);

  localparam int unsigned SizeWidth  = 11;
  localparam int unsigned TellsWidth = DelayWidth + 2;

  // ---- the link ----------------------------------------------------------------------------

  logic                  line_valid, fpm_valid, fpm_ready, come_valid, come_ready;
  logic                  told_valid, told_push, fpm_taken, push_taken;
  logic [BlockWidth-1:0] line;
  logic [TimeWidth-1:0]  unused_found, told_time, now;
  logic [28:0]           cycle_q;
  logic [IdWidth-1:0]    come_id;
  fpm_t                  fpm, told_fpm;

  always_ff @(posedge clk_i) begin
    cycle_q <= cycle_q + 1'b1;
    if (rst_i) cycle_q <= '0;
  end

  assign now = {cycle_q, 3'b0};

  seer_phy_rx #(
    .Width    (FpmWidth),
    .TimeWidth(TimeWidth)
  ) i_phy (
    .clk_i,
    .rst_i,
    .enable_i     (1'b1),
    .block_valid_i,
    .block_i,
    .block_valid_o(line_valid),
    .block_o      (line),
    .now_i        (now),
    .fpm_valid_o  (fpm_valid),
    .fpm_ready_i  (fpm_ready),
    .fpm_o        (fpm),
    .fpm_time_o   (unused_found),
    .damaged_o,
    .lost_o
  );

  seer_nodes_ingress #(
    .TimeWidth(TimeWidth)
  ) i_ingress (
    .clk_i,
    .rst_i,
    .block_valid_i(line_valid),
    .block_i      (line),
    .time_i       (now),
    .fpm_valid_i  (fpm_valid),
    .fpm_ready_o  (fpm_ready),
    .fpm_i        (fpm),
    .come_valid_o (come_valid),
    .come_ready_i (come_ready),
    .come_id_o    (come_id),
    .told_valid_o (told_valid),
    .told_ready_i (told_push ? push_taken : fpm_taken),
    .told_push_o  (told_push),
    .told_fpm_o   (told_fpm),
    .told_time_o  (told_time)
  );

  assign told_o         = told_valid && !told_push && fpm_taken;
  assign told_push_o    = told_valid && told_push && push_taken;
  assign told_id_o      = told_fpm.id;
  assign told_arrival_o = told_time + TimeWidth'({told_fpm.delay, 2'b0});

  // ---- the cache ---------------------------------------------------------------------------

  logic                fill_valid, fill_ready, place_valid, place_ready, fetch_evicts;
  logic                placed_evicts, unused_iterated, unused_changed, unused_expired;
  logic [IdWidth-1:0]  fill_id, place_id, fetch_evicted, placed_evicted;
  logic [WayWidth-1:0] fill_way, fetch_way, unused_answer_way, unused_placed_way;
  logic [0:0]          unused_port;

  seer_cache #(
    .Ports     (1),
    .Sets      (Sets),
    .Ways      (Ways),
    .Entries   (Entries),
    .IdWidth   (IdWidth),
    .SizeWidth (SizeWidth),
    .DelayWidth(TellsWidth),
    .TimeWidth (TimeWidth)
  ) i_cache (
    .clk_i,
    .rst_i,
    .now_i           (now),
    .fpm_valid_i     (told_valid && !told_push),
    .fpm_ready_o     (fpm_taken),
    .fpm_time_i      (told_time),
    .fpm_id_i        (told_fpm.id),
    .fpm_size_i      (SizeWidth'(PacketOctets)),
    .fpm_delay_i     ({told_fpm.delay, 2'b0}),
    .push_valid_i    (told_valid && told_push),
    .push_ready_o    (push_taken),
    .push_size_i     (SizeWidth'(ControlOctets)),
    .refused_o,
    .expired_o       (unused_expired),
    .come_valid_i    (come_valid),
    .come_ready_o    (come_ready),
    .come_port_i     (1'b0),
    .come_id_i       (come_id),
    .come_dropped_i  (1'b0),
    .answer_valid_o  (answer_o),
    .answer_where_o,
    .answer_id_o,
    .answer_way_o    (unused_answer_way),
    .fetch_valid_o   (fetch_o),
    .fetch_ready_i   (1'b1),
    .fetch_id_o,
    .fetch_port_o    (unused_port),
    .fetch_way_o     (fetch_way),
    .fetch_evicts_o  (fetch_evicts),
    .fetch_evicted_o (fetch_evicted),
    .fill_valid_i    (fill_valid),
    .fill_ready_o    (fill_ready),
    .fill_id_i       (fill_id),
    .fill_way_i      (fill_way),
    .place_valid_i   (place_valid),
    .place_ready_o   (place_ready),
    .place_id_i      (place_id),
    .placed_valid_o  (placed_o),
    .placed_enters_o,
    .placed_id_o,
    .placed_way_o    (unused_placed_way),
    .placed_evicts_o (placed_evicts),
    .placed_evicted_o(placed_evicted),
    .iterated_o      (unused_iterated),
    .changed_o       (unused_changed)
  );

  assign ready_o     = fill_ready;
  assign filled_o    = fill_valid && fill_ready;
  assign filled_id_o = fill_id;
  assign evicts_o    = fetch_o ? fetch_evicts : placed_o && placed_evicts;
  assign evicted_o   = fetch_o ? fetch_evicted : placed_evicted;

  // ---- the store ---------------------------------------------------------------------------

  seer_nodes_store #(
    .TimeWidth(FetchWidth),
    .Entries  (Fetches),
    .Width    (IdWidth + WayWidth)
  ) i_ahead (
    .clk_i,
    .rst_i,
    .cycles_i  (fetch_cycles_i),
    .ask_i     (fetch_o),
    .ask_data_i({fetch_id_o, fetch_way}),
    .valid_o   (fill_valid),
    .ready_i   (fill_ready),
    .data_o    ({fill_id, fill_way})
  );

  // The answer is a cycle later than the packet.
  seer_nodes_store #(
    .TimeWidth(FetchWidth),
    .Width    (IdWidth)
  ) i_asked (
    .clk_i,
    .rst_i,
    .cycles_i  (fetch_cycles_i - 1'b1),
    .ask_i     (answer_o && answer_where_o == StateAway),
    .ask_data_i(answer_id_o),
    .valid_o   (place_valid),
    .ready_i   (place_ready),
    .data_o    (place_id)
  );

  logic unused;
  assign unused = &{1'b0, unused_found, unused_answer_way, unused_placed_way, unused_port,
                    unused_iterated, unused_changed, unused_expired};

endmodule
