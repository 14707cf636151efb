// Decides the answer of an operation in the cycle in which the operation is accepted. The
// pipeline behind gets only operations that will succeed.
//
// The module counts the elements of the whole queue and of each partition. So full and
// empty are exact for back-to-back operations of every kind. Each partition costs a
// counter, which is read in the same cycle: registers, or small memories of lookup tables
// where a device has them.
module bbq_admission
  import forebay_queue_pkg::*;
#(
  parameter int unsigned Entries    = 16,
  parameter int unsigned Partitions = 1,
  parameter int unsigned Ranks      = 16,   // of each partition
  parameter int unsigned RankWidth  = 4,
  localparam int unsigned CountWidth     = $clog2(Entries + 1),
  localparam int unsigned PartitionWidth = Partitions > 1 ? $clog2(Partitions) : 1
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic                      valid_i,
  input  op_e                       op_i,
  input  logic [PartitionWidth-1:0] partition_i,
  input  logic [RankWidth-1:0]      rank_i,
  output status_e                   status_o,
  output logic                      full_o,
  output logic                      empty_o,
  output logic [CountWidth-1:0]     occupancy_o
);

  logic enqueue, dequeue, known, in_range, put, take, nothing;

  assign enqueue  = op_i == OpEnqueue;
  assign dequeue  = op_i == OpDequeueMin || op_i == OpDequeueMax;
  assign known    = enqueue || dequeue || op_i == OpPeekMin || op_i == OpPeekMax;
  assign in_range = 32'(partition_i) < Partitions && (!enqueue || 64'(rank_i) < 64'(Ranks));

  always_comb begin
    if (!known)                  status_o = StatusUnsupported;
    else if (!in_range)          status_o = StatusOutOfRange;
    else if (enqueue && full_o)  status_o = StatusFull;
    else if (!enqueue && nothing) status_o = StatusEmpty;
    else                         status_o = StatusDone;
  end

  assign put  = valid_i && enqueue && in_range && !full_o;
  assign take = valid_i && dequeue && in_range && !nothing;

  // ---- the whole queue ------------------------------------------------------------------

  occupancy_counter #(
    .Entries(Entries)
  ) i_occupancy (
    .clk_i,
    .rst_i,
    .put_i (put),
    .take_i(take),
    .full_o,
    .empty_o,
    .occupancy_o
  );

  // ---- each partition -------------------------------------------------------------------

  if (Partitions == 1) begin : gen_whole
    assign nothing = empty_o;
  end else begin : gen_partitions
    // The count of a partition is undefined until the partition has held an element. Its
    // waterlevel bit, "two or more", tells without a wide compare whether elements stay.
    logic [Partitions-1:0] some_q;
    logic [CountWidth:0]   count_before, count_after;
    logic                  some, two;
    logic [CountWidth-1:0] held;

    assign some         = some_q[partition_i];
    assign {two, held}  = some ? count_before : '0;
    assign nothing      = !some;

    always_comb begin
      if (enqueue) count_after = {some, held + 1'b1};
      else         count_after = {two && held != CountWidth'(2), held - 1'b1};
    end

    lookup_ram #(
      .Depth(Partitions),
      .Width(CountWidth + 1)
    ) i_counts (
      .clk_i,
      .write_i(put || take),
      .waddr_i(partition_i),
      .wdata_i(count_after),
      .raddr_i(partition_i),
      .rdata_o(count_before)
    );

    always_ff @(posedge clk_i) begin
      if (put) some_q[partition_i] <= 1'b1;
      else if (take) some_q[partition_i] <= two;
      if (rst_i) some_q <= '0;
    end
  end

endmodule
