// The receiving half of Seer's side channel: takes notifications (FPMs) out of the idle characters
// of 10GBASE-R, between the descrambler and the decoder, which sees idle characters again.
//
// Source: Seer (NSDI 2024), section 5, figure 5; blocks as in IEEE 802.3 clause 49.
//
// Each slot (see `seer_phy_slots`) that isn't empty is one of three:
// - a word whose check is right: an FPM;
// - damaged: not a word, and somewhere in its blocks are control codes that the standard does not
//   know. It is counted (`damaged_o`) and dropped;
// - control characters of the standard: an error, low power idle, what is reserved.
// The room of a block is filled with zeros, idle characters, if one of the first two lies in it or
// if it has codes that the standard does not know; otherwise it passes as it is. All else
// of a block never changes. A single word is never all control characters of the standard.
//
// FPMs come out in their order through a queue of `Entries`, each with the time (`now_i`) at which
// the block where it ends had come, two cycles after it was at `block_i`. What the queue has no
// room for is counted (`lost_o`) and dropped; with two entries nothing is lost if all
// are taken in the cycle in which they are offered, on a link with a block in each cycle.
//
// `enable_i`: the other end sends FPMs. Without it blocks pass bit for bit and no FPM comes.
//
// Latency: 3 blocks, of those with `block_valid_i`; one block a cycle; an FPM is at `fpm_o` a
// cycle before the block where it begins is at `block_o`, at the earliest. Blocks in flight
// and FPMs in the queue are lost at reset.
//
// Limits: `Width` up to 48 bits, the same at both ends. Any three wrong bits in a word are found;
// of words that are wrong at random one in 256 is not.
module seer_phy_rx
  import seer_phy_pkg::*;
#(
  parameter int unsigned Width     = 44,
  parameter int unsigned TimeWidth = 32,
  parameter int unsigned Entries   = 8
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
  output logic [1:0]            damaged_o,     // how many were found in the cycle before
  output logic [1:0]            lost_o         // for how many there was no room in it
);

  localparam int unsigned Octets = octets_of(Width);

  // ---- this block and the next one -----------------------------------------------------------

  logic [BlockWidth-1:0] this_q, next_q;
  room_t                 this_room_q, next_room_q;
  logic                  this_valid_q, next_valid_q, this_legal_q, next_legal_q;

  always_ff @(posedge clk_i) begin
    if (block_valid_i) begin
      next_q       <= block_i;
      next_room_q  <= room_of(block_i[9:0]);
      next_legal_q <= legal(block_i);
      next_valid_q <= 1'b1;
      this_q       <= next_q;
      this_room_q  <= next_room_q;
      this_legal_q <= next_legal_q;
      this_valid_q <= next_valid_q;
    end
    if (rst_i) begin
      {this_valid_q, next_valid_q} <= '0;
      {this_room_q, next_room_q}   <= '0;
    end
  end

  // ---- slots, and what is in them ------------------------------------------------------------

  logic                 whole, across;
  logic [3:0]           whole_at, across_at;
  logic [2:0]           across_octets, rest_q, next_rest;
  logic [WordWidth-1:0] whole_word, across_word;

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

  localparam logic [WordWidth-1:0] WordMask = WordWidth'((64'd1 << 8 * Octets) - 64'd1);

  assign whole_word = WordWidth'(this_q[65:2] >> {whole_at, 3'b0}) & WordMask;
  assign across_word = (WordWidth'(this_q[65:2] >> {across_at, 3'b0}) |
                        (next_q[65:10] << {across_octets, 3'b0})) & WordMask;

  // The message with zeros above it, and its check.
  function automatic logic sound(input logic [WordWidth-1:0] word);
    logic [WordWidth-9:0] message;
    message = (WordWidth-8)'(word[8*(Octets-1)-1:0]);
    return word[8*(Octets-1)+:8] == check_of(message) && message >> Width == '0;
  endfunction

  logic found, whole_fpm, across_fpm, whole_damaged, across_damaged;

  assign found          = block_valid_i && enable_i && !rst_i;
  assign whole_fpm     = found && whole && sound(whole_word);
  assign across_fpm     = found && across && sound(across_word);
  assign whole_damaged = found && whole && whole_word != '0 && !sound(whole_word) &&
                          !this_legal_q;
  assign across_damaged = found && across && across_word != '0 && !sound(across_word) &&
                          !(this_legal_q && next_legal_q);

  // ---- idle characters again ----------------------------------------------------------------

  logic clears, clears_next_q;

  assign clears = enable_i && (clears_next_q || whole_fpm || across_fpm || across_damaged ||
                               !this_legal_q);

  always_ff @(posedge clk_i) begin
    if (block_valid_i) begin
      rest_q        <= next_rest;
      clears_next_q <= across_fpm || across_damaged;
      block_o       <= clears ? this_q & ~{mask_of(this_room_q), 2'b0}
                              : this_q;
    end
    block_valid_o <= block_valid_i && this_valid_q && !rst_i;
    damaged_o     <= 2'(whole_damaged) + 2'(across_damaged);
    if (rst_i) begin
      rest_q        <= '0;
      clears_next_q <= 1'b0;
    end
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
    .data_i ({{now_i, across_word[Width-1:0]}, {now_i, whole_word[Width-1:0]}}),
    .lost_o,
    .valid_o(fpm_valid_o),
    .ready_i(fpm_ready_i),
    .data_o (first)
  );

  assign fpm_o      = first.fpm;
  assign fpm_time_o = first.at;

`ifndef SYNTHESIS
  initial begin
    assert (Width >= 1 && Width <= WordWidth - 8) else $fatal(1, "FPMs have 1 to 48 bits");
  end
`endif

endmodule
