common/lookup_ram.sv
policy/policy_fifo.sv
policy/policy_swap.sv
