// Proven of bbq_free_list: a place that is handed out exists and is not out already, for
// every environment that takes only while a place is free, gives back only what is out, does
// one of the two in a cycle, and resets at any time. It follows that no place is lost: all
// Entries places can be out at once. The module's own assertions (none is taken that
// has not yet come out of the memory) are proven with it.
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
  logic [2**AddrWidth-1:0] out_q;  // the places that are out

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

  // How many places were taken and not given back.
  localparam int unsigned CountWidth = $clog2(Entries + 1);
  logic [CountWidth-1:0] taken_q;
  logic                  ever_all_q = 1'b0;

  always_ff @(posedge clk_i) begin
    taken_q    <= rst_i ? '0 : taken_q + CountWidth'(take_i) - CountWidth'(give_i);
    ever_all_q <= (ever_all_q && !rst_i) || (taken_q == CountWidth'(Entries) && started_q);
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
    // All are out, all come back, and one goes out again.
    cover (started_q && taken_q == CountWidth'(Entries));
    cover (ever_all_q && take_i && place == AddrWidth'(Entries - 1));
  end

endmodule
