// Some neighbouring cells of an ordered list, and the results of searches among them.
//
// A bank compares its cells with an operation, and moves and raises them as `ordered_list` orders.
// `ordered_list` joins banks. Each bank sees the cell below its first and the one above its last,
// and knows whether banks below have found a cell. So a list of any size is built of equal parts,
// and each part can be placed or synthesised alone.
//
// Source: Seer (NSDI 2024), section 4: parallel compare and shift.
//
// Limits: two comparators, an adder and two multiplexers per cell; area is linear in `Entries`.
module ordered_list_bank
  import seer_pkg::*;
#(
  parameter int unsigned Entries    = 64,
  parameter int unsigned KeyWidth   = 16,
  parameter int unsigned TagWidth   = 17,
  parameter int unsigned ValueWidth = 11,
  parameter int unsigned PushWidth  = 11,
  parameter bit          Wrap       = 1'b0,
  localparam int unsigned EntryWidth = KeyWidth + TagWidth + ValueWidth,
  localparam int unsigned SlotWidth  = EntryWidth + 3
) (
  input  logic                           clk_i,
  input  logic                           rst_i,
  // The neighbouring cells: used, marked, asked for, key, tag, value; zeros if there is none.
  input  logic [SlotWidth-1:0]           below_i,
  input  logic [SlotWidth-1:0]           above_i,
  output logic [SlotWidth-1:0]           lowest_o,
  output logic [SlotWidth-1:0]           highest_o,
  // Compare: the cells that an operation concerns.
  input  logic                           compare_i,
  input  list_op_e                       op_i,
  input  logic [KeyWidth-1:0]            key_i,
  input  logic [TagWidth-1:0]            tag_i,
  // Act on them: `new_i` is inserted before the first hit cell; the first hit cell is deleted; all
  // hit cells rise.
  input  logic                           move_up_i,
  input  logic                           move_down_i,
  input  logic                           raise_i,
  input  logic [EntryWidth-1:0]          new_i,
  input  logic [PushWidth-1:0]           push_i,
  input  logic                           hit_before_i,      // in a bank below
  output logic                           hit_o,             // both as of the comparison
  // The last entry, zeros if it is not here, and the first unmarked one.
  input  logic                           mark_i,
  input  logic                           ask_i,
  input  logic                           waiting_before_i,  // an unmarked entry in a bank below
  output logic [EntryWidth-1:0]          max_o,
  output logic                           waiting_o,
  output logic [EntryWidth-1:0]          unmarked_o,
  // The first entry with a tag: key and value.
  input  logic [TagWidth-1:0]            find_tag_i,
  output logic                           find_hit_o,
  output logic [KeyWidth+ValueWidth-1:0] found_o
);

  typedef struct packed {
    logic [KeyWidth-1:0]   key;
    logic [TagWidth-1:0]   tag;
    logic [ValueWidth-1:0] value;
  } entry_t;

  // Marks, and the entry that was the first unmarked one at the last `ask_i`; they move with the
  // cells.
  typedef struct packed {
    logic marked;
    logic asked;
  } flags_t;

  typedef struct packed {
    logic   used;
    flags_t flags;
    entry_t entry;
  } slot_t;

  entry_t               cell_q [Entries];
  entry_t               cell_d [Entries];
  logic   [Entries-1:0] used_q, used_d;
  flags_t [Entries-1:0] flags_q, flags_d, flags;
  slot_t                below, above;

  assign below     = below_i;
  assign above     = above_i;
  assign lowest_o  = {used_q[0], flags[0], cell_q[0]};
  assign highest_o = {used_q[Entries-1], flags[Entries-1], cell_q[Entries-1]};

  // ---- compare -----------------------------------------------------------------------------

  logic [Entries-1:0] later, equal, hit, hit_q;

  // Whether `a` is earlier than `b`.
  function automatic logic earlier(input logic [KeyWidth-1:0] a, input logic [KeyWidth-1:0] b);
    logic [KeyWidth-1:0] difference;
    difference = a - b;
    return Wrap ? difference[KeyWidth-1] : a < b;
  endfunction

  always_comb begin
    for (int unsigned i = 0; i < Entries; i++) begin
      // Vacant cells are behind all others.
      later[i] = !used_q[i] || !earlier(cell_q[i].key, key_i);
      equal[i] = used_q[i] && cell_q[i].tag == tag_i;
    end
    unique case (op_i)
      ListInsert:      hit = later;
      ListDelete:      hit = equal;
      // The first of each bank; only the first of all matters.
      ListDeleteFirst: hit = used_q & Entries'(1);
      default:         hit = '1;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (compare_i) begin
      hit_q <= hit;
      hit_o <= |hit;
    end
    // Later cells have moved up by one; they are all the cells behind the first of them.
    if (move_up_i) hit_q <= (hit_q << 1) | Entries'(hit_before_i);
  end

  // ---- move and raise ----------------------------------------------------------------------

  logic [Entries-1:0] unused_first, from_here, from;

  seer_first #(
    .Width(Entries)
  ) i_deleted (
    .bits_i (hit_q),
    .first_o(unused_first),
    .from_o (from_here)
  );

  assign from = hit_before_i ? '1 : from_here;

  for (genvar i = 0; i < Entries; i++) begin : gen_cell
    slot_t lower, upper, inserted;
    assign inserted = {1'b1, 2'b00, new_i};
    // The position of a new entry: the first later cell.
    if (i == 0) begin : gen_lowest
      assign lower = hit_before_i ? below : inserted;
    end else begin : gen_other
      assign lower = hit_q[i-1] ? {used_q[i-1], flags[i-1], cell_q[i-1]} : inserted;
    end
    if (i == Entries - 1) begin : gen_highest
      assign upper = above;
    end else begin : gen_inner
      assign upper = {used_q[i+1], flags[i+1], cell_q[i+1]};
    end

    always_comb begin
      {used_d[i], flags_d[i], cell_d[i]} = {used_q[i], flags[i], cell_q[i]};
      if (move_up_i && hit_q[i]) {used_d[i], flags_d[i], cell_d[i]} = lower;
      if (move_down_i && from[i]) {used_d[i], flags_d[i], cell_d[i]} = upper;
      if (raise_i && hit_q[i]) cell_d[i].key = cell_q[i].key + KeyWidth'(push_i);
    end
  end

  always_ff @(posedge clk_i) begin
    cell_q  <= cell_d;
    used_q  <= used_d;
    flags_q <= flags_d;
    if (rst_i) used_q <= '0;
  end

  // ---- last, and first unmarked ------------------------------------------------------------

  logic [Entries-1:0] marked, waiting, first_waiting, unused_waiting, followed;

  for (genvar i = 0; i < Entries; i++) begin : gen_flags
    assign marked[i] = flags_q[i].marked || (mark_i && flags_q[i].asked);
    assign flags[i]  =
      {marked[i], ask_i ? first_waiting[i] && !waiting_before_i : flags_q[i].asked};
  end

  assign waiting   = used_q & ~marked;
  assign waiting_o = |waiting;
  // Cells with an entry above them.
  for (genvar i = 0; i < Entries; i++) begin : gen_followed
    if (i == Entries - 1) begin : gen_highest
      assign followed[i] = above.used;
    end else begin : gen_inner
      assign followed[i] = used_q[i+1];
    end
  end

  seer_first #(
    .Width(Entries)
  ) i_unmarked (
    .bits_i (waiting),
    .first_o(first_waiting),
    .from_o (unused_waiting)
  );

  always_comb begin
    max_o      = '0;
    unmarked_o = '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (used_q[i] && !followed[i]) max_o |= cell_q[i];
      if (first_waiting[i]) unmarked_o |= cell_q[i];
    end
  end

  // ---- find --------------------------------------------------------------------------------

  logic [Entries-1:0]                          same;
  logic [Entries-1:0][KeyWidth+ValueWidth-1:0] sought;

  always_comb begin
    for (int unsigned i = 0; i < Entries; i++) begin
      same[i]   = used_q[i] && cell_q[i].tag == find_tag_i;
      sought[i] = {cell_q[i].key, cell_q[i].value};
    end
  end

  seer_select #(
    .Words(Entries),
    .Width(KeyWidth + ValueWidth)
  ) i_found (
    .valid_i(same),
    .word_i (sought),
    .valid_o(find_hit_o),
    .word_o (found_o)
  );

  logic unused;
  assign unused = &{1'b0, unused_first, unused_waiting};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      for (int unsigned i = 1; i < Entries; i++) begin
        assert (used_q[i-1] || !used_q[i]) else $error("a gap between entries");
        assert (!used_q[i] || !earlier(cell_q[i].key, cell_q[i-1].key))
          else $error("entries are out of order");
      end
      // Of the bank above.
      assert (used_q[Entries-1] || !above.used) else $error("a gap between banks");
      assert (!above.used || !earlier(above.entry.key, cell_q[Entries-1].key))
        else $error("entries of banks are out of order");
    end
  end
`endif

endmodule
