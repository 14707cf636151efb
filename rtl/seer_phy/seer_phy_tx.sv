// The sending half of Seer's side channel: notifications (FPMs) over the idle characters of
// 10GBASE-R, between the encoder and the scrambler.
//
// Source: Seer (NSDI 2024), sections 3.1 and 5, figure 5; blocks as in IEEE 802.3 clause 49.
//
// An FPM of `Width` bits leaves in a word of 5 to 7 octets with a check, in the room and at the
// places that `seer_phy_pkg` and `seer_phy_slots` tell. Nothing else of a block changes; a block
// whose room has anything but idle characters passes as it is, and so do all without room:
// data, starts, ordered sets, errors, and what is no block at all.
//
// `enable_i`: the other end is known to have a receiver for this. Without it no FPM is taken;
// blocks pass bit for bit but for the rest of an FPM whose first octets have gone in the block before.
// One that does not take FPMs out would see control codes that the standard does not know.
//
// FPMs are taken (`fpm_valid_i`, `fpm_ready_o`) when their place is certain, one in each cycle, so
// that a delay in them counts from a moment known in advance: the first octet leaves at
// `block_o` one block after it was taken, or two.
//
// Latency: 3 blocks, of those with `block_valid_i`; one block a cycle. Without
// `block_valid_i` (a pause of the gearbox) nothing moves. Blocks in flight are lost at reset.
//
// Limits: `Width` up to 48 bits; up to 32 bits take 5 octets, of which two fit into the shortest
// gap of 12 characters, wherever it begins.
module seer_phy_tx
  import seer_phy_pkg::*;
#(
  parameter int unsigned Width = 44
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  enable_i,
  input  logic                  block_valid_i,
  input  logic [BlockWidth-1:0] block_i,
  output logic                  block_valid_o,
  output logic [BlockWidth-1:0] block_o,
  input  logic                  fpm_valid_i,
  output logic                  fpm_ready_o,
  input  logic [Width-1:0]      fpm_i
);

  localparam int unsigned Octets = octets_of(Width);

  // ---- this block and the next one -----------------------------------------------------------

  logic [BlockWidth-1:0] this_q, next_q;
  room_t                 this_room_q, next_room_q;
  logic                  this_valid_q, next_valid_q, this_blank_q, next_blank_q;

  always_ff @(posedge clk_i) begin
    if (block_valid_i) begin
      next_q       <= block_i;
      next_room_q  <= room_of(block_i[9:0]);
      next_blank_q <= blank(block_i);
      next_valid_q <= 1'b1;
      this_q       <= next_q;
      this_room_q  <= next_room_q;
      this_blank_q <= next_blank_q;
      this_valid_q <= next_valid_q;
    end
    if (rst_i) begin
      {this_valid_q, next_valid_q} <= '0;
      {this_room_q, next_room_q}   <= '0;
    end
  end

  // ---- slots -------------------------------------------------------------------------------

  logic       whole, across, next_whole;
  logic [3:0] whole_at, across_at;
  logic [2:0] across_octets, rest_q, next_rest;

  seer_phy_slots #(
    .Octets(Octets)
  ) i_slots (
    .kind_i         (this_room_q.kind),
    .first_i        (this_room_q.first),
    .next_kind_i    (next_room_q.kind),
    .rest_i         (rest_q),
    .whole_o       (whole),
    .whole_at_o    (whole_at),
    .across_o       (across),
    .across_at_o    (across_at),
    .across_octets_o(across_octets),
    .next_rest_o    (next_rest)
  );

  assign next_whole = (next_room_q.kind == RoomTerminate || next_room_q.kind == RoomIdle) &&
                       next_room_q.first + 4'(next_rest) <= 4'(8 - Octets);

  // ---- which FPM goes where ------------------------------------------------------------------

  logic [WordWidth-1:0] word, early_q, rest_word_q;
  logic                 early_valid_q, wants_whole, wants_across, wants_next;
  logic                 taken, to_whole, to_across;

  always_comb begin
    logic [WordWidth-9:0] message;
    message = (WordWidth-8)'(fpm_i);
    word    = WordWidth'(message);
    word[8*(Octets-1)+:8] = check_of(message);
  end

  // The first of these that is free gets the FPM that is offered: what lies in this block, what
  // begins in it, and what lies in the next one, so that two can begin in that.
  assign wants_whole = whole && this_blank_q && !early_valid_q;
  assign wants_across = across && this_blank_q && next_blank_q;
  assign wants_next   = next_whole && next_blank_q;

  assign fpm_ready_o = block_valid_i && enable_i && !rst_i &&
                       (wants_whole || wants_across || wants_next);
  assign taken       = fpm_valid_i && fpm_ready_o;
  assign to_whole   = taken && wants_whole;
  assign to_across   = taken && wants_across && !wants_whole;

  always_ff @(posedge clk_i) begin
    if (block_valid_i) begin
      rest_q        <= next_rest;
      rest_word_q   <= to_across ? word >> {across_octets, 3'b0} : '0;
      early_valid_q <= taken && !wants_whole && !wants_across;
      early_q       <= word;
    end
    if (rst_i) begin
      rest_q        <= '0;
      rest_word_q   <= '0;
      early_valid_q <= 1'b0;
    end
  end

  // ---- the block with its words --------------------------------------------------------------

  logic [63:0]          written;
  logic [WordWidth-1:0] whole_word;

  assign whole_word = early_valid_q ? early_q : to_whole ? word : '0;
  assign written     = {rest_word_q, 8'b0} |
                       ({8'b0, whole_word} << {whole_at, 3'b0}) |
                       ({8'b0, to_across ? word : '0} << {across_at, 3'b0});

  always_ff @(posedge clk_i) begin
    if (block_valid_i) block_o <= this_q | {written, 2'b0};
    block_valid_o <= block_valid_i && this_valid_q && !rst_i;
  end

`ifndef SYNTHESIS
  initial begin
    assert (Width >= 1 && Width <= WordWidth - 8) else $fatal(1, "FPMs have 1 to 48 bits");
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i && block_valid_i && this_valid_q) begin
      assert ((written & ~mask_of(this_room_q)) == '0)
        else $error("something is written where no idle characters are");
      assert (written == '0 || this_blank_q) else $error("control characters are changed");
      assert (!early_valid_q || whole) else $error("an FPM was taken for which there is no place");
    end
  end
`endif

endmodule
