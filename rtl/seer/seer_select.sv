// The first of many words that is valid, and whether there is one; zeros if there is none.
//
// Combinational, a tree: of two halves the lower one wins if it has a word. So the position and the
// word are found together, in log2(Words) steps of one gate or lookup table per bit. This is half
// as deep as finding the first bit (`seer_first`) and then reading its word.
//
// Source: the parallel search of Seer's lists (NSDI 2024, section 4).
module seer_select #(
  parameter int unsigned Words = 128,
  parameter int unsigned Width = 27
) (
  input  logic [Words-1:0]            valid_i,
  input  logic [Words-1:0][Width-1:0] word_i,
  output logic                        valid_o,
  output logic [Width-1:0]            word_o
);

  localparam int unsigned Leaves = 2 ** $clog2(Words);

  // Node n has the nodes 2n + 1 and 2n + 2 below it; the leaves are the last.
  logic [2*Leaves-2:0]            valid;
  logic [2*Leaves-2:0][Width-1:0] word;

  for (genvar i = 0; i < Leaves; i++) begin : gen_leaf
    if (i < Words) begin : gen_word
      assign valid[Leaves-1+i] = valid_i[i];
      assign word[Leaves-1+i]  = valid_i[i] ? word_i[i] : '0;
    end else begin : gen_none
      assign {valid[Leaves-1+i], word[Leaves-1+i]} = '0;
    end
  end

  for (genvar n = 0; n < Leaves - 1; n++) begin : gen_node
    assign valid[n] = valid[2*n+1] || valid[2*n+2];
    assign word[n]  = word[2*n+1] | (valid[2*n+1] ? '0 : word[2*n+2]);
  end

  assign valid_o = valid[0];
  assign word_o  = word[0];

endmodule
