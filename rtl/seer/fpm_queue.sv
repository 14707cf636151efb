// The notifications (FPMs) of one priority class that wait to be sent: a FIFO, and sums from which
// follows how long their packets will still wait.
//
// Source: Seer (NSDI 2024), section 3.1. Every enqueued packet adds its time on the link to a sum
// that never decreases, and its FPM keeps the sum behind it (its tail). Every packet that leaves
// adds its time to another sum. So the backlog of this class up to and with a packet is its tail
// less the second sum. The whole backlog is the difference of the sums.
//
// All takes effect in the next cycle. `put_i`: a packet is enqueued; `store_i`: and has an FPM.
// `left_i`: the first packet begins to leave. If its FPM is still here, it is dropped and `stale_o`
// is 1 in that cycle. `take_i`: the first FPM is sent; not in a cycle of `left_i`.
//
// Limits: packets take a tick or more, and no FPM is stored into a full queue.
module fpm_queue #(
  parameter int unsigned Entries   = 256,
  parameter int unsigned IdWidth   = 17,
  parameter int unsigned SizeWidth = 11,
  parameter int unsigned TickWidth = 11,
  parameter int unsigned TimeWidth = 32
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic                 put_i,
  input  logic                 store_i,
  input  logic [IdWidth-1:0]   put_id_i,
  input  logic [SizeWidth-1:0] put_size_i,
  input  logic [TickWidth-1:0] put_ticks_i,
  input  logic                 left_i,
  input  logic [TickWidth-1:0] left_ticks_i,
  output logic                 stale_o,
  input  logic                 take_i,
  output logic                 some_o,       // an FPM waits
  output logic [IdWidth-1:0]   first_id_o,
  output logic [SizeWidth-1:0] first_size_o,
  output logic [TimeWidth-1:0] first_wait_o, // of its packet, in this class
  output logic [TimeWidth-1:0] backlog_o     // of all packets of this class
);

  localparam int unsigned AddrWidth  = Entries > 1 ? $clog2(Entries) : 1;

  typedef struct packed {
    logic [IdWidth-1:0]   id;
    logic [SizeWidth-1:0] size;
    logic [TimeWidth-1:0] tail;
  } fpm_t;

  fpm_t                 put, first;
  logic [TimeWidth-1:0] came_q, came, left_q, left;
  logic [AddrWidth-1:0] head_q, tail_q;
  logic                 some_q, last, takes;

  assign came = came_q + TimeWidth'(put_ticks_i);
  assign left = left_q + TimeWidth'(left_ticks_i);
  assign put  = {put_id_i, put_size_i, came};

  lookup_ram #(
    .Depth(Entries),
    .Width($bits(fpm_t))
  ) i_fpms (
    .clk_i,
    .write_i(put_i && store_i),
    .waddr_i(tail_q),
    .wdata_i(put),
    .raddr_i(head_q),
    .rdata_o(first)
  );

  function automatic logic [AddrWidth-1:0] after(input logic [AddrWidth-1:0] place);
    return place == AddrWidth'(Entries - 1) ? '0 : place + 1'b1;
  endfunction

  // The departing packet is the packet of the first FPM.
  assign stale_o = left_i && some_q && first.tail == left;
  assign takes   = take_i || stale_o;
  assign last    = after(head_q) == tail_q;

  always_ff @(posedge clk_i) begin
    if (put_i) came_q <= came;
    if (left_i) left_q <= left;
    if (put_i && store_i) tail_q <= after(tail_q);
    if (takes) head_q <= after(head_q);
    if (put_i && store_i) some_q <= 1'b1;
    else if (takes && last) some_q <= 1'b0;
    if (rst_i) begin
      {came_q, left_q} <= '0;
      {head_q, tail_q} <= '0;
      some_q           <= 1'b0;
    end
  end

  assign some_o       = some_q;
  assign first_id_o   = first.id;
  assign first_size_o = first.size;
  assign first_wait_o = first.tail - left_q;
  assign backlog_o    = came_q - left_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      assert (!take_i || (some_q && !left_i)) else $error("an FPM is taken that is not there");
      assert (!(put_i && store_i && some_q && head_q == tail_q))
        else $error("an FPM is stored into a full queue");
      assert (!left_i || left_ticks_i != '0) else $error("a packet without length leaves");
    end
  end
`endif

endmodule
