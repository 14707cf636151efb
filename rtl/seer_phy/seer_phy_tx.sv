// The sending half of Seer's side channel: notifications (FPMs) over the idle characters of
// 10GBASE-R, between the encoder and the scrambler.
//
// Source: Seer (NSDI 2024), sections 3.1 and 5, figure 5; blocks as in IEEE 802.3 clause 49.
//
// An FPM of `Width` bits leaves in a word of 5 to 7 octets with a check. `seer_phy_pkg` and
// `seer_phy_slots` define its room and position. The rest of a block does not change. A block whose
// room has anything but idle characters passes unchanged, and so do all blocks without room: data,
// starts, ordered sets, errors, and invalid blocks.
//
// `enable_i`: the other end is known to have a receiver for this. Without it, no FPM is taken.
// Blocks then pass bit for bit, except for FPMs that were taken before: the rest of an FPM that has
// begun, and one that was taken early. An end without this receiver would see control codes that
// the standard does not know.
//
// FPMs are taken (`fpm_valid_i`, `fpm_ready_o`) when their slot is certain, one in each cycle. So a
// delay in an FPM counts from a moment known in advance: the first octet leaves at `block_o` two or
// three blocks after the FPM was taken.
//
// Latency: 5 blocks, of those with `block_valid_i`; one block per cycle. Without `block_valid_i` (a
// pause of the gearbox) nothing moves. Blocks in flight are lost at reset.
//
// Limits: `Width` up to 48 bits. Up to 32 bits take 5 octets, of which two fit into the shortest
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

  if (Width < 1 || Width > WordWidth - 8) begin : gen_width
    $error("seer_phy_tx: FPMs have 1 to 48 bits");
  end

  localparam int unsigned Octets = octets_of(Width);

  // ---- which slots a block has, and whether they are idle characters -------------------------

  typedef struct packed {
    logic                  valid;
    logic [BlockWidth-1:0] block;
    room_t                 room;
  } known_t;

  known_t     this_q, next_q, plan_q, place_q;
  logic       this_blank_q, next_blank_q, whole, across, whole_q, across_q;
  logic [3:0] whole_at, across_at, whole_at_q, across_at_q;
  logic [2:0] across_octets, across_octets_q, rest_q, next_rest;

  seer_phy_slots #(
    .Octets(Octets)
  ) i_slots (
    .kind_i         (this_q.room.kind),
    .first_i        (this_q.room.first),
    .next_kind_i    (next_q.room.kind),
    .rest_i         (rest_q),
    .whole_o        (whole),
    .whole_at_o     (whole_at),
    .across_o       (across),
    .across_at_o    (across_at),
    .across_octets_o(across_octets),
    .next_rest_o    (next_rest)
  );

  always_ff @(posedge clk_i) begin
    if (block_valid_i) begin
      next_q          <= '{valid: 1'b1, block: block_i, room: room_of(block_i[9:0])};
      next_blank_q    <= blank(block_i);
      this_q          <= next_q;
      this_blank_q    <= next_blank_q;
      rest_q          <= next_rest;
      plan_q          <= this_q;
      whole_q         <= whole && this_blank_q;
      whole_at_q      <= whole_at;
      across_q        <= across && this_blank_q && next_blank_q;
      across_at_q     <= across_at;
      across_octets_q <= across_octets;
    end
    if (rst_i) begin
      {next_q, this_q, plan_q}    <= '0;
      {whole_q, across_q, rest_q} <= '0;
    end
  end

  // ---- the slot of each FPM ------------------------------------------------------------------

  logic [WordWidth-1:0] word;
  logic                 early_q, wants_whole, wants_across, wants_next, taken;

  always_comb begin
    logic [WordWidth-9:0] message;
    message = (WordWidth-8)'(fpm_i);
    word    = WordWidth'(message);
    word[8*(Octets-1)+:8] = check_of(message);
  end

  // The offered FPM gets the first free one of three slots: the slot inside the planned block, the
  // slot that begins in it, and the slot inside the block behind it. So two FPMs can begin in that
  // block.
  assign wants_whole  = whole_q && !early_q;
  assign wants_across = across_q;
  assign wants_next   = whole && this_blank_q;

  assign fpm_ready_o = block_valid_i && enable_i && !rst_i &&
                       (wants_whole || wants_across || wants_next);
  assign taken       = fpm_valid_i && fpm_ready_o;

  // ---- the block with its words --------------------------------------------------------------

  // The words of a block were taken while it was planned; the one inside it may have been taken
  // before.
  logic [WordWidth-1:0] word_q, early_word_q, whole_word_q, rest_word_q;
  logic                 whole_uses_q, across_uses_q;
  logic [3:0]           word_at_q, split_at_q;
  logic [2:0]           split_octets_q;
  logic [63:0]          written;

  always_ff @(posedge clk_i) begin
    if (block_valid_i) begin
      word_q         <= word;
      early_q        <= taken && !wants_whole && !wants_across;
      early_word_q   <= early_q ? word_q : '0;
      whole_uses_q   <= taken && wants_whole;
      across_uses_q  <= taken && wants_across && !wants_whole;
      place_q        <= plan_q;
      word_at_q      <= whole_at_q;
      split_at_q     <= across_at_q;
      split_octets_q <= across_octets_q;
      rest_word_q    <= across_uses_q ? word_q >> {split_octets_q, 3'b0} : '0;
    end
    if (rst_i) begin
      place_q       <= '0;
      early_q       <= 1'b0;
      early_word_q  <= '0;
      whole_uses_q  <= 1'b0;
      across_uses_q <= 1'b0;
      rest_word_q   <= '0;
    end
  end

  assign whole_word_q = whole_uses_q ? word_q : early_word_q;
  assign written      = {rest_word_q, 8'b0} |
                        ({8'b0, whole_word_q} << {word_at_q, 3'b0}) |
                        ({8'b0, across_uses_q ? word_q : '0} << {split_at_q, 3'b0});

  always_ff @(posedge clk_i) begin
    if (block_valid_i) block_o <= place_q.block | {written, 2'b0};
    block_valid_o <= block_valid_i && place_q.valid && !rst_i;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && block_valid_i && place_q.valid) begin
      assert ((written & ~mask_of(place_q.room)) == '0)
        else $error("something is written where no idle characters are");
      assert (written == '0 || blank(place_q.block)) else $error("control characters are changed");
    end
    if (!rst_i) begin
      assert (!early_q || whole_q) else $error("an FPM was taken for which there is no place");
    end
  end
`endif

endmodule
