"""`python -m forebay`: the command."""

from ._command import main

main()
