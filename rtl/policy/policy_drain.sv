// The backlog under one of two policies, as the other one sees it: its ports, its total, and the
// part that counts in the other policy's queues and buffers.
//
// Source: docs/openqueue-semantics.md, 8.3, drain: packets that wait count in the queue of the same
// name, if there is one, and in its buffer. They count in the unit of that queue and of that
// buffer. One change per cycle, visible in the next one.
//
// Limits: a register and an adder for each port, and for each queue and buffer of the other policy.
module policy_drain #(
  parameter int unsigned Queues       = 1,
  parameter int unsigned Ports        = 1,
  parameter int unsigned PeerQueues   = 1,
  parameter int unsigned PeerBuffers  = 1,
  parameter int unsigned QueueWidth   = 1,
  parameter int unsigned PortWidth    = 1,
  parameter int unsigned SizeWidth    = 1,
  parameter int unsigned PacketsWidth = 1,
  parameter int unsigned PeerWidth    = 1,  // of the other policy's queues,
  parameter int unsigned BufferWidth  = 1,  // of its buffers,
  parameter int unsigned CountWidth   = 1,  // and of their occupancies
  // For each queue: its port, whether the other policy has a queue of its name, and which.
  parameter logic [Queues-1:0][PortWidth-1:0]       PortOf        = '0,
  parameter logic [Queues-1:0]                      Shared        = '0,
  parameter logic [Queues-1:0][PeerWidth-1:0]       QueueTo       = '0,
  // As in the other policy's package.
  parameter logic [PeerQueues-1:0]                  Buffered      = '0,
  parameter logic [PeerQueues-1:0][BufferWidth-1:0] BufferOf      = '0,
  parameter logic [PeerQueues-1:0]                  QueueInBytes  = '0,
  parameter logic [PeerBuffers-1:0]                 BufferInBytes = '0
) (
  input  logic                                   clk_i,
  input  logic                                   rst_i,
  input  logic                                   put_i,
  input  logic [QueueWidth-1:0]                  put_queue_i,
  input  logic [SizeWidth-1:0]                   put_size_i,
  input  logic                                   take_i,
  input  logic [QueueWidth-1:0]                  take_queue_i,
  input  logic [SizeWidth-1:0]                   take_size_i,
  output logic [PacketsWidth-1:0]                packets_o,
  output logic [Ports-1:0]                       waits_o,
  output logic [PeerQueues-1:0][CountWidth-1:0]  queue_o,
  output logic [PeerBuffers-1:0][CountWidth-1:0] buffer_o
);

  logic [PacketsWidth-1:0]                packets_q;
  logic [Ports-1:0][PacketsWidth-1:0]     port_q;
  logic [PeerQueues-1:0][CountWidth-1:0]  queue_q;
  logic [PeerBuffers-1:0][CountWidth-1:0] buffer_q;

  // At most one of both is in a cycle.
  logic                   change, shared;
  logic [QueueWidth-1:0]  changed;
  logic [SizeWidth-1:0]   size;
  logic [PortWidth-1:0]   port;
  logic [PeerWidth-1:0]   to;
  logic [BufferWidth-1:0] buffer;

  assign change  = put_i || take_i;
  assign changed = take_i ? take_queue_i : put_queue_i;
  assign size    = take_i ? take_size_i : put_size_i;
  assign port    = PortOf[changed];
  assign shared  = change && Shared[changed];
  assign to      = QueueTo[changed];
  assign buffer  = BufferOf[to];

  function automatic logic [CountWidth-1:0] amount(logic in_bytes);
    return in_bytes ? CountWidth'(size) : CountWidth'(1);
  endfunction

  always_ff @(posedge clk_i) begin
    if (change) packets_q <= take_i ? packets_q - 1'b1 : packets_q + 1'b1;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (change && port == PortWidth'(p)) begin
        port_q[p] <= take_i ? port_q[p] - 1'b1 : port_q[p] + 1'b1;
      end
    end
    for (int unsigned q = 0; q < PeerQueues; q++) begin
      if (shared && to == PeerWidth'(q)) begin
        queue_q[q] <= take_i ? queue_q[q] - amount(QueueInBytes[q])
                             : queue_q[q] + amount(QueueInBytes[q]);
      end
    end
    for (int unsigned b = 0; b < PeerBuffers; b++) begin
      if (shared && Buffered[to] && buffer == BufferWidth'(b)) begin
        buffer_q[b] <= take_i ? buffer_q[b] - amount(BufferInBytes[b])
                              : buffer_q[b] + amount(BufferInBytes[b]);
      end
    end
    if (rst_i) begin
      packets_q <= '0;
      port_q    <= '0;
      queue_q   <= '0;
      buffer_q  <= '0;
    end
  end

  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) waits_o[p] = port_q[p] != '0;
  end

  assign packets_o = packets_q;
  assign queue_o   = queue_q;
  assign buffer_o  = buffer_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      assert (!(put_i && take_i)) else $error("policy_drain: two changes in a cycle");
      if (take_i) assert (packets_q != '0) else $error("policy_drain: fewer than none");
    end
  end
`endif

endmodule
