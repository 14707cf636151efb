// What the parts of policy_core tell each other.
package policy_core_pkg;

  import policy_pkg::*;

  // Something that the host will be told, in order. What the queue block gives is told when it
  // has answered.
  typedef struct packed {
    logic                  answered;   // by the block's next dequeue; otherwise at once
    logic                  departs;    // otherwise it is a drop
    logic                  none;       // a pull of a port without packets
    rule_e                 rule;       // of a drop
    logic [QueueWidth-1:0] queue_index;
    logic [PortWidth-1:0]  port;       // of a departure
    logic [1:0]            marks;      // that a packet is given when it leaves
    logic [IdWidth-1:0]    id;         // of the arriving packet, which may be the victim
  } event_t;

  // What is counted in a cycle.
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

  // What policy_rules says, of one owner.
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

  // What the counters and occupancies of a queue are called in the register map, in words.
  typedef enum logic [3:0] {
    WordArrived, WordSent, WordQueue, WordBuffer, WordOverflow, WordSlots, WordMarked,
    WordNotified, WordPackets, WordOccupancy
  } word_e;

  // What another policy of the same hardware says to this one (policy_swap); '0 where there is none.
  typedef struct packed {
    logic                               restart;     // this one is in force from now on
    state_t                             state;       // with these states
    logic [Queues-1:0][CountWidth-1:0]  queue_held;  // what waits in the other one, and counts here
    logic [Buffers-1:0][CountWidth-1:0] buffer_held;
  } peer_t;

  // What this one says to it.
  typedef struct packed {
    logic                  busy;       // with an operation
    logic                  departs;    // a departure is decided, or a drop
    logic                  drops;
    logic                  put;        // a packet counts from now on, or no more
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
