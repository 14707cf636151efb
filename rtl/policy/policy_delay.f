policy/policy_delay.sv
