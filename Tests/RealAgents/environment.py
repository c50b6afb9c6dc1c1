"""Python environments with agents of PyPI in them. By itself: makes the one with the fixed versions in a folder, and prints its Python."""

import json
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def packages():
    """The fixed versions by name; those that are for a newer Python than this one are left out."""
    found = {}
    for line in (HERE / "requirements.txt").read_text().splitlines():
        package, _, condition = line.partition(";")
        least = re.search(r'python_version >= "(\d+)\.(\d+)"', condition)
        if "==" not in package or least and sys.version_info < (int(least[1]), int(least[2])):
            continue
        name, version = package.strip().split("==")
        found[name] = version
    return found


def make(folder, requirements, is_upgraded=False):
    """An environment of this Python with these packages. Quick where it is there already, unless newer versions may have come."""
    python, noted = folder / "bin/python", folder / "installed.json"
    wanted = json.dumps({"python": sys.version, "packages": sorted(requirements)})
    if not is_upgraded and noted.exists() and noted.read_text() == wanted:
        return python
    print(f"installing {' '.join(requirements)}: some hundred megabytes", file=sys.stderr)
    if not noted.exists() or json.loads(noted.read_text())["python"] != sys.version:
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
    noted.unlink(missing_ok=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *(["--upgrade"] if is_upgraded else []), *requirements]
    subprocess.run(pip, check=True, stdout=sys.stderr)
    noted.write_text(wanted)
    return python


if __name__ == "__main__":
    print(make(Path(sys.argv[1]), [f"{name}=={version}" for name, version in packages().items()]))
