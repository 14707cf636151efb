"""The parts of the builder of the site, one idea each."""
