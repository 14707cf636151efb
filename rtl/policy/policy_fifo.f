common/lookup_ram.sv
policy/policy_fifo.sv
