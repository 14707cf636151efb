// The shape of a BMW-Tree, in either form.
package bmw_tree_pkg;

  // The lowest number of levels with a slot for every entry.
  function automatic int unsigned levels(input int unsigned order, input int unsigned entries);
    int unsigned places, count;
    places = 0;
    count  = 0;
    for (int unsigned l = 0; l < 32; l++) begin
      if (places < entries) begin
        places = order * (1 + places);
        count  = count + 1;
      end
    end
    return count;
  endfunction

endpackage
