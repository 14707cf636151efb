// Operations and answers on the ports of every queue of forebay.
package forebay_queue_pkg;

  // The operation of a request.
  typedef enum logic [2:0] {
    OpEnqueue    = 3'd0,  // insert data at a rank
    OpDequeueMin = 3'd1,  // remove the lowest rank, the earliest arrival among equals
    OpDequeueMax = 3'd2,  // remove the highest rank, the latest arrival among equals
    OpPeekMin    = 3'd3,  // show the element that OpDequeueMin would remove
    OpPeekMax    = 3'd4   // show the element that OpDequeueMax would remove
  } op_e;

  // The answer of a queue. If several hold, the highest number is the answer.
  typedef enum logic [2:0] {
    StatusDone        = 3'd0,  // done; rank and data are valid
    StatusFull        = 3'd1,  // an enqueue found no room; the queue has not changed
    StatusEmpty       = 3'd2,  // a dequeue or peek found no element (in its partition)
    StatusOutOfRange  = 3'd3,  // that rank or partition does not exist; the queue has not changed
    StatusUnsupported = 3'd4   // this queue lacks the operation; the queue has not changed
  } status_e;

endpackage
