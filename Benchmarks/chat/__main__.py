"""What bin/endure-chat and bin/endure-flash run: `endure [KILLS] [SEED]`, `plain [KILLS] [SEED]` or `flash [PICTURES] [OPENS] [SEED]`."""

import os
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "Tests/Rig"), str(ROOT / "Tests/Page")]

import endure  # noqa: E402
import flash  # noqa: E402
from rig import Home, Trouble  # noqa: E402

KINDS = {"endure": (endure.main, [100]), "plain": (endure.plain, [100]), "flash": (flash.main, [40, 250])}


def arguments(words, defaults):
    """Numbers, the last of which is the seed: drawn where it is left out."""
    try:
        numbers = [int(word) for word in words]
    except ValueError:
        numbers = [0]
    if len(numbers) > len(defaults) + 1 or any(number < 1 for number in numbers):
        sys.exit("The arguments are numbers above 0. The head of the command's file says which.")
    given = numbers + (defaults + [random.randrange(1, 1 << 30)])[len(numbers):]
    return given[:len(defaults)], given[-1]


run, defaults = KINDS[sys.argv[1]]
counts, seed = arguments(sys.argv[2:], defaults)
home = Home(is_kept="KEEP" in os.environ)
try:
    with home:
        status = run(home, *counts, seed)
except Trouble as error:
    print(f"FAILED {error}")
    status = 1
if home.is_kept:
    print(f"kept in {home.folder}")
sys.exit(status)
