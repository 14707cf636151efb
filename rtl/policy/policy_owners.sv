// The policy's rules for an operation, once for each owner of a condition.
//
// The rules of the buffer and of the queue are for the arriving packet, those of the port for the
// served packet. Latency: none, as for policy_rules.
module policy_owners
  import policy_pkg::*;
  import policy_core_pkg::*;
(
  input  logic [QueueWidth-1:0]              queue_i,         // of the arriving packet
  input  fields_t                            fields_i,
  input  logic [PortWidth-1:0]               port_i,
  input  logic [QueueWidth-1:0]              served_queue_i,
  input  fields_t                            served_i,
  input  logic [TimeWidth-1:0]               now_i,
  input  logic                               present_i,
  input  logic [CaseWidth-1:0]               case_i,
  input  logic [StepWidth-1:0]               step_i,
  input  logic [Queues-1:0][CountWidth-1:0]  queue_count_i,
  input  logic [Buffers-1:0][CountWidth-1:0] buffer_count_i,
  input  logic [Queues-1:0][SumWidth-1:0]    queue_work_i,
  input  logic [Queues-1:0]                  some_i,
  input  state_t                             state_i,
  input  logic [Parameters-1:0][63:0]        param_i,
  output ruling_t                            buffer_o,
  output ruling_t                            queue_o,
  output ruling_t                            port_o
);

  ruling_t ruling [3];

  for (genvar of = 0; of < 3; of++) begin : gen_owner
    localparam owner_e Owner = owner_e'(of);
    logic [QueueWidth-1:0] queue_index;
    fields_t               fields;

    assign queue_index = Owner == OwnerPort ? served_queue_i : queue_i;
    assign fields      = Owner == OwnerPort ? served_i : fields_i;

    policy_rules i_rules (
      .owner_i        (Owner),
      .queue_i        (queue_index),
      .port_i,
      .fields_i       (fields),
      .present_i,
      .case_i,
      .step_i,
      .queue_count_i,
      .buffer_count_i,
      .queue_work_i,
      .queue_packets_i(some_i),
      .state_i,
      .param_i,
      .now_i,
      .case_valid_o   (ruling[of].case_valid),
      .case_o         (ruling[of].case_index),
      .last_o         (ruling[of].last),
      .action_o       (ruling[of].action),
      .chance_o       (ruling[of].chance),
      .again_o        (ruling[of].again),
      .state_o        (ruling[of].state),
      .victim_queue_o (ruling[of].victim_queue),
      .next_valid_o   (ruling[of].next_valid),
      .next_queue_o   (ruling[of].next_queue)
    );
  end

  assign buffer_o = ruling[OwnerBuffer];
  assign queue_o  = ruling[OwnerQueue];
  assign port_o   = ruling[OwnerPort];

endmodule
