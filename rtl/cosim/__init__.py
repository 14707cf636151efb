"""Simulation of blocks that have ports of their own, one cocotb test for each."""
