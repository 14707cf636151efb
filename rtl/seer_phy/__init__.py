"""The side channel of Seer over 10GBASE-R: models and tests."""
