"""Area and clock of the hardware blocks: `python -m rtl.synth --help`, from the project's root."""
