"""Tests in a network of their own: names, addresses and certificates there are a test's own, and nothing leaves it."""

import inspect
import os
import pathlib
import subprocess
import sys
import unittest

# Names the network that a program was in before it entered one of its own.
INSIDE = "TANDEM_TEST_NETWORK"
NAME = "push.example.net"
ADDRESS = "9.9.9.9"
# All that is started ends with it.
ENTER = ["unshare", "--user", "--map-root-user", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]


def run(*command, **options):
    subprocess.run(command, check=True, capture_output=True, timeout=60, **options)


def network():
    return os.readlink("/proc/self/ns/net")


def entering():
    """The environment of what is started by `ENTER`."""
    return os.environ | {INSIDE: network()}


def own_address():
    """Gives this network `ADDRESS`, which stands for a machine of the internet: in the machine's own network it would lead everybody's programs here."""
    outside = os.environ.get(INSIDE, "")
    if not outside.startswith("net:") or outside == network():
        raise RuntimeError(f"{ADDRESS} is added in a network of its own alone, and this is the machine's: run the tests by bin/page-test, which enters one.")
    run("ip", "link", "set", "lo", "up")
    run("ip", "address", "replace", f"{ADDRESS}/32", "dev", "lo")


def certificates(folder):
    """An authority, and a certificate of its for the push service."""
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    run("openssl", "req", "-x509", *key, "-days", "2", "-subj", "/CN=An authority of the tests", "-keyout", folder / "ca.key", "-out", folder / "ca.pem")
    certificate(folder, NAME, folder / "cert.pem", folder / "key.pem")


def certificate(folder, name, file, key_file):
    """A certificate for a name, of the authority in a folder."""
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    request = folder / "request.pem"
    run("openssl", "req", *key, "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}", "-keyout", key_file, "-out", request)
    run("openssl", "x509", "-req", "-in", request, "-CA", folder / "ca.pem", "-CAkey", folder / "ca.key", "-days", "2", "-copy_extensions", "copy", "-out", file)


class NetworkTests(unittest.TestCase):
    """Runs the tests `CASES` of a module in a network of their own, in which the module is loaded anew. Its `load_tests` is this class's."""

    CASES = ()

    def test_in_a_network_of_its_own(self):
        if subprocess.run([*ENTER, "true"], capture_output=True).returncode:
            self.skipTest("this system gives nobody a network of their own")
        command = [*ENTER, sys.executable, "-m", "unittest", "-v", pathlib.Path(inspect.getfile(type(self))).stem]
        done = subprocess.run(command, env=entering(), capture_output=True, text=True, timeout=900)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @classmethod
    def load_tests(cls, loader, _tests, _pattern):
        """TANDEM_TEST_ONLY names those of the tests inside that are wanted, as `Class` or `Class.test`."""
        if not os.environ.get(INSIDE):
            return loader.loadTestsFromTestCase(cls)
        names = os.environ.get("TANDEM_TEST_ONLY", "").split()
        if names:
            return loader.loadTestsFromNames(names, sys.modules[cls.__module__])
        return unittest.TestSuite(map(loader.loadTestsFromTestCase, cls.CASES))
