// Proof of bbq_links: a read presented in cycle t has in t + 2 the last word written to its slot in
// cycle t + 1 or before. This holds for every order of reads and writes, for any initial contents
// of the memory, and for any data of a read that meets a write. One arbitrary slot is followed,
// which stands for all of them.
module links_proof #(
  parameter int unsigned Entries = 6,
  parameter bit          Parity  = 1'b0,
  localparam int unsigned PlaceWidth = $clog2(Entries)
) (
  input logic                  clk_i,
  input logic                  read_i,
  input logic [PlaceWidth-1:0] place_i,
  input logic                  write_i,
  input logic [PlaceWidth-1:0] wplace_i,
  input logic [PlaceWidth-1:0] wlink_i,
  input logic [PlaceWidth-1:0] followed_i   // the slot that is followed
);

  logic                  started_q = 1'b0;
  logic                  wrong;
  logic [PlaceWidth-1:0] link, followed_q, latest_q;
  logic                  known_q = 1'b0;           // it has been written
  logic                  asked_q = 1'b0, due_q = 1'b0;

  bbq_links #(
    .Entries(Entries),
    .Parity (Parity)
  ) dut (
    .clk_i,
    .read_i,
    .place_i,
    .link_o (link),
    .write_i,
    .wplace_i,
    .wlink_i,
    .error_o(wrong)
  );

  always_ff @(posedge clk_i) begin
    started_q  <= 1'b1;
    followed_q <= followed_i;
    asked_q    <= read_i && place_i == followed_i;
    due_q      <= asked_q;
    if (write_i && wplace_i == followed_i) begin
      latest_q <= wlink_i;
      known_q  <= 1'b1;
    end
  end

  always_comb begin
    if (started_q) assume (followed_i == followed_q);
    assume (32'(followed_i) < Entries);
    assume (32'(place_i) < Entries);
    assume (32'(wplace_i) < Entries);
  end

  always_comb begin
    if (due_q && known_q) assert (link == latest_q);
    if (due_q && known_q) assert (!wrong);
    cover (due_q && known_q && asked_q && link != '0);
  end

endmodule
