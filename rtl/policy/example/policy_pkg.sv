// The numbers and types of a policy of the tests, made by policy_sources.py.
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNUSEDSIGNAL */
package policy_pkg;

  localparam int unsigned Queues = 3;
  localparam int unsigned Ports = 2;
  localparam int unsigned Buffers = 1;
  localparam int unsigned Parameters = 1;
  localparam int unsigned LiveParameters = 0;
  localparam int unsigned PolicyId = 1;
  localparam int unsigned Capacity = 34;
  localparam int unsigned QueueWidth = 2;
  localparam int unsigned PortWidth = 1;
  localparam int unsigned BufferWidth = 1;
  localparam int unsigned CountWidth = 6;
  localparam int unsigned PacketsWidth = 6;
  localparam int unsigned RankWidth = 1;
  localparam int unsigned IdWidth = 8;
  localparam int unsigned SizeWidth = 1;
  localparam int unsigned TimeWidth = 16;
  localparam int unsigned WorkWidth = 8;
  localparam int unsigned SumWidth = 16;
  localparam int unsigned CaseWidth = 1;
  localparam int unsigned StepWidth = 1;
  localparam logic [Queues-1:0][PortWidth-1:0] PortOf =
      {PortWidth'(1), PortWidth'(0), PortWidth'(0)};
  localparam logic [Queues-1:0] Buffered =
      3'b111;
  localparam logic [Queues-1:0][BufferWidth-1:0] BufferOf =
      {BufferWidth'(0), BufferWidth'(0), BufferWidth'(0)};
  localparam logic [Queues-1:0] QueueInBytes =
      3'b000;
  localparam logic [Buffers-1:0] BufferInBytes =
      1'b0;
  localparam logic [Queues-1:0][CountWidth-1:0] QueueSize =
      {CountWidth'(10), CountWidth'(10), CountWidth'(10)};
  localparam logic [Buffers-1:0][CountWidth-1:0] BufferSize =
      {CountWidth'(12)};
  localparam logic [Queues-1:0][PacketsWidth-1:0] QueuePlaces =
      {PacketsWidth'(11), PacketsWidth'(11), PacketsWidth'(11)};
  localparam logic [Queues-1:0] VictimReverse =
      3'b000;
  localparam logic [Parameters-1:0][63:0] ParameterInit =
      {64'd0};
  localparam logic [3:0][63:0] RandomInit =
      {64'h4, 64'h3, 64'h2, 64'h1};
  localparam logic [63:0] Digest =
      64'h0123_4567_89ab_cdef;
  localparam bit Waits =
      1'b0;
  localparam logic [0:0][15:0] StateInit =
      {16'(0)};

  typedef logic [0:0][15:0] state_t;

  typedef enum logic [1:0] {OwnerBuffer, OwnerQueue, OwnerPort} owner_e;
  typedef enum logic [1:0] {ActionDrop, ActionMark, ActionNotify, ActionModify} action_e;
  typedef enum logic [2:0] {
    RuleUnclassified, RuleQueue, RuleBuffer, RuleOverflow, RuleSlots
  } rule_e;
  typedef enum logic [0:0] {KindArrive, KindPull} kind_e;

  typedef struct packed {
    logic [SizeWidth-1:0] size;
    logic [7:0]           value;
  } fields_t;

  typedef struct packed {
    logic [7:0] value;
  } kept_t;

  typedef struct packed {
    logic [IdWidth-1:0]   id;
    logic [1:0]           marks;
    logic [SizeWidth-1:0] size;
    kept_t                kept;
  } ticket_t;

  typedef struct packed {
    kind_e                 kind;
    logic                  classified;
    logic [QueueWidth-1:0] queue_index;
    logic [PortWidth-1:0]  port;
    logic [RankWidth-1:0]  rank;
    logic [TimeWidth-1:0]  now;
    fields_t               fields;
    ticket_t               ticket;
  } operation_t;

  function automatic fields_t served_fields(ticket_t ticket);
    served_fields.size  = ticket.size;
    served_fields.value = ticket.kept.value;
  endfunction

  function automatic logic [WorkWidth-1:0] ticket_work(ticket_t ticket);
    ticket_work = ticket.kept.value;
  endfunction

endpackage
/* verilator lint_on UNUSEDPARAM */
/* verilator lint_on UNUSEDSIGNAL */
