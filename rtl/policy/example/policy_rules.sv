// The rules of a policy of the tests, made by policy_sources.py.
module policy_rules
  import policy_pkg::*;
(
  input  owner_e                             owner_i,
  input  logic [QueueWidth-1:0]              queue_i,
  input  logic [PortWidth-1:0]               port_i,
  input  fields_t                            fields_i,
  input  logic                               present_i,
  input  logic [CaseWidth-1:0]               case_i,
  input  logic [StepWidth-1:0]               step_i,
  input  logic [Queues-1:0][CountWidth-1:0]  queue_count_i,
  input  logic [Buffers-1:0][CountWidth-1:0] buffer_count_i,
  input  logic [Queues-1:0][SumWidth-1:0]    queue_work_i,
  input  logic [Queues-1:0]                  queue_packets_i,
  input  state_t                             state_i,
  input  logic [Parameters-1:0][63:0]        param_i,
  input  logic [TimeWidth-1:0]               now_i,
  output logic                               case_valid_o,
  output logic [CaseWidth-1:0]               case_o,
  output logic                               last_o,
  output action_e                            action_o,
  output logic [64:0]                        chance_o,
  output logic                               again_o,
  output state_t                             state_o,
  output logic [QueueWidth-1:0]              victim_queue_o,
  output logic                               next_valid_o,
  output logic [QueueWidth-1:0]              next_queue_o
);

  localparam logic [64:0] Sure = 65'h1_0000_0000_0000_0000;

  logic [64:0] here;
  logic [64:0] work;
  logic [64:0] all;
  logic [64:0] size;
  logic [64:0] value;
  logic [64:0] now;

  assign here = 65'(queue_count_i[queue_i]);
  assign work = 65'(queue_work_i[queue_i]);
  assign all = 65'(Buffered[queue_i] ? buffer_count_i[BufferOf[queue_i]] : '0);
  assign size = 65'(fields_i.size);
  assign value = 65'(fields_i.value);
  assign now = 65'(now_i);

  function automatic logic [64:0] pick(logic when, logic [64:0] a, logic [64:0] b);
    return when ? a : b;
  endfunction

  always_comb begin
    case_valid_o = 1'b0;
    case_o       = '0;
    last_o       = 1'b1;
    action_o     = ActionDrop;
    chance_o     = '0;
    again_o      = 1'b0;
    state_o      = state_i;
    if (owner_i == OwnerBuffer && Buffered[queue_i] && BufferOf[queue_i] == BufferWidth'(0)) begin
      if (all > 65'd12) begin
        case_valid_o = 1'b1;
        case_o       = CaseWidth'(0);
      end
      if (case_i == CaseWidth'(0)) begin
        again_o = (all > 65'd12);
        if (step_i == StepWidth'(0)) begin
          last_o   = 1'b0;
          action_o = ActionDrop;
          chance_o = Sure;
        end
      end
    end
    if (owner_i == OwnerQueue && queue_i == QueueWidth'(0)) begin
    end
    if (owner_i == OwnerQueue && queue_i == QueueWidth'(1)) begin
    end
    if (owner_i == OwnerQueue && queue_i == QueueWidth'(2)) begin
    end
    if (owner_i == OwnerPort && port_i == PortWidth'(0)) begin
    end
    if (owner_i == OwnerPort && port_i == PortWidth'(1)) begin
    end
  end

  always_comb begin : choose_victim
    logic found;
    logic [CountWidth-1:0] most;
    found = 1'b0;
    most  = '0;
    victim_queue_o = queue_i;
    if (Buffered[queue_i] && BufferOf[queue_i] == BufferWidth'(0)) begin
      if (queue_packets_i[0] && (queue_count_i[0] > most || !found)) begin
        victim_queue_o = QueueWidth'(0);
        most = queue_count_i[0];
        found = 1'b1;
      end
      if (queue_packets_i[1] && (queue_count_i[1] > most || !found)) begin
        victim_queue_o = QueueWidth'(1);
        most = queue_count_i[1];
        found = 1'b1;
      end
      if (queue_packets_i[2] && (queue_count_i[2] > most || !found)) begin
        victim_queue_o = QueueWidth'(2);
        most = queue_count_i[2];
        found = 1'b1;
      end
    end
  end

  always_comb begin : choose_next
    logic found;
    logic [CountWidth-1:0] most;
    found = 1'b0;
    most  = '0;
    next_queue_o = '0;
    if (port_i == PortWidth'(0)) begin
      if (queue_packets_i[0] && (queue_count_i[0] > most || !found)) begin
        next_queue_o = QueueWidth'(0);
        most = queue_count_i[0];
        found = 1'b1;
      end
      if (queue_packets_i[1] && (queue_count_i[1] > most || !found)) begin
        next_queue_o = QueueWidth'(1);
        most = queue_count_i[1];
        found = 1'b1;
      end
    end
    if (port_i == PortWidth'(1)) begin
      if (queue_packets_i[2] && (!found || !found)) begin
        next_queue_o = QueueWidth'(2);
        most = queue_count_i[2];
        found = 1'b1;
      end
    end
    next_valid_o = found;
  end

  // Inputs that this policy does not read.
  logic unused;
  assign unused = &{present_i, param_i, state_i, case_i, step_i, now, size, value, all, here, work};

endmodule
