common/forebay_queue_pkg.sv
common/ram_1r1w.sv
pieo/pieo_pkg.sv
pieo/pieo_edit.sv
pieo/pieo_sublists.sv
pieo/pieo_order.sv
pieo/pieo.sv
