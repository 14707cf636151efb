// What every queue of forebay speaks on its ports: operations and answers.
package forebay_queue_pkg;

  // What is asked of a queue.
  typedef enum logic [2:0] {
    OpEnqueue    = 3'd0,  // put data in at a rank
    OpDequeueMin = 3'd1,  // take the lowest rank, the earliest arrival among equals
    OpDequeueMax = 3'd2,  // take the highest rank, the latest arrival among equals
    OpPeekMin    = 3'd3,  // what OpDequeueMin would take, which stays
    OpPeekMax    = 3'd4   // what OpDequeueMax would take, which stays
  } op_e;

  // What a queue answers. If several hold, the highest number is the answer.
  typedef enum logic [2:0] {
    StatusDone        = 3'd0,  // done; rank and data are valid
    StatusFull        = 3'd1,  // an enqueue that found no room; nothing has changed
    StatusEmpty       = 3'd2,  // a dequeue or peek that found nothing (in its partition)
    StatusOutOfRange  = 3'd3,  // that rank or partition does not exist; nothing has changed
    StatusUnsupported = 3'd4   // this queue lacks the operation; nothing has changed
  } status_e;

endpackage
