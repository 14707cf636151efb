// The part of a policy's hardware that is the same for all policies. It decides operations one
// after the other, counts, and reports the fate of packets. The rules of the policy are in
// policy_pkg and policy_rules, which the compiler makes for it.
//
// Source: docs/openqueue-semantics.md, after Kogan et al., "Towards Software-Defined Buffer
// Management" (IEEE/ACM Transactions on Networking, 2020). Throughput: policy_control.sv. Latency:
// 2 cycles for dropped packets. For packets from the queue block, the latency of the block and 1
// more.
//
// Limits: the ids of packets in flight differ. The queue block answers after a constant number of
// cycles, and has room for policy_pkg::Capacity packets.
module policy_core
  import forebay_queue_pkg::*;
  import policy_pkg::*;
  import policy_core_pkg::*;
#(
  // Slots of each output, and the most that may be in flight for it. For an operation in every
  // cycle: more than the latency of the queue block and 2.
  parameter int unsigned Outstanding = 32
) (
  input  logic                        clk_i,
  input  logic                        rst_i,
  // Operations, from the front; `front_empty_i`: there is none in it, nor at op_valid_i.
  input  logic                        op_valid_i,
  output logic                        op_ready_o,
  input  operation_t                  op_i,
  input  logic                        front_empty_i,
  output logic                        hold_o,  // the front must accept none
  output logic [Parameters-1:0][63:0] param_o,
  // The queue block.
  output logic                        req_valid_o,
  input  logic                        req_ready_i,
  output op_e                         req_op_o,
  output logic [QueueWidth-1:0]       req_partition_o,
  output logic [RankWidth-1:0]        req_rank_o,
  output ticket_t                     req_data_o,
  input  logic                        rsp_valid_i,
  input  op_e                         rsp_op_i,
  input  status_e                     rsp_status_i,
  input  logic [RankWidth-1:0]        rsp_rank_i,
  input  ticket_t                     rsp_data_i,
  // Registers.
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
  // {none, marks, port, queue, id} of departures; {pushed out, rule, queue, id} of drops.
  output logic                        m_axis_depart_tvalid_o,
  input  logic                        m_axis_depart_tready_i,
  output logic [DepartWidth-1:0]      m_axis_depart_tdata_o,
  output logic                        m_axis_drop_tvalid_o,
  input  logic                        m_axis_drop_tready_i,
  output logic [DropWidth-1:0]        m_axis_drop_tdata_o,
  // Another policy of the same hardware: '0 and unconnected if there is none.
  input  peer_t                       peer_i,
  output view_t                       view_o
);

  logic                  idle, event_valid, depart_room, drop_room;
  event_t                told;
  count_t                count;
  logic [1:0]            served_marks;
  logic [QueueWidth-1:0] served_queue, read_queue;
  word_e                 read_word;
  logic [31:0]           read, unclassified;
  logic [Queues-1:0][PacketsWidth-1:0] packets;
  logic [Queues-1:0][CountWidth-1:0]   queue_count;

  policy_control i_control (
    .clk_i,
    .rst_i,
    .op_valid_i,
    .op_ready_o,
    .op_i,
    .idle_o       (idle),
    .param_i      (param_o),
    .req_valid_o,
    .req_ready_i,
    .req_op_o,
    .req_partition_o,
    .req_rank_o,
    .req_data_o,
    .rsp_valid_i,
    .rsp_op_i,
    .rsp_rank_i,
    .rsp_data_i,
    .event_valid_o(event_valid),
    .event_o      (told),
    .depart_room_i(depart_room),
    .drop_room_i  (drop_room),
    .count_o      (count),
    .packets_o    (packets),
    .queue_count_o(queue_count),
    .peer_i,
    .view_o
  );

  policy_outputs #(
    .Outstanding(Outstanding)
  ) i_outputs (
    .clk_i,
    .rst_i,
    .event_valid_i (event_valid),
    .event_i       (told),
    .depart_room_o (depart_room),
    .drop_room_o   (drop_room),
    .rsp_valid_i,
    .rsp_op_i,
    .rsp_status_i,
    .rsp_data_i,
    .served_marks_o(served_marks),
    .served_queue_o(served_queue),
    .m_axis_depart_tvalid_o,
    .m_axis_depart_tready_i,
    .m_axis_depart_tdata_o,
    .m_axis_drop_tvalid_o,
    .m_axis_drop_tready_i,
    .m_axis_drop_tdata_o
  );

  policy_counters i_counters (
    .clk_i,
    .rst_i,
    .count_i       (count),
    .served_marks_i(served_marks),
    .served_queue_i(served_queue),
    .read_queue_i  (read_queue),
    .read_word_i   (read_word),
    .read_o        (read),
    .unclassified_o(unclassified)
  );

  policy_registers i_registers (
    .clk_i,
    .rst_i,
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
    .restart_i     (peer_i.restart),
    .hold_o,
    .quiet_i       (idle && !op_valid_i && front_empty_i),
    .param_o,
    .read_queue_o  (read_queue),
    .read_word_o   (read_word),
    .read_i        (read),
    .unclassified_i(unclassified),
    .packets_i     (packets),
    .queue_count_i (queue_count)
  );

endmodule
