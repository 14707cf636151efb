// Types that the parts of a PIEO share.
package pieo_pkg;

  // The neighbour of a sublist that takes part in an operation.
  typedef enum logic [1:0] {
    SideNone   = 2'd0,
    SideBehind = 2'd1,  // the neighbour with the higher ranks
    SideBefore = 2'd2
  } side_e;

  // The lowest root with root * root >= n.
  function automatic int unsigned root_up(input int unsigned n);
    int unsigned root = 1;
    while (root * root < n) root++;
    return root;
  endfunction

endpackage
