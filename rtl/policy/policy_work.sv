// The processing that waits in each queue: the sum of `processing` of its packets.
//
// Source: docs/openqueue-semantics.md, section 2, `currProcessing`, and 7.3: while postSchedAct is
// treated, the served packet has no processing left. An arriving packet counts from its first cycle
// on, before the registers include it: `arriving_i` adds it to the values on the ports, and `put_i`
// stores it. One change per cycle, visible in the next one. If no packet has work
// (policy_pkg::ticket_work is 0), synthesis removes the whole module.
//
// Limits: a register and two adders for each queue; SumWidth fits the work of as many packets as a
// queue has slots.
module policy_work
  import policy_pkg::*;
(
  input  logic                              clk_i,
  input  logic                              rst_i,
  input  logic                              arriving_i,
  input  logic [QueueWidth-1:0]             queue_i,       // of the operation
  input  logic [WorkWidth-1:0]              work_i,        // of the arriving packet
  input  logic                              put_i,
  input  logic                              take_i,
  input  logic [QueueWidth-1:0]             take_queue_i,
  input  logic [WorkWidth-1:0]              take_work_i,
  input  logic                              served_i,      // a packet of queue_i is served
  input  logic [WorkWidth-1:0]              served_work_i,
  output logic [Queues-1:0][SumWidth-1:0]   queue_work_o
);

  logic [Queues-1:0][SumWidth-1:0] sum_q, sum_d, own;

  always_comb begin
    own          = sum_q;
    queue_work_o = sum_q;
    for (int unsigned q = 0; q < Queues; q++) begin
      if (queue_i == QueueWidth'(q)) begin
        if (arriving_i) own[q] = sum_q[q] + SumWidth'(work_i);
        queue_work_o[q] = served_i ? sum_q[q] - SumWidth'(served_work_i) : own[q];
      end
    end
  end

  always_comb begin
    sum_d = put_i ? own : sum_q;
    for (int unsigned q = 0; q < Queues; q++) begin
      if (take_i && take_queue_i == QueueWidth'(q)) begin
        sum_d[q] = sum_q[q] - SumWidth'(take_work_i);
      end
    end
  end

  always_ff @(posedge clk_i) sum_q <= rst_i ? '0 : sum_d;

endmodule
