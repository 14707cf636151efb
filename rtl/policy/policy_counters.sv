// Counts the events of the packets of each queue since reset: 32-bit counters that wrap around.
//
// One event of each kind per cycle, counted in the next one; counters are read in the same cycle.
//
// Limits: registers, eight words for each queue.
module policy_counters
  import policy_pkg::*;
  import policy_core_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  count_t                count_i,
  input  logic [1:0]            served_marks_i,  // marks given to a packet as it left
  input  logic [QueueWidth-1:0] served_queue_i,
  input  logic [QueueWidth-1:0] read_queue_i,
  input  word_e                 read_word_i,
  output logic [31:0]           read_o,
  output logic [31:0]           unclassified_o
);

  // From WordArrived to WordNotified.
  logic [Queues-1:0][7:0][31:0] word_q, word_d;
  logic [Queues-1:0][7:0][1:0]  more;
  logic [31:0]                  unclassified_q;

  always_comb begin
    word_d = word_q;
    for (int unsigned q = 0; q < Queues; q++) begin
      more[q] = '0;
      if (count_i.queue_index == QueueWidth'(q)) begin
        more[q][3'(WordArrived)]  = {1'b0, count_i.arrived};
        more[q][3'(WordMarked)]   = {1'b0, count_i.marked};
        more[q][3'(WordNotified)] = {1'b0, count_i.notified};
      end
      if (served_queue_i == QueueWidth'(q)) begin
        more[q][3'(WordMarked)]   = more[q][3'(WordMarked)] + {1'b0, served_marks_i[0]};
        more[q][3'(WordNotified)] = more[q][3'(WordNotified)] + {1'b0, served_marks_i[1]};
      end
      if (count_i.from == QueueWidth'(q)) begin
        more[q][3'(WordSent)] = {1'b0, count_i.sent};
        unique case (count_i.rule)
          RuleQueue:    more[q][3'(WordQueue)]    = {1'b0, count_i.dropped};
          RuleBuffer:   more[q][3'(WordBuffer)]   = {1'b0, count_i.dropped};
          RuleOverflow: more[q][3'(WordOverflow)] = {1'b0, count_i.dropped};
          RuleSlots:    more[q][3'(WordSlots)]    = {1'b0, count_i.dropped};
          default: ;
        endcase
      end
      for (int unsigned w = 0; w < 8; w++) word_d[q][w] = word_q[q][w] + 32'(more[q][w]);
    end
  end

  always_ff @(posedge clk_i) begin
    word_q <= word_d;
    if (count_i.dropped && count_i.rule == RuleUnclassified) begin
      unclassified_q <= unclassified_q + 1'b1;
    end
    if (rst_i) begin
      // Each word by itself here and above: Verilator reports a constant of more than 8,192 bits as
      // an error.
      for (int unsigned q = 0; q < Queues; q++) begin
        for (int unsigned w = 0; w < 8; w++) word_q[q][w] <= '0;
      end
      unclassified_q <= '0;
    end
  end

  assign read_o         = word_q[read_queue_i][read_word_i[2:0]];
  assign unclassified_o = unclassified_q;

  // The words above those are not counters.
  logic unused;
  assign unused = read_word_i[3];

endmodule
