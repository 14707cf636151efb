// One of two policies in the same hardware: its front, its decisions and its queue block.
//
// What it does is said in docs/openqueue-semantics.md, after Kogan et al., "Towards
// Software-Defined Buffer Management" (IEEE/ACM Transactions on Networking, 2020); throughput,
// latency and limits are in README.md beside this file. Made by forebay: the queue block and its
// parameters are chosen for this policy. policy_swap says whose turn it is.
module policy_side
  import forebay_queue_pkg::*;
  import policy_pkg::*;
  import policy_core_pkg::*;
(
  input  logic                   clk_i,
  input  logic                   rst_i,
  // Packets and pulls, while this policy is in force.
  input  logic [TimeWidth-1:0]   now_i,
  input  logic                   s_valid_i,
  output logic                   s_ready_o,
  input  logic                   pull_i,
  input  arrive_t                arrive_i,
  input  logic [PortWidth-1:0]   port_i,
  output logic                   front_empty_o,
  // The operation at the end of the front: it may be decided here, or the other policy takes it.
  output logic                   next_valid_o,
  output logic                   next_pull_o,
  output logic [PortWidth-1:0]   next_port_o,
  output logic [TimeWidth-1:0]   next_now_o,
  input  logic                   next_go_i,
  input  logic                   next_gone_i,
  // A pull from the front of the other policy.
  input  logic                   pull_valid_i,
  input  logic [PortWidth-1:0]   pull_port_i,
  input  logic [TimeWidth-1:0]   pull_now_i,
  output logic                   ready_o,
  input  logic                   quiet_i,
  output logic                   hold_o,
  input  peer_t                  peer_i,
  output view_t                  view_o,
  input  logic                   s_axil_awvalid_i,
  output logic                   s_axil_awready_o,
  input  logic [12:0]            s_axil_awaddr_i,
  input  logic                   s_axil_wvalid_i,
  output logic                   s_axil_wready_o,
  input  logic [31:0]            s_axil_wdata_i,
  input  logic [3:0]             s_axil_wstrb_i,
  output logic                   s_axil_bvalid_o,
  input  logic                   s_axil_bready_i,
  output logic [1:0]             s_axil_bresp_o,
  input  logic                   s_axil_arvalid_i,
  output logic                   s_axil_arready_o,
  input  logic [12:0]            s_axil_araddr_i,
  output logic                   s_axil_rvalid_o,
  input  logic                   s_axil_rready_i,
  output logic [31:0]            s_axil_rdata_o,
  output logic [1:0]             s_axil_rresp_o,
  output logic                   m_axis_depart_tvalid_o,
  input  logic                   m_axis_depart_tready_i,
  output logic [DepartWidth-1:0] m_axis_depart_tdata_o,
  output logic                   m_axis_drop_tvalid_o,
  input  logic                   m_axis_drop_tready_i,
  output logic [DropWidth-1:0]   m_axis_drop_tdata_o
);

  operation_t                  next, op;
  logic [Parameters-1:0][63:0] param;

  policy_front i_front (
    .clk_i,
    .rst_i,
    .s_valid_i,
    .s_ready_o,
    .kind_i    (pull_i ? KindPull : KindArrive),
    .arrive_i,
    .port_i,
    .now_i,
    .param_i   (param),
    .op_valid_o(next_valid_o),
    .op_ready_i((next_go_i && ready_o) || next_gone_i),
    .op_o      (next),
    .empty_o   (front_empty_o)
  );

  assign next_pull_o = next.kind == KindPull;
  assign next_port_o = next.port;
  assign next_now_o  = next.now;

  always_comb begin
    op = next;
    if (pull_valid_i) begin
      op      = '0;
      op.kind = KindPull;
      op.port = pull_port_i;
      op.now  = pull_now_i;
    end
  end

  @queue@
  policy_core i_core (
    .clk_i,
    .rst_i,
    .op_valid_i     ((next_valid_o && next_go_i) || pull_valid_i),
    .op_ready_o     (ready_o),
    .op_i           (op),
    .front_empty_i  (quiet_i),
    .hold_o,
    .param_o        (param),
    @core_ports@
    .peer_i,
    .view_o
  );

endmodule
