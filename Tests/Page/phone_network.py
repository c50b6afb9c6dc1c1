"""A network in which a hub has port 443, a name and a certificate whose authority this system and the browser vouch for. Nothing leaves it."""

import contextlib
import os
import pathlib
import shutil
import tempfile
import unittest.mock

from household import Household
from own_network import ADDRESS, NAME, certificate, certificates, own_address, run
from phone_server import Passage
from server import PAGE

HUB = "hub.example.net"


@contextlib.contextmanager
def phone_network():
    """Gives the folder of the certificates. The process has to be in a network of its own already (`ENTER` of `own_network`)."""
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tandem-network.")))
        own_address()
        certificates(folder)
        certificate(folder, HUB, folder / "hub.pem", folder / "hub.key")
        hosts = folder / "hosts"
        hosts.write_text(f"127.0.0.1 localhost {HUB}\n{ADDRESS} {NAME}\n")
        for file, place in ((hosts, "/etc/hosts"), (folder / "ca.pem", "/etc/ssl/certs/ca-certificates.crt")):
            run("mount", "--bind", file, place)
            stack.callback(run, "umount", place)
        # Chromium believes what the person's own store of certificates has.
        store = folder / "home/.pki/nssdb"
        store.mkdir(parents=True)
        run("certutil", "-d", f"sql:{store}", "-N", "--empty-password")
        run("certutil", "-d", f"sql:{store}", "-A", "-t", "C,,", "-n", "tests", "-i", folder / "ca.pem")
        stack.enter_context(unittest.mock.patch.dict(os.environ, {"HOME": str(folder / "home")}))
        yield folder


class Front(Passage):
    """Port 443 of the hub's name: bytes go through as they are, since the hub itself has the certificate."""

    host = HUB
    url = f"https://{HUB}/phone/"


class SecurePlace(Household):
    """A hub with a certificate, and a computer that knows it by its name. The page is a copy of the tree's, which a test may change."""

    def __init__(self, *, certificates, **options):
        super().__init__(**options)
        self.page = self.folder / "page"
        shutil.copytree(PAGE, self.page)
        self.environment["TANDEM_PAGE_FILES"] = str(self.page)
        self.options["hub"] = ("--tls-cert", certificates / "hub.pem", "--tls-key", certificates / "hub.key", "--name", HUB)

    def __enter__(self):
        try:
            self.start("hub")
            self.start("desktop")
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self, role):
        said = super().start(role)
        if role == "hub":
            if not hasattr(self, "server"):
                self.server = Front(said["port"], 443).__enter__()
            said["url"] = f"wss://{HUB}"
        return said

    def __exit__(self, *arguments):
        if hasattr(self, "server"):
            self.server.__exit__()
        super().__exit__(*arguments)
