// A link with the side channel, for simulation and proofs: sender, a line that flips bits,
// receiver.
//
// `line_o` is the sender's output, without scrambling; `flip_i` is beside a block at `line_o`.
// Latency: 11 blocks.
module seer_phy_link
  import seer_phy_pkg::*;
#(
  parameter int unsigned Width     = 44,
  parameter int unsigned TimeWidth = 32,
  parameter int unsigned Entries   = 4
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  tx_enable_i,
  input  logic                  rx_enable_i,
  input  logic                  block_valid_i,
  input  logic [BlockWidth-1:0] block_i,
  output logic                  line_valid_o,
  output logic [BlockWidth-1:0] line_o,
  input  logic [BlockWidth-1:0] flip_i,
  output logic                  block_valid_o,
  output logic [BlockWidth-1:0] block_o,
  input  logic                  tx_fpm_valid_i,
  output logic                  tx_fpm_ready_o,
  input  logic [Width-1:0]      tx_fpm_i,
  input  logic [TimeWidth-1:0]  now_i,
  output logic                  rx_fpm_valid_o,
  input  logic                  rx_fpm_ready_i,
  output logic [Width-1:0]      rx_fpm_o,
  output logic [TimeWidth-1:0]  rx_fpm_time_o,
  output logic [1:0]            damaged_o,
  output logic [1:0]            lost_o
);

  seer_phy_tx #(
    .Width(Width)
  ) i_tx (
    .clk_i,
    .rst_i,
    .enable_i     (tx_enable_i),
    .block_valid_i,
    .block_i,
    .block_valid_o(line_valid_o),
    .block_o      (line_o),
    .fpm_valid_i  (tx_fpm_valid_i),
    .fpm_ready_o  (tx_fpm_ready_o),
    .fpm_i        (tx_fpm_i)
  );

  seer_phy_rx #(
    .Width    (Width),
    .TimeWidth(TimeWidth),
    .Entries  (Entries)
  ) i_rx (
    .clk_i,
    .rst_i,
    .enable_i     (rx_enable_i),
    .block_valid_i(line_valid_o),
    .block_i      (line_o ^ flip_i),
    .block_valid_o,
    .block_o,
    .now_i,
    .fpm_valid_o  (rx_fpm_valid_o),
    .fpm_ready_i  (rx_fpm_ready_i),
    .fpm_o        (rx_fpm_o),
    .fpm_time_o   (rx_fpm_time_o),
    .damaged_o,
    .lost_o
  );

endmodule
