// A link per element, with the latest writes forwarded.
//
// The link of a read presented in cycle t is at link_o in t + 2. It includes the writes
// of all operations before. A write is presented two cycles after the turn of its
// operation, so it may be presented in the cycle of the read or in the next one.
module bbq_links #(
  parameter int unsigned Entries = 16,
  parameter bit          Parity  = 1'b0,
  localparam int unsigned PlaceWidth = Entries > 1 ? $clog2(Entries) : 1
) (
  input  logic                  clk_i,
  input  logic                  read_i,
  input  logic [PlaceWidth-1:0] place_i,
  output logic [PlaceWidth-1:0] link_o,
  input  logic                  write_i,
  input  logic [PlaceWidth-1:0] wplace_i,
  input  logic [PlaceWidth-1:0] wlink_i,
  output logic                  error_o
);

  logic                  write_q, forward_q, ram_error;
  logic [PlaceWidth-1:0] place_q, wplace_q, wlink_q, forward_link_q, ram_link;
  logic                  hit_now, hit_last;

  ram_1r1w #(
    .Depth (Entries),
    .Width (PlaceWidth),
    .Parity(Parity)
  ) i_ram (
    .clk_i,
    .write_i,
    .waddr_i(wplace_i),
    .wdata_i(wlink_i),
    .read_i,
    .raddr_i(place_i),
    .blank_i(1'b0),
    .rdata_o(ram_link),
    .error_o(ram_error)
  );

  // The cycle after the read: was its link written in this cycle or with the read?
  assign hit_now  = write_i && wplace_i == place_q;
  assign hit_last = write_q && wplace_q == place_q;

  always_ff @(posedge clk_i) begin
    place_q        <= place_i;
    write_q        <= write_i;
    wplace_q       <= wplace_i;
    wlink_q        <= wlink_i;
    forward_q      <= hit_now || hit_last;
    forward_link_q <= hit_now ? wlink_i : wlink_q;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    cover (hit_now);
    cover (hit_last && !hit_now);
    cover (forward_q);
  end
`endif

  assign link_o  = forward_q ? forward_link_q : ram_link;
  assign error_o = ram_error && !forward_q;

endmodule
