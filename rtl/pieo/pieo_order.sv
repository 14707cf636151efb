// The order of a PIEO's sublists. For each sublist in use, registers have its position in memory
// and its summary (lowest rank, earliest eligible time, number of elements). The entries in use are
// first, sorted; the rest are spare. Only these entries move, never sublists.
//
// Choice (without registers): an enqueue of rank_i goes to the last entry that starts at rank_i or
// lower, otherwise to the first. A dequeue at now_i is served from the first entry with an eligible
// element.
//
// Change: chosen_i is one bit per entry and must be unchanged for two cycles or more before
// update_i. The chosen entry gets a new summary, and so does its neighbour unless side_i is
// SideNone. An entry without elements then becomes spare. With spare_i the neighbour is the last
// spare entry, which moves behind the chosen one.
module pieo_order
  import pieo_pkg::*;
#(
  parameter int unsigned Sublists    = 8,
  parameter int unsigned Slots       = 4,
  parameter int unsigned RankWidth   = 9,
  parameter int unsigned TimeWidth   = 16,
  localparam int unsigned IndexWidth = $clog2(Sublists),
  localparam int unsigned CountWidth = $clog2(Slots + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic [RankWidth-1:0]  rank_i,
  input  logic [TimeWidth-1:0]  now_i,
  output logic [Sublists-1:0]   by_rank_o,
  output logic [Sublists-1:0]   by_time_o,
  output logic                  eligible_o,
  input  logic [Sublists-1:0]   chosen_i,
  output logic [IndexWidth-1:0] chosen_index_o,
  output logic [CountWidth-1:0] chosen_count_o,
  output logic [IndexWidth-1:0] behind_index_o,
  output logic [CountWidth-1:0] behind_count_o,
  output logic [IndexWidth-1:0] before_index_o,
  output logic [CountWidth-1:0] before_count_o,
  output logic [IndexWidth-1:0] spare_index_o,
  input  logic                  update_i,
  input  side_e                 side_i,
  input  logic                  spare_i,
  input  logic [RankWidth-1:0]  chosen_rank_i,
  input  logic [TimeWidth-1:0]  chosen_time_i,
  input  logic [CountWidth-1:0] chosen_count_i,
  input  logic [RankWidth-1:0]  side_rank_i,
  input  logic [TimeWidth-1:0]  side_time_i,
  input  logic [CountWidth-1:0] side_count_i
);

  typedef struct packed {
    logic [IndexWidth-1:0] index;
    logic [CountWidth-1:0] count;
    logic                  used;
    logic [RankWidth-1:0]  rank;
    logic [TimeWidth-1:0]  earliest;
  } entry_t;

  entry_t              entry_q [Sublists];
  entry_t              entry_d [Sublists];
  logic [Sublists:0]   starts_lower;

  always_comb begin
    eligible_o = 1'b0;
    for (int unsigned i = 0; i < Sublists; i++) begin
      starts_lower[i] = entry_q[i].used && entry_q[i].rank <= rank_i;
      by_time_o[i]    = !eligible_o && entry_q[i].used && entry_q[i].earliest <= now_i;
      eligible_o      = eligible_o || by_time_o[i];
    end
    starts_lower[Sublists] = 1'b0;
    by_rank_o    = starts_lower[Sublists-1:0] & ~starts_lower[Sublists:1];
    by_rank_o[0] = !starts_lower[1];
  end

  // Bit i + 1 is entry i. Beyond both ends there is no entry, which counts as 0 elements.
  logic [Sublists+1:0] around;
  assign around = {1'b0, chosen_i, 1'b0};

  always_comb begin
    {chosen_index_o, chosen_count_o} = '0;
    {behind_index_o, behind_count_o} = '0;
    {before_index_o, before_count_o} = '0;
    for (int unsigned i = 0; i < Sublists; i++) begin
      if (around[i+1]) begin
        chosen_index_o |= entry_q[i].index;
        chosen_count_o |= entry_q[i].count;
      end
      if (around[i]) begin
        behind_index_o |= entry_q[i].index;
        behind_count_o |= entry_q[i].count;
      end
      if (around[i+2]) begin
        before_index_o |= entry_q[i].index;
        before_count_o |= entry_q[i].count;
      end
    end
    spare_index_o = entry_q[Sublists-1].index;
  end

  // Entries behind the chosen one, and two more positions behind the last.
  logic [Sublists+1:0] behind_q, behind_d;
  logic                found;
  always_comb begin
    found    = 1'b0;
    behind_d = '1;
    for (int unsigned i = 0; i < Sublists; i++) begin
      found       = found || around[i];
      behind_d[i] = found;
    end
  end

  logic   [Sublists-1:0] beside, closes;
  logic                  chosen_left, side_left;
  entry_t                chosen_entry, side_entry, released;
  // With the values before the first entry and behind the last one when they move.
  entry_t                written [Sublists+1];
  entry_t                lower   [Sublists+1];

  always_comb begin
    for (int unsigned i = 0; i < Sublists; i++) begin
      beside[i] = (side_i == SideBehind && around[i]) || (side_i == SideBefore && around[i+2]);
    end
    chosen_left  = chosen_count_i == '0;
    side_left    = side_i != SideNone && side_count_i == '0;
    chosen_entry = {IndexWidth'(0), chosen_count_i, 1'b1, chosen_rank_i, chosen_time_i};
    side_entry   = {spare_index_o, side_count_i, 1'b1, side_rank_i, side_time_i};

    released = '0;
    lower[0] = '0;
    for (int unsigned i = 0; i < Sublists; i++) begin
      lower[i+1] = entry_q[i];
      written[i] = around[i+1] ? chosen_entry : beside[i] ? side_entry : entry_q[i];
      written[i].index = entry_q[i].index;
      if (side_left ? beside[i] : around[i+1]) released.index |= entry_q[i].index;
      // The entry that has no elements left, or one behind it.
      closes[i] = (chosen_left && behind_q[i+1])
               || (side_left && (side_i == SideBehind ? behind_q[i] : behind_q[i+2]));
    end
    written[Sublists] = released;

    for (int unsigned i = 0; i < Sublists; i++) begin
      if (spare_i && behind_q[i]) entry_d[i] = beside[i] ? side_entry : lower[i];
      else if (closes[i]) entry_d[i] = written[i+1];
      else entry_d[i] = written[i];
    end
  end

  always_ff @(posedge clk_i) begin
    behind_q <= behind_d;
    if (update_i) entry_q <= entry_d;
    if (rst_i) begin
      for (int unsigned i = 0; i < Sublists; i++) begin
        entry_q[i].index <= IndexWidth'(i);
        entry_q[i].count <= '0;
        entry_q[i].used  <= 1'b0;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && update_i) begin
      assert ($onehot(chosen_i)) else $error("not one entry is chosen");
      assert (!(spare_i && entry_q[Sublists-1].used)) else $error("no sublist is spare");
    end
    for (int unsigned i = 0; i + 1 < Sublists; i++) begin
      if (!rst_i && entry_q[i+1].used) begin
        assert (entry_q[i].used && entry_q[i].rank <= entry_q[i+1].rank)
        else $error("sublists out of order");
        assert (entry_q[i].count == CountWidth'(Slots) || entry_q[i+1].count == CountWidth'(Slots))
        else $error("neighbours that are both partly filled");
      end
    end
  end
`endif

endmodule
