"""Measures the page of running programs in Chromium: first paint, size, a flood in a terminal, a large folder, files of 1 GiB, idleness, and a browser
that is the phone."""

import argparse
import contextlib
import http.server
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Page"))

import browser_phone  # noqa: E402
import test_catalogue  # noqa: E402
from browser import DESKTOP, Browser  # noqa: E402
from hostile import household  # noqa: E402
from household import ROLES  # noqa: E402
from own_network import ENTER, INSIDE  # noqa: E402
from phone_network import phone_network  # noqa: E402

MIB = 1 << 20
PARTS = ("paint", "size", "terminal", "folder", "files", "idle", "phone")

# When the page could first be used: drawn, with no row that stands for what is still asked.
USABLE = """(() => {
    const look = () => {
        const app = document.getElementById('app');
        const isBusy = !app || app.hasAttribute('aria-busy') || !document.querySelector('.main') || document.querySelector('.skeleton');
        if (!isBusy && window.__usable === undefined) window.__usable = performance.now();
        if (window.__usable === undefined) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})()"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
# The longest wait between two frames and the longest task since it was last asked.
FRAMES = """(() => {
    const seen = window.__frames = { gap: 0, task: 0, count: 0 };
    let before = performance.now();
    const frame = (now) => {
        seen.gap = Math.max(seen.gap, now - before);
        seen.count += 1;
        before = now;
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) seen.task = Math.max(seen.task, duration); }).observe({ type: 'longtask' });
})()"""
RESET = "() => { Object.assign(window.__frames, { gap: 0, task: 0, count: 0 }); }"


@contextlib.contextmanager
def heading():
    """The address of a page that is nothing but a heading: how long the browser itself takes."""
    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = b"<!doctype html><html lang=en><title>Heading</title><h1>Heading</h1></html>"
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


class Report:
    def __init__(self):
        self.met = True

    def say(self, what, value, unit, bound=None, *, least=False, more=""):
        if bound is None:
            verdict = ""
        else:
            isMet = value >= bound if least else value <= bound
            self.met &= isMet
            verdict = f"{'≥' if least else '<'} {bound:g} {unit:3} {'yes' if isMet else 'NO'}"
        print(f"{what:56} {value:10.5g} {unit:5} {verdict:18} {more}", flush=True)


def ticks(pid):
    """Processor time of a process, in seconds."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid):
    """Its memory in MiB."""
    return int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MIB


def descendants(pid):
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(entry.read_text().rpartition(")")[2].split()[1]) == pid:
                child = int(entry.parent.name)
                found += [child, *descendants(child)]
    return found


class Memory:
    """The most that processes held while something ran, and what they held before and after it."""

    def __init__(self, **processes):
        self.processes = processes
        self.samples = {name: [] for name in processes}
        self.isOver = threading.Event()

    def __enter__(self):
        def watch():
            while True:
                for name, pid in self.processes.items():
                    self.samples[name].append(resident(pid))
                if self.isOver.wait(0.1):
                    return

        self.thread = threading.Thread(target=watch)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.isOver.set()
        self.thread.join()

    def __str__(self):
        return ", ".join(f"{name} {all[0]:.0f} → {max(all):.0f} → {all[-1]:.0f} MiB" for name, all in self.samples.items())


class Benchmark:
    def __init__(self, house, browser, report, rounds):
        self.house, self.browser, self.report, self.rounds = house, browser, report, rounds
        self.computer = house.computer()

    def visit(self, role, hash="", *scripts):
        page = self.browser.blank(size=DESKTOP)
        for script in scripts:
            page.add_init_script(script)
        page.goto(self.house.link(role))
        page.goto(f"{self.house.page_of(role)}/{hash}")
        page.wait_for_selector("#app:not([aria-busy])")
        return page

    # MARK: Parts

    def paint(self):
        with heading() as address:
            times = []
            for _ in range(max(3, self.rounds)):
                page = self.browser.blank(size=DESKTOP)
                page.goto("about:blank")
                page.goto(address)
                page.wait_for_timeout(700)
                times.append(page.evaluate(PAINT))
                page.context.close()
            self.report.say("beside it, a page of one heading: first contentful paint", min(times), "ms")
        for role in ROLES:
            found = {"first visit": [], "with its worker": []}
            for _ in range(max(3, self.rounds)):
                # Signed in, and nothing else: no cache and no service worker.
                page = self.browser.blank(size=DESKTOP, service_workers="allow")
                page.route("**/*.js", lambda route: route.abort())
                page.goto(self.house.link(role))
                page.unroute_all()
                page.add_init_script(USABLE)
                for visit in found:
                    page.goto("about:blank")
                    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
                    page.goto(self.house.page_of(role))
                    self.until(page, "window.__usable")
                    self.until(page, f"{PAINT} !== undefined")
                    paint = page.evaluate(PAINT)
                    found[visit].append((page.evaluate("window.__usable"), paint))
                    self.until(page, "navigator.serviceWorker.controller !== null")
                    # It stores what the page asked for before it was there.
                    page.wait_for_timeout(1000)
                page.context.close()
            for visit, times in found.items():
                usable, paint = (min(each) for each in zip(*times))
                self.report.say(f"{role}, {visit}: first contentful paint", paint, "ms", 200)
                self.report.say(f"{role}, {visit}: usable", usable, "ms", 500)

    def size(self):
        for role in test_catalogue.screens():
            files = test_catalogue.first(role, "en")
            size = sum(len(test_catalogue.served(file)) for file in files)
            self.report.say(f"{role}: what comes before the first screen, as served", size / 1024, "KiB", test_catalogue.SERVED_LIMIT / 1024)
            size = sum(len(test_catalogue.compressed(file)) for file in files)
            self.report.say(f"{role}: what comes before the first screen, compressed", size / 1024, "KiB", test_catalogue.FIRST_LIMIT / 1024)

    def terminal(self):
        flood = "head -c 100000000 /dev/zero | tr '\\0' x | fold"
        gaps, tasks, times, stops = [], [], [], []
        for _ in range(self.rounds):
            page = self.visit("phone", f"#/computers/{self.computer}/terminal", FRAMES)
            page.get_by_role("button", name="New terminal").first.click()
            page.wait_for_selector(".xterm-rows")
            page.locator(".xterm").last.click()
            page.keyboard.type("PS1='rea''dy> '; clear\n")
            self.until_text(page, "ready>")
            page.evaluate(RESET)
            begun = time.monotonic()
            page.keyboard.type(f"{flood}; echo do''ne\n")
            self.until_text(page, "done", 300)
            times.append(time.monotonic() - begun)
            seen = page.evaluate("window.__frames")
            gaps.append(seen["gap"])
            tasks.append(seen["task"])
            for _ in range(3):
                page.keyboard.type("clear\n")
                page.wait_for_timeout(300)
                page.keyboard.type("yes xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n")
                page.wait_for_timeout(1500)
                page.evaluate("""() => {
                    window.__stopped = null;
                    const heard = new AbortController();
                    window.addEventListener('keydown', ({ ctrlKey, key }) => {
                        if (!ctrlKey || key !== 'c') return;
                        heard.abort();
                        const begun = performance.now();
                        const look = () => {
                            if (document.querySelector('.xterm-rows').textContent.includes('ready>')) window.__stopped = performance.now() - begun;
                            else requestAnimationFrame(look);
                        };
                        requestAnimationFrame(look);
                    }, { capture: true, signal: heard.signal });
                }""")
                page.keyboard.press("Control+c")
                self.until(page, "window.__stopped")
                stops.append(page.evaluate("window.__stopped"))
            page.keyboard.type("exit\n")
            page.wait_for_timeout(300)
            page.context.close()
        self.report.say("100 MB in a terminal: rate", 100 / min(times), "MB/s")
        self.report.say("… longest wait between two frames", min(gaps), "ms", 1000, more=f"longest task {min(tasks):.0f} ms")
        self.report.say("Ctrl-C in a flood to the prompt, median", sorted(stops)[len(stops) // 2], "ms", 100, more=f"all: {', '.join(f'{stop:.0f}' for stop in stops)}")

    def until_text(self, page, text, seconds=30):
        self.until(page, f"document.querySelector('.xterm-rows')?.textContent.includes('{text}')", seconds)

    @staticmethod
    def until(page, condition, seconds=30):
        end = time.monotonic() + seconds
        while not page.evaluate(condition):
            if time.monotonic() > end:
                raise TimeoutError(condition)
            page.wait_for_timeout(20)

    def folder(self):
        folder = self.house.shared / "many"
        folder.mkdir()
        for number in range(10_000):
            (folder / f"file {number:05}.txt").touch()
        found = []
        for _ in range(self.rounds):
            page = self.visit("phone", "", FRAMES)
            begun = time.monotonic()
            page.goto(f"{self.house.page_of('phone')}/#/computers/{self.computer}/files?path={folder}")
            page.wait_for_selector(".file-row")
            self.until(page, "document.querySelector('.virtual').offsetHeight > 10000 * 30")
            listed = 1000 * (time.monotonic() - begun)
            page.wait_for_timeout(300)
            page.evaluate(RESET)
            rows = page.evaluate("""async () => {
                const scroller = [...document.querySelectorAll('*')].filter((each) => each.scrollHeight > each.clientHeight + 100000)
                    .find((each) => getComputedStyle(each).overflowY !== 'visible') ?? document.scrollingElement;
                let most = 0;
                const end = scroller.scrollHeight - scroller.clientHeight;
                for (let at = 0; at <= 240; at++) {
                    scroller.scrollTop = end * at / 240;
                    await new Promise(requestAnimationFrame);
                    most = Math.max(most, document.querySelectorAll('.file-row').length);
                }
                return [most, scroller.scrollTop, document.body.innerText.includes('file 09999')];
            }""")
            if not rows[2]:
                raise RuntimeError(f"the last of 10,000 was not reached: {rows}")
            found.append((page.evaluate("window.__frames")["gap"], listed, rows[0], page.evaluate("window.__frames")["task"]))
            page.context.close()
        gap, listed, rows, task = min(found)
        self.report.say("10,000 entries, end to end: longest frame", gap, "ms", 1000, more=f"longest task {task:.0f} ms; {rows} rows drawn at most")
        self.report.say("… until they are shown", listed, "ms")

    def files(self, size):
        big = self.house.folder / "big.bin"
        with open(big, "wb") as file:
            for _ in range(size // MIB):
                file.write(os.urandom(MIB))
        down = self.house.shared / "down.bin"
        os.link(big, down)
        up = self.house.shared / "big.bin"
        pids = {role: self.house.processes[role].pid for role in ("phone", "desktop")}
        rates, memory = {}, {}

        def measured(name, work):
            with Memory(**pids) as seen:
                begun = time.monotonic()
                work()
                rate = size / MIB / (time.monotonic() - begun)
            up.unlink(missing_ok=True)
            (self.house.folder / "back.bin").unlink(missing_ok=True)
            # What is still to be written to the disk would be paid for by whichever comes next.
            os.sync()
            if rate > rates.get(name, 0):
                rates[name], memory[name] = rate, seen

        def uploaded():
            page.get_by_role("button", name="Upload", exact=True).first.click()
            with page.expect_file_chooser() as chooser:
                page.get_by_role("menuitem", name="Upload files").click()
            chooser.value.set_files(str(big))
            self.until_whole(up, size, page)

        def downloaded():
            row = page.locator(".file-row", has_text="down.bin")
            row.locator("[aria-haspopup=menu]").click()
            with page.expect_download(timeout=300_000) as download:
                page.get_by_role("menuitem", name="Download", exact=True).click()
            if os.path.getsize(download.value.path()) != size:
                raise RuntimeError("the download is not whole")

        run = self.house.run
        page = self.lasting()
        page.wait_for_selector(".file-row")
        for _ in range(self.rounds):
            measured("cli up", lambda: run("phone", "files", "put", str(big), str(self.house.shared), timeout=600))
            # The list would still show the last round's file, and the page would ask whether to replace it.
            page.reload()
            page.wait_for_selector(".file-row")
            measured("page up", uploaded)
            measured("cli down", lambda: run("phone", "files", "get", str(down), str(self.house.folder / "back.bin"), timeout=600))
            measured("page down", downloaded)
        page.context.close()
        shutil.rmtree(self.house.folder / "profile", ignore_errors=True)
        for way, word in (("up", "to"), ("down", "from")):
            self.report.say(f"{size // MIB} MiB {word} the computer, command line", rates[f"cli {way}"], "MiB/s", more=str(memory[f"cli {way}"]))
            self.report.say("… through the page", rates[f"page {way}"], "MiB/s", more=str(memory[f"page {way}"]))
            self.report.say("… ratio", rates[f"page {way}"] / rates[f"cli {way}"], "x", 0.5, least=True)

    def lasting(self):
        """A page in a profile on the disk: what a private window keeps goes through the browser's own process and memory."""
        browser = self.browser.browser.browser_type
        context = browser.launch_persistent_context(
            self.house.folder / "profile", executable_path=os.environ.get("TANDEM_CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox", "--disable-gpu"],
            viewport={"width": DESKTOP[0], "height": DESKTOP[1]}, locale="en-GB",
        )
        page = context.new_page()
        # The system's own picker cannot be answered by a script; a file field can.
        page.add_init_script("delete window.showOpenFilePicker")
        page.goto(self.house.link("phone"))
        page.goto(f"{self.house.page_of('phone')}/#/computers/{self.computer}/files?path={self.house.shared}")
        return page

    def until_whole(self, path, size, page):
        end = time.monotonic() + 600
        while not (path.exists() and path.stat().st_size == size):
            if time.monotonic() > end:
                raise TimeoutError(str(path))
            page.wait_for_timeout(20)

    def idle(self, seconds=30):
        for role in ROLES:
            page = self.visit(role)
            page.wait_for_timeout(3000)
            program = self.house.processes[role].pid
            browser = descendants(os.getpid())
            renderers = [pid for pid in browser if "--type=renderer" in self.arguments(pid)]
            before = ticks(program), sum(map(ticks, renderers))
            page.wait_for_timeout(1000 * seconds)
            after = ticks(program), sum(map(ticks, renderers))
            for what, used in zip(("program", "browser's renderers"), (after[0] - before[0], after[1] - before[1])):
                self.report.say(f"{role}: idle page, {what}", 100 * used / seconds, "%", 1)
            page.context.close()

    @staticmethod
    def arguments(pid):
        with contextlib.suppress(OSError):
            return pathlib.Path(f"/proc/{pid}/cmdline").read_text()
        return ""


def main():
    parser = argparse.ArgumentParser(prog="bin/page-benchmark", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="a part of it")
    parser.add_argument("--rounds", type=int, default=3, help="of which the best counts (default: 3)")
    parser.add_argument("--mib", type=int, default=1024, help="the size of the file (default: 1024)")
    options = parser.parse_args()
    report = Report()
    if os.environ.get(INSIDE):
        with phone_network() as network, browser_phone.Place(certificates=network) as house, Browser() as browser:
            browser_phone.measure(house, browser, report, options.rounds)
        return 0 if report.met else 1
    here = [part for part in options.only if part != "phone"]
    if here:
        with household() as house, Browser() as browser:
            house.pair("file", "terminal")
            benchmark = Benchmark(house, browser, report, options.rounds)
            for part in here:
                getattr(benchmark, part)(*([options.mib * MIB] if part == "files" else []))
    is_met = report.met
    if "phone" in options.only:
        is_met = subprocess.run([*ENTER, sys.executable, *sys.argv], env=os.environ | {INSIDE: "1"}).returncode == 0 and is_met
    print(f"load of the machine: {os.getloadavg()[0]:.1f}; {os.cpu_count()} cores")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
