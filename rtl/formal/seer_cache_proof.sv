// Proof of seer_cache, for every trace of some length from reset, at a small size:
// - conservation: no state is in the cache twice, or both in the cache and in a packet's own fetch.
//   So nothing is fetched that is in the cache or on its way. Only states in the cache are evicted,
//   and each eviction is reported;
// - order: suppose that the expected packets did not change while a set was scanned. Then a state
//   that some packet needs is evicted only if every other cached state of its set is needed no
//   later. The inserted state is needed earlier;
// - an iteration takes log2(Ports) + 2 * Ways + 1 cycles, and a request for a slot is answered
//   after Ways + 2;
// - the assertions inside the lists.
//
// Assumed: a reset in the first cycle and no other. A fetch completes, or a state requests a slot,
// only if it is on its way. Delays are no shorter than packets, and notifications arrive at time 0,
// so times stay within half of their range for as long as the proof reaches.
module seer_cache_proof
  import seer_pkg::*;
#(
  parameter int unsigned Ports   = 2,
  parameter int unsigned Ways    = 2,
  parameter int unsigned Entries = 2,
  localparam int unsigned Sets      = 1,
  localparam int unsigned IdWidth   = 2,
  localparam int unsigned SizeWidth = 1,
  localparam int unsigned TimeWidth = 5,
  localparam int unsigned DelayWidth = 3,
  localparam int unsigned PortWidth = Ports > 1 ? $clog2(Ports) : 1,
  localparam int unsigned WayWidth  = Ways > 1 ? $clog2(Ways) : 1,
  localparam int unsigned Length    = $clog2(Ports) + 2 * Ways + 1
) (
  input logic                             clk_i,
  input logic                             rst_i,
  input logic [Ports-1:0]                 fpm_valid_i,
  input logic [Ports-1:0][IdWidth-1:0]    fpm_id_i,
  input logic [Ports-1:0][SizeWidth-1:0]  fpm_size_i,
  input logic [Ports-1:0][DelayWidth-1:0] fpm_delay_i,
  input logic [Ports-1:0]                 push_valid_i,
  input logic                             come_valid_i,
  input logic [PortWidth-1:0]             come_port_i,
  input logic [IdWidth-1:0]               come_id_i,
  input logic                             come_dropped_i,
  input logic                             fetch_ready_i,
  input logic                             fill_valid_i,
  input logic [IdWidth-1:0]               fill_id_i,
  input logic [WayWidth-1:0]              fill_way_i,
  input logic                             place_valid_i,
  input logic [IdWidth-1:0]               place_id_i
);

  logic [Ports-1:0]         fpm_ready, push_ready, refused, expired;
  logic                     come_ready, answered, fetch_valid, fetch_evicts, fill_ready;
  logic                     place_ready, placed, placed_enters, placed_evicts, iterated, changed;
  whereabouts_e             where_is;
  logic [IdWidth-1:0]       answer_id, fetch_id, fetch_evicted, placed_id, placed_evicted;
  logic [WayWidth-1:0]      answer_way, fetch_way, placed_way;
  logic [PortWidth-1:0]     fetch_port;

  seer_cache #(
    .Ports     (Ports),
    .Sets      (Sets),
    .Ways      (Ways),
    .Entries   (Entries),
    .Fetches   (1),
    .IdWidth   (IdWidth),
    .SizeWidth (SizeWidth),
    .DelayWidth(DelayWidth),
    .TimeWidth (TimeWidth)
  ) dut (
    .clk_i,
    .rst_i,
    .now_i           ('0),
    .fpm_valid_i,
    .fpm_ready_o     (fpm_ready),
    .fpm_time_i      ('0),
    .fpm_id_i,
    .fpm_size_i,
    .fpm_delay_i,
    .push_valid_i,
    .push_ready_o    (push_ready),
    .push_size_i     ('1),
    .refused_o       (refused),
    .expired_o       (expired),
    .come_valid_i,
    .come_ready_o    (come_ready),
    .come_port_i,
    .come_id_i,
    .come_dropped_i,
    .answer_valid_o  (answered),
    .answer_where_o  (where_is),
    .answer_id_o     (answer_id),
    .answer_way_o    (answer_way),
    .fetch_valid_o   (fetch_valid),
    .fetch_ready_i,
    .fetch_id_o      (fetch_id),
    .fetch_port_o    (fetch_port),
    .fetch_way_o     (fetch_way),
    .fetch_evicts_o  (fetch_evicts),
    .fetch_evicted_o (fetch_evicted),
    .fill_valid_i,
    .fill_ready_o    (fill_ready),
    .fill_id_i,
    .fill_way_i,
    .place_valid_i,
    .place_ready_o   (place_ready),
    .place_id_i,
    .placed_valid_o  (placed),
    .placed_enters_o (placed_enters),
    .placed_id_o     (placed_id),
    .placed_way_o    (placed_way),
    .placed_evicts_o (placed_evicts),
    .placed_evicted_o(placed_evicted),
    .iterated_o      (iterated),
    .changed_o       (changed)
  );

  // ---- contents of the block ---------------------------------------------------------------

  logic [Ways-1:0]              used, here, wanted;
  logic [Ways-1:0][IdWidth-1:0] id;
  logic [Ways-1:0][TimeWidth-1:0] at;      // when it is needed first
  logic                         asked, swept;
  logic [IdWidth-1:0]           asked_id;

  assign swept    = dut.i_tags.ready_q;
  assign asked    = dut.i_asked.used_q[0];
  assign asked_id = dut.i_asked.id_q[0];

  for (genvar w = 0; w < Ways; w++) begin : gen_way
    assign {used[w], here[w], id[w]} = dut.i_tags.gen_way[w].i_lines.mem[0];
  end

  // The first entry with an id counts at each port, and the earliest of all ports.
  logic [Ports-1:0][Entries-1:0]                used_entry;
  logic [Ports-1:0][Entries-1:0][IdWidth-1:0]   tag_entry;
  logic [Ports-1:0][Entries-1:0][TimeWidth-1:0] arrival_entry;

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    for (genvar i = 0; i < Entries; i++) begin : gen_entry
      // One bank has as few entries as this.
      assign used_entry[p][i]    = dut.gen_port[p].i_list.i_list.gen_bank[0].i_bank.used_q[i];
      assign tag_entry[p][i]     = dut.gen_port[p].i_list.i_list.gen_bank[0].i_bank.cell_q[i].tag;
      assign arrival_entry[p][i] = dut.gen_port[p].i_list.i_list.gen_bank[0].i_bank.cell_q[i].key +
                                   TimeWidth'(dut.gen_port[p].i_list.i_list.gen_bank[0].i_bank.cell_q[i].value);
    end
  end

  always_comb begin
    wanted = '0;
    at     = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        logic first;
        first = 1'b1;
        for (int unsigned i = 0; i < Entries; i++) begin
          if (used_entry[p][i] && tag_entry[p][i] == id[w]) begin
            if (first && (!wanted[w] || arrival_entry[p][i] < at[w])) at[w] = arrival_entry[p][i];
            wanted[w] = 1'b1;
            first     = 1'b0;
          end
        end
      end
    end
  end

  // ---- assumptions -------------------------------------------------------------------------

  logic started_q = 1'b0, placing_q = 1'b0;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    placing_q <= !rst_i && (placing_q ? !placed : place_valid_i && place_ready);
  end

  always_comb begin
    assume (rst_i == !started_q);
    for (int unsigned p = 0; p < Ports; p++) assume (fpm_delay_i[p] > DelayWidth'(fpm_size_i[p]));
    assume (32'(come_port_i) < Ports);
    if (place_valid_i) assume (asked && asked_id == place_id_i && !placing_q && swept);
    if (fill_valid_i) begin
      assume (32'(fill_way_i) < Ways && swept);
      for (int unsigned w = 0; w < Ways; w++) begin
        if (fill_way_i == WayWidth'(w)) assume (used[w] && !here[w] && id[w] == fill_id_i);
      end
    end
  end

  // ---- conservation ------------------------------------------------------------------------

  logic                enters, evicts;
  logic [WayWidth-1:0] way;
  logic [IdWidth-1:0]  entering, evicted;

  assign enters   = fetch_valid || (placed && placed_enters);
  assign evicts   = placed ? placed_evicts : fetch_evicts;
  assign way      = placed ? placed_way : fetch_way;
  assign entering = placed ? placed_id : fetch_id;
  assign evicted  = placed ? placed_evicted : fetch_evicted;

  always_comb begin
    if (started_q && swept) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        for (int unsigned v = 0; v < w; v++) assert (!used[w] || !used[v] || id[w] != id[v]);
        assert (!used[w] || !asked || id[w] != asked_id);
        if (enters) assert (!used[w] || id[w] != entering);
        if (enters && way == WayWidth'(w)) begin
          assert (used[w] == evicts);
          assert (!evicts || (here[w] && id[w] == evicted));
        end
      end
      assert (32'(way) < Ways || !enters);
      assert (!(fetch_valid && placed));
      if (fetch_valid) assert (!asked || asked_id != fetch_id);
      if (placed) assert (asked && asked_id == placed_id && placing_q);
    end
  end

  // ---- order -------------------------------------------------------------------------------

  // Lists and ways are as they were when the iteration began.
  logic [Ports-1:0] busy;
  logic             same_q = 1'b0;

  for (genvar p = 0; p < Ports; p++) begin : gen_busy
    assign busy[p] = !dut.list_ready[p] || dut.gen_port[p].i_list.i_list.accepted;
  end

  always_ff @(posedge clk_i) begin
    same_q <= started_q && swept && busy == '0 && !(fill_valid_i && fill_ready) &&
              (dut.ask ? !changed : same_q);
  end

  always_comb begin
    if (started_q && enters && evicts && same_q) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        if (way == WayWidth'(w) && wanted[w]) begin
          assert (dut.i_manager.new_valid && dut.i_manager.new_arrival < at[w]);
          for (int unsigned v = 0; v < Ways; v++)
            assert (!here[v] || !used[v] || (wanted[v] && at[v] <= at[w]));
        end
      end
    end
  end

  // ---- time --------------------------------------------------------------------------------

  logic [4:0] age_q;  // since the manager was in its first cycle

  always_ff @(posedge clk_i) age_q <= dut.ask ? 5'd1 : age_q + 5'd1;

  always_comb begin
    if (started_q && iterated) assert (age_q == (placed ? 5'(Ways + 2) : 5'(Length)));
  end

  // ---- covers: the proof is not vacuous ----------------------------------------------------

  always_comb begin
    cover (started_q && fetch_valid && fetch_ready_i && fetch_evicts);
    cover (started_q && placed && !placed_enters);
    cover (started_q && answered && where_is == StateOnItsWay);
    // A state is evicted although all states of its set are needed.
    cover (started_q && enters && evicts && same_q && wanted == '1 && way == '0);
  end

endmodule
