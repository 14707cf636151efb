// A FIFO into which two can go in a cycle, and out of which one comes: FPMs that end in one block.
//
// The lower of `put_i` is the earlier. What there is no room for is dropped, the later first;
// `lost_o` says how many in the cycle before. What goes in is at the output in the next cycle at
// the earliest, from registers.
//
// Limits: `Entries` are in flip-flops that move up; meant for few.
module seer_phy_queue #(
  parameter int unsigned Entries = 8,
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

  localparam int unsigned CountWidth = $clog2(Entries + 3);

  logic [Entries-1:0][Width-1:0] data_q, data_d;
  logic [CountWidth-1:0]         count_q, count_d;
  logic [1:0]                    lost;

  always_comb begin
    data_d  = data_q;
    count_d = count_q;
    lost    = '0;
    if (valid_o && ready_i) begin
      data_d  = data_q >> Width;
      count_d = count_q - 1'b1;
    end
    for (int unsigned p = 0; p < 2; p++) begin
      if (put_i[p] && count_d == CountWidth'(Entries)) lost += 1'b1;
      else if (put_i[p]) begin
        for (int unsigned e = 0; e < Entries; e++) begin
          if (count_d == CountWidth'(e)) data_d[e] = data_i[p];
        end
        count_d += 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    data_q  <= data_d;
    count_q <= rst_i ? '0 : count_d;
    lost_o  <= rst_i ? '0 : lost;
  end

  assign valid_o = count_q != '0 && !rst_i;
  assign data_o  = data_q[0];

endmodule
