// The target node of Seer: lists of the packets expected on each port, the tags of a cache, a
// default heuristic, and the manager that prefetches. The states themselves are kept in a store
// outside, which gets the numbers of ways.
//
// Source: Seer (NSDI 2024), sections 3.2 and 4, Algorithms 1 and 2.
//
// Timing: an iteration of the manager takes log2(Ports) + 2 * Ways + 1 cycles and begins at most
// one fetch (`seer_manager`). A notification is in its list after 3 cycles. An arrived packet is
// removed from it after 2 (`fpm_list`), and is answered in the cycle after it was accepted.
//
// - `come`: a packet has arrived on a port and needs a state, or was dropped (`come_dropped_i`: it
//   is only removed from the list, and not answered). If the answer is StateAway, the store fetches
//   the state, and requests a slot when the fetch is complete.
// - `fetch`: a state is to be fetched into this way; its old state is evicted now. The offer is
//   valid for one cycle. The state is on its way until `fill` says that the fetch is complete.
// - `place`: the fetch of a packet is complete, and its state requests a slot. `placed` answers,
//   later, whether and where the state is inserted.
// - `fill` has priority over `come`; neither is accepted in the cycle of a decision.
//
// Limits: packets of all ports share one `come`, at most one each 2 cycles for a port. Packets
// fetch at most `Fetches` states at once; then `come` waits. Sets are emptied after a reset, one in
// each cycle; notifications are accepted meanwhile.
`ifndef FOREBAY_SEER_HEURISTIC
`define FOREBAY_SEER_HEURISTIC seer_lru
`endif
module seer_cache
  import seer_pkg::*;
#(
  parameter int unsigned Ports        = 4,
  parameter int unsigned Sets         = 16,
  parameter int unsigned Ways         = 2,
  parameter int unsigned Entries      = 64,   // of the list of each port
  parameter int unsigned Fetches      = 8,
  parameter int unsigned IdWidth      = 17,
  parameter int unsigned SizeWidth    = 11,
  parameter int unsigned DelayWidth   = 16,
  parameter int unsigned TimeWidth    = 32,
  parameter int unsigned TicksPerByte = 1,
  parameter int unsigned Patience     = 0,
  localparam int unsigned PortWidth = Ports > 1 ? $clog2(Ports) : 1,
  localparam int unsigned WayWidth  = Ways > 1 ? $clog2(Ways) : 1
) (
  input  logic                             clk_i,
  input  logic                             rst_i,
  input  logic [TimeWidth-1:0]             now_i,
  // Notifications and control packets, port by port: see fpm_list.
  input  logic [Ports-1:0]                 fpm_valid_i,
  output logic [Ports-1:0]                 fpm_ready_o,
  input  logic [Ports-1:0][TimeWidth-1:0]  fpm_time_i,
  input  logic [Ports-1:0][IdWidth-1:0]    fpm_id_i,
  input  logic [Ports-1:0][SizeWidth-1:0]  fpm_size_i,
  input  logic [Ports-1:0][DelayWidth-1:0] fpm_delay_i,
  input  logic [Ports-1:0]                 push_valid_i,
  output logic [Ports-1:0]                 push_ready_o,
  input  logic [Ports-1:0][SizeWidth-1:0]  push_size_i,
  output logic [Ports-1:0]                 refused_o,
  output logic [Ports-1:0]                 expired_o,
  // Packets.
  input  logic                             come_valid_i,
  output logic                             come_ready_o,
  input  logic [PortWidth-1:0]             come_port_i,
  input  logic [IdWidth-1:0]               come_id_i,
  input  logic                             come_dropped_i,
  output logic                             answer_valid_o,
  output whereabouts_e                     answer_where_o,
  output logic [IdWidth-1:0]               answer_id_o,
  output logic [WayWidth-1:0]              answer_way_o,   // if in the cache or on its way
  // The store.
  output logic                             fetch_valid_o,
  input  logic                             fetch_ready_i,
  output logic [IdWidth-1:0]               fetch_id_o,
  output logic [PortWidth-1:0]             fetch_port_o,   // of the packet that will need it
  output logic [WayWidth-1:0]              fetch_way_o,
  output logic                             fetch_evicts_o,
  output logic [IdWidth-1:0]               fetch_evicted_o,
  input  logic                             fill_valid_i,
  output logic                             fill_ready_o,
  input  logic [IdWidth-1:0]               fill_id_i,
  input  logic [WayWidth-1:0]              fill_way_i,
  input  logic                             place_valid_i,
  output logic                             place_ready_o,
  input  logic [IdWidth-1:0]               place_id_i,
  output logic                             placed_valid_o,
  output logic                             placed_enters_o,
  output logic [IdWidth-1:0]               placed_id_o,
  output logic [WayWidth-1:0]              placed_way_o,
  output logic                             placed_evicts_o,
  output logic [IdWidth-1:0]               placed_evicted_o,
  // An iteration has ended, and whether it has had an effect.
  output logic                             iterated_o,
  output logic                             changed_o
);

  if (Ports == 0 || Ways == 0 || Entries == 0 || Fetches == 0 || TicksPerByte == 0) begin : gen_none
    $error("seer_cache: Ports, Ways, Entries, Fetches and TicksPerByte are 1 or more");
  end
  if (DelayWidth > TimeWidth) begin : gen_delay
    $error("seer_cache: delays are times, so DelayWidth is at most TimeWidth");
  end

  localparam int unsigned SetWidth   = Sets > 1 ? $clog2(Sets) : 1;
  localparam int unsigned CountWidth = $clog2(Entries + 1);

  logic ready, commit, come, filled, fetched, enters;

  // ---- expected packets --------------------------------------------------------------------

  logic [Ports-1:0]                 come_here, list_ready, head_valid, mark, find_hit;
  logic [Ports-1:0][IdWidth-1:0]    head_id;
  logic [Ports-1:0][TimeWidth-1:0]  head_arrival, find_arrival;
  logic [Ports-1:0][CountWidth-1:0] occupancy;
  logic [IdWidth-1:0]               find_id;
  logic                             ask;

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    assign come_here[p] = come && come_port_i == PortWidth'(p);

    fpm_list #(
      .Entries     (Entries),
      .IdWidth     (IdWidth),
      .SizeWidth   (SizeWidth),
      .DelayWidth  (DelayWidth),
      .TimeWidth   (TimeWidth),
      .TicksPerByte(TicksPerByte),
      .Patience    (Patience)
    ) i_list (
      .clk_i,
      .rst_i,
      .now_i,
      .come_valid_i  (come_here[p]),
      .come_ready_o  (list_ready[p]),
      .come_id_i,
      .push_valid_i  (push_valid_i[p]),
      .push_ready_o  (push_ready_o[p]),
      .push_size_i   (push_size_i[p]),
      .fpm_valid_i   (fpm_valid_i[p]),
      .fpm_ready_o   (fpm_ready_o[p]),
      .fpm_time_i    (fpm_time_i[p]),
      .fpm_id_i      (fpm_id_i[p]),
      .fpm_size_i    (fpm_size_i[p]),
      .fpm_delay_i   (fpm_delay_i[p]),
      .refused_o     (refused_o[p]),
      .expired_o     (expired_o[p]),
      .ask_i         (ask),
      .head_valid_o  (head_valid[p]),
      .head_id_o     (head_id[p]),
      .head_arrival_o(head_arrival[p]),
      .mark_i        (mark[p]),
      .find_id_i     (find_id),
      .find_hit_o    (find_hit[p]),
      .find_arrival_o(find_arrival[p]),
      .occupancy_o   (occupancy[p])
    );
  end

  // ---- states in the cache, and states that packets fetch ----------------------------------

  logic [WayWidth-1:0] look_way, scan_way, come_way, way, write_way;
  logic [Ports-1:0]    look_hit, look_asked;
  logic                scanning, scan_used, scan_here, come_used, come_is_here;
  logic                scan_asked, come_asked, asked_full, away;
  logic [IdWidth-1:0]  scan_for, scan_id, id, write_id;

  assign come         = come_valid_i && come_ready_o;
  assign filled       = fill_valid_i && fill_ready_o;
  assign fill_ready_o = ready && !commit && !rst_i;
  assign away         = come && !come_dropped_i && !come_used && !come_asked;

  always_comb begin
    come_ready_o = ready && !commit && !fill_valid_i && !asked_full && !rst_i;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (come_port_i == PortWidth'(p) && !list_ready[p]) come_ready_o = 1'b0;
    end
  end

  assign write_id  = commit ? id : fill_id_i;
  assign write_way = commit ? way : fill_way_i;

  seer_tags #(
    .Ports  (Ports),
    .Sets   (Sets),
    .Ways   (Ways),
    .IdWidth(IdWidth)
  ) i_tags (
    .clk_i,
    .rst_i,
    .ready_o     (ready),
    .look_id_i   (head_id),
    .look_way_i  (look_way),
    .look_hit_o  (look_hit),
    .scanning_i  (scanning),
    .scan_for_i  (scan_for),
    .scan_way_i  (scan_way),
    .scan_used_o (scan_used),
    .scan_here_o (scan_here),
    .scan_id_o   (scan_id),
    .come_id_i,
    .come_used_o (come_used),
    .come_here_o (come_is_here),
    .come_way_o  (come_way),
    .write_i     (fetched || enters || filled),
    .write_id_i  (write_id),
    .write_way_i (write_way),
    .write_here_i(enters || filled)
  );

  seer_asked #(
    .Entries(Fetches),
    .IdWidth(IdWidth),
    .Finds  (Ports + 2)
  ) i_asked (
    .clk_i,
    .rst_i,
    .add_i   (away),
    .remove_i(placed_valid_o),
    .id_i    (away ? come_id_i : id),
    .find_i  ({come_id_i, scan_for, head_id}),
    .found_o ({come_asked, scan_asked, look_asked}),
    .full_o  (asked_full)
  );

  // ---- the default heuristic ---------------------------------------------------------------

  localparam logic [SetWidth-1:0] SetMask = SetWidth'(Sets - 1);

  logic [Ways-1:0]     among;
  logic [WayWidth-1:0] choice;

  `FOREBAY_SEER_HEURISTIC #(
    .Sets(Sets),
    .Ways(Ways)
  ) i_heuristic (
    .clk_i,
    .rst_i,
    .touch_valid_i (enters || filled || (come && !come_dropped_i && come_is_here)),
    .touch_enters_i(enters || filled),
    .touch_set_i   (SetWidth'(enters || filled ? write_id : come_id_i) & SetMask),
    .touch_way_i   (enters || filled ? write_way : come_way),
    .choose_set_i  (SetWidth'(id) & SetMask),
    .choose_among_i(among),
    .choose_way_o  (choice)
  );

  // ---- the manager -------------------------------------------------------------------------

  logic [PortWidth-1:0] port;
  logic                 place_ready, offered, placed, placed_enters, evicts;
  logic [IdWidth-1:0]   evicted;

  seer_manager #(
    .Ports    (Ports),
    .Ways     (Ways),
    .IdWidth  (IdWidth),
    .TimeWidth(TimeWidth)
  ) i_manager (
    .clk_i,
    .rst_i          (rst_i || !ready),
    .ask_o          (ask),
    .head_valid_i   (head_valid),
    .head_id_i      (head_id),
    .head_arrival_i (head_arrival),
    .mark_o         (mark),
    .find_id_o      (find_id),
    .find_hit_i     (find_hit),
    .find_arrival_i (find_arrival),
    .look_way_o     (look_way),
    .look_hit_i     (look_hit),
    .look_asked_i   (look_asked),
    .scanning_o     (scanning),
    .scan_for_o     (scan_for),
    .scan_way_o     (scan_way),
    .scan_used_i    (scan_used),
    .scan_here_i    (scan_here),
    .scan_id_i      (scan_id),
    .scan_asked_i   (scan_asked),
    .among_o        (among),
    .choice_i       (choice),
    .place_valid_i,
    .place_ready_o  (place_ready),
    .place_id_i,
    .commit_o       (commit),
    .fetch_ready_i,
    .fetch_valid_o  (offered),
    .placed_valid_o (placed),
    .placed_enters_o(placed_enters),
    .id_o           (id),
    .port_o         (port),
    .way_o          (way),
    .evicts_o       (evicts),
    .evicted_o      (evicted),
    .changes_o      (changed_o)
  );

  assign place_ready_o = place_ready;
  assign fetched       = offered && fetch_ready_i;
  assign enters        = placed && placed_enters;
  assign iterated_o    = commit;

  assign fetch_valid_o                                      = offered;
  assign {fetch_id_o, fetch_port_o, fetch_way_o}            = {id, port, way};
  assign {fetch_evicts_o, fetch_evicted_o}                  = {evicts, evicted};
  assign placed_valid_o                                     = placed;
  assign {placed_enters_o, placed_id_o, placed_way_o}       = {placed_enters, id, way};
  assign {placed_evicts_o, placed_evicted_o}                = {evicts, evicted};

  // ---- answers to packets ------------------------------------------------------------------

  logic                answer_q;
  whereabouts_e        where_q;
  logic [IdWidth-1:0]  answer_id_q;
  logic [WayWidth-1:0] answer_way_q;

  always_ff @(posedge clk_i) begin
    answer_q     <= come && !come_dropped_i;
    where_q      <= away ? StateAway : come_is_here ? StateHere : StateOnItsWay;
    answer_id_q  <= come_id_i;
    answer_way_q <= come_way;
    if (rst_i) answer_q <= 1'b0;
  end

  assign answer_valid_o = answer_q && !rst_i;
  assign answer_where_o = where_q;
  assign answer_id_o    = answer_id_q;
  assign answer_way_o   = answer_way_q;

  logic unused;
  assign unused = &{1'b0, occupancy};

endmodule
