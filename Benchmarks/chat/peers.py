"""XMPP servers of Debian as peers of a hub: ejabberd over PostgreSQL and over SQLite, Prosody over SQLite. Each in a folder of its own, on loopback,
without TLS, with every message in the archive and durable before it is acknowledged, and with its limits out of reach."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from rig import Trouble

PACKAGES = ("ejabberd", "erlang-p1-pgsql", "erlang-p1-sqlite3", "prosody", "lua-dbi-sqlite3", "postgresql", "sqlite3")
INSTALL = "Benchmarks/chat/install-peers"

EJABBERD = """
hosts: [localhost]
loglevel: warning
auth_method: sql
auth_password_format: plain
default_db: sql
{storage}
listen:
  - {{port: {port}, ip: "127.0.0.1", module: ejabberd_c2s, max_stanza_size: 262144, shaper: none, access: c2s}}
access_rules: {{c2s: [{{allow: all}}], local: [{{allow: local}}]}}
acl: {{local: {{user_regexp: ""}}}}
modules:
  mod_roster: {{}}
  mod_offline: {{access_max_user_messages: all}}
  mod_mam: {{default: always, assume_mam_usage: true}}
  mod_stream_mgmt: {{}}
  mod_carboncopy: {{}}
  mod_ping: {{}}
  mod_admin_extra: {{}}
"""
POSTGRESQL = """sql_type: pgsql
sql_server: "127.0.0.1"
sql_port: {port}
sql_database: ejabberd
sql_username: postgres
sql_password: "x"
sql_pool_size: 20"""
SQLITE = """sql_type: sqlite
sql_database: {file}"""
PROSODY = """
run_as_root = true; daemonize = false; interfaces = {{ "127.0.0.1" }}; local_interfaces = {{ "127.0.0.1" }}
c2s_ports = {{ {port} }}; s2s_ports = {{}}; modules_disabled = {{ "s2s" }}
modules_enabled = {{ "roster", "saslauth", "tls", "disco", "ping", "offline", "mam", "carbons", "smacks" }}
c2s_require_encryption = false; allow_unencrypted_plain_auth = true; authentication = "internal_plain"
data_path = "{folder}/data"; storage = "sql"
sql = {{ driver = "SQLite3", database = "{folder}/data/prosody.sqlite" }}
default_archive_policy = true; archive_expires_after = "never"; limits = {{ c2s = {{ rate = "100mb/s" }} }}
log = {{ warn = "{folder}/log" }}; pidfile = "{folder}/pid"
VirtualHost "localhost"
"""


def missing():
    """Packages that are not installed."""
    said = subprocess.run(["dpkg-query", "--show", "--showformat=${Package} ${db:Status-Status}\n", *PACKAGES], capture_output=True, text=True).stdout
    there = {line.split()[0] for line in said.splitlines() if line.endswith(" installed")}
    return [name for name in PACKAGES if name not in there]


def call(*words, input=None, timeout=120):
    done = subprocess.run(list(map(str, words)), input=input, capture_output=True, text=True, timeout=timeout)
    if done.returncode:
        raise Trouble(f"{' '.join(map(str, words))}: {done.returncode}: {(done.stderr or done.stdout).strip()[-800:]}")
    return done.stdout


def listening(port, process, log, seconds=60):
    """Waits until somebody listens there."""
    wanted = f"0100007F:{port:04X}"
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if any(line.split()[1] == wanted and line.split()[3] == "0A" for line in Path("/proc/net/tcp").read_text().splitlines()[1:]):
            return
        if process is not None and process.poll() is not None:
            break
        time.sleep(0.1)
    raise Trouble(f"nothing listens on {port}: {log()[-800:]}")


class Peer:
    """name: what tables call it. people: {id, secret} as chat-benchmark reads them."""

    dialect = "xmpp"

    def __init__(self, name, folder, port, count):
        self.name = name
        self.folder = folder
        self.port = port
        self.people = [{"id": f"u{number}", "secret": f"pw{number}"} for number in range(count)]
        folder.mkdir(mode=0o755, parents=True)

    def renew(self):
        pass


class PostgreSQL:
    def __init__(self, folder, port):
        self.folder = folder
        self.port = port
        self.programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
        folder.mkdir(mode=0o755, parents=True)
        shutil.chown(folder, "postgres")
        self.say(self.programs / "initdb", "-D", folder / "d", "-A", "trust", "-E", "UTF8")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
        self.say(self.programs / "pg_ctl", "-D", folder / "d", "-o", options, "-l", folder / "log", "-w", "start")
        self.process = int((folder / "d/postmaster.pid").read_text().split()[0])

    def say(self, *words):
        # Its programs refuse to run as root.
        return call("runuser", "-u", "postgres", "--", *words)

    def run(self, text, database="postgres"):
        call("psql", "-h", "127.0.0.1", "-p", self.port, "-U", "postgres", "-q", "-v", "ON_ERROR_STOP=1", "-d", database, input=text)

    def stop(self):
        self.say(self.programs / "pg_ctl", "-D", self.folder / "d", "-m", "fast", "-w", "stop")


class Ejabberd(Peer):
    def __init__(self, name, folder, port, count, database=None):
        super().__init__(name, folder, port, count)
        self.database = database
        for part in ("conf", "log", "spool"):
            (folder / part).mkdir()
        users = "".join(f"insert into users (username, password) values ('{one['id']}', '{one['secret']}');" for one in self.people)
        if database:
            database.run("create database ejabberd")
            database.run(Path("/usr/share/ejabberd/sql/pg.sql").read_text(), "ejabberd")
            database.run(users, "ejabberd")
            storage = POSTGRESQL.format(port=database.port)
        else:
            file = folder / "spool/e.db"
            # The journal that is the default is ten times slower, which would be unfair.
            call("sqlite3", file, input="pragma journal_mode=wal;" + Path("/usr/share/ejabberd/sql/lite.sql").read_text() + users)
            storage = SQLITE.format(file=file)
        (folder / "conf/ejabberd.yml").write_text(EJABBERD.format(storage=storage, port=port))
        shutil.copy("/etc/ejabberd/inetrc", folder / "conf")
        (folder / "conf/ejabberdctl.cfg").write_text(f"INET_DIST_INTERFACE=127.0.0.1\nERLANG_NODE=peer{port}@localhost\nERL_EPMD_ADDRESS=127.0.0.1\n")
        call("chown", "-R", "ejabberd:", folder)
        self.control = ["ejabberdctl", "--config-dir", folder / "conf", "--ctl-config", folder / "conf/ejabberdctl.cfg", "--config",
                        folder / "conf/ejabberd.yml", "--logs", folder / "log", "--spool", folder / "spool"]
        self.process = subprocess.Popen(list(map(str, [*self.control, "foreground"])), stdin=subprocess.DEVNULL, stdout=open(folder / "said", "w"),
                                        stderr=subprocess.STDOUT)
        listening(port, self.process, lambda: (folder / "said").read_text(errors="replace"))

    @property
    def processes(self):
        return [self.process.pid] + ([self.database.process] if self.database else [])

    def stop(self):
        try:
            call(*self.control, "stop")
            self.process.wait(30)
        finally:
            self.process.kill()
            self.process.wait()
            # The daemon of names that Erlang started outlives it, and refuses while another program is there.
            subprocess.run(["epmd", "-kill"], capture_output=True)
            if self.database:
                self.database.stop()


class Prosody(Peer):
    def __init__(self, name, folder, port, count):
        super().__init__(name, folder, port, count)
        (folder / "data").mkdir()
        configuration = folder / "p.cfg.lua"
        configuration.write_text(PROSODY.format(folder=folder, port=port))
        for one in self.people:
            call("prosodyctl", "--root", "--config", configuration, "register", one["id"], "localhost", one["secret"])
        call("sqlite3", folder / "data/prosody.sqlite", input="pragma journal_mode=wal;")
        self.process = subprocess.Popen(["prosody", "--root", "--config", str(configuration), "-F"], stdin=subprocess.DEVNULL,
                                        stdout=open(folder / "said", "w"), stderr=subprocess.STDOUT)
        listening(port, self.process, lambda: (folder / "said").read_text(errors="replace"))

    @property
    def processes(self):
        return [self.process.pid]

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def made(folder, count, wanted):
    """The peers that are wanted, running. What started before one that fails is stopped."""
    if os.geteuid() != 0:
        raise Trouble("the peers are Debian's services, which run as users of their own: run this as root")
    if lacking := missing():
        raise Trouble(f"the peers' packages are missing ({', '.join(lacking)}). Install them without starting anything: {INSTALL}")
    # Services of other users have to reach their folders.
    folder.chmod(0o755)
    makers = {
        "ejabberd-pg": lambda name: Ejabberd(name, folder / "ejabberd-pg", 25222, count, PostgreSQL(folder / "pg", 15432)),
        "ejabberd-sqlite": lambda name: Ejabberd(name, folder / "ejabberd-sqlite", 25223, count),
        "prosody-sqlite": lambda name: Prosody(name, folder / "prosody", 15222, count),
    }
    peers = []
    try:
        for name in wanted:
            peers.append(makers[name](name))
    except BaseException:
        for peer in peers:
            peer.stop()
        raise
    return peers


NAMES = ("ejabberd-pg", "ejabberd-sqlite", "prosody-sqlite")
