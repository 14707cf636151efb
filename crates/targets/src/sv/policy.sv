// A policy in hardware: packets and pulls come in, packets leave or are dropped.
//
// What it does is said in docs/openqueue-semantics.md, after Kogan et al., "Towards
// Software-Defined Buffer Management" (IEEE/ACM Transactions on Networking, 2020); widths,
// throughput, latency and limits are in README.md beside this file. Made by forebay for one
// policy: the queue block and its parameters are chosen for it.
//
// Operations are decided in the order in which they are accepted; of an arrival and a pull in
// the same cycle, they take turns.
module policy
  import forebay_queue_pkg::*;
  import policy_pkg::*;
  import policy_core_pkg::*;
(
  input  logic                   clk_i,
  input  logic                   rst_i,
  input  logic [TimeWidth-1:0]   now_i,  // nanoseconds; read when an operation is accepted
  input  logic                   s_axis_arrive_tvalid_i,
  output logic                   s_axis_arrive_tready_o,
  input  arrive_t                s_axis_arrive_tdata_i,
  input  logic                   s_axis_pull_tvalid_i,
  output logic                   s_axis_pull_tready_o,
  input  logic [PortWidth-1:0]   s_axis_pull_tdata_i,
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

  // ---- one operation at a time -----------------------------------------------------------------

  logic pull, pulled_q, ready, hold, front_empty, op_valid, op_ready;

  assign pull = s_axis_pull_tvalid_i && !(s_axis_arrive_tvalid_i && pulled_q);
  assign s_axis_pull_tready_o   = ready && !hold && pull;
  assign s_axis_arrive_tready_o = ready && !hold && !pull;

  always_ff @(posedge clk_i) begin
    if (rst_i) pulled_q <= 1'b0;
    else if (s_axis_pull_tvalid_i && s_axis_pull_tready_o) pulled_q <= 1'b1;
    else if (s_axis_arrive_tvalid_i && s_axis_arrive_tready_o) pulled_q <= 1'b0;
  end

  // ---- queue and rank, and then the decision ---------------------------------------------------

  operation_t                  op;
  logic [Parameters-1:0][63:0] param;

  policy_front i_front (
    .clk_i,
    .rst_i,
    .s_valid_i (!hold && (pull || s_axis_arrive_tvalid_i)),
    .s_ready_o (ready),
    .kind_i    (pull ? KindPull : KindArrive),
    .arrive_i  (s_axis_arrive_tdata_i),
    .port_i    (s_axis_pull_tdata_i),
    .now_i,
    .param_i   (param),
    .op_valid_o(op_valid),
    .op_ready_i(op_ready),
    .op_o      (op),
    .empty_o   (front_empty)
  );

  @queue@
  policy_core i_core (
    .clk_i,
    .rst_i,
    .op_valid_i     (op_valid),
    .op_ready_o     (op_ready),
    .op_i           (op),
    .front_empty_i  (front_empty),
    .hold_o         (hold),
    .param_o        (param),
    @core_ports@
    .peer_i         ('0),
    /* verilator lint_off PINCONNECTEMPTY */
    .view_o         ()
    /* verilator lint_on PINCONNECTEMPTY */
  );

endmodule
