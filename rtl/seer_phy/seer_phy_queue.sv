// A FIFO with two inputs and one output per cycle: FPMs that end in one block.
//
// The lower bit of `put_i` is the earlier word. Words without room at the beginning of a cycle are
// dropped, the later first; `lost_o` says how many in the cycle before. A word is at the output in
// the next cycle at the earliest.
//
// Limits: `Entries`, two or more, are in flip-flops; meant for few.
module seer_phy_queue #(
  parameter int unsigned Entries = 4,
  parameter int unsigned Width   = 44
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic [1:0]            put_i,
  input  logic [1:0][Width-1:0] data_i,
  output logic [1:0]            lost_o,
  output logic                  valid_o,
  input  logic                  ready_i,
  output logic [Width-1:0]      data_o
);

  if (Entries < 2) begin : gen_limit
    $error("seer_phy_queue: a queue has two entries or more");
  end

  localparam int unsigned AddrWidth  = $clog2(Entries);
  localparam int unsigned CountWidth = $clog2(Entries + 1);

  logic [Width-1:0]      data_q [Entries];
  logic [AddrWidth-1:0]  head_q, tail_q, second;
  logic [CountWidth-1:0] count_q;
  logic                  takes;
  logic [1:0]            kept;

  function automatic logic [AddrWidth-1:0] after(input logic [AddrWidth-1:0] place);
    return place == AddrWidth'(Entries - 1) ? '0 : place + 1'b1;
  endfunction

  assign takes   = valid_o && ready_i;
  assign second  = put_i[0] ? after(tail_q) : tail_q;
  assign kept[0] = put_i[0] && count_q != CountWidth'(Entries);
  assign kept[1] = put_i[1] && count_q != CountWidth'(Entries) &&
                   !(put_i[0] && count_q == CountWidth'(Entries - 1));

  always_ff @(posedge clk_i) begin
    if (kept[0]) data_q[tail_q] <= data_i[0];
    if (kept[1]) data_q[second] <= data_i[1];
    if (kept[1]) tail_q <= after(second);
    else if (kept[0]) tail_q <= after(tail_q);
    if (takes) head_q <= after(head_q);
    count_q <= count_q + CountWidth'(kept[0]) + CountWidth'(kept[1]) - CountWidth'(takes);
    lost_o  <= 2'(put_i[0] && !kept[0]) + 2'(put_i[1] && !kept[1]);
    if (rst_i) begin
      {head_q, tail_q} <= '0;
      count_q          <= '0;
      lost_o           <= '0;
    end
  end

  assign valid_o = count_q != '0 && !rst_i;
  assign data_o  = data_q[head_q];

endmodule
