// Types that the blocks of Seer share.
//
// Source: Seer (NSDI 2024), sections 3 and 4.
package seer_pkg;

  // Operations of an ordered list.
  typedef enum logic [1:0] {
    ListInsert      = 2'd0,  // a new entry; later entries are delayed further by `push`
    ListDelete      = 2'd1,  // the first entry with this tag
    ListDeleteFirst = 2'd2,  // the first entry
    ListPush        = 2'd3   // nothing new; all entries are delayed by `push`
  } list_op_e;

  // Where the state of a packet is.
  typedef enum logic [1:0] {
    StateHere     = 2'd0,
    StateOnItsWay = 2'd1,  // its fetch has begun; the packet waits for the rest of it
    StateAway     = 2'd2   // its fetch begins with this answer
  } whereabouts_e;

endpackage
