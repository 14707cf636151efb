// The scheduler of a switch from 2 * Ports BBQs: one for each ingress port, partitioned by egress
// port, and one for each egress port, which the ingress queues feed.
//
// Semantics: an enqueue at an ingress port names an egress port and a rank. It is dropped ("full")
// if that ingress port's queue is full. In each system cycle, a matching of ingress with egress
// ports moves elements. An ingress queue moves the lowest rank (the earliest among equals) of its
// partition for the matched egress port. A dequeue at an egress port takes the lowest rank in its
// own queue at that time (the earliest to enter that queue among equals). It is answered "empty" if
// that queue is empty, even if elements are on the way. An element moves to its egress queue only
// if there is room; otherwise it waits in its ingress queue.
//
// Throughput: each port one enqueue and one dequeue in a system cycle of two clock cycles: dequeues
// in the cycles of out_ready_o, enqueues in those of in_ready_o. The matching is maximal, and its
// priorities rotate. While a pair of ports has elements, it gets at least one grant in Ports system
// cycles. It gets one in each system cycle if no other pair requests its ports. Latency: an enqueue
// is answered after bbq_pkg::latency of the first layer, a dequeue after that of the second. The
// first dequeue that can take an element is accepted 5 cycles and the first layer's latency after
// the element's enqueue, if nothing competes.
//
// Source: BBQ (NSDI 2024), section 2.1.1, figure 1(b) and section 7.1; the paper leaves the
// matching open.
module mesh
  import forebay_queue_pkg::*;
#(
  parameter int unsigned Ports      = 4,
  parameter int unsigned InEntries  = 127,
  parameter int unsigned OutEntries = 127,
  parameter int unsigned DataWidth  = 17,
  parameter int unsigned InLevels   = 3,    // of all egress ports together
  parameter int unsigned InWidth    = 8,
  parameter int unsigned OutLevels  = 3,
  parameter int unsigned OutWidth   = 8,
  parameter bit          Parity     = 1'b0,
  localparam int unsigned PortWidth    = Ports > 1 ? $clog2(Ports) : 1,
  localparam int unsigned RankWidth    = InLevels * $clog2(InWidth) - $clog2(Ports),
  localparam int unsigned OutRankWidth = OutLevels * $clog2(OutWidth),
  localparam int unsigned CountWidth   = $clog2(Ports * (InEntries + OutEntries) + 1)
) (
  input  logic                            clk_i,
  input  logic                            rst_i,
  // An index for each ingress port.
  input  logic [Ports-1:0]                in_valid_i,
  output logic                            in_ready_o,
  input  logic [Ports-1:0][PortWidth-1:0] in_egress_i,
  input  logic [Ports-1:0][RankWidth-1:0] in_rank_i,
  input  logic [Ports-1:0][DataWidth-1:0] in_data_i,
  output logic [Ports-1:0]                in_rsp_valid_o,
  output status_e [Ports-1:0]             in_rsp_status_o,
  output logic [Ports-1:0]                in_full_o,
  // An index for each egress port.
  input  logic [Ports-1:0]                out_valid_i,
  output logic                            out_ready_o,
  output logic [Ports-1:0]                out_rsp_valid_o,
  output status_e [Ports-1:0]             out_rsp_status_o,
  output logic [Ports-1:0][RankWidth-1:0] out_rsp_rank_o,
  output logic [Ports-1:0][DataWidth-1:0] out_rsp_data_o,
  output logic [Ports-1:0]                out_empty_o,   // nothing in the egress queue
  output logic                            empty_o,       // nothing in the mesh
  output logic [CountWidth-1:0]           occupancy_o,   // of the mesh
  output logic                            error_o
);

  localparam int unsigned InLatency     = bbq_pkg::latency(InLevels, InWidth, Ports);
  localparam int unsigned InCountWidth  = $clog2(InEntries + 1);
  localparam int unsigned OutCountWidth = $clog2(OutEntries + 1);

  if (Ports < 2) begin : gen_ports
    $error("mesh: Ports must be 2 or more");
  end
  if (InLevels * $clog2(InWidth) <= $clog2(Ports)) begin : gen_ranks
    $error("mesh: an egress port must have two ranks or more");
  end
  if (OutRankWidth < RankWidth) begin : gen_out_ranks
    $error("mesh: the second layer has fewer ranks than a partition of the first");
  end
  if (InLatency % 2 == 0) begin : gen_latency
    $error("mesh: elements must reach the second layer in the cycles between dequeues");
  end

  // ---- the two clock cycles of a system cycle -----------------------------------------------

  // In the first, elements leave the first layer and enter the second. In the second, the ports
  // enqueue and dequeue, and the next elements to move are chosen.
  logic ports_q;

  always_ff @(posedge clk_i) begin
    ports_q <= !ports_q && !rst_i;
  end
  assign in_ready_o  = ports_q && !rst_i;
  assign out_ready_o = ports_q && !rst_i;

  // ---- the next moves -----------------------------------------------------------------------

  logic [Ports-1:0][Ports-1:0] wants, grant, move_q;   // ingress, then egress
  logic [Ports-1:0]            put, take, moved;       // put: at an ingress port
  logic [PortWidth-1:0]        first_q;

  mesh_match #(.Ports(Ports)) i_match (
    .first_i(first_q),
    .wants_i(wants),
    .grant_o(grant)
  );

  always_ff @(posedge clk_i) begin
    move_q <= ports_q ? grant : '0;
    if (ports_q) first_q <= first_q == PortWidth'(Ports - 1) ? '0 : first_q + 1'b1;
    if (rst_i) begin
      move_q  <= '0;
      first_q <= '0;
    end
  end

  // Room in the egress queues, less the elements that are on their way.
  logic [OutCountWidth-1:0] room_q [Ports];
  logic [Ports-1:0]         has_room;

  always_comb begin
    for (int unsigned e = 0; e < Ports; e++) begin
      moved[e] = 1'b0;
      for (int unsigned i = 0; i < Ports; i++) moved[e] |= ports_q && grant[i][e];
    end
  end

  for (genvar e = 0; e < Ports; e++) begin : gen_room
    assign has_room[e] = room_q[e] != '0;
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned e = 0; e < Ports; e++) begin
      room_q[e] <= room_q[e] + OutCountWidth'(take[e]) - OutCountWidth'(moved[e]);
      if (rst_i) room_q[e] <= OutCountWidth'(OutEntries);
    end
  end

  // ---- the first layer ----------------------------------------------------------------------

  logic [Ports-1:0]                arrives, in_error;   // arrives: from an ingress queue
  logic [Ports-1:0][PortWidth-1:0] arrives_at;
  logic [Ports-1:0][RankWidth-1:0] arrival_rank;
  logic [Ports-1:0][DataWidth-1:0] arrival_data;

  for (genvar i = 0; i < Ports; i++) begin : gen_in
    logic [InCountWidth-1:0] waiting_q [Ports];   // for each egress port
    logic [PortWidth-1:0]    egress;              // that is fed now
    logic                    ready, rsp_valid, empty;
    op_e                     rsp_op;
    status_e                 rsp_status;
    logic [InCountWidth-1:0] occupancy;

    assign put[i] = in_valid_i[i] && in_ready_o && !in_full_o[i] && 32'(in_egress_i[i]) < Ports;

    always_ff @(posedge clk_i) begin
      for (int unsigned e = 0; e < Ports; e++) begin
        waiting_q[e] <= waiting_q[e] + InCountWidth'(put[i] && in_egress_i[i] == PortWidth'(e))
                        - InCountWidth'(ports_q && grant[i][e]);
        if (rst_i) waiting_q[e] <= '0;
      end
    end

    always_comb begin
      egress = '0;
      for (int unsigned e = 0; e < Ports; e++) begin
        wants[i][e] = waiting_q[e] != '0 && has_room[e];
        if (move_q[i][e]) egress |= PortWidth'(e);
      end
    end

    bbq #(
      .Levels    (InLevels),
      .Width     (InWidth),
      .Entries   (InEntries),
      .DataWidth (DataWidth),
      .Partitions(Ports),
      .Parity    (Parity)
    ) i_queue (
      .clk_i,
      .rst_i,
      .req_valid_i    (ports_q ? in_valid_i[i] : |move_q[i]),
      .req_ready_o    (ready),
      .req_op_i       (ports_q ? OpEnqueue : OpDequeueMin),
      .req_partition_i(ports_q ? in_egress_i[i] : egress),
      .req_rank_i     (in_rank_i[i]),
      .req_data_i     (in_data_i[i]),
      .rsp_valid_o    (rsp_valid),
      .rsp_op_o       (rsp_op),
      .rsp_status_o   (rsp_status),
      .rsp_partition_o(arrives_at[i]),
      .rsp_rank_o     (arrival_rank[i]),
      .rsp_data_o     (arrival_data[i]),
      .full_o         (in_full_o[i]),
      .empty_o        (empty),
      .occupancy_o    (occupancy),
      .error_o        (in_error[i])
    );

    assign in_rsp_valid_o[i]  = rsp_valid && rsp_op == OpEnqueue;
    assign in_rsp_status_o[i] = rsp_status;
    assign arrives[i]         = rsp_valid && rsp_op == OpDequeueMin;

    logic unused;
    assign unused = &{1'b0, ready, empty, occupancy};

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (!rst_i) begin
        assert (!(arrives[i] && rsp_status != StatusDone)) else $error("nothing to move");
      end
    end
`endif
  end

  // ---- the second layer ---------------------------------------------------------------------

  logic [Ports-1:0] out_error;

  for (genvar e = 0; e < Ports; e++) begin : gen_out
    logic                     enter_d, enter_q;
    logic [RankWidth-1:0]     rank_d, rank_q;
    logic [DataWidth-1:0]     data_d, data_q;
    logic                     ready, rsp_valid, rsp_partition, full;
    op_e                      rsp_op;
    logic [OutRankWidth-1:0]  rsp_rank;
    logic [OutCountWidth-1:0] occupancy;

    // The matching ensures that no two arrive at once.
    always_comb begin
      enter_d = 1'b0;
      rank_d  = '0;
      data_d  = '0;
      for (int unsigned i = 0; i < Ports; i++) begin
        if (arrives[i] && arrives_at[i] == PortWidth'(e)) begin
          enter_d = 1'b1;
          rank_d |= arrival_rank[i];
          data_d |= arrival_data[i];
        end
      end
    end

    always_ff @(posedge clk_i) begin
      enter_q <= enter_d && !rst_i;
      rank_q  <= rank_d;
      data_q  <= data_d;
    end

    assign take[e] = out_valid_i[e] && out_ready_o && !out_empty_o[e];

    bbq #(
      .Levels   (OutLevels),
      .Width    (OutWidth),
      .Entries  (OutEntries),
      .DataWidth(DataWidth),
      .Parity   (Parity)
    ) i_queue (
      .clk_i,
      .rst_i,
      .req_valid_i    (ports_q ? out_valid_i[e] : enter_q),
      .req_ready_o    (ready),
      .req_op_i       (ports_q ? OpDequeueMin : OpEnqueue),
      .req_partition_i(1'b0),
      .req_rank_i     (OutRankWidth'(rank_q)),
      .req_data_i     (data_q),
      .rsp_valid_o    (rsp_valid),
      .rsp_op_o       (rsp_op),
      .rsp_status_o   (out_rsp_status_o[e]),
      .rsp_partition_o(rsp_partition),
      .rsp_rank_o     (rsp_rank),
      .rsp_data_o     (out_rsp_data_o[e]),
      .full_o         (full),
      .empty_o        (out_empty_o[e]),
      .occupancy_o    (occupancy),
      .error_o        (out_error[e])
    );

    assign out_rsp_valid_o[e] = rsp_valid && rsp_op == OpDequeueMin;
    assign out_rsp_rank_o[e]  = RankWidth'(rsp_rank);

    logic unused;
    assign unused = &{1'b0, ready, rsp_partition, rsp_rank, occupancy};

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (!rst_i) begin
        assert (!(enter_q && ports_q)) else $error("an arrival in the cycle of a dequeue");
        assert (!(enter_q && full)) else $error("an arrival that finds no room");
      end
    end
`else
    logic unused_full;
    assign unused_full = full;
`endif
  end

  // ---- the whole mesh -----------------------------------------------------------------------

  logic [CountWidth-1:0] occupancy_q, occupancy_d;
  logic                  empty_q;

  always_comb begin
    occupancy_d = occupancy_q;
    for (int unsigned p = 0; p < Ports; p++) begin
      occupancy_d += CountWidth'(put[p]);
      occupancy_d -= CountWidth'(take[p]);
    end
  end

  always_ff @(posedge clk_i) begin
    occupancy_q <= occupancy_d;
    empty_q     <= occupancy_d == '0;
    if (rst_i) begin
      occupancy_q <= '0;
      empty_q     <= 1'b1;
    end
  end

  assign occupancy_o = occupancy_q;
  assign empty_o     = empty_q;
  assign error_o     = (|in_error) || (|out_error);

endmodule
