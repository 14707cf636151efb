// pHeap: a binary heap that is filled from the top and has one memory per level, so it is
// pipelined.
//
// Source: Bhagwan and Lin: Fast and scalable priority queue architecture for high-speed
// network switches, INFOCOM 2000. Written from published descriptions; README.md has the
// choices made here.
//
// Throughput: one operation of any kind every two cycles. Latency: 2 cycles. Entries:
// any. A heap has 2^Levels - 1 slots; any other number of entries leaves slots unused.
//
// Limits: the lowest end only; one partition. Equal ranks leave in any order, as
// published, unless StampWidth > 0. Then they leave in order of arrival, as long as no
// element stays while 2^(StampWidth - 1) others are enqueued.
module pheap
  import forebay_queue_pkg::*;
#(
  parameter int unsigned Entries    = 127,
  parameter int unsigned RankWidth  = 9,
  parameter int unsigned DataWidth  = 17,
  parameter int unsigned StampWidth = 0,
  parameter int unsigned Partitions = 1,
  parameter bit          Parity     = 1'b0,
  localparam int unsigned PartitionWidth = Partitions > 1 ? $clog2(Partitions) : 1,
  localparam int unsigned OccupancyWidth = $clog2(Entries + 1)
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic                      req_valid_i,
  output logic                      req_ready_o,
  input  op_e                       req_op_i,
  input  logic [PartitionWidth-1:0] req_partition_i,
  input  logic [RankWidth-1:0]      req_rank_i,
  input  logic [DataWidth-1:0]      req_data_i,
  output logic                      rsp_valid_o,
  output op_e                       rsp_op_o,
  output logic [PartitionWidth-1:0] rsp_partition_o,
  output status_e                   rsp_status_o,
  output logic [RankWidth-1:0]      rsp_rank_o,
  output logic [DataWidth-1:0]      rsp_data_o,
  output logic                      full_o,
  output logic                      empty_o,
  output logic [OccupancyWidth-1:0] occupancy_o,
  output logic                      error_o
);

  if (Partitions != 1) begin : gen_no_partitions
    $error("a pHeap has no partitions");
  end
  logic                            push, pop;
  logic [RankWidth+StampWidth-1:0] key;
  logic [DataWidth-1:0]            data, lowest_data;
  logic [RankWidth-1:0]            lowest_rank;

  tree_front #(
    .Entries   (Entries),
    .RankWidth (RankWidth),
    .StampWidth(StampWidth),
    .DataWidth (DataWidth),
    .EveryOther(1'b1)
  ) u_front (
    .clk_i,
    .rst_i,
    .req_valid_i,
    .req_ready_o,
    .req_op_i,
    .req_partition_i,
    .req_rank_i,
    .req_data_i,
    .rsp_valid_o,
    .rsp_op_o,
    .rsp_partition_o,
    .rsp_status_o,
    .rsp_rank_o,
    .rsp_data_o,
    .full_o,
    .empty_o,
    .occupancy_o,
    .push_o       (push),
    .pop_o        (pop),
    .key_o        (key),
    .data_o       (data),
    .lowest_rank_i(lowest_rank),
    .lowest_data_i(lowest_data)
  );

  sorting_tree #(
    .Order     (2),
    .RootOrder (1),
    .Levels    ($clog2(Entries + 1)),
    .RankWidth (RankWidth),
    .StampWidth(StampWidth),
    .DataWidth (DataWidth),
    .FillLeft  (1'b1),
    .EveryOther(1'b1),
    .Parity    (Parity)
  ) u_tree (
    .clk_i,
    .rst_i,
    .push_i       (push),
    .pop_i        (pop),
    .key_i        (key),
    .data_i       (data),
    .lowest_rank_o(lowest_rank),
    .lowest_data_o(lowest_data),
    .error_o
  );

endmodule
