common/occupancy_counter.sv
seer/seer_pkg.sv
seer/seer_first.sv
seer/seer_select.sv
seer/ordered_list_bank.sv
seer/ordered_list.sv
