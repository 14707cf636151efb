common/forebay_queue_pkg.sv
pifo/pifo_array.sv
pifo/pifo.sv
