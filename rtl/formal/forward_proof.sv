// Proof of bbq_forward. Each operation has in cycle D the word that the operations before it have
// left at its address, for every sequence of operations. This holds for any initial contents of the
// memory, and for any data of a read that meets a write. One arbitrary address is followed, which
// stands for all of them.
//
// The caller is free except for its duties. The flags of equal addresses are right. An operation
// that doesn't write leaves the word as it is, and its word was written before. blank_r1_i is set
// only for a word that was never written or is zero. Late bits are any bits, in D + 1, in D + 2 or
// both.
module forward_proof
  import bbq_pkg::Window;
#(
  parameter int unsigned Depth = 4,
  parameter int unsigned Width = 2,
  localparam int unsigned AddrWidth = $clog2(Depth)
) (
  input logic                 clk_i,
  input logic                 read_i,      // an operation arrives, in R0
  input logic                 change_i,    // it will write
  input logic [AddrWidth-1:0] raddr_i,
  input logic                 blank_i,     // in R0 + 1
  input logic [Width-1:0]     changed_i,   // in D
  input logic [Width-1:0]     late_1_i,    // bits that arrive in D + 1
  input logic [Width-1:0]     late_2_i,    // and in D + 2
  input logic [AddrWidth-1:0] followed_i   // the address that is followed
);

  // ---- the caller ---------------------------------------------------------------------------

  // Operations by the cycle they are in: 1 is R0 + 1, 2 is D, 5 is D + 3.
  localparam int unsigned Last = Window + 1;
  logic                 started_q = 1'b0;
  logic [Last:1]        active_q = '0;
  logic [Last:1]        change_q;
  logic [AddrWidth-1:0] addr_q [1:Last];
  logic [AddrWidth-1:0] followed_q;
  logic [Window:1]      same_r1;
  logic [Width-1:0]     word_d, changed_d, s1, s1_q, s2, s2_q;
  logic                 blank_d, wrong;

  always_ff @(posedge clk_i) begin
    started_q  <= 1'b1;
    followed_q <= followed_i;
    active_q   <= {active_q[Last-1:1], read_i};
    change_q   <= {change_q[Last-1:1], change_i};
    addr_q[1]  <= raddr_i;
    for (int unsigned c = 2; c <= Last; c++) addr_q[c] <= addr_q[c-1];
    blank_d <= blank_i;
    s1_q    <= changed_d;
    s2_q    <= s1;
  end

  for (genvar d = 1; d <= Window; d++) begin : gen_same
    assign same_r1[d] = active_q[1+d] && addr_q[1] == addr_q[1+d];
  end

  bbq_forward #(
    .Depth(Depth),
    .Width(Width)
  ) dut (
    .clk_i,
    .read_i,
    .raddr_i,
    .same_r1_i  (same_r1),
    .blank_r1_i (blank_i),
    .word_d_o   (word_d),
    .error_d_o  (wrong),
    .changed_d_i(changed_d),
    .s1_i       (s1),
    .s2_i       (s2),
    .write_s2_i (active_q[4] && change_q[4]),
    .waddr_s2_i (addr_q[4])
  );

  // Late bits of the word that the operation in D gets: those that arrive in this cycle.
  logic             behind_1, behind_2;   // the operation in D follows that in D + 1, D + 2
  logic             kept_1, kept_2;       // operations that don't write
  logic [Width-1:0] late_1, late_2, late_word, whole_word;

  assign behind_1   = active_q[3] && addr_q[2] == addr_q[3];
  assign behind_2   = active_q[4] && addr_q[2] == addr_q[4];
  assign kept_1     = active_q[3] && !change_q[3];
  assign kept_2     = active_q[4] && !change_q[4];
  // An operation that doesn't write has late bits only while the one before it at the address has
  // them.
  assign late_2     = kept_2 ? '0 : late_2_i;
  assign late_1     = !kept_1 ? late_1_i :
                      (active_q[4] && addr_q[3] == addr_q[4]) ? late_2 : '0;
  assign late_word  = behind_1 ? late_1 : (behind_2 ? late_2 : '0);
  assign whole_word = word_d | late_word;
  assign changed_d  = change_q[2] ? changed_i : whole_word;
  assign s1         = s1_q | late_1;
  assign s2         = s2_q | late_2;

  // ---- the address that is followed: its word after all operations in D so far ---------------

  logic             known_q = 1'b0;
  logic [1:0]       age_q = 2'd3;  // its last write is by the operation in D + age; 3: or older
  logic [Width-1:0] latest_q, latest;

  always_comb begin
    latest = latest_q;                       // without the bits that arrive in this cycle
    if (age_q == 2'd1) latest = latest_q | late_1;
    if (age_q == 2'd2) latest = latest_q | late_2;
  end

  logic here_d;
  assign here_d = active_q[2] && addr_q[2] == followed_i;

  always_ff @(posedge clk_i) begin
    latest_q <= latest;
    if (age_q != 2'd3) age_q <= age_q + 2'd1;
    if (here_d && change_q[2]) begin
      latest_q <= changed_d;
      known_q  <= 1'b1;
      age_q    <= 2'd1;
    end
  end

  always_comb begin
    if (started_q) assume (followed_i == followed_q);
    assume (32'(raddr_i) < Depth && 32'(followed_i) < Depth);
    if (here_d && blank_d) assume (!known_q || latest == '0);
    if (here_d && !change_q[2]) assume (known_q);
  end

  always_comb begin
    // With the bits that arrive in this cycle, which the caller sets, the word is exact.
    if (here_d && known_q) assert (whole_word == latest);
    if (here_d && blank_d) assert (whole_word == '0);
    cover (here_d && known_q && age_q == 2'd1 && word_d != '0);
    cover (here_d && known_q && age_q == 2'd2 && late_2 != '0);
    cover (here_d && known_q && age_q == 2'd3 && !behind_1 && !behind_2 && word_d == '1);
  end

endmodule
