"""Tests the parts of the builder of the site: everything in tests/, with the standard library alone."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    sys.path.insert(0, str(HERE))
    found = unittest.defaultTestLoader.discover(str(HERE / "tests"), top_level_dir=str(HERE / "tests"))
    result = unittest.TextTestRunner(verbosity=1).run(found)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
