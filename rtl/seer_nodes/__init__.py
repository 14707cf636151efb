"""Two nodes of Seer, back to back: hardware beside simulation."""
