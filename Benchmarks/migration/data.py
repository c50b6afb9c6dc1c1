"""What moves: a Day One export of made-up stories and of videos that do not shrink, the same for each run, and the phones that have it."""

import json
import random
import shutil

from disk import settle
from phones import Phone

MIB = 1 << 20
WORDS = ("lake hill morning bread train letter garden rain window friend river music winter market bridge coffee street evening island forest").split()
# The least and the most of a video's bytes: an export of a phone has small ones and large ones.
SMALLEST, LARGEST = 256 << 10, 32 << 20


def sizes(total, choice):
    """Sizes of files, as many small as large ones by their order of magnitude."""
    found, left = [], total
    largest = max(SMALLEST, min(LARGEST, total // 16))
    while left > 0:
        size = min(left, int(SMALLEST * (largest / SMALLEST) ** choice.random()))
        found.append(size)
        left -= size
    return found


def story(number, choice):
    lines = [" ".join(choice.choices(WORDS, k=10)) for _ in range(20)]
    date = f"{2000 + number // 336 % 25}-{1 + number // 28 % 12:02}-{1 + number % 28:02}T08:30:00Z"
    return {
        "uuid": f"0B9E0C6E7F0E4A539A5E{number:012X}", "creationDate": date, "modifiedDate": date, "starred": number % 9 == 0,
        "text": f"# Day {number}\n\n" + ".\n\n".join(lines) + f".\n\nIt was the number{number}.", "tags": [f"tag {number % 12}"],
        "timeZone": "Europe/Zurich", "location": {"latitude": 47 + number % 1000 / 1000, "longitude": 8.5, "placeName": "Rigi"},
    }


def write(folder, stories, media_bytes, seed=1):
    """A Day One export; how many files of media it has. Each file is a story's."""
    choice = random.Random(seed)
    videos = folder / "videos"
    videos.mkdir(parents=True)
    entries = [story(number, choice) for number in range(stories)]
    count = 0
    for count, size in enumerate(sizes(media_bytes, choice), 1):
        name = f"{choice.getrandbits(128):032x}"
        with open(videos / f"{name}.mp4", "wb") as file:
            for start in range(0, size, 4 * MIB):
                file.write(choice.randbytes(min(4 * MIB, size - start)))
        entries[count * 7 % stories].setdefault("videos", []).append({"identifier": name.upper(), "md5": name, "type": "mp4"})
    (folder / "Days.json").write_text(json.dumps({"metadata": {"version": "1.0"}, "entries": entries}))
    settle(folder)
    return count


def prepare(home, name, source):
    """The state folder of a phone with that export as its journal. The program has ended: what an import takes of memory is not what a move takes."""
    with Phone(home, name) as phone:
        phone.call("journal.import", path=str(source))
    settle(home.folder)
    return home.state(name)


def copied(home, name, prepared):
    """The state of a phone that is one of several with the same data, on the disk."""
    remove(home, name)
    shutil.copytree(prepared, home.state(name), symlinks=True, ignore=shutil.ignore_patterns("*.sock"))
    settle(home.folder)


def remove(home, *names):
    for name in names:
        shutil.rmtree(home.state(name), ignore_errors=True)
