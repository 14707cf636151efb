// The contents of a set-associative cache: for each way of each set an id, and whether its state is
// in the cache or on its way.
//
// All reads are answered in the same cycle. `look` reads one way of many sets (Seer's line 11); one
// of these reads can be used for another set, `scan`. `come` reads all ways of one set, for
// packets. One way of one set is written per cycle, and the write is visible from the next cycle
// on. After a reset the sets are emptied, one in each cycle. Meanwhile `ready_o` is 0, and no read
// is allowed.
//
// The set of an id is its low bits: ids are hashes already (Seer, NSDI 2024, section 3.1).
//
// Limits: `Sets` is a power of two. The memory is `common/lookup_ram.sv`, with `Ports` + 1
// reads: registers, or memory of lookup tables, in as many copies.
module seer_tags #(
  parameter int unsigned Ports   = 4,
  parameter int unsigned Sets    = 16,
  parameter int unsigned Ways    = 4,
  parameter int unsigned IdWidth = 17,
  localparam int unsigned SetWidth = Sets > 1 ? $clog2(Sets) : 1,
  localparam int unsigned WayWidth = Ways > 1 ? $clog2(Ways) : 1
) (
  input  logic                          clk_i,
  input  logic                          rst_i,
  output logic                          ready_o,
  input  logic [Ports-1:0][IdWidth-1:0] look_id_i,
  input  logic [WayWidth-1:0]           look_way_i,
  output logic [Ports-1:0]              look_hit_o,
  input  logic                          scanning_i,  // in place of the look of port 0
  input  logic [IdWidth-1:0]            scan_for_i,
  input  logic [WayWidth-1:0]           scan_way_i,
  output logic                          scan_used_o,
  output logic                          scan_here_o,
  output logic [IdWidth-1:0]            scan_id_o,
  input  logic [IdWidth-1:0]            come_id_i,
  output logic                          come_used_o,
  output logic                          come_here_o,
  output logic [WayWidth-1:0]           come_way_o,
  input  logic                          write_i,
  input  logic [IdWidth-1:0]            write_id_i,
  input  logic [WayWidth-1:0]           write_way_i,
  input  logic                          write_here_i
);

  localparam int unsigned SetBits = $clog2(Sets);
  localparam int unsigned TagBits = IdWidth - SetBits;
  localparam int unsigned Reads   = Ports + 1;

  if (2 ** SetBits != Sets || IdWidth <= SetBits) begin : gen_sets
    $error("seer_tags: Sets must be a power of two, and fewer than there are ids");
  end

  typedef struct packed {
    logic               used;
    logic               here;
    logic [TagBits-1:0] tag;
  } line_t;

  localparam logic [SetWidth-1:0] SetMask = SetWidth'(Sets - 1);

  function automatic logic [TagBits-1:0] tag_of(input logic [IdWidth-1:0] id);
    return TagBits'(id >> SetBits);
  endfunction

  // ---- emptying ----------------------------------------------------------------------------

  logic                ready_q;
  logic [SetWidth-1:0] swept_q;

  always_ff @(posedge clk_i) begin
    swept_q <= swept_q + 1'b1;
    if (swept_q == SetWidth'(Sets - 1)) ready_q <= 1'b1;
    if (rst_i) {ready_q, swept_q} <= '0;
  end

  assign ready_o = ready_q;

  // ---- a memory for each way ---------------------------------------------------------------

  logic  [Reads-1:0][SetWidth-1:0] address;
  line_t [Ways-1:0][Reads-1:0]     line;
  line_t                           written;

  assign written = ready_q ? {1'b1, write_here_i, tag_of(write_id_i)} : '0;

  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) address[p] = SetWidth'(look_id_i[p]) & SetMask;
    if (scanning_i) address[0] = SetWidth'(scan_for_i) & SetMask;
    address[Ports] = SetWidth'(come_id_i) & SetMask;
  end

  for (genvar w = 0; w < Ways; w++) begin : gen_way
    lookup_ram #(
      .Depth(Sets),
      .Width($bits(line_t)),
      .Reads(Reads)
    ) i_lines (
      .clk_i,
      .write_i(!ready_q || (write_i && write_way_i == WayWidth'(w))),
      .waddr_i(ready_q ? SetWidth'(write_id_i) & SetMask : swept_q),
      .wdata_i(written),
      .raddr_i(address),
      .rdata_o(line[w])
    );
  end

  // ---- reads -------------------------------------------------------------------------------

  line_t scanned;

  always_comb begin
    look_hit_o = '0;
    scanned    = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        if (look_way_i == WayWidth'(w))
          look_hit_o[p] = line[w][p].used && line[w][p].tag == tag_of(look_id_i[p]);
      end
      if (scan_way_i == WayWidth'(w)) scanned = line[w][0];
    end
  end

  assign scan_used_o = scanned.used;
  assign scan_here_o = scanned.here;

  if (SetBits == 0) begin : gen_one_set
    assign scan_id_o = scanned.tag;
  end else begin : gen_many_sets
    assign scan_id_o = {scanned.tag, SetWidth'(scan_for_i) & SetMask};
  end

  logic unused;
  assign unused = &{1'b0, scan_for_i};

  always_comb begin
    {come_used_o, come_here_o, come_way_o} = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      if (line[w][Ports].used && line[w][Ports].tag == tag_of(come_id_i)) begin
        come_used_o = 1'b1;
        come_here_o |= line[w][Ports].here;
        come_way_o  |= WayWidth'(w);
      end
    end
  end

endmodule
