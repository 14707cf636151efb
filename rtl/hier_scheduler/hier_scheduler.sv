// A two-level scheduler: an upper BBQ chooses the tenant, a lower one with a partition for each
// tenant chooses the element within the tenant.
//
// Semantics, those of a tree of PIFOs: an enqueue of (tenant, tenant rank, rank, data) inserts the
// element into its tenant's queue by `rank`. It also inserts a turn of its tenant into the upper
// queue by `tenant rank`. A dequeue-min takes the first of all turns (lowest tenant rank, the
// earliest among equals). With it goes the first element of that tenant (lowest rank, the earliest
// among equals), even if another turn was enqueued with that element. So a tenant has as many turns
// as elements. An enqueue with another tenant rank adds a turn at that rank, and changes none of
// the queued turns. Dequeue-max takes the last turn and the last element of its tenant. Peeks show
// the element that the dequeue would take.
//
// Throughput: one operation of any kind in each cycle. Latency: those of both BBQs, the lower one
// with Tenants partitions, and one cycle. Operations take effect in order of acceptance.
//
// The upper queue decides. An operation goes to the lower queue when the upper queue has answered
// it. So the lower queue gets the operations that succeeded, in the same order. Both queues always
// have the same number of elements, and none is lost or invented.
//
// Source: BBQ (NSDI 2024), section 7.2 and figure 11. The paper's upper BBQ is smaller, one
// reference for each tenant, and the paper leaves open when its rank changes. A reference for each
// element makes the order exact at one operation per cycle.
//
// Limits: both queues have Entries elements.
module hier_scheduler
  import forebay_queue_pkg::*;
#(
  parameter int unsigned Tenants     = 8,
  parameter int unsigned Entries     = 127,
  parameter int unsigned DataWidth   = 17,
  parameter int unsigned UpperLevels = 2,
  parameter int unsigned UpperWidth  = 8,
  parameter int unsigned LowerLevels = 3,   // of all tenants together
  parameter int unsigned LowerWidth  = 8,
  parameter bit          Parity      = 1'b0,
  localparam int unsigned TenantWidth     = Tenants > 1 ? $clog2(Tenants) : 1,
  localparam int unsigned TenantRankWidth = UpperLevels * $clog2(UpperWidth),
  localparam int unsigned RankWidth       = LowerLevels * $clog2(LowerWidth) - $clog2(Tenants),
  localparam int unsigned CountWidth      = $clog2(Entries + 1)
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic                       req_valid_i,
  output logic                       req_ready_o,
  input  op_e                        req_op_i,
  input  logic [TenantWidth-1:0]     req_tenant_i,        // of an enqueue; others ignore it
  input  logic [TenantRankWidth-1:0] req_tenant_rank_i,
  input  logic [RankWidth-1:0]       req_rank_i,
  input  logic [DataWidth-1:0]       req_data_i,
  output logic                       rsp_valid_o,
  output op_e                        rsp_op_o,
  output status_e                    rsp_status_o,
  output logic [TenantWidth-1:0]     rsp_tenant_o,        // all four are 0 if not done
  output logic [TenantRankWidth-1:0] rsp_tenant_rank_o,   // of the turn
  output logic [RankWidth-1:0]       rsp_rank_o,
  output logic [DataWidth-1:0]       rsp_data_o,
  output logic                       full_o,
  output logic                       empty_o,
  output logic [CountWidth-1:0]      occupancy_o,
  output logic                       error_o
);

  localparam int unsigned UpperLatency = bbq_pkg::latency(UpperLevels, UpperWidth, 1);
  localparam int unsigned LowerLatency = bbq_pkg::latency(LowerLevels, LowerWidth, Tenants);

  if (LowerLevels * $clog2(LowerWidth) <= $clog2(Tenants)) begin : gen_ranks
    $error("hier_scheduler: a tenant must have two ranks or more");
  end

  // ---- the upper queue: turns of tenants --------------------------------------------------

  logic                       no_tenant, upper_ready, upper_partition, upper_valid, upper_error;
  op_e                        upper_op;
  status_e                    upper_status;
  logic [TenantRankWidth-1:0] upper_rank;
  logic [TenantWidth-1:0]     upper_tenant;

  // An unknown tenant is rejected as a partition that does not exist.
  assign no_tenant   = req_op_i == OpEnqueue && 32'(req_tenant_i) >= Tenants;
  assign req_ready_o = upper_ready;

  bbq #(
    .Levels   (UpperLevels),
    .Width    (UpperWidth),
    .Entries  (Entries),
    .DataWidth(TenantWidth),
    .Parity   (Parity)
  ) i_upper (
    .clk_i,
    .rst_i,
    .req_valid_i,
    .req_ready_o    (upper_ready),
    .req_op_i,
    .req_partition_i(no_tenant),
    .req_rank_i     (req_tenant_rank_i),
    .req_data_i     (req_tenant_i),
    .rsp_valid_o    (upper_valid),
    .rsp_op_o       (upper_op),
    .rsp_status_o   (upper_status),
    .rsp_partition_o(upper_partition),
    .rsp_rank_o     (upper_rank),
    .rsp_data_o     (upper_tenant),
    .full_o,
    .empty_o,
    .occupancy_o,
    .error_o        (upper_error)
  );

  // ---- rank and data of enqueues, until the upper queue has answered -------------------------

  logic [RankWidth-1:0] rank_q [1:UpperLatency];
  logic [DataWidth-1:0] data_q [1:UpperLatency];

  always_ff @(posedge clk_i) begin
    rank_q[1] <= req_rank_i;
    data_q[1] <= req_data_i;
    for (int unsigned c = 2; c <= UpperLatency; c++) begin
      rank_q[c] <= rank_q[c-1];
      data_q[c] <= data_q[c-1];
    end
  end

  // ---- between the queues -------------------------------------------------------------------

  // Stage 0 is beside the request of the lower queue, the last one beside its answer.
  logic                       valid_q       [LowerLatency+1];
  op_e                        op_q          [LowerLatency+1];
  status_e                    status_q      [LowerLatency+1];
  logic [TenantWidth-1:0]     tenant_q      [LowerLatency+1];
  logic [TenantRankWidth-1:0] tenant_rank_q [LowerLatency+1];
  logic [RankWidth-1:0]       lower_rank_q;
  logic [DataWidth-1:0]       lower_data_q;

  always_ff @(posedge clk_i) begin
    valid_q[0]       <= upper_valid && !rst_i;
    op_q[0]          <= upper_op;
    status_q[0]      <= upper_status;
    tenant_q[0]      <= upper_tenant;
    tenant_rank_q[0] <= upper_rank;
    for (int unsigned c = 1; c <= LowerLatency; c++) begin
      valid_q[c]       <= valid_q[c-1] && !rst_i;
      op_q[c]          <= op_q[c-1];
      status_q[c]      <= status_q[c-1];
      tenant_q[c]      <= tenant_q[c-1];
      tenant_rank_q[c] <= tenant_rank_q[c-1];
    end
    lower_rank_q <= rank_q[UpperLatency];
    lower_data_q <= data_q[UpperLatency];
  end

  // ---- the lower queue: elements of tenants -------------------------------------------------

  logic                   lower_ready, lower_valid, lower_full, lower_empty, lower_error;
  op_e                    lower_op;
  status_e                lower_status;
  logic [TenantWidth-1:0] lower_tenant;
  logic [CountWidth-1:0]  lower_occupancy;

  bbq #(
    .Levels    (LowerLevels),
    .Width     (LowerWidth),
    .Entries   (Entries),
    .DataWidth (DataWidth),
    .Partitions(Tenants),
    .Parity    (Parity)
  ) i_lower (
    .clk_i,
    .rst_i,
    .req_valid_i    (valid_q[0] && status_q[0] == StatusDone),
    .req_ready_o    (lower_ready),
    .req_op_i       (op_q[0]),
    .req_partition_i(tenant_q[0]),
    .req_rank_i     (lower_rank_q),
    .req_data_i     (lower_data_q),
    .rsp_valid_o    (lower_valid),
    .rsp_op_o       (lower_op),
    .rsp_status_o   (lower_status),
    .rsp_partition_o(lower_tenant),
    .rsp_rank_o     (rsp_rank_o),
    .rsp_data_o     (rsp_data_o),
    .full_o         (lower_full),
    .empty_o        (lower_empty),
    .occupancy_o    (lower_occupancy),
    .error_o        (lower_error)
  );

  // ---- the answer ---------------------------------------------------------------------------

  assign rsp_valid_o       = valid_q[LowerLatency] && !rst_i;
  assign rsp_op_o          = op_q[LowerLatency];
  assign rsp_status_o      = status_q[LowerLatency];
  assign rsp_tenant_o      = tenant_q[LowerLatency];
  assign rsp_tenant_rank_o = tenant_rank_q[LowerLatency];
  assign error_o           = upper_error || lower_error;

  logic unused;
  assign unused = &{1'b0, upper_partition, lower_ready, lower_op, lower_tenant, lower_full,
                    lower_empty, lower_occupancy};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && valid_q[LowerLatency]) begin
      assert (lower_valid == (status_q[LowerLatency] == StatusDone) &&
              (!lower_valid || lower_status == StatusDone))
        else $error("the two queues hold different elements");
    end
  end
`endif

endmodule
