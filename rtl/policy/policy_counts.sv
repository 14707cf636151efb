// The occupancy of each queue and buffer: in packets, and in the unit of the object's size.
//
// Source: docs/openqueue-semantics.md, 1.4, 6.1 and 6.8. An arriving packet counts from its first
// cycle on, before the registers include it: `arriving_i` adds it to the values on the ports, and
// `put_i` stores it. One change per cycle, visible in the next one. Packets that wait under another
// policy and count here (8.3) are on `queue_held_i` and `buffer_held_i`.
//
// Limits: registers and an adder for each object.
module policy_counts
  import policy_pkg::*;
(
  input  logic                                  clk_i,
  input  logic                                  rst_i,
  input  logic                                  arriving_i,
  input  logic [QueueWidth-1:0]                 queue_i,      // of the operation
  input  logic [SizeWidth-1:0]                  size_i,       // of the arriving packet
  input  logic                                  put_i,
  input  logic                                  take_i,
  input  logic [QueueWidth-1:0]                 take_queue_i,
  input  logic [SizeWidth-1:0]                  take_size_i,
  input  logic [Queues-1:0][CountWidth-1:0]     queue_held_i,
  input  logic [Buffers-1:0][CountWidth-1:0]    buffer_held_i,
  output logic [Queues-1:0][PacketsWidth-1:0]   packets_o,
  output logic [Queues-1:0]                     some_o,       // packets are in the queue
  output logic [Queues-1:0][CountWidth-1:0]     queue_count_o,
  output logic [Buffers-1:0][CountWidth-1:0]    buffer_count_o,
  output logic                                  no_place_o,   // for one more in queue_i
  output logic                                  overflows_o   // queue_i or its buffer
);

  logic [Queues-1:0][PacketsWidth-1:0] packets_q, packets_d;
  logic [Queues-1:0][CountWidth-1:0]   queue_q, queue_d, queue_own;
  logic [Buffers-1:0][CountWidth-1:0]  buffer_q, buffer_d, buffer_own;
  logic [BufferWidth-1:0]              buffer, take_buffer;
  logic                                in_buffer, from_buffer;

  function automatic logic [CountWidth-1:0] amount(logic in_bytes, logic [SizeWidth-1:0] size);
    return in_bytes ? CountWidth'(size) : CountWidth'(1);
  endfunction

  assign buffer      = BufferOf[queue_i];
  assign in_buffer   = Buffered[queue_i];
  assign take_buffer = BufferOf[take_queue_i];
  assign from_buffer = Buffered[take_queue_i];

  always_comb begin
    packets_o  = packets_q;
    queue_own  = queue_q;
    buffer_own = buffer_q;
    for (int unsigned q = 0; q < Queues; q++) begin
      if (arriving_i && queue_i == QueueWidth'(q)) begin
        packets_o[q] = packets_q[q] + 1'b1;
        queue_own[q] = queue_q[q] + amount(QueueInBytes[q], size_i);
      end
      some_o[q]        = packets_o[q] != '0;
      queue_count_o[q] = queue_own[q] + queue_held_i[q];
    end
    for (int unsigned b = 0; b < Buffers; b++) begin
      if (arriving_i && in_buffer && buffer == BufferWidth'(b)) begin
        buffer_own[b] = buffer_q[b] + amount(BufferInBytes[b], size_i);
      end
      buffer_count_o[b] = buffer_own[b] + buffer_held_i[b];
    end
  end

  assign no_place_o  = packets_q[queue_i] >= QueuePlaces[queue_i];
  assign overflows_o = queue_count_o[queue_i] > QueueSize[queue_i] ||
                       (in_buffer && buffer_count_o[buffer] > BufferSize[buffer]);

  always_comb begin
    packets_d = put_i ? packets_o : packets_q;
    queue_d   = put_i ? queue_own : queue_q;
    buffer_d  = put_i ? buffer_own : buffer_q;
    for (int unsigned q = 0; q < Queues; q++) begin
      if (take_i && take_queue_i == QueueWidth'(q)) begin
        packets_d[q] = packets_q[q] - 1'b1;
        queue_d[q]   = queue_q[q] - amount(QueueInBytes[q], take_size_i);
      end
    end
    for (int unsigned b = 0; b < Buffers; b++) begin
      if (take_i && from_buffer && take_buffer == BufferWidth'(b)) begin
        buffer_d[b] = buffer_q[b] - amount(BufferInBytes[b], take_size_i);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    packets_q <= rst_i ? '0 : packets_d;
    queue_q   <= rst_i ? '0 : queue_d;
    buffer_q  <= rst_i ? '0 : buffer_d;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      assert (!(put_i && take_i)) else $error("policy_counts: two changes in a cycle");
      if (put_i) assert (arriving_i) else $error("policy_counts: kept what did not arrive");
      if (take_i) begin
        assert (packets_q[take_queue_i] != '0) else $error("policy_counts: fewer than none");
      end
    end
  end
`endif

endmodule
