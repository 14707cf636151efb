policy/policy_drain.sv
