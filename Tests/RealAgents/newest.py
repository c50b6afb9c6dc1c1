"""bin/agents-newest: walks with the newest versions from PyPI and says what is another than with the fixed ones."""

import re
import subprocess
import sys
from pathlib import Path

from environment import make, packages

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
STEP = re.compile(r"^(ok|FAILED) +([\w:]+): (.*?)(?: \(\d+\.\d s\)|: .*)?$")


def versions(python, names):
    script = "import importlib.metadata as m, sys\nfor name in sys.argv[1:]: print(name, m.version(name))"
    done = subprocess.run([python, "-c", script, *names], capture_output=True, text=True, check=True)
    return dict(line.split() for line in done.stdout.splitlines())


def steps(python, arguments):
    """How each step went, and everything that was printed of it."""
    done = subprocess.run([python, HERE / "agents.py", *arguments], capture_output=True, text=True)
    found = {}
    for line in done.stdout.splitlines():
        match = STEP.match(line)
        if match:
            found[(match[2], match[3])] = (match[1] == "ok", line)
    if not found:
        print(done.stdout + done.stderr)
    return found


def main(arguments):
    fixed = packages()
    old = make(ROOT / ".build/agents-venv", [f"{name}=={version}" for name, version in fixed.items()])
    new = make(ROOT / ".build/agents-newest-venv", list(fixed), is_upgraded=True)
    now = versions(new, fixed)
    for name, version in fixed.items():
        print(f"{name}: {version}" + (f" -> {now[name]}" if now[name] != version else ", the newest"))
    if now == fixed:
        print("nothing is newer")
        return 0
    before, after = steps(old, arguments), steps(new, arguments)
    worse = [key for key, (passed, _) in after.items() if not passed and before.get(key, (True, ""))[0]]
    missing = [key for key in before if key not in after]
    for key in worse:
        print(after[key][1])
    for agent, step in missing:
        print(f"FAILED {agent}: {step}: it was not reached")
    passed = sum(passed for passed, _ in after.values())
    print(f"{passed} passed, {len(after) - passed + len(missing)} failed")
    return 1 if worse or missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
