// BMW-Tree, register form: a balanced multi-way sorting tree whose nodes are in registers
// and work autonomously (R-BMW).
//
// Source: Yao et al.: BMW Tree: Large-scale, high-throughput and modular PIFO implementation using
// balanced multi-way sorting tree, SIGCOMM'23. Written from published descriptions; README.md has
// the choices made here.
//
// Throughput: every operation takes one cycle, except that the second of two dequeues in
// consecutive cycles waits for one. Latency: 3 cycles, with or without that wait. Entries: any. A
// tree has Order + Order^2 + ... + Order^Levels slots; any other number of entries leaves slots
// unused.
//
// Limits: the lowest end only; one partition; no memories, so Parity has no effect. Equal ranks
// leave in any order, as published, unless StampWidth > 0. Then they leave in order of arrival, as
// long as no element stays while 2^(StampWidth - 1) others are enqueued.
module bmw_tree_reg
  import forebay_queue_pkg::*;
#(
  parameter int unsigned Entries    = 84,
  parameter int unsigned RankWidth  = 9,
  parameter int unsigned DataWidth  = 17,
  parameter int unsigned Order      = 4,
  parameter int unsigned StampWidth = 0,
  parameter int unsigned Partitions = 1,
  /* verilator lint_off UNUSEDPARAM */
  parameter bit          Parity     = 1'b0,
  /* verilator lint_on UNUSEDPARAM */
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
    $error("a BMW-Tree has no partitions");
  end
  if (Order < 2) begin : gen_no_tree
    $error("a BMW-Tree has Order 2 or more");
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
    .HoldPops  (1'b1)
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

  // Number of nodes before a level. Nodes are numbered level by level, from left to right, so the
  // node below element e of node n is node n Order + 1 + e.
  function automatic int unsigned first(int unsigned level);
    int unsigned sum;
    sum = 0;
    for (int unsigned l = 0; l < level; l++) sum = 1 + Order * sum;
    return sum;
  endfunction

  // The orders to each node, and its lowest key for its parent. Below the last level there are no
  // nodes.
  localparam int unsigned KeyWidth = RankWidth + StampWidth;
  localparam int unsigned Levels   = bmw_tree_pkg::levels(Order, Entries);
  localparam int unsigned Nodes    = first(Levels);
  localparam int unsigned Below    = first(Levels + 1);

  /* verilator lint_off UNUSEDSIGNAL */
  logic [Below-1:0]                node_valid;
  logic [Below-1:0][KeyWidth-1:0]  lowest_key;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Below-1:0][DataWidth-1:0] lowest_below;
  logic [Nodes-1:0]                down_pop;
  logic [Nodes-1:0][KeyWidth-1:0]  down_key;
  logic [Nodes-1:0][DataWidth-1:0] down_data;

  assign node_valid[0] = push || pop;
  assign lowest_rank   = lowest_key[0][KeyWidth-1:StampWidth];
  assign lowest_data   = lowest_below[0];
  assign error_o       = 1'b0;

  for (genvar n = Nodes; n < Below; n++) begin : gen_below
    assign lowest_key[n]   = '0;
    assign lowest_below[n] = '0;
  end

  for (genvar l = 0; l < Levels; l++) begin : gen_level
    for (genvar n = first(l); n < first(l + 1); n++) begin : gen_node
      localparam int unsigned Parent = n == 0 ? 0 : (n - 1) / Order;
      localparam int unsigned Child  = n * Order + 1;

      bmw_node_reg #(
        .Order     (Order),
        .Places    (first(Levels - l)),
        .RankWidth (RankWidth),
        .StampWidth(StampWidth),
        .DataWidth (DataWidth)
      ) u_node (
        .clk_i,
        .rst_i,
        .valid_i      (node_valid[n]),
        .pop_i        (n == 0 ? pop : down_pop[Parent]),
        .key_i        (n == 0 ? key : down_key[Parent]),
        .data_i       (n == 0 ? data : down_data[Parent]),
        .lowest_key_o (lowest_key[n]),
        .lowest_data_o(lowest_below[n]),
        .valid_o      (node_valid[Child+:Order]),
        .pop_o        (down_pop[n]),
        .key_o        (down_key[n]),
        .data_o       (down_data[n]),
        .below_key_i  (lowest_key[Child+:Order]),
        .below_data_i (lowest_below[Child+:Order])
      );
    end
  end

endmodule
