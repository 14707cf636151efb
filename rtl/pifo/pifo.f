common/forebay_queue_pkg.sv
common/occupancy_counter.sv
pifo/pifo_array.sv
pifo/pifo.sv
