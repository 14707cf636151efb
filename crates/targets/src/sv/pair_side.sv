  // ---- policy @n@ ----------------------------------------------------------------------------------

  logic [policy@n@_core_pkg::DepartWidth-1:0] depart@n@;
  logic [policy@n@_core_pkg::DropWidth-1:0]   drop@n@;

  policy@n@_side i_policy@n@ (
    .clk_i,
    .rst_i,
    .now_i,
    .s_valid_i             (front_valid[@n@]),
    .s_ready_o             (front_ready[@n@]),
    .pull_i                (pull),
    .arrive_i              (s_axis_arrive_tdata_i),
    .port_i                (s_axis_pull_tdata_i),
    .front_empty_o         (front_empty[@n@]),
    .next_valid_o          (next_valid[@n@]),
    .next_pull_o           (next_pull[@n@]),
    .next_port_o           (next_port[@n@]),
    .next_now_o            (next_now[@n@]),
    .next_go_i             (next_go[@n@]),
    .next_gone_i           (next_gone[@n@]),
    .pull_valid_i          (pull_valid[@n@]),
    .pull_port_i           (next_port[@m@]),
    .pull_now_i            (next_now[@m@]),
    .ready_o               (ready[@n@]),
    .quiet_i               (quiet[@n@]),
    .hold_o                (hold[@n@]),
    .peer_i                (peer@n@),
    .view_o                (view@n@),
    .s_axil_awvalid_i      (awvalid[@n@]),
    .s_axil_awready_o      (awready[@n@]),
    .s_axil_awaddr_i       (awaddr),
    .s_axil_wvalid_i       (wvalid[@n@]),
    .s_axil_wready_o       (wready[@n@]),
    .s_axil_wdata_i        (wdata),
    .s_axil_wstrb_i        (wstrb),
    .s_axil_bvalid_o       (bvalid[@n@]),
    .s_axil_bready_i       (bready[@n@]),
    .s_axil_bresp_o        (bresp[@n@]),
    .s_axil_arvalid_i      (arvalid[@n@]),
    .s_axil_arready_o      (arready[@n@]),
    .s_axil_araddr_i       (araddr),
    .s_axil_rvalid_o       (rvalid[@n@]),
    .s_axil_rready_i       (rready[@n@]),
    .s_axil_rdata_o        (rdata[@n@]),
    .s_axil_rresp_o        (rresp[@n@]),
    .m_axis_depart_tvalid_o(depart_valid[@n@]),
    .m_axis_depart_tready_i(depart_ready[@n@]),
    .m_axis_depart_tdata_o (depart@n@),
    .m_axis_drop_tvalid_o  (drop_valid[@n@]),
    .m_axis_drop_tready_i  (drop_ready[@n@]),
    .m_axis_drop_tdata_o   (drop@n@)
  );

  policy_drain #(
    .Queues       (policy@n@_pkg::Queues),
    .Ports        (Ports),
    .PeerQueues   (policy@m@_pkg::Queues),
    .PeerBuffers  (policy@m@_pkg::Buffers),
    .QueueWidth   (policy@n@_pkg::QueueWidth),
    .PortWidth    (PortWidth),
    .SizeWidth    (policy@n@_pkg::SizeWidth),
    .PacketsWidth (PacketsWidth),
    .PeerWidth    (policy@m@_pkg::QueueWidth),
    .BufferWidth  (policy@m@_pkg::BufferWidth),
    .CountWidth   (policy@m@_pkg::CountWidth),
    .PortOf       (policy@n@_pkg::PortOf),
    .Shared       (Shared@n@),
    .QueueTo      (QueueTo@n@),
    .Buffered     (policy@m@_pkg::Buffered),
    .BufferOf     (policy@m@_pkg::BufferOf),
    .QueueInBytes (policy@m@_pkg::QueueInBytes),
    .BufferInBytes(policy@m@_pkg::BufferInBytes)
  ) i_drain@n@ (
    .clk_i,
    .rst_i,
    .put_i       (view@n@.put),
    .put_queue_i (view@n@.put_queue),
    .put_size_i  (view@n@.put_size),
    .take_i      (view@n@.take),
    .take_queue_i(view@n@.take_queue),
    .take_size_i (view@n@.take_size),
    .packets_o   (packets[@n@]),
    .waits_o     (waits[@n@]),
    .queue_o     (queue@n@),
    .buffer_o    (buffer@n@)
  );

  assign busy[@n@]    = view@n@.busy;
  assign departs[@n@] = view@n@.departs;
  assign drops[@n@]   = view@n@.drops;

  // What waits in policy @m@ counts here while this one is in force.
  always_comb begin
    peer@n@ = '{
      restart: restart[@n@], state: policy@n@_pkg::StateInit, queue_held: '0, buffer_held: '0
    };
    if (active == 1'b@n@) begin
      peer@n@.queue_held  = queue@m@;
      peer@n@.buffer_held = buffer@m@;
    end
@states@  end

  // {none, marks, port, queue, id} and {pushed out, rule, queue, id}, of which the queue has as many bits in
  // both policies.
  assign depart[@n@] = {depart@n@[policy@n@_core_pkg::DepartWidth-1 -: 3 + PortWidth],
                      QueueWidth'(depart@n@[IdWidth +: policy@n@_pkg::QueueWidth]), depart@n@[IdWidth-1:0]};
  assign drop[@n@]   = {drop@n@[policy@n@_core_pkg::DropWidth-1 -: 4],
                      QueueWidth'(drop@n@[IdWidth +: policy@n@_pkg::QueueWidth]), drop@n@[IdWidth-1:0]};
