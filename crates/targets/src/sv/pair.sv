// Two policies in hardware, one of which replaces the other while packets wait: packets and pulls
// come in, packets leave or are dropped.
//
// What it does is said in docs/openqueue-semantics.md, section 8, after Kogan et al., "Towards
// Software-Defined Buffer Management" (IEEE/ACM Transactions on Networking, 2020); widths,
// throughput, latency and limits are in README.md beside this file. Made by forebay for two policies.
//
// Operations are decided in the order in which they are accepted; of an arrival and a pull in
// the same cycle, they take turns.
module policy
  import policy_pair_pkg::*;
(
  input  logic                   clk_i,
  input  logic                   rst_i,
  input  logic [TimeWidth-1:0]   now_i,  // nanoseconds; read when an operation is accepted
  input  logic                   s_axis_arrive_tvalid_i,
  output logic                   s_axis_arrive_tready_o,
  input  logic [ArriveWidth-1:0] s_axis_arrive_tdata_i,
  input  logic                   s_axis_pull_tvalid_i,
  output logic                   s_axis_pull_tready_o,
  input  logic [PortWidth-1:0]   s_axis_pull_tdata_i,
  input  logic                   s_axil_awvalid_i,
  output logic                   s_axil_awready_o,
  input  logic [14:0]            s_axil_awaddr_i,
  input  logic                   s_axil_wvalid_i,
  output logic                   s_axil_wready_o,
  input  logic [31:0]            s_axil_wdata_i,
  input  logic [3:0]             s_axil_wstrb_i,
  output logic                   s_axil_bvalid_o,
  input  logic                   s_axil_bready_i,
  output logic [1:0]             s_axil_bresp_o,
  input  logic                   s_axil_arvalid_i,
  output logic                   s_axil_arready_o,
  input  logic [14:0]            s_axil_araddr_i,
  output logic                   s_axil_rvalid_o,
  input  logic                   s_axil_rready_i,
  output logic [31:0]            s_axil_rdata_o,
  output logic [1:0]             s_axil_rresp_o,
  output logic                   m_axis_depart_tvalid_o,
  input  logic                   m_axis_depart_tready_i,
  output logic [DepartWidth:0]   m_axis_depart_tdata_o,
  output logic                   m_axis_drop_tvalid_o,
  input  logic                   m_axis_drop_tready_i,
  output logic [DropWidth:0]     m_axis_drop_tdata_o
);

  // Of both policies: [1] and [0].
  logic                         active, pull;
  logic [1:0]                   front_valid, front_ready, front_empty;
  logic [1:0]                   next_valid, next_pull, next_go, next_gone, pull_valid;
  logic [1:0][PortWidth-1:0]    next_port;
  logic [1:0][TimeWidth-1:0]    next_now;
  logic [1:0]                   ready, busy, departs, drops, hold, quiet, restart;
  logic [1:0][Ports-1:0]        waits;
  logic [1:0][PacketsWidth-1:0] packets;
  logic [1:0]                   awvalid, awready, wvalid, wready, bvalid, bready;
  logic [1:0]                   arvalid, arready, rvalid, rready;
  logic [12:0]                  awaddr, araddr;
  logic [31:0]                  wdata;
  logic [3:0]                   wstrb;
  logic [1:0][1:0]              bresp, rresp;
  logic [1:0][31:0]             rdata;
  logic [1:0]                   depart_valid, depart_ready, drop_valid, drop_ready;
  logic [1:0][DepartWidth-1:0]  depart;
  logic [1:0][DropWidth-1:0]    drop;

  policy0_core_pkg::peer_t peer0;
  policy1_core_pkg::peer_t peer1;
  // States that do not go on are not looked at.
  /* verilator lint_off UNUSEDSIGNAL */
  policy0_core_pkg::view_t view0;
  policy1_core_pkg::view_t view1;
  /* verilator lint_on UNUSEDSIGNAL */
  // What waits in policy 0 and counts in policy 1, and the other way round.
  logic [policy1_pkg::Queues-1:0][policy1_pkg::CountWidth-1:0]  queue0;
  logic [policy1_pkg::Buffers-1:0][policy1_pkg::CountWidth-1:0] buffer0;
  logic [policy0_pkg::Queues-1:0][policy0_pkg::CountWidth-1:0]  queue1;
  logic [policy0_pkg::Buffers-1:0][policy0_pkg::CountWidth-1:0] buffer1;

  policy_swap #(
    .Ports       (Ports),
    .PortWidth   (PortWidth),
    .PacketsWidth(PacketsWidth),
    .DepartWidth (DepartWidth),
    .DropWidth   (DropWidth)
  ) i_swap (
    .clk_i,
    .rst_i,
    .active_o              (active),
    .s_axis_arrive_tvalid_i,
    .s_axis_arrive_tready_o,
    .s_axis_pull_tvalid_i,
    .s_axis_pull_tready_o,
    .front_valid_o         (front_valid),
    .front_ready_i         (front_ready),
    .front_pull_o          (pull),
    .front_empty_i         (front_empty),
    .next_valid_i          (next_valid),
    .next_pull_i           (next_pull),
    .next_port_i           (next_port),
    .next_go_o             (next_go),
    .next_gone_o           (next_gone),
    .pull_valid_o          (pull_valid),
    .ready_i               (ready),
    .busy_i                (busy),
    .departs_i             (departs),
    .drops_i               (drops),
    .hold_i                (hold),
    .quiet_o               (quiet),
    .waits_i               (waits),
    .packets_i             (packets),
    .restart_o             (restart),
    .s_axil_awvalid_i,
    .s_axil_awready_o,
    .s_axil_awaddr_i,
    .s_axil_wvalid_i,
    .s_axil_wready_o,
    .s_axil_wdata_i,
    .s_axil_wstrb_i,
    .s_axil_bvalid_o,
    .s_axil_bready_i,
    .s_axil_bresp_o,
    .s_axil_arvalid_i,
    .s_axil_arready_o,
    .s_axil_araddr_i,
    .s_axil_rvalid_o,
    .s_axil_rready_i,
    .s_axil_rdata_o,
    .s_axil_rresp_o,
    .m_axil_awvalid_o      (awvalid),
    .m_axil_awready_i      (awready),
    .m_axil_awaddr_o       (awaddr),
    .m_axil_wvalid_o       (wvalid),
    .m_axil_wready_i       (wready),
    .m_axil_wdata_o        (wdata),
    .m_axil_wstrb_o        (wstrb),
    .m_axil_bvalid_i       (bvalid),
    .m_axil_bready_o       (bready),
    .m_axil_bresp_i        (bresp),
    .m_axil_arvalid_o      (arvalid),
    .m_axil_arready_i      (arready),
    .m_axil_araddr_o       (araddr),
    .m_axil_rvalid_i       (rvalid),
    .m_axil_rready_o       (rready),
    .m_axil_rdata_i        (rdata),
    .m_axil_rresp_i        (rresp),
    .s_axis_depart_tvalid_i(depart_valid),
    .s_axis_depart_tready_o(depart_ready),
    .s_axis_depart_tdata_i (depart),
    .s_axis_drop_tvalid_i  (drop_valid),
    .s_axis_drop_tready_o  (drop_ready),
    .s_axis_drop_tdata_i   (drop),
    .m_axis_depart_tvalid_o,
    .m_axis_depart_tready_i,
    .m_axis_depart_tdata_o,
    .m_axis_drop_tvalid_o,
    .m_axis_drop_tready_i,
    .m_axis_drop_tdata_o
  );

@sides@
endmodule
