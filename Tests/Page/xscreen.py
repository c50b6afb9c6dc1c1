"""Screens of the tests' own: an Xvfb with a number that is free, a clipboard, and windows to look at; and a Wayland session without a screen."""

import os
import re
import shutil
import subprocess
import tempfile


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

    def watched(self, log):
        """A window over the whole screen, of a program that writes into a file what it is told."""
        width, height = self.size
        with log.open("wb") as out:
            self.running.append(subprocess.Popen(["xev", "-geometry", f"{width}x{height}+0+0"], env=os.environ | self.environment, stdout=out, stderr=subprocess.DEVNULL))
        return self.running[-1]


def typed(said):
    """The letters that were typed into the window of `watched`, from what it wrote."""
    return "".join(re.findall(r'KeyPress event(?:(?!\n\n).)*?XLookupString gives \d+ bytes: \([0-9a-f ]+\) "([^"\x00-\x1f]+)"', said, re.DOTALL))


class Sway:
    """A Wayland session: sway with one output of 1280 × 720, and no X11. Use as a context manager."""

    # sway refuses to be root; this is the user id of `nobody` on every Linux.
    NOBODY = 65_534

    def __enter__(self):
        self.running = []
        self.folder = tempfile.mkdtemp(prefix="tandem-sway.")
        config = f"{self.folder}/config"
        with open(config, "w") as file:
            file.write("exec sh -c 'echo $WAYLAND_DISPLAY $SWAYSOCK'\n")
        as_nobody = []
        if os.geteuid() == 0:
            as_nobody = ["setpriv", f"--reuid={self.NOBODY}", f"--regid={self.NOBODY}", "--clear-groups"]
            for path in (self.folder, config):
                os.chown(path, self.NOBODY, self.NOBODY)
        self.running.append(
            subprocess.Popen(
                [*as_nobody, "sway", "--config", config],
                env={"PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": self.folder, "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman"},
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            )
        )
        names = self.running[0].stdout.readline().split()
        if len(names) != 2:
            self.__exit__()
            raise RuntimeError("sway did not start")
        self.environment = {"WAYLAND_DISPLAY": names[0], "SWAYSOCK": names[1], "XDG_RUNTIME_DIR": self.folder, "DISPLAY": "", "XDG_SESSION_TYPE": "wayland"}
        return self

    def __exit__(self, *_):
        for process in reversed(self.running):
            process.terminate()
            process.wait(10)
        self.running[0].stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def watched(self, log):
        """A window over the whole screen, of a program that writes into a file what it is told."""
        with log.open("wb") as out:
            self.running.append(subprocess.Popen(["stdbuf", "-oL", "wev"], env=os.environ | self.environment, stdout=out, stderr=subprocess.DEVNULL))
        return self.running[-1]
