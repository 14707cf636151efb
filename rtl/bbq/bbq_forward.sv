// Words of a memory that are read, changed and written back, an operation in each cycle,
// so that each operation sees what those before it have made of the word.
//
// An operation presents its address in cycle R0, has its word in cycle D = R0 + 2, and
// its changed word in the caller's register s1 in D + 1 and s2 in D + 2 (both may still
// be corrected there), from where it comes here: written in D + 3. A read presented in
// D + 3 or before doesn't see that, so the word is taken from the last of the five
// operations before it that has the same address, if there is one. Which ones have it is
// for the caller to know: same_*_i[d] is set if the operation d cycles ahead is valid
// and has the same address (write forwarding; section 4.2, H1).
module bbq_forward #(
  parameter int unsigned Depth  = 16,
  parameter int unsigned Width  = 8,
  parameter bit          Parity = 1'b0,
  localparam int unsigned AddrWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                 clk_i,
  // cycle R0
  input  logic                 read_i,
  input  logic [AddrWidth-1:0] raddr_i,
  // cycle R0 + 1; blank: the word was never written and reads as zero
  input  logic [5:3]           same_r1_i,
  input  logic                 blank_r1_i,
  // cycle D
  input  logic                 valid_d_i,
  input  logic [2:1]           same_d_i,
  input  logic [Width-1:0]     s1_i,
  input  logic [Width-1:0]     s2_i,
  output logic [Width-1:0]     word_d_o,
  output logic                 error_d_o,
  // cycle D + 3
  input  logic                 write_s3_i,
  input  logic [AddrWidth-1:0] waddr_s3_i
);

  logic [Width-1:0] s3_q, s4_q, early_d, early_q, ram_word;
  logic             early_sel_q, ram_error;

  ram_1r1w #(
    .Depth (Depth),
    .Width (Width),
    .Parity(Parity)
  ) i_ram (
    .clk_i,
    .write_i(write_s3_i),
    .waddr_i(waddr_s3_i),
    .wdata_i(s3_q),
    .read_i,
    .raddr_i,
    .rdata_o(ram_word),
    .error_o(ram_error)
  );

  // What is three or more operations ahead is chosen a cycle early, to keep D short.
  always_comb begin
    if (blank_r1_i)        early_d = '0;
    else if (same_r1_i[3]) early_d = s2_i;
    else if (same_r1_i[4]) early_d = s3_q;
    else                   early_d = s4_q;
  end

  always_ff @(posedge clk_i) begin
    s3_q        <= s2_i;
    s4_q        <= s3_q;
    early_q     <= early_d;
    early_sel_q <= blank_r1_i || (|same_r1_i);
  end

  always_comb begin
    if (same_d_i[1])      word_d_o = s1_i;
    else if (same_d_i[2]) word_d_o = s2_i;
    else if (early_sel_q) word_d_o = early_q;
    else                  word_d_o = ram_word;
  end

  assign error_d_o = ram_error && valid_d_i && !same_d_i[1] && !same_d_i[2] && !early_sel_q;

endmodule
