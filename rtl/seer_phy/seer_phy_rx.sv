// The receiving half of Seer's side channel: takes notifications (FPMs) out of the idle characters
// of 10GBASE-R, between the descrambler and the decoder, which sees idle characters again.
//
// Source: Seer (NSDI 2024), section 5, figure 5; blocks as in IEEE 802.3 clause 49.
//
// In two cases a block leaves with zeros (idle characters) in its room. Either the room has control
// codes that the standard does not know, or it has a word whose check is right. All other blocks,
// and the rest of these blocks, pass bit for bit: errors, low power idles and reserved codes are
// not FPMs. A slot (see `seer_phy_slots`) without a word, but with octets in a block with unknown
// codes, is counted as damaged (`damaged_o`).
//
// FPMs leave in their order through a queue of `Entries`. Each has the time (`now_i`) at which it
// was found: 5 blocks after the one where it begins was at `block_i`. FPMs without room in the
// queue are counted (`lost_o`) and dropped. With three entries none is lost if all are taken in the
// cycle in which they are offered.
//
// `enable_i`: the other end sends FPMs. Without it, blocks pass bit for bit and there are no FPMs.
//
// Latency: 6 blocks, of those with `block_valid_i`; one block per cycle. An FPM is at `fpm_o` at
// the earliest in the cycle in which the block where it begins is at `block_o`. Blocks in flight
// and FPMs in the queue are lost at reset.
//
// Limits: `Width` up to 48 bits, the same at both ends. Any three wrong bits in a word are
// detected. Of words that are wrong at random, one in 256 is not detected.
module seer_phy_rx
  import seer_phy_pkg::*;
#(
  parameter int unsigned Width     = 44,
  parameter int unsigned TimeWidth = 32,
  parameter int unsigned Entries   = 4
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  enable_i,
  input  logic                  block_valid_i,
  input  logic [BlockWidth-1:0] block_i,
  output logic                  block_valid_o,
  output logic [BlockWidth-1:0] block_o,
  input  logic [TimeWidth-1:0]  now_i,
  output logic                  fpm_valid_o,
  input  logic                  fpm_ready_i,
  output logic [Width-1:0]      fpm_o,
  output logic [TimeWidth-1:0]  fpm_time_o,
  output logic [1:0]            damaged_o,     // number found in the cycle before
  output logic [1:0]            lost_o         // number without room in the queue
);

  if (Width < 1 || Width > WordWidth - 8) begin : gen_width
    $error("seer_phy_rx: FPMs have 1 to 48 bits");
  end

  localparam int unsigned Octets = octets_of(Width);

  // ---- slots ---------------------------------------------------------------------------------

  typedef struct packed {
    logic                  valid;
    logic [BlockWidth-1:0] block;
    room_t                 room;
  } known_t;

  known_t     next_q, this_q, slotted_q, cut_q, judged_q;
  logic [7:0] codes_q;
  logic       slotted_legal_q, cut_legal_q, judged_legal_q;
  logic       whole, across, whole_q, across_q;
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
      codes_q         <= legal_codes(next_q.block[65:2], next_q.room);
      this_q          <= next_q;
      rest_q          <= next_rest;
      slotted_q       <= this_q;
      slotted_legal_q <= codes_q == '1;
      whole_q         <= whole;
      whole_at_q      <= whole_at;
      across_q        <= across;
      across_at_q     <= across_at;
      across_octets_q <= across_octets;
      cut_q           <= slotted_q;
      cut_legal_q     <= slotted_legal_q;
      judged_q        <= cut_q;
      judged_legal_q  <= cut_legal_q;
    end
    if (rst_i) begin
      {next_q, this_q, slotted_q, cut_q, judged_q} <= '0;
      {whole_q, across_q, rest_q}                  <= '0;
    end
  end

  // ---- the words in slots ---------------------------------------------------------------------

  localparam logic [WordWidth-1:0] WordMask = WordWidth'((64'd1 << 8 * Octets) - 64'd1);

  // The words of the block in `cut_q`; zeros where there is no slot. `begin` and `rest` are the
  // parts of the one across two blocks.
  logic [WordWidth-1:0] whole_word_q, begin_q, rest_word_q, across_word;

  always_ff @(posedge clk_i) begin
    if (block_valid_i) begin
      whole_word_q <= whole_q ? WordWidth'(slotted_q.block[65:2] >> {whole_at_q, 3'b0}) & WordMask
                              : '0;
      begin_q      <= across_q ? WordWidth'(slotted_q.block[65:2] >> {across_at_q, 3'b0}) : '0;
      rest_word_q  <= across_q ? (this_q.block[65:10] << {across_octets_q, 3'b0}) & WordMask : '0;
    end
    if (rst_i) {whole_word_q, begin_q, rest_word_q} <= '0;
  end

  assign across_word = begin_q | rest_word_q;

  // The message with zeros above it, and its check.
  function automatic logic sound(input logic [WordWidth-1:0] word);
    logic [WordWidth-9:0] message;
    message = (WordWidth-8)'(word[8*(Octets-1)-1:0]);
    return word >> 8 * (Octets - 1) == WordWidth'(check_of(message)) && message >> Width == '0;
  endfunction

  logic             whole_sound_q, across_sound_q, whole_unknown_q, across_unknown_q;
  logic [Width-1:0] whole_fpm_q, across_fpm_q;

  // `slotted_q` is the block behind that in `cut_q`.
  always_ff @(posedge clk_i) begin
    if (block_valid_i) begin
      whole_sound_q    <= sound(whole_word_q);
      across_sound_q   <= sound(across_word);
      whole_unknown_q  <= whole_word_q != '0 && !cut_legal_q;
      across_unknown_q <= (begin_q != '0 && !cut_legal_q) ||
                          (rest_word_q != '0 && !slotted_legal_q);
      whole_fpm_q      <= whole_word_q[Width-1:0];
      across_fpm_q     <= across_word[Width-1:0];
    end
    if (rst_i) {whole_sound_q, across_sound_q, whole_unknown_q, across_unknown_q} <= '0;
  end

  // ---- idle characters again -----------------------------------------------------------------

  logic finds, clears, clears_next_q, whole_fpm, across_fpm;

  assign finds      = block_valid_i && enable_i && !rst_i;
  assign whole_fpm  = finds && whole_sound_q;
  assign across_fpm = finds && across_sound_q;
  assign clears     = enable_i && (clears_next_q || whole_sound_q || across_sound_q ||
                                   !judged_legal_q);

  always_ff @(posedge clk_i) begin
    if (block_valid_i) begin
      clears_next_q <= across_fpm;
      block_o       <= clears ? judged_q.block & ~{mask_of(judged_q.room), 2'b0} : judged_q.block;
    end
    block_valid_o <= block_valid_i && judged_q.valid && !rst_i;
    damaged_o     <= 2'(finds && whole_unknown_q && !whole_sound_q) +
                     2'(finds && across_unknown_q && !across_sound_q);
    if (rst_i) clears_next_q <= 1'b0;
  end

  // ---- FPMs in their order ---------------------------------------------------------------------

  typedef struct packed {
    logic [TimeWidth-1:0] at;
    logic [Width-1:0]     fpm;
  } entry_t;

  entry_t first;

  seer_phy_queue #(
    .Entries(Entries),
    .Width  ($bits(entry_t))
  ) i_queue (
    .clk_i,
    .rst_i,
    .put_i  ({across_fpm, whole_fpm}),
    .data_i ({{now_i, across_fpm_q}, {now_i, whole_fpm_q}}),
    .lost_o,
    .valid_o(fpm_valid_o),
    .ready_i(fpm_ready_i),
    .data_o (first)
  );

  assign fpm_o      = first.fpm;
  assign fpm_time_o = first.at;

endmodule
