// The positions of words in a block and in the block behind it.
//
// A run is room without a break in a gap. It is the room of a terminate block and of the idle or
// start block behind it, or of an idle block and the start block behind it. An idle block behind a
// terminate block continues the run; one behind an idle block begins a run. A run is divided from
// its beginning into slots of `Octets` octets, each empty (zeros) or with one word. So the
// positions of words follow from the types of the blocks alone, at both ends of a link. A receiver
// that misreads a type is right again after a block or two.
//
// A block has at most three slots: the rest of one that began in the block before, one inside, and
// one that continues in the next block. `rest_i` is the number of octets of the first slot in this
// block.
//
// Combinational, and the same for sender and receiver.
//
// Limits: words of 5 to 7 octets. So an idle block has one whole word and no more, and no word is
// in three blocks.
module seer_phy_slots
  import seer_phy_pkg::*;
#(
  parameter int unsigned Octets = 7
) (
  input  room_e      kind_i,
  input  logic [3:0] first_i,
  input  room_e      next_kind_i,
  input  logic [2:0] rest_i,
  output logic       whole_o,        // a slot is whole in this block
  output logic [3:0] whole_at_o,     // from this octet of the payload on
  output logic       across_o,        // a slot begins here and continues in the next block
  output logic [3:0] across_at_o,
  output logic [2:0] across_octets_o, // its octets in this block
  output logic [2:0] next_rest_o      // and in the next; 0 without one
);

  if (Octets < 5 || Octets > 7) begin : gen_limit
    $error("seer_phy_slots: words have 5 to 7 octets");
  end

  localparam int unsigned StartRoom = 4;

  logic       to_idle, to_start, goes_on;
  logic [3:0] begin_at, left;

  assign begin_at    = first_i + 4'(rest_i);
  assign whole_at_o  = begin_at;
  assign whole_o     = (kind_i == RoomTerminate || kind_i == RoomIdle) &&
                       begin_at <= 4'(8 - Octets);
  assign across_at_o = whole_o ? begin_at + 4'(Octets) : begin_at;
  assign left        = 4'd8 - across_at_o;

  assign to_idle  = kind_i == RoomTerminate && next_kind_i == RoomIdle;
  assign to_start = (kind_i == RoomTerminate || kind_i == RoomIdle) && next_kind_i == RoomStart;
  assign goes_on  = to_idle || (to_start && left >= 4'(Octets - StartRoom));

  assign across_o        = goes_on && left != '0;
  assign across_octets_o = left[2:0];
  assign next_rest_o     = across_o ? 3'(Octets) - left[2:0] : '0;

endmodule
