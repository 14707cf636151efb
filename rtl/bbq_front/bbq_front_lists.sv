// The elements of bbq_front: for each rank a list in order of arrival.
//
// The lists are in two memories, data and links, and a free list. While a token is in the PIFO, it
// has the first and the last slot of its list. For a token in the BBQ these are in a table here. A
// bit for each rank says whether its token is in the BBQ.
//
// In each cycle:
// - one element is written (write_i, in cycles of enqueues) and linked behind another (link_i);
// - one element is read, and its data and link arrive two cycles later;
// - one slot is returned (free_i, in cycles of dequeues);
// - one token moves to the BBQ (park_i), one returns (fetch_i), and one rank is looked up.
//
// Limits: the table is read in the same cycle, so it is in registers, or in the small memories of
// lookup tables where a device has them.
module bbq_front_lists #(
  parameter int unsigned Entries   = 127,
  parameter int unsigned RankWidth = 6,
  parameter int unsigned DataWidth = 17,
  parameter bit          Parity    = 1'b0,
  localparam int unsigned SlotWidth = $clog2(Entries)
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  // Elements.
  input  logic                 write_i,
  input  logic [DataWidth-1:0] data_i,
  output logic [SlotWidth-1:0] slot_o,        // the slot of write_i
  input  logic                 link_i,        // slot_o is behind:
  input  logic [SlotWidth-1:0] link_slot_i,
  input  logic                 read_i,
  input  logic [SlotWidth-1:0] read_slot_i,
  output logic [DataWidth-1:0] read_data_o,
  output logic [SlotWidth-1:0] read_next_o,   // undefined for the last of a list
  output logic                 read_bad_o,    // the link failed its parity
  input  logic                 free_i,
  input  logic [SlotWidth-1:0] free_slot_i,
  // Tokens in the BBQ.
  input  logic                 park_i,
  input  logic [RankWidth-1:0] park_rank_i,
  input  logic [SlotWidth-1:0] park_head_i,
  input  logic [SlotWidth-1:0] park_tail_i,
  input  logic                 fetch_i,       // one returns
  input  logic [RankWidth-1:0] fetch_rank_i,
  output logic [SlotWidth-1:0] fetch_head_o,
  output logic [SlotWidth-1:0] fetch_tail_o,
  input  logic [RankWidth-1:0] look_rank_i,
  output logic                 parked_o,      // that rank's token is in the BBQ, and the last
  output logic [SlotWidth-1:0] look_tail_o,   // element of its list is here
  input  logic                 extend_i,      // the last element is now at slot_o
  output logic                 error_o
);

  localparam int unsigned Ranks = 2 ** RankWidth;

  // ---- elements -----------------------------------------------------------------------------

  logic free_error, data_error, read_q, read_qq;

  bbq_free_list #(
    .Entries(Entries),
    .Parity (Parity)
  ) i_free (
    .clk_i,
    .rst_i,
    .take_i (write_i),
    .place_o(slot_o),
    .give_i (free_i),
    .place_i(free_slot_i),
    .error_o(free_error)
  );

  ram_1r1w #(
    .Depth (Entries),
    .Width (DataWidth),
    .Parity(Parity)
  ) i_data (
    .clk_i,
    .write_i,
    .waddr_i(slot_o),
    .wdata_i(data_i),
    .read_i,
    .raddr_i(read_slot_i),
    .blank_i(1'b0),
    .rdata_o(read_data_o),
    .error_o(data_error)
  );

  ram_1r1w #(
    .Depth (Entries),
    .Width (SlotWidth),
    .Parity(Parity)
  ) i_links (
    .clk_i,
    .write_i(link_i),
    .waddr_i(link_slot_i),
    .wdata_i(slot_o),
    .read_i,
    .raddr_i(read_slot_i),
    .blank_i(1'b0),
    .rdata_o(read_next_o),
    .error_o(read_bad_o)
  );

  always_ff @(posedge clk_i) begin
    read_q  <= read_i && !rst_i;
    read_qq <= read_q && !rst_i;
  end

  assign error_o = free_error || (data_error && read_qq);

  // ---- tokens in the BBQ ----------------------------------------------------------------------

  logic [Ranks-1:0]     parked_q;

  assign parked_o = parked_q[look_rank_i];

  always_ff @(posedge clk_i) begin
    if (fetch_i) parked_q[fetch_rank_i] <= 1'b0;
    if (park_i)  parked_q[park_rank_i] <= 1'b1;
    if (rst_i)   parked_q <= '0;
  end

  logic [RankWidth-1:0] tail_rank;
  assign tail_rank = park_i ? park_rank_i : look_rank_i;

  lookup_ram #(
    .Depth(Ranks),
    .Width(SlotWidth)
  ) i_heads (
    .clk_i,
    .write_i(park_i),
    .waddr_i(park_rank_i),
    .wdata_i(park_head_i),
    .raddr_i(fetch_rank_i),
    .rdata_o(fetch_head_o)
  );

  lookup_ram #(
    .Depth(Ranks),
    .Width(SlotWidth),
    .Reads(2)
  ) i_tails (
    .clk_i,
    .write_i(park_i || extend_i),
    .waddr_i(tail_rank),
    .wdata_i(park_i ? park_tail_i : slot_o),
    .raddr_i({look_rank_i, fetch_rank_i}),
    .rdata_o({look_tail_o, fetch_tail_o})
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      assert (!(fetch_i && !parked_q[fetch_rank_i])) else $error("a token comes back that did not go");
    end
  end
`endif

endmodule
