"""The bench that every hardware queue of forebay is tested on; see README.md."""
