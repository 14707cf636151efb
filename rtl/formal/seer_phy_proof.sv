// Proof of Seer's side channel, sender and receiver on a line without errors, for every trace of
// some length from reset:
// - on the line a block differs only in its room, and only if the room had idle characters alone.
//   It does not differ at all if no FPM was ever taken;
// - blocks leave the receiver bit for bit as they entered the sender, with any FPMs;
// - conservation: FPMs leave in the order in which they were taken. None is lost, invented or
//   damaged, and each arrives `Within` blocks after it was taken;
// - the assertions inside.
//
// Assumed: a reset in the first cycle and no other; a block in every cycle. The room of every block
// has idle characters only, or the block is the block of errors of an encoder. Header, data, and
// all blocks without room are any bits. FPMs are taken from the receiver in the cycle in which they
// are offered.
module seer_phy_proof
  import seer_phy_pkg::*;
#(
  parameter int unsigned Width = 25,
  localparam int unsigned SenderLatency = 5,
  localparam int unsigned Latency       = 11,
  localparam int unsigned Within        = 13,
  localparam int unsigned CountWidth    = 5
) (
  input logic                  clk_i,
  input logic                  rst_i,
  input logic                  tx_enable_i,
  input logic [BlockWidth-1:0] block_i,
  input logic                  tx_fpm_valid_i,
  input logic [Width-1:0]      tx_fpm_i,
  input logic [CountWidth-1:0] watched_i       // the FPM that is followed, the same in all cycles
);

  logic                  line_valid, out_valid, tx_ready, taken, come;
  logic [BlockWidth-1:0] line, out;
  logic [Width-1:0]      rx_fpm;
  logic                  at;
  logic [1:0]            damaged, lost;

  seer_phy_link #(
    .Width    (Width),
    .TimeWidth(1),
    .Entries  (3)
  ) dut (
    .clk_i,
    .rst_i,
    .tx_enable_i,
    .rx_enable_i   (1'b1),
    .block_valid_i (1'b1),
    .block_i,
    .line_valid_o  (line_valid),
    .line_o        (line),
    .flip_i        ('0),
    .block_valid_o (out_valid),
    .block_o       (out),
    .tx_fpm_valid_i,
    .tx_fpm_ready_o(tx_ready),
    .tx_fpm_i,
    .now_i         (1'b0),
    .rx_fpm_valid_o(come),
    .rx_fpm_ready_i(1'b1),
    .rx_fpm_o      (rx_fpm),
    .rx_fpm_time_o (at),
    .damaged_o     (damaged),
    .lost_o        (lost)
  );

  assign taken = tx_fpm_valid_i && tx_ready;

  // ---- history ------------------------------------------------------------------------------

  logic [Latency-1:0][BlockWidth-1:0] before_q;
  logic [CountWidth-1:0]              taken_q, come_q, watched_q, age_q;
  logic [Width-1:0]                   watched_fpm_q;
  logic                               started_q = 1'b0, watching_q;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    before_q  <= {before_q[Latency-2:0], block_i};
    taken_q   <= taken_q + CountWidth'(taken);
    come_q    <= come_q + CountWidth'(come);
    watched_q <= watched_i;
    age_q     <= age_q + 1'b1;
    if (taken && taken_q == watched_i) begin
      watching_q    <= 1'b1;
      watched_fpm_q <= tx_fpm_i;
      age_q         <= '0;
    end
    if (rst_i) begin
      {taken_q, come_q} <= '0;
      watching_q        <= 1'b0;
    end
  end

  // ---- assumptions --------------------------------------------------------------------------

  localparam logic [BlockWidth-1:0] Errors = {{8{7'h1e}}, TypeIdle, Control};

  always_comb begin
    assume (rst_i == !started_q);
    assume (room_of(block_i[9:0]).kind == RoomNone || blank(block_i) || block_i == Errors);
    if (started_q) assume (watched_i == watched_q);
  end

  // ---- properties ---------------------------------------------------------------------------

  logic [BlockWidth-1:0] sent;
  assign sent = before_q[SenderLatency-1];

  always_ff @(posedge clk_i) begin
    if (started_q) begin
      if (line_valid) begin
        assert (((line ^ sent) & ~{mask_of(room_of(sent[9:0])), 2'b0}) == '0);
        assert (line == sent || (blank(sent) && taken_q != '0));
      end
      if (out_valid) assert (out == before_q[Latency-1]);
      assert (damaged == '0 && lost == '0);
      assert (!come || come_q < taken_q);
      if (come && come_q == watched_q) assert (watching_q && rx_fpm == watched_fpm_q);
      if (watching_q && age_q >= CountWidth'(Within)) assert (come_q > watched_q);
      cover (out_valid && come_q == CountWidth'(3));
      cover (line_valid && out == Errors && come_q != '0);
    end
  end

  logic unused;
  assign unused = at;

endmodule
