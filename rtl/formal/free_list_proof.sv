// Proof of bbq_free_list: a slot that is handed out exists and is not in use. The environment takes
// a slot only while one is free, and returns only slots in use. It does at most one of the two in a
// cycle, and resets at any time. It follows that no slot is lost: all Entries slots can be in use
// at once. The module's own assertions (no slot is taken before it has arrived from the memory) are
// proven with it. The invariant at the end makes the proof inductive, so it holds for traces of any
// length.
module free_list_proof #(
  parameter int unsigned Entries = 6,
  parameter bit          Parity  = 1'b0,
  localparam int unsigned AddrWidth = $clog2(Entries)
) (
  input logic                 clk_i,
  input logic                 rst_i,
  input logic                 take_i,
  input logic                 give_i,
  input logic [AddrWidth-1:0] place_i
);

  logic                 started_q = 1'b0;
  logic                 wrong;
  logic [AddrWidth-1:0] place;
  logic [2**AddrWidth-1:0] out_q;  // the slots in use

  bbq_free_list #(
    .Entries(Entries),
    .Parity (Parity)
  ) dut (
    .clk_i,
    .rst_i,
    .take_i,
    .place_o(place),
    .give_i,
    .place_i,
    .error_o(wrong)
  );

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (take_i) out_q[place] <= 1'b1;
    if (give_i) out_q[place_i] <= 1'b0;
    if (rst_i) out_q <= '0;
  end

  // Slots that were taken and not returned.
  localparam int unsigned CountWidth = $clog2(Entries + 1);
  logic [CountWidth-1:0] taken_q;
  logic                  all_q = 1'b0, back_q = 1'b0;  // all were in use; and then none was

  always_ff @(posedge clk_i) begin
    taken_q    <= rst_i ? '0 : taken_q + CountWidth'(take_i) - CountWidth'(give_i);
    all_q      <= started_q && !rst_i && (all_q || taken_q == CountWidth'(Entries));
    back_q     <= !rst_i && (back_q || (all_q && taken_q == '0));
  end

  always_comb begin
    if (!started_q) assume (rst_i);
    if (rst_i) assume (!take_i && !give_i);
    assume (!(take_i && give_i));
    if (take_i) assume (taken_q < CountWidth'(Entries));
    if (give_i) assume (out_q[place_i]);
  end

  always_comb begin
    if (started_q && take_i) assert (32'(place) < Entries);
    if (started_q && take_i) assert (!out_q[place]);
    if (started_q && !rst_i) assert (!wrong);
    // All slots are taken, all are returned, and all are taken again.
    cover (started_q && taken_q == CountWidth'(Entries));
    cover (back_q && taken_q == CountWidth'(Entries));
  end

  // ---- the invariant: every slot is in exactly one of these ------------------------------------

  localparam int unsigned Places = 2 ** AddrWidth;  // including slots that don't exist
  logic [2:0]             ready;                      // number in registers
  logic [Places-1:0][4:0] copies;

  assign ready = dut.held_q - 3'(dut.fetch_q) - 3'(dut.arrives_q);

  for (genvar p = 0; p < Places; p++) begin : gen_place
    always_comb begin
      copies[p] = 5'(out_q[p]) + 5'(!dut.used_up_q && p >= 32'(dut.unused_q) && p < Entries);
      for (int unsigned r = 0; r < 4; r++) begin
        copies[p] += 5'(r < 32'(ready) && 32'(dut.ready_q[dut.first_q+2'(r)]) == p);
      end
      // On its way from the memory to the registers.
      copies[p] += 5'(dut.fetch_q && 32'(AddrWidth'(dut.i_ram.array_q)) == p);
      copies[p] += 5'(dut.arrives_q && 32'(dut.fetched) == p);
      for (int unsigned i = 1; i < Entries; i++) begin
        copies[p] += 5'(i <= 32'(dut.stored_q) && 32'(AddrWidth'(dut.i_ram.mem[i])) == p);
      end
    end

    always_comb begin
      if (started_q) assert (copies[p] == (p < Entries ? 5'd1 : 5'd0));
    end
  end

  // The number of slots of each kind.
  logic [AddrWidth:0] unused_places, out_places;
  assign unused_places = dut.used_up_q ? '0 :
                         (AddrWidth + 1)'(Entries) - (AddrWidth + 1)'(dut.unused_q);

  always_comb begin
    out_places = '0;
    for (int unsigned p = 0; p < Places; p++) out_places += (AddrWidth + 1)'(out_q[p]);
  end

  always_comb begin
    if (started_q) begin
      assert (32'(taken_q) == 32'(out_places));
      assert (32'(taken_q) + 32'(unused_places) + 32'(dut.held_q) + 32'(dut.stored_q) == Entries);
      assert (dut.used_up_q || 32'(dut.unused_q) < Entries);
      assert (dut.last_q == dut.first_q + 2'(ready));
      assert (dut.held_q <= 3'd4);
      assert (dut.some_q == (dut.stored_q != '0));
      // A slot is ready whenever one is free, since the memory is read while three are held.
      assert (dut.stored_q == '0 || dut.held_q >= 3'd3);
      assert (!dut.fetch_q || dut.held_q >= 3'd3);
      assert (!dut.arrives_q || dut.held_q >= 3'd2);
    end
  end

endmodule
