seer_phy/seer_phy_pkg.sv
seer_phy/seer_phy_slots.sv
seer_phy/seer_phy_tx.sv
seer_phy/seer_phy_queue.sv
seer_phy/seer_phy_rx.sv
seer_phy/seer_phy_link.sv
