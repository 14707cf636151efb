// policy_core with a queue block, for the tests beside this file: a compiled policy without its
// front.
//
// `Sorted`: a PIFO, as for a few packets with many ranks; otherwise a BBQ. Latency, throughput and
// limits are those of policy_core and of the block.
module policy_bench
  import forebay_queue_pkg::*;
  import policy_pkg::*;
  import policy_core_pkg::*;
#(
  parameter bit          Sorted      = 1'b0,
  parameter int unsigned Outstanding = 32
) (
  input  logic                        clk_i,
  input  logic                        rst_i,
  input  logic                        op_valid_i,
  output logic                        op_ready_o,
  input  operation_t                  op_i,
  input  logic                        front_empty_i,
  output logic                        hold_o,
  output logic [Parameters-1:0][63:0] param_o,
  input  logic                        s_axil_awvalid_i,
  output logic                        s_axil_awready_o,
  input  logic [12:0]                 s_axil_awaddr_i,
  input  logic                        s_axil_wvalid_i,
  output logic                        s_axil_wready_o,
  input  logic [31:0]                 s_axil_wdata_i,
  input  logic [3:0]                  s_axil_wstrb_i,
  output logic                        s_axil_bvalid_o,
  input  logic                        s_axil_bready_i,
  output logic [1:0]                  s_axil_bresp_o,
  input  logic                        s_axil_arvalid_i,
  output logic                        s_axil_arready_o,
  input  logic [12:0]                 s_axil_araddr_i,
  output logic                        s_axil_rvalid_o,
  input  logic                        s_axil_rready_i,
  output logic [31:0]                 s_axil_rdata_o,
  output logic [1:0]                  s_axil_rresp_o,
  output logic                        m_axis_depart_tvalid_o,
  input  logic                        m_axis_depart_tready_i,
  output logic [DepartWidth-1:0]      m_axis_depart_tdata_o,
  output logic                        m_axis_drop_tvalid_o,
  input  logic                        m_axis_drop_tready_i,
  output logic [DropWidth-1:0]        m_axis_drop_tdata_o
);

  localparam int unsigned DataWidth = $bits(ticket_t);
  localparam int unsigned PathWidth = RankWidth + (Queues > 1 ? $clog2(Queues) : 0);
  localparam int unsigned Width     = 4;
  localparam int unsigned Levels    = (PathWidth + 1) / 2;

  logic                  req_valid, req_ready, rsp_valid;
  op_e                   req_op, rsp_op;
  status_e               rsp_status;
  logic [QueueWidth-1:0] req_partition;
  logic [RankWidth-1:0]  req_rank, rsp_rank;
  ticket_t               req_data, rsp_data;

  /* verilator lint_off PINCONNECTEMPTY */
  if (Sorted) begin : gen_pifo
    pifo #(
      .Entries   (Capacity),
      .RankWidth (RankWidth),
      .DataWidth (DataWidth),
      .Partitions(Queues)
    ) i_queue (
      .clk_i,
      .rst_i,
      .req_valid_i    (req_valid),
      .req_ready_o    (req_ready),
      .req_op_i       (req_op),
      .req_partition_i(req_partition),
      .req_rank_i     (req_rank),
      .req_data_i     (req_data),
      .rsp_valid_o    (rsp_valid),
      .rsp_op_o       (rsp_op),
      .rsp_partition_o(),
      .rsp_status_o   (rsp_status),
      .rsp_rank_o     (rsp_rank),
      .rsp_data_o     (rsp_data),
      .full_o         (),
      .empty_o        (),
      .occupancy_o    (),
      .error_o        ()
    );
  end else begin : gen_bbq
    bbq #(
      .Levels    (Levels),
      .Width     (Width),
      .Entries   (Capacity),
      .DataWidth (DataWidth),
      .Partitions(Queues),
      .RankWidth (RankWidth),
      .Ranks     (2 ** RankWidth)
    ) i_queue (
      .clk_i,
      .rst_i,
      .req_valid_i    (req_valid),
      .req_ready_o    (req_ready),
      .req_op_i       (req_op),
      .req_partition_i(req_partition),
      .req_rank_i     (req_rank),
      .req_data_i     (req_data),
      .rsp_valid_o    (rsp_valid),
      .rsp_op_o       (rsp_op),
      .rsp_partition_o(),
      .rsp_status_o   (rsp_status),
      .rsp_rank_o     (rsp_rank),
      .rsp_data_o     (rsp_data),
      .full_o         (),
      .empty_o        (),
      .occupancy_o    (),
      .error_o        ()
    );
  end
  /* verilator lint_on PINCONNECTEMPTY */

  policy_core #(
    .Outstanding(Outstanding)
  ) i_core (
    .req_valid_o    (req_valid),
    .req_ready_i    (req_ready),
    .req_op_o       (req_op),
    .req_partition_o(req_partition),
    .req_rank_o     (req_rank),
    .req_data_o     (req_data),
    .rsp_valid_i    (rsp_valid),
    .rsp_op_i       (rsp_op),
    .rsp_status_i   (rsp_status),
    .rsp_rank_i     (rsp_rank),
    .rsp_data_i     (rsp_data),
    .peer_i         ('0),
    /* verilator lint_off PINCONNECTEMPTY */
    .view_o         (),
    /* verilator lint_on PINCONNECTEMPTY */
    .*
  );

endmodule
