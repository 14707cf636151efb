"""The bench that tests every hardware queue of forebay; see README.md."""
