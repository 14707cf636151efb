policy/policy_divider.sv
