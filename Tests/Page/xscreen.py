"""A screen of the tests' own: an Xvfb with a number that is free, a clipboard, and windows to look at."""

import os
import subprocess


class Screen:
    """Use as a context manager; `environment` is for programs that shall use it."""

    def __init__(self, size=(1024, 768)):
        self.size = size
        self.running = []

    def __enter__(self):
        reading, writing = os.pipe()
        width, height = self.size
        self.running.append(
            subprocess.Popen(
                ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp"],
                pass_fds=[writing], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
        )
        os.close(writing)
        with os.fdopen(reading) as answer:
            # Its end, should Xvfb not start, is an empty line.
            self.display = f":{answer.readline().strip()}"
        if self.display == ":":
            self.__exit__()
            raise RuntimeError("Xvfb did not start")
        # Of the person who runs the tests nothing is shown or copied.
        self.environment = {"DISPLAY": self.display, "WAYLAND_DISPLAY": "", "XDG_SESSION_TYPE": "x11"}
        return self

    def __exit__(self, *_):
        for process in reversed(self.running):
            process.kill()
            process.wait(10)

    def show(self, *command):
        """A window."""
        self.running.append(subprocess.Popen(command, env=os.environ | self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return self.running[-1]

    def copy(self, text):
        """Copies a text as a person at this screen would; it is theirs until something else is copied."""
        process = subprocess.Popen(
            ["xclip", "-quiet", "-selection", "clipboard"],
            env=os.environ | self.environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        process.stdin.write(text.encode())
        process.stdin.close()
        self.running.append(process)

    def copied(self):
        """What is pasted here."""
        done = subprocess.run(
            ["xclip", "-selection", "clipboard", "-out"], env=os.environ | self.environment, capture_output=True, text=True, timeout=20,
        )
        return done.stdout
