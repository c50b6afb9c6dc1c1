"""bin/agents: walks with each agent that is named, or all of them. Each is a module with `walk(quick)`, which returns the `Walk`, or nothing where the
agent is not installed."""

import importlib
import sys
from pathlib import Path

AGENTS = [name for name in ("codex", "claude", "acp") if (Path(__file__).parent / f"{name}_walk.py").exists()]


def main(arguments):
    quick = "--quick" in arguments
    names = [argument for argument in arguments if argument != "--quick"]
    for name in names:
        if name not in AGENTS:
            print(f"bin/agents: {name} is none of: {' '.join(AGENTS)}, --quick", file=sys.stderr)
            return 2
    passed = failed = 0
    for name in names or AGENTS:
        walk = importlib.import_module(f"{name}_walk").walk(quick)
        if walk is None:
            continue
        passed += len(walk.passed)
        failed += len(walk.failed)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
