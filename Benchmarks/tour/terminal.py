"""A window of 80 columns and 24 lines with a shell in it, in which commands are typed as a person types them."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
import unicodedata

COLUMNS, LINES = 80, 24
MARK = re.compile(rb"\x1b\]777;(\d+)\x07")
ESCAPES = re.compile(r"\x1b(?:\[[0-9;:?<>=]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9]|[=>78])")


class Silence(Exception):
    """What was waited for did not come."""


class Terminal:
    def __init__(self, environment, folder):
        pid, self.window = pty.fork()
        if pid == 0:
            os.chdir(folder)
            # Each prompt says how the command before it ended; a shell that is started in this one knows nothing of it.
            os.execvpe("bash", ["bash", "--noprofile", "--norc", "-i"], environment | {"PS1": "\\[\\e]777;$?\\a\\]$ ", "TERM": "xterm-256color"})
        self.pid = pid
        fcntl.ioctl(self.window, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.pending = b""
        self.seen = b""
        self.prompt(20)

    def prompt(self, seconds):
        """What came until the next prompt, and how the command ended."""
        until = time.monotonic() + seconds
        while not (found := MARK.search(self.pending)):
            self.read(until)
        said, self.pending = self.pending[:found.start()], self.pending[found.end():]
        return text(said), int(found[1])

    def type(self, line, seconds=60):
        """Types a command. Returns its lines and its status."""
        self.begin(line)
        return self.ended(seconds)

    def begin(self, line):
        # What stands behind the last prompt is the prompt itself, and what background commands said since.
        self.pending = b""
        self.press(line + "\n")

    def ended(self, seconds=60):
        said, status = self.prompt(seconds)
        # The first line is the command as it was typed.
        return said.split("\n", 1)[-1].splitlines(), status

    def press(self, keys):
        os.write(self.window, keys.encode())

    def waits_for(self, pattern, seconds=30):
        """Returns the match in what came since the command began."""
        until = time.monotonic() + seconds
        while not (found := re.search(pattern, text(self.pending))):
            self.read(until)
        return found

    def rest(self, seconds):
        """Reads for so long, whatever comes."""
        try:
            until = time.monotonic() + seconds
            while True:
                self.read(until)
        except Silence:
            pass

    def read(self, until):
        left = until - time.monotonic()
        if left <= 0 or not select.select([self.window], [], [], left)[0]:
            raise Silence(f"nothing more came: {text(self.pending)[-400:]!r}")
        try:
            piece = os.read(self.window, 65536)
        except OSError:
            piece = b""
        if not piece:
            raise Silence(f"the shell ended: {text(self.pending)[-400:]!r}")
        self.pending += piece
        self.seen += piece

    def close(self):
        try:
            os.kill(self.pid, signal.SIGHUP)
            os.close(self.window)
        except OSError:
            pass
        os.waitpid(self.pid, 0)


def text(said):
    """As it reads, without what colours it. Lines that are drawn over show their last state."""
    plain = ESCAPES.sub("", said.decode(errors="replace")).replace("\r\n", "\n")
    return "\n".join(line.rstrip("\r").rsplit("\r", 1)[-1] for line in plain.split("\n"))


def width(line):
    return sum(0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)


def too_wide(lines):
    """
    Lines that the program laid out and that have no room: those with columns or an indent. A sentence may be longer, since the window breaks
    it; a link may not, and stands alone at the left edge, or a click opens half of it.
    """
    wrong = []
    for line in lines:
        # What the shell says of its own jobs.
        if re.match(r"\[\d+\][+-]? ", line):
            continue
        link = re.search(r"https?://\S*token=\S*", line)
        if link and (line != link[0] or width(line) > COLUMNS):
            wrong.append(f"a link that does not stand alone in {COLUMNS} columns: {line}")
        elif width(line) > COLUMNS and ("  " in line.rstrip() or line.startswith(" ")):
            wrong.append(f"{width(line)} columns: {line}")
    return wrong
