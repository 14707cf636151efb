common/lookup_ram.sv
seer/fpm_queue.sv
seer/seer_egress.sv
