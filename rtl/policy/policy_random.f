policy/policy_random.sv
