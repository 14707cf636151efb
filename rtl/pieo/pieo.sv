// PIEO: push-in extract-out, an ordered list from which the first eligible element is extracted.
//
// Source: Shrivastav, Fast, Scalable, and Programmable Packet Scheduler in Hardware, SIGCOMM'19, as
// in forebay's simulator. The list is divided into sublists of sqrt(Entries) elements in memory.
// One of two neighbours is always full, so 2 x sqrt(Entries) are enough. Their summaries are
// registers. All summaries are compared in parallel, then the elements of one sublist. An operation
// changes that sublist and at most one neighbour. A second, ordered copy of a sublist's times gives
// the earliest one.
//
// One operation per 6 cycles; one accepted in cycle t is answered in cycle t + 6, when
// the next can be accepted:
//   t + 1  which sublist: compare with all summaries
//   t + 2  read it; which neighbour takes part
//   t + 3  read the neighbour
//   t + 4  compare with all elements of the sublist
//   t + 5  positions in the ordered times of both; the answer
//   t + 6  write the sublist and the summaries
//   t + 7  write the neighbour
// The published design takes 4 cycles: its memories answer after 1 cycle. Choosing and reading a
// sublist are one step there, as are positioning times and writing.
//
// Limits: one partition, and nothing at the highest rank, as published. A rejected operation takes
// as long as any other. Times don't wrap around.
module pieo
  import forebay_queue_pkg::*;
  import pieo_pkg::*;
#(
  parameter int unsigned Entries    = 256,
  parameter int unsigned RankWidth  = 9,
  parameter int unsigned DataWidth  = 17,
  parameter int unsigned TimeWidth  = 16,
  parameter int unsigned Partitions = 1,
  parameter bit          Parity     = 1'b0,
  localparam int unsigned PartitionWidth = Partitions > 1 ? $clog2(Partitions) : 1,
  localparam int unsigned TotalWidth     = $clog2(Entries + 1)
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic                      req_valid_i,
  output logic                      req_ready_o,
  input  op_e                       req_op_i,
  input  logic [PartitionWidth-1:0] req_partition_i,
  input  logic [RankWidth-1:0]      req_rank_i,
  input  logic [DataWidth-1:0]      req_data_i,
  // For an enqueue: when the element becomes eligible. Otherwise: the present time.
  input  logic [TimeWidth-1:0]      req_time_i,
  output logic                      rsp_valid_o,
  output op_e                       rsp_op_o,
  output logic [PartitionWidth-1:0] rsp_partition_o,
  output status_e                   rsp_status_o,
  output logic [RankWidth-1:0]      rsp_rank_o,
  output logic [DataWidth-1:0]      rsp_data_o,
  output logic                      full_o,
  output logic                      empty_o,
  output logic [TotalWidth-1:0]     occupancy_o,
  output logic                      error_o
);

  localparam int unsigned Slots      = root_up(Entries);
  localparam int unsigned Sublists   = 2 * ((Entries + Slots - 1) / Slots);
  localparam int unsigned IndexWidth = $clog2(Sublists);
  localparam int unsigned CountWidth = $clog2(Slots + 1);

  if (Partitions != 1) begin : gen_no_partitions
    $error("a PIEO has one partition");
  end
  if (Entries < 4) begin : gen_too_small
    $error("a PIEO has 4 entries or more");
  end

  typedef struct packed {
    logic [TimeWidth-1:0] eligible_at;
    logic [RankWidth-1:0] rank;
    logic [DataWidth-1:0] data;
  } element_t;
  localparam int unsigned ElementWidth = $bits(element_t);

  typedef struct packed {
    op_e                       op;
    logic [PartitionWidth-1:0] partition_index;
    element_t                  element;
  } request_t;

  // Bit i: the operation was accepted i + 1 cycles ago.
  logic [5:0] step_q;
  logic       accepted;
  assign req_ready_o = !rst_i && step_q[4:0] == '0;
  assign accepted    = req_valid_i && req_ready_o;

  request_t request_q;
  logic     enqueue, peek;
  assign enqueue = request_q.op == OpEnqueue;
  assign peek    = request_q.op == OpPeekMin;

  always_ff @(posedge clk_i) begin
    step_q <= {step_q[4:0], accepted};
    if (rst_i) step_q <= '0;
    if (accepted) request_q <= {req_op_i, req_partition_i, req_time_i, req_rank_i, req_data_i};
  end

  // t + 1: granted or not, and which sublist.
  logic [TotalWidth-1:0] total_q, total_d;
  logic [Sublists-1:0]   by_rank, by_time, chosen_q;
  logic                  eligible, granted, granted_q;
  status_e               status, status_q;

  always_comb begin
    status = StatusDone;
    if (enqueue && total_q == TotalWidth'(Entries)) status = StatusFull;
    if (!enqueue && !eligible) status = StatusEmpty;
    if (request_q.partition_index != '0) status = StatusOutOfRange;
    if (!(request_q.op inside {OpEnqueue, OpDequeueMin, OpPeekMin})) status = StatusUnsupported;
    granted = status == StatusDone;

    total_d = total_q;
    if (step_q[0] && granted && enqueue) total_d = total_q + 1'b1;
    if (step_q[0] && granted && !enqueue && !peek) total_d = total_q - 1'b1;
  end

  always_ff @(posedge clk_i) begin
    total_q <= total_d;
    if (rst_i) total_q <= '0;
    if (step_q[0]) begin
      chosen_q  <= enqueue ? by_rank : by_time;
      status_q  <= status;
      granted_q <= granted;
    end
  end

  assign occupancy_o = total_d;
  assign full_o      = total_d == TotalWidth'(Entries);
  assign empty_o     = total_d == '0;

  // t + 2: where the sublist is, and which neighbour gets or loses an element.
  logic [IndexWidth-1:0] own_index, behind_index, before_index, spare_index;
  logic [CountWidth-1:0] own_count, behind_count, before_count;
  logic                  own_full, spare;
  side_e                 side;

  function automatic logic is_partly_filled(input logic [CountWidth-1:0] count);
    return count != '0 && count != CountWidth'(Slots);
  endfunction

  always_comb begin
    own_full = own_count == CountWidth'(Slots);
    spare    = enqueue && own_full && !is_partly_filled(behind_count);
    side     = SideNone;
    if (own_full && enqueue) side = SideBehind;
    if (own_full && !enqueue && !peek) begin
      if (is_partly_filled(behind_count)) side = SideBehind;
      else if (is_partly_filled(before_count)) side = SideBefore;
    end
  end

  logic [IndexWidth-1:0] own_index_q, side_index_q;
  logic [CountWidth-1:0] own_count_q, side_count_q;
  logic                  own_full_q, spare_q;
  side_e                 side_q;

  always_ff @(posedge clk_i) begin
    if (step_q[1]) begin
      own_index_q <= own_index;
      own_count_q <= own_count;
      own_full_q  <= own_full;
      spare_q     <= spare;
      side_q      <= side;
      if (spare) side_index_q <= spare_index;
      else if (side == SideBefore) side_index_q <= before_index;
      else side_index_q <= behind_index;
      side_count_q <= spare ? '0 : side == SideBefore ? before_count : behind_count;
    end
  end

  // t + 3: which slots of both have elements, and the new counts.
  logic [Slots-1:0]      own_used_q, side_used_q;
  logic [CountWidth-1:0] own_next_q, side_next_q;
  logic                  reads_side;
  assign reads_side = side_q != SideNone && !spare_q;

  always_ff @(posedge clk_i) begin
    if (step_q[2]) begin
      for (int unsigned i = 0; i < Slots; i++) begin
        own_used_q[i]  <= CountWidth'(i) < own_count_q;
        side_used_q[i] <= CountWidth'(i) < side_count_q;
      end
      if (enqueue) own_next_q <= own_full_q ? own_count_q : own_count_q + 1'b1;
      else own_next_q <= side_q == SideNone ? own_count_q - 1'b1 : own_count_q;
      side_next_q <= enqueue ? side_count_q + 1'b1 : side_count_q - 1'b1;
    end
  end

  element_t [Slots-1:0]                read_elements, write_elements;
  logic     [Slots-1:0][TimeWidth-1:0] read_times, write_times;
  logic     [Slots-1:0]                read_errors;
  logic                                changes, writes_own, writes_side;

  assign changes    = granted_q && !peek;
  assign writes_own = step_q[5] && changes;

  pieo_sublists #(
    .Sublists(Sublists),
    .Slots(Slots),
    .ElementWidth(ElementWidth),
    .TimeWidth(TimeWidth),
    .Parity(Parity)
  ) u_sublists (
    .clk_i,
    .write_i(writes_own || writes_side),
    .write_index_i(writes_side ? side_index_q : own_index_q),
    .elements_i(write_elements),
    .times_i(write_times),
    .read_i(granted_q && (step_q[1] || (step_q[2] && reads_side))),
    .read_index_i(step_q[1] ? own_index : side_index_q),
    .elements_o(read_elements),
    .times_o(read_times),
    .error_o(read_errors)
  );

  // t + 4: the position of a new element, or the first eligible one.
  element_t [Slots-1:0]                own_q, side_elements_q;
  logic     [Slots-1:0][TimeWidth-1:0] own_times_q, side_times_q;
  logic     [Slots-1:0]                lower, later, taken;
  logic     [Slots-1:0]                lower_q, later_q, taken_q;
  logic                                searching;
  // The new element is behind all others of its full sublist, and moves on at once.
  logic                                passes_q;

  always_comb begin
    searching = 1'b1;
    for (int unsigned i = 0; i < Slots; i++) begin
      lower[i]  = own_used_q[i] && read_elements[i].rank <= request_q.element.rank;
      taken[i]  = searching && own_used_q[i]
               && read_elements[i].eligible_at <= request_q.element.eligible_at;
      searching = searching && !taken[i];
      later[i]  = searching;
    end
  end

  always_ff @(posedge clk_i) begin
    if (step_q[3]) begin
      own_q       <= read_elements;
      own_times_q <= read_times;
      lower_q     <= lower;
      later_q     <= later;
      taken_q     <= taken;
      passes_q    <= own_full_q && lower[Slots-1];
    end
  end

  // t + 5: the element that moves between both, and the positions of times.
  element_t         found, moved, moved_q, given;
  logic [Slots-1:0] in_place, out_place, side_place, side_end;
  logic             comes_in, goes_out;

  // The last element of the neighbour.
  assign side_end = side_used_q & {1'b1, ~side_used_q[Slots-1:1]};

  always_comb begin
    found = '0;
    given = '0;
    for (int unsigned i = 0; i < Slots; i++) begin
      if (taken_q[i]) found |= own_q[i];
      if (side_q == SideBehind ? i == 0 : side_end[i]) given |= read_elements[i];
    end
    if (!enqueue) moved = given;
    else moved = passes_q ? request_q.element : own_q[Slots-1];
    comes_in = enqueue ? !passes_q : side_q != SideNone;
    goes_out = enqueue ? own_full_q && !passes_q : 1'b1;

    for (int unsigned i = 0; i < Slots; i++) begin
      in_place[i]   = own_used_q[i] && own_times_q[i]
                      <= (enqueue ? request_q.element.eligible_at : given.eligible_at);
      out_place[i]  = own_used_q[i] && own_times_q[i]
                      < (enqueue ? own_q[Slots-1].eligible_at : found.eligible_at);
      side_place[i] = side_used_q[i] && {read_times[i], 1'b0} < {moved.eligible_at, enqueue};
    end
  end

  // Positions as for pieo_edit: all ones where no element is inserted or removed.
  logic [Slots:0]   own_in_q, own_time_in_q, side_in_q, side_time_in_q;
  logic [Slots-1:0] own_out_q, own_time_out_q, side_out_q, side_time_out_q;
  element_t         incoming_q;

  always_ff @(posedge clk_i) begin
    if (step_q[4]) begin
      side_elements_q <= read_elements;
      side_times_q    <= read_times;
      moved_q         <= moved;
      incoming_q      <= enqueue ? request_q.element : given;

      own_in_q       <= {1'b0, enqueue ? lower_q : {Slots{side_q == SideBehind}}};
      own_out_q      <= enqueue ? {1'b0, {Slots - 1{1'b1}}} : later_q;
      own_time_in_q  <= {1'b0, in_place};
      own_time_out_q <= out_place;
      if (!comes_in) {own_in_q, own_time_in_q} <= '1;
      if (!goes_out) {own_out_q, own_time_out_q} <= '1;

      // An element enters the neighbour at its low end, or leaves at either end. At the high end
      // only the count changes.
      side_in_q       <= enqueue ? '0 : '1;
      side_out_q      <= !enqueue && side_q == SideBehind ? '0 : '1;
      side_time_in_q  <= enqueue ? {1'b0, side_place} : '1;
      side_time_out_q <= enqueue ? '1 : side_place;
    end
  end

  logic                      answered_q;
  op_e                       answer_op_q;
  logic [PartitionWidth-1:0] answer_partition_q;
  status_e                   answer_status_q;
  logic [RankWidth-1:0]      answer_rank_q;
  logic [DataWidth-1:0]      answer_data_q;

  always_ff @(posedge clk_i) begin
    answered_q <= step_q[4];
    if (rst_i) answered_q <= 1'b0;
    answer_op_q        <= request_q.op;
    answer_partition_q <= request_q.partition_index;
    answer_status_q    <= status_q;
    answer_rank_q      <= enqueue ? request_q.element.rank : found.rank;
    answer_data_q      <= enqueue ? request_q.element.data : found.data;
    if (!granted_q) {answer_rank_q, answer_data_q} <= '0;
  end

  assign rsp_valid_o     = answered_q && !rst_i;
  assign rsp_op_o        = answer_op_q;
  assign rsp_partition_o = answer_partition_q;
  assign rsp_status_o    = answer_status_q;
  assign rsp_rank_o      = answer_rank_q;
  assign rsp_data_o      = answer_data_q;

  // t + 6 and t + 7: the new contents of both sublists.
  element_t [Slots-1:0]                own_edited, side_edited;
  logic     [Slots-1:0][TimeWidth-1:0] own_times_edited, side_times_edited;
  logic                                writes_side_q;

  pieo_edit #(.Slots(Slots), .Width(ElementWidth)) u_own (
    .list_i(own_q),
    .behind_i(own_in_q),
    .kept_i(own_out_q),
    .element_i(incoming_q),
    .list_o(own_edited)
  );
  pieo_edit #(.Slots(Slots), .Width(TimeWidth)) u_own_times (
    .list_i(own_times_q),
    .behind_i(own_time_in_q),
    .kept_i(own_time_out_q),
    .element_i(incoming_q.eligible_at),
    .list_o(own_times_edited)
  );
  pieo_edit #(.Slots(Slots), .Width(ElementWidth)) u_side (
    .list_i(side_elements_q),
    .behind_i(side_in_q),
    .kept_i(side_out_q),
    .element_i(moved_q),
    .list_o(side_edited)
  );
  pieo_edit #(.Slots(Slots), .Width(TimeWidth)) u_side_times (
    .list_i(side_times_q),
    .behind_i(side_time_in_q),
    .kept_i(side_time_out_q),
    .element_i(moved_q.eligible_at),
    .list_o(side_times_edited)
  );

  always_ff @(posedge clk_i) begin
    writes_side_q <= writes_own && side_q != SideNone;
    if (rst_i) writes_side_q <= 1'b0;
  end
  assign writes_side    = writes_side_q;
  assign write_elements = writes_side ? side_edited : own_edited;
  assign write_times    = writes_side ? side_times_edited : own_times_edited;

  pieo_order #(
    .Sublists(Sublists),
    .Slots(Slots),
    .RankWidth(RankWidth),
    .TimeWidth(TimeWidth)
  ) u_order (
    .clk_i,
    .rst_i,
    .rank_i(request_q.element.rank),
    .now_i(request_q.element.eligible_at),
    .by_rank_o(by_rank),
    .by_time_o(by_time),
    .eligible_o(eligible),
    .chosen_i(chosen_q),
    .chosen_index_o(own_index),
    .chosen_count_o(own_count),
    .behind_index_o(behind_index),
    .behind_count_o(behind_count),
    .before_index_o(before_index),
    .before_count_o(before_count),
    .spare_index_o(spare_index),
    .update_i(writes_own),
    .side_i(side_q),
    .spare_i(spare_q),
    .chosen_rank_i(own_edited[0].rank),
    .chosen_time_i(own_times_edited[0]),
    .chosen_count_i(own_next_q),
    .side_rank_i(side_edited[0].rank),
    .side_time_i(side_times_edited[0]),
    .side_count_i(side_next_q)
  );

  // Only slots with elements were written, and only they are used.
  always_ff @(posedge clk_i) begin
    error_o <= granted_q && ((step_q[3] && |(read_errors & own_used_q))
                          || (step_q[4] && reads_side && |(read_errors & side_used_q)));
    if (rst_i) error_o <= 1'b0;
  end

endmodule
