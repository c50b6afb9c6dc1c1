"""How long a saved command takes to its first output, beside `ssh host command`, in the same minutes: real programs of Tandem (a hub, a computer and a phone on
loopback, the session through the hub), and OpenSSH's server and client. Both from the start of the program that a person types to the first byte that it prints;
figures are medians.

    python3 Benchmarks/commands/first_output.py [--rounds N]"""

import argparse
import contextlib
import os
import shutil
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Page"))
from household import Household, until  # noqa: E402

COMMAND = ("/bin/echo", "done")


def first(start):
    """Milliseconds until the program that `start` begins prints its first byte."""
    begin = time.monotonic()
    process = start()
    got = os.read(process.stdout.fileno(), 1)
    took = time.monotonic() - begin
    process.stdout.close()
    if process.wait(60) != 0 or not got:
        raise SystemExit("the command did not run")
    return took * 1000


@contextlib.contextmanager
def ssh(folder):
    """The words that run a command by OpenSSH, between a server and a client of its own; None where OpenSSH is not there."""
    server = shutil.which("sshd") or "/usr/sbin/sshd"
    if not (os.path.exists(server) and shutil.which("ssh")):
        yield None
        return
    for name in ("host", "person"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
    (folder / "allowed").write_text((folder / "person.pub").read_text())
    with socket.create_server(("127.0.0.1", 0)) as taken:
        door = taken.getsockname()[1]
    (folder / "config").write_text(f"""
ListenAddress 127.0.0.1:{door}
HostKey {folder}/host
AuthorizedKeysFile {folder}/allowed
PidFile {folder}/pid
StrictModes no
PasswordAuthentication no
UsePAM no
""")
    os.makedirs("/run/sshd", exist_ok=True)
    process = subprocess.Popen([server, "-D", "-f", folder / "config"], stdin=subprocess.DEVNULL)
    words = ["ssh", "-p", str(door), "-i", folder / "person", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "127.0.0.1"]
    try:
        until(lambda: subprocess.run([*words, "true"], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0)
        yield words
    finally:
        process.terminate()
        process.wait()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=20)
    asked = options.parse_args()
    with Household() as home:
        home.pair("commands")
        phone = home.json("desktop", "devices", "list")["devices"][0]["did"]
        # What stands behind the dashes is the command's own.
        saving = [home.tandem, "commands", "add", "done", "--state", str(home.state("desktop")), "--", *COMMAND]
        subprocess.run(saving, env=home.environment, stdout=subprocess.DEVNULL, check=True)
        home.run("desktop", "commands", "allow", "done", phone)
        folder = home.folder / "ssh"
        folder.mkdir(mode=0o700)
        with ssh(folder) as words:
            ways = {"tandem commands run": lambda: home.begin("phone", "commands", "run", "done")}
            if words:
                ways["ssh host command"] = lambda: subprocess.Popen([*words, *COMMAND], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
            waits = {name: [] for name in ways}
            for _ in range(asked.rounds):
                for name, start in ways.items():
                    waits[name].append(first(start))
    for name, all_of_them in waits.items():
        print(f"{name:20} {statistics.median(all_of_them):7.1f} ms to the first byte, {min(all_of_them):.1f} to {max(all_of_them):.1f}")


main()
