// Two nodes back to back: a neighbour whose packets wait for a link, and a target that prefetches
// states for them. One clock, 156.25 MHz at 10 Gb/s. Notifications travel through the side channel
// of 10GBASE-R and in control packets.
//
// Source: Seer (NSDI 2024), section 5.2, the prototype: a link of 10 Gb/s, packets of 256 bytes in
// two classes, lists of 256 notifications, and a cache of two ways.
//
// Packets arrive at `packet_*`, one per cycle. The other ports show the actions of the target. If
// the packet of cycle n finds the link idle, the block in which it starts leaves the receiver in
// cycle n + 16.
module seer_nodes
  import seer_nodes_pkg::*;
  import seer_pkg::*;
#(
  parameter int unsigned Sets    = 64,
  parameter int unsigned Ways    = 2,
  parameter int unsigned Entries = 32,     // of the lists
  parameter int unsigned Packets = 64,     // that wait in each class
  parameter int unsigned Fetches = 64,     // prefetches in flight; a power of two
  localparam int unsigned CountWidth = $clog2(Entries + 1),
  localparam int unsigned TimeWidth  = 32,
  localparam int unsigned FetchWidth = 10
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  packet_valid_i,
  input  logic                  packet_class_i,
  input  logic [IdWidth-1:0]    packet_id_i,
  input  logic [CountWidth-1:0] threshold_i,     // m
  input  logic [TimeWidth-1:0]  interval_i,      // t, in octets of the link
  input  logic                  before_i,        // notify of packets that find the link idle
  input  logic [FetchWidth-1:0] fetch_cycles_i,  // duration of a fetch; 2 or more
  output logic                  ready_o,         // the cache is ready, and not in a decision
  output logic                  untold_o,        // a notification found no room at the neighbour
  output logic [1:0]            damaged_o,
  output logic [1:0]            lost_o,
  output logic                  told_o,
  output logic                  told_push_o,
  output logic [IdWidth-1:0]    told_id_o,
  output logic [TimeWidth-1:0]  told_arrival_o,
  output logic                  refused_o,
  output logic                  answer_o,
  output logic [IdWidth-1:0]    answer_id_o,
  output whereabouts_e          answer_where_o,
  output logic                  fetch_o,
  output logic [IdWidth-1:0]    fetch_id_o,
  output logic                  filled_o,
  output logic [IdWidth-1:0]    filled_id_o,
  output logic                  placed_o,
  output logic                  placed_enters_o,
  output logic [IdWidth-1:0]    placed_id_o,
  output logic                  evicts_o,
  output logic [IdWidth-1:0]    evicted_o
);

  if (Fetches < 2 || 2 ** $clog2(Fetches) != Fetches) begin : gen_fetches
    $error("seer_nodes: Fetches must be a power of two, 2 or more");
  end

  logic                  line_valid;
  logic [BlockWidth-1:0] line;

  seer_nodes_neighbour #(
    .Entries(Entries),
    .Packets(Packets)
  ) i_neighbour (
    .clk_i,
    .rst_i,
    .packet_valid_i,
    .packet_class_i,
    .packet_id_i,
    .threshold_i,
    .interval_i,
    .before_i,
    .block_valid_o(line_valid),
    .block_o      (line),
    .refused_o    (untold_o)
  );

  seer_nodes_target #(
    .Sets   (Sets),
    .Ways   (Ways),
    .Entries(Entries),
    .Fetches(Fetches)
  ) i_target (
    .clk_i,
    .rst_i,
    .block_valid_i(line_valid),
    .block_i      (line),
    .fetch_cycles_i,
    .ready_o,
    .damaged_o,
    .lost_o,
    .told_o,
    .told_push_o,
    .told_id_o,
    .told_arrival_o,
    .refused_o,
    .answer_o,
    .answer_id_o,
    .answer_where_o,
    .fetch_o,
    .fetch_id_o,
    .filled_o,
    .filled_id_o,
    .placed_o,
    .placed_enters_o,
    .placed_id_o,
    .evicts_o,
    .evicted_o
  );

endmodule
