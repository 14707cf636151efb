common/forebay_queue_pkg.sv
common/ram_1r1w.sv
bbq/bbq.sv
