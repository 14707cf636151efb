// The slots without an element.
//
// In each cycle one slot can be taken, or one returned; a returned slot can be taken in
// the next cycle. No initialisation is needed, since a counter hands out the slots that
// were never used. So reset may occur at any time.
//
// Four returned slots are in registers, since a memory takes three cycles to deliver one.
// All others are in a stack in the memory. Four are enough. While the memory has any, at
// least three are in the registers or on their way (held_q). A take from four fetches one
// in the next cycle, and a take from three fetches one at the same time. At most two of
// them are on their way, so one can be taken.
module bbq_free_list #(
  parameter int unsigned Entries = 16,
  parameter bit          Parity  = 1'b0,
  localparam int unsigned AddrWidth = Entries > 1 ? $clog2(Entries) : 1
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic                 take_i,
  output logic [AddrWidth-1:0] place_o,    // the slot that take_i takes
  input  logic                 give_i,
  input  logic [AddrWidth-1:0] place_i,
  output logic                 error_o
);

  // ---- slots never used ---------------------------------------------------------------

  logic [AddrWidth-1:0] unused_q;
  logic                 used_up_q, take_ready;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      unused_q  <= '0;
      used_up_q <= 1'b0;
    end else if (take_i && !used_up_q) begin
      unused_q  <= unused_q + 1'b1;
      used_up_q <= unused_q == AddrWidth'(Entries - 1);
    end
  end

  // ---- returned slots: four in registers ----------------------------------------------

  logic [AddrWidth-1:0] ready_q [4];
  logic [1:0]           first_q, last_q;      // next to be taken, and next to be written
  logic [2:0]           held_q, held_d;       // in registers or on their way there
  logic                 fetch, fetch_q, arrives_q;
  logic                 give_ready, spill;
  logic [AddrWidth-1:0] fetched;
  logic [AddrWidth-1:0] stored_q, stored_d;   // number in the memory
  logic                 some_q;               // the memory has any
  logic                 ram_error;

  assign place_o    = used_up_q ? ready_q[first_q] : unused_q;
  assign take_ready = take_i && used_up_q;

  assign give_ready = give_i && !held_q[2];
  assign spill      = give_i && held_q[2];
  assign fetch      = !held_q[2] && !give_i && some_q;
  assign held_d     = held_q + 3'(give_ready || fetch) - 3'(take_ready);

  // One slot may be returned and one may arrive in the same cycle, so that both can be
  // taken in the next two cycles.
  always_ff @(posedge clk_i) begin
    for (int unsigned r = 0; r < 4; r++) begin
      if (give_ready && last_q == 2'(r)) ready_q[r] <= place_i;
      else if (arrives_q && last_q + 2'(give_ready) == 2'(r)) ready_q[r] <= fetched;
    end
    last_q    <= last_q + 2'(give_ready) + 2'(arrives_q);
    first_q   <= first_q + 2'(take_ready);
    held_q    <= held_d;
    fetch_q   <= fetch;
    arrives_q <= fetch_q;
    if (rst_i) begin
      last_q    <= '0;
      first_q   <= '0;
      held_q    <= '0;
      fetch_q   <= 1'b0;
      arrives_q <= 1'b0;
    end
  end

  // ---- all others in a stack in memory, the first at 1 --------------------------------

  assign stored_d = stored_q + ({AddrWidth{fetch}} | AddrWidth'(spill));

  always_ff @(posedge clk_i) begin
    stored_q <= stored_d;
    some_q   <= spill || (fetch ? stored_q != AddrWidth'(1) : some_q);
    if (rst_i) begin
      stored_q <= '0;
      some_q   <= 1'b0;
    end
  end

  ram_1r1w #(
    .Depth (Entries),
    .Width (AddrWidth),
    .Parity(Parity)
  ) i_ram (
    .clk_i,
    .write_i(spill),
    .waddr_i(stored_d),
    .wdata_i(place_i),
    .read_i (fetch),
    .raddr_i(stored_q),
    .blank_i(1'b0),
    .rdata_o(fetched),
    .error_o(ram_error)
  );

  assign error_o = ram_error && arrives_q;

`ifndef SYNTHESIS
  // A slot that is not in a register is on its way: fetch_q and arrives_q.
  logic [2:0] ready_now;
  assign ready_now = held_q - 3'(fetch_q) - 3'(arrives_q);
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      assert (!(take_i && give_i)) else $error("a place is taken and given back at once");
      assert (!take_ready || ready_now != '0) else $error("no place is ready to be taken");
    end
    cover (take_i && !used_up_q);
    cover (take_ready);
    cover (take_ready && ready_now == 3'd1);
    cover (spill);
    cover (fetch);
    cover (give_ready && arrives_q);
  end
`endif

endmodule
