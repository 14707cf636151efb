  logic                  req_valid, req_ready, rsp_valid;
  op_e                   req_op, rsp_op;
  status_e               rsp_status;
  logic [QueueWidth-1:0] req_partition;
  logic [RankWidth-1:0]  req_rank, rsp_rank;
  ticket_t               req_data, rsp_data;

  /* verilator lint_off PINCONNECTEMPTY */
  @block@ i_queue (
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
  /* verilator lint_on PINCONNECTEMPTY */
