// Decides operations, one after the other: admission and service of an OpenQueue policy.
//
// Source: Kogan et al., "Towards Software-Defined Buffer Management" (IEEE/ACM Transactions on
// Networking, 2020), III-C to III-F; docs/openqueue-semantics.md, sections 6 and 7. The comments
// name its rules.
//
// Throughput: an arrival for which no condition holds takes 1 cycle. So does a pull if `Waits` is 0
// and no condition holds. A condition that holds takes a cycle more, one for each action, one for
// each victim and one to test whether more victims leave. One more judges the queue after its
// buffer has acted. With `Waits`, each pull and each victim other than the arriving packet also
// takes the latency of the queue block.
//
// Limits: those of policy_pkg; conditions of buffer and queue are computed in one cycle.
module policy_control
  import forebay_queue_pkg::*;
  import policy_pkg::*;
  import policy_core_pkg::*;
(
  input  logic                           clk_i,
  input  logic                           rst_i,
  input  logic                           op_valid_i,
  output logic                           op_ready_o,
  input  operation_t                     op_i,
  output logic                           idle_o,
  input  logic [Parameters-1:0][63:0]    param_i,
  // The queue block.
  output logic                           req_valid_o,
  input  logic                           req_ready_i,
  output op_e                            req_op_o,
  output logic [QueueWidth-1:0]          req_partition_o,
  output logic [RankWidth-1:0]           req_rank_o,
  output ticket_t                        req_data_o,
  input  logic                           rsp_valid_i,
  input  op_e                            rsp_op_i,
  input  logic [RankWidth-1:0]           rsp_rank_i,
  input  ticket_t                        rsp_data_i,
  // Events for the host, and counts.
  output logic                           event_valid_o,
  output event_t                         event_o,
  input  logic                           depart_room_i,
  input  logic                           drop_room_i,
  output count_t                         count_o,
  output logic [Queues-1:0][PacketsWidth-1:0] packets_o,
  output logic [Queues-1:0][CountWidth-1:0]   queue_count_o,
  // Another policy.
  input  peer_t                          peer_i,
  output view_t                          view_o
);

  typedef enum logic [2:0] {
    StIdle,    // accepts an operation and decides it, if no condition holds
    StSee,     // waits for the queue block to show a packet
    StJudge,   // the queue's condition, after its buffer's; or the port's
    StAct,     // an action of the case, or the test whether more victims leave
    StVictim   // a victim leaves
  } step_e;

  step_e                 at_q, at_d;
  operation_t            op_q, op;
  state_t                state_q;
  owner_e                owner_q, owner_d;
  logic [CaseWidth-1:0]  case_q, case_d;
  logic [StepWidth-1:0]  step_q, step_d;
  logic                  sure_q, sure_d;        // a drop of the case is certain
  logic                  present_q, present_d;  // the arriving packet was not dropped
  logic                  entered_q, entered_d;  // it is in the queue block
  logic                  seen_q, seen_d;        // the block has shown the victim
  ticket_t               shown_q;
  logic [RankWidth-1:0]  shown_rank_q;
  logic [1:0]            given_q, given_d;      // marks for the packet that is served
  logic [Queues-1:0]     notify_next_q, notify_next_d;

  logic idle, arrives, put, take;
  logic [QueueWidth-1:0] take_queue;
  logic [SizeWidth-1:0]  take_size;
  logic [WorkWidth-1:0]  take_work;
  logic                  no_place, overflows;
  logic [Queues-1:0]     some;
  logic [Buffers-1:0][CountWidth-1:0] buffer_count;

  assign idle    = at_q == StIdle;
  assign idle_o  = idle;
  assign op      = idle ? op_i : op_q;
  assign arrives = idle && op_valid_i && op.kind == KindArrive && op.classified;

  policy_counts i_counts (
    .clk_i,
    .rst_i,
    .arriving_i    (arrives),
    .queue_i       (op.queue_index),
    .size_i        (op.ticket.size),
    .put_i         (put),
    .take_i        (take),
    .take_queue_i  (take_queue),
    .take_size_i   (take_size),
    .queue_held_i  (peer_i.queue_held),
    .buffer_held_i (peer_i.buffer_held),
    .packets_o,
    .some_o        (some),
    .queue_count_o,
    .buffer_count_o(buffer_count),
    .no_place_o    (no_place),
    .overflows_o   (overflows)
  );

  logic [Queues-1:0][SumWidth-1:0] queue_work;

  policy_work i_work (
    .clk_i,
    .rst_i,
    .arriving_i   (arrives),
    .queue_i      (op.queue_index),
    .work_i       (ticket_work(op.ticket)),
    .put_i        (put),
    .take_i       (take),
    .take_queue_i (take_queue),
    .take_work_i  (take_work),
    .served_i     (!idle && op.kind == KindPull),
    .served_work_i(ticket_work(shown_q)),
    .queue_work_o (queue_work)
  );

  // ---- the rules of the policy
  // ----------------------------------------------------------------------

  ruling_t               buffer, queue, port, now;
  logic [QueueWidth-1:0] served_queue;
  fields_t               served;

  assign served_queue = idle ? port.next_queue : op_q.queue_index;
  assign served       = served_fields(shown_q);

  policy_owners i_owners (
    .queue_i       (op.queue_index),
    .fields_i      (op.fields),
    .port_i        (op.port),
    .now_i         (op.now),
    .served_queue_i(served_queue),
    .served_i      (served),
    .present_i     (idle || present_q),
    .case_i        (case_q),
    .step_i        (step_q),
    .queue_count_i (queue_count_o),
    .buffer_count_i(buffer_count),
    .queue_work_i  (queue_work),
    .some_i        (some),
    .state_i       (state_q),
    .param_i,
    .buffer_o      (buffer),
    .queue_o       (queue),
    .port_o        (port)
  );

  assign now    = owner_q == OwnerBuffer ? buffer : owner_q == OwnerQueue ? queue : port;

  logic unused;  // inputs that are read when an operation is accepted
  assign unused = ^now;

  logic asks, drops, sure;

  policy_random #(
    .Init(RandomInit)
  ) i_random (
    .clk_i,
    .rst_i,
    .ask_i   (asks),
    .chance_i(now.chance),
    .drops_o (drops),
    .sure_o  (sure)
  );

  // ---- the victim ----------------------------------------------------------------------------------

  logic [QueueWidth-1:0] victim_queue;
  rule_e                 rule;
  logic                  mine, refuse, look, sort_in;

  assign victim_queue = owner_q == OwnerBuffer ? buffer.victim_queue : op_q.queue_index;
  assign rule         = owner_q == OwnerBuffer ? RuleBuffer : RuleQueue;
  assign mine         = present_q && victim_queue == op_q.queue_index;

  // 6.6: the last packet that arrived is the arriving packet. In reverse order of service, the
  // arriving packet is the victim if it is alone, or if its rank is not below the highest of the
  // others.
  always_comb begin
    refuse  = 1'b0;
    look    = 1'b0;
    sort_in = 1'b0;
    if (mine && !entered_q) begin
      if (!VictimReverse[victim_queue]) refuse = 1'b1;
      else if (packets_o[victim_queue] == PacketsWidth'(1)) refuse = 1'b1;
      else if (!Waits) sort_in = 1'b1;
      else refuse = seen_q && op_q.rank >= shown_rank_q;
    end
    look = Waits && !seen_q && !refuse;
  end

  // ---- control -------------------------------------------------------------------------------------

  logic finish, serve, see, show, modify, can_drop, can_depart;

  assign can_drop   = drop_room_i && req_ready_i;
  assign can_depart = depart_room_i && req_ready_i;
  assign op_ready_o = idle && can_drop && can_depart && !rst_i;
  assign show       = at_q == StSee && rsp_valid_i && rsp_op_i inside {OpPeekMin, OpPeekMax};

  always_comb begin
    at_d            = at_q;
    owner_d         = owner_q;
    case_d          = case_q;
    step_d          = step_q;
    sure_d          = sure_q;
    present_d       = present_q;
    entered_d       = entered_q;
    seen_d          = seen_q;
    given_d         = given_q;
    notify_next_d   = notify_next_q;
    asks            = 1'b0;
    modify          = 1'b0;
    finish          = 1'b0;
    serve           = 1'b0;
    see             = 1'b0;
    put             = 1'b0;
    take            = 1'b0;
    take_queue      = op.queue_index;
    take_size       = op.ticket.size;
    take_work       = ticket_work(op.ticket);
    req_valid_o     = 1'b0;
    req_op_o        = OpEnqueue;
    req_partition_o = op.queue_index;
    event_valid_o   = 1'b0;
    event_o         = '0;
    event_o.rule    = RuleUnclassified;
    event_o.queue_index = op.queue_index;
    event_o.port    = op.port;
    event_o.id      = op.ticket.id;
    count_o         = '0;
    count_o.rule    = RuleUnclassified;
    count_o.queue_index = op.queue_index;
    count_o.from    = op.queue_index;

    unique case (at_q)
      StIdle: begin
        step_d    = '0;
        sure_d    = 1'b0;
        present_d = 1'b1;
        entered_d = 1'b0;
        seen_d    = 1'b0;
        given_d   = '0;
        if (op_valid_i && op_ready_o) begin
          if (op_i.kind == KindPull) begin
            owner_d = OwnerPort;
            case_d  = port.case_index;
            if (!port.next_valid) begin
              event_valid_o   = 1'b1;
              event_o.departs = 1'b1;
              event_o.none    = 1'b1;
              event_o.id      = '0;
              event_o.queue_index = '0;
            end else if (Waits) see = 1'b1;
            else if (port.case_valid) at_d = StAct;
            else serve = 1'b1;
          end else if (!op.classified) begin
            event_valid_o   = 1'b1;  // 5.3
            count_o.dropped = 1'b1;
          end else begin
            count_o.arrived = 1'b1;
            if (no_place) begin
              event_valid_o   = 1'b1;
              event_o.rule    = RuleSlots;
              count_o.dropped = 1'b1;
              count_o.rule    = RuleSlots;
            end else if (Buffered[op_i.queue_index] && buffer.case_valid) begin
              put     = 1'b1;
              owner_d = OwnerBuffer;
              case_d  = buffer.case_index;
              at_d    = StAct;
            end else if (queue.case_valid) begin
              put     = 1'b1;
              owner_d = OwnerQueue;
              case_d  = queue.case_index;
              at_d    = StAct;
            end else begin
              put    = !overflows;
              finish = 1'b1;
            end
          end
        end
      end

      StSee: if (show) begin
        seen_d = 1'b1;
        at_d   = op_q.kind == KindPull ? StJudge : StVictim;
      end

      StJudge: begin
        owner_d = op_q.kind == KindPull ? OwnerPort : OwnerQueue;
        step_d  = '0;
        sure_d  = 1'b0;
        if (op_q.kind == KindPull) begin
          case_d = port.case_index;
          serve  = !port.case_valid;
        end else begin
          case_d = queue.case_index;
          finish = !queue.case_valid;
        end
        if (!serve && !finish) at_d = StAct;
      end

      StAct: if (!now.last) begin
        step_d = step_q + 1'b1;
        unique case (now.action)
          ActionDrop: begin
            asks   = 1'b1;
            sure_d = sure_q || sure;
            if (drops) at_d = StVictim;
          end
          ActionMark: begin
            if (owner_q == OwnerPort) given_d[0] = 1'b1;
            else count_o.marked = present_q && !op_q.ticket.marks[0];
          end
          ActionNotify: begin
            if (owner_q == OwnerPort) given_d[1] = 1'b1;
            else if (present_q) count_o.notified = !op_q.ticket.marks[1];
            else notify_next_d[op_q.queue_index] = 1'b1;
          end
          ActionModify: modify = 1'b1;
        endcase
      end else if (sure_q && now.again) at_d = StVictim;  // 6.5
      else if (owner_q == OwnerPort) serve = 1'b1;
      else if (owner_q == OwnerBuffer && present_q) at_d = StJudge;
      else finish = 1'b1;

      StVictim: begin
        take_queue      = victim_queue;
        count_o.from    = victim_queue;
        count_o.rule    = rule;
        event_o.rule    = rule;
        event_o.queue_index = victim_queue;
        req_partition_o = victim_queue;
        if (!some[victim_queue]) begin
          sure_d = 1'b0;
          at_d   = StAct;
        end else if (look) see = 1'b1;
        else if (sort_in) begin
          req_valid_o = 1'b1;
          entered_d   = req_ready_i;
        end else if (can_drop) begin
          take            = 1'b1;
          take_size       = refuse ? op_q.ticket.size : shown_q.size;
          take_work       = ticket_work(refuse ? op_q.ticket : shown_q);
          present_d       = present_q && !refuse;
          seen_d          = 1'b0;
          at_d            = StAct;
          count_o.dropped = 1'b1;
          event_valid_o   = 1'b1;
          event_o.answered = !refuse;
          req_valid_o     = !refuse;
          req_op_o        = OpDequeueMax;
        end
      end

      default: at_d = StIdle;
    endcase

    // The queue block shows the packet that a decision is about.
    if (see) begin
      req_valid_o = 1'b1;
      req_op_o    = op.kind == KindPull ? OpPeekMin : OpPeekMax;
      if (op.kind == KindPull) req_partition_o = served_queue;
      if (req_ready_i) at_d = StSee;
    end

    // The end of an arrival: the packet is in its queue, or dropped.
    if (finish) begin
      if (!idle && (!present_q || entered_q)) at_d = StIdle;
      else if (overflows) begin  // 6.8
        event_o.rule = RuleOverflow;
        count_o.rule = RuleOverflow;
        if (can_drop) begin
          take            = !idle;
          event_valid_o   = 1'b1;
          count_o.dropped = 1'b1;
          at_d            = StIdle;
        end
      end else begin
        req_valid_o = 1'b1;
        if (req_ready_i) at_d = StIdle;
      end
    end

    // The end of a pull: a packet leaves. 6.4: with the notification that its queue owes.
    if (serve) begin
      take_queue       = served_queue;
      take_size        = shown_q.size;
      take_work        = ticket_work(shown_q);
      event_o.departs  = 1'b1;
      event_o.answered = 1'b1;
      event_o.queue_index = served_queue;
      event_o.marks    = given_q & {2{!idle}};
      event_o.marks[1] = event_o.marks[1] || notify_next_q[served_queue];
      count_o.from = served_queue;
      req_op_o     = OpDequeueMin;
      req_partition_o  = served_queue;
      if (can_depart) begin
        take          = 1'b1;
        req_valid_o   = 1'b1;
        event_valid_o = 1'b1;
        count_o.sent  = 1'b1;
        notify_next_d[served_queue] = 1'b0;
        at_d          = StIdle;
      end
    end
  end

  assign view_o = '{
    busy: !idle,
    departs: event_valid_o && event_o.departs,
    drops: event_valid_o && !event_o.departs,
    put: put, put_queue: op.queue_index, put_size: op.ticket.size,
    take: take, take_queue: take_queue, take_size: take_size,
    state: state_q
  };

  assign req_rank_o = op.rank;
  assign req_data_o = op.ticket;

  always_ff @(posedge clk_i) begin
    at_q          <= at_d;
    owner_q       <= owner_d;
    case_q        <= case_d;
    step_q        <= step_d;
    sure_q        <= sure_d;
    present_q     <= present_d;
    entered_q     <= entered_d;
    seen_q        <= seen_d;
    given_q       <= given_d;
    notify_next_q <= notify_next_d;
    if (idle) begin
      op_q <= op_i;
      if (op_i.kind == KindPull) op_q.queue_index <= port.next_queue;
    end else begin
      if (count_o.marked) op_q.ticket.marks[0] <= 1'b1;
      if (count_o.notified) op_q.ticket.marks[1] <= 1'b1;
    end
    if (show) begin
      shown_q      <= rsp_data_i;
      shown_rank_q <= rsp_rank_i;
    end
    if (modify) state_q <= now.state;
    if (peer_i.restart) begin
      state_q       <= peer_i.state;
      notify_next_q <= '0;
    end
    if (rst_i) begin
      at_q          <= StIdle;
      state_q       <= StateInit;
      notify_next_q <= '0;
    end
  end

endmodule
