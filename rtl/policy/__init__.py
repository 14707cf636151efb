"""The fixed part of a policy's hardware: models and tests."""
