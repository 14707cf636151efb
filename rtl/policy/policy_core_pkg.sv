// Types of the signals between the parts of policy_core.
package policy_core_pkg;

  import policy_pkg::*;

  // An event for the host, in order. An event about a packet from the queue block is reported when
  // the block has answered.
  typedef struct packed {
    logic                  answered;   // at the block's next dequeue; otherwise at once
    logic                  departs;    // otherwise it is a drop
    logic                  none;       // a pull of a port without packets
    rule_e                 rule;       // of a drop
    logic [QueueWidth-1:0] queue_index;
    logic [PortWidth-1:0]  port;       // of a departure
    logic [1:0]            marks;      // given to a packet when it leaves
    logic [IdWidth-1:0]    id;         // of the arriving packet, which may be the victim
  } event_t;

  // Events to count in a cycle.
  typedef struct packed {
    logic                  arrived;    // at `queue_index`
    logic                  marked;
    logic                  notified;
    logic [QueueWidth-1:0] queue_index;
    logic                  sent;       // from `from`
    logic                  dropped;    // by `rule`
    rule_e                 rule;
    logic [QueueWidth-1:0] from;
  } count_t;

  // The rules of policy_rules for one owner.
  typedef struct packed {
    logic                  case_valid;
    logic [CaseWidth-1:0]  case_index;
    logic                  last;
    action_e               action;
    logic [64:0]           chance;
    logic                  again;
    state_t                state;
    logic [QueueWidth-1:0] victim_queue;
    logic                  next_valid;
    logic [QueueWidth-1:0] next_queue;
  } ruling_t;

  // The words of a queue's counters and occupancies in the register map.
  typedef enum logic [3:0] {
    WordArrived, WordSent, WordQueue, WordBuffer, WordOverflow, WordSlots, WordMarked,
    WordNotified, WordPackets, WordOccupancy
  } word_e;

  // Signals from another policy of the same hardware (policy_swap); '0 if there is none.
  typedef struct packed {
    logic                               restart;     // this policy is in force from now on
    state_t                             state;       // with these states
    logic [Queues-1:0][CountWidth-1:0]  queue_held;  // backlog of the other one that counts here
    logic [Buffers-1:0][CountWidth-1:0] buffer_held;
  } peer_t;

  // Signals to the other policy.
  typedef struct packed {
    logic                  busy;       // with an operation
    logic                  departs;    // a departure is decided, or a drop
    logic                  drops;
    logic                  put;        // a packet counts from now on, or no longer
    logic [QueueWidth-1:0] put_queue;
    logic [SizeWidth-1:0]  put_size;
    logic                  take;
    logic [QueueWidth-1:0] take_queue;
    logic [SizeWidth-1:0]  take_size;
    state_t                state;
  } view_t;

  localparam int unsigned DepartWidth = 3 + PortWidth + QueueWidth + IdWidth;
  localparam int unsigned DropWidth   = 4 + QueueWidth + IdWidth;

endpackage
