"""Attacks from other pages in a browser that is signed in to all three roles: another port, another site, no origin, a rebound name."""

import json
import unittest
import urllib.parse

from browser import DESKTOP, Browser
from hostile import ROLES, Site, Visitor, ask, call, household, port_of, sign_in

# Everything a page may try at another one; each entry says what it came to. Nothing may be `got`.
ATTACK = """async (targets) => {
    const outcomes = {};
    const tried = async (name, work) => {
        const late = new Promise((resolve) => setTimeout(resolve, 4000, 'silent'));
        outcomes[name] = await Promise.race([late, work().catch((error) => `refused ${error.name}`)]);
    };
    const event = (target, good, bad) => new Promise((resolve) => {
        target.addEventListener(good, () => resolve(`got ${good}`));
        target.addEventListener(bad, () => resolve('refused'));
    });
    const element = (tag, props, good = 'load', bad = 'error') => {
        const made = Object.assign(document.createElement(tag), props);
        const outcome = event(made, good, bad);
        document.body.append(made);
        return outcome;
    };
    await Promise.all(targets.flatMap(({ role, url, device }) => {
        const ws = url.replace('http', 'ws');
        const write = JSON.stringify({ method: 'devices.rename', params: { id: device, name: 'attacked' } });
        const file = `${url}/api/files?device=${device}&path=${encodeURIComponent('/')}`;
        const t = (name, work) => tried(`${role} ${name}`, work);
        const answer = async (path, options) => {
            const response = await fetch(url + path, { credentials: 'include', ...options });
            return `got ${response.type} ${response.status}`;
        };
        return [
            ...['/', '/api/hello', '/app.js', '/sw.js', '/api/methods'].flatMap((path) => ['cors', 'no-cors'].map((mode) =>
                t(`fetch ${mode} ${path}`, () => answer(path, { mode })))),
            t('fetch navigate', () => answer('/', { mode: 'navigate' })),
            ...['text/plain', 'application/json', 'application/x-www-form-urlencoded'].flatMap((type) => ['cors', 'no-cors'].map((mode) =>
                t(`write ${mode} ${type}`, () => answer('/api/call', { method: 'POST', mode, body: write, headers: { 'Content-Type': type } })))),
            t('sign-out', () => answer('/api/sign-out', { method: 'POST', mode: 'no-cors' })),
            t('keepalive', () => answer('/api/sign-out', { method: 'POST', mode: 'no-cors', keepalive: true })),
            t('put', () => answer(`/api/files?device=${device}&folder=&name=attacked&size=1&upload=u&offset=0`, { method: 'PUT', body: 'x' })),
            t('beacon', async () => { navigator.sendBeacon(`${url}/api/sign-out`); navigator.sendBeacon(`${url}/api/call`, new Blob([write])); return 'sent'; }),
            ...['/api/events', `/api/terminal?device=${device}&cols=80&rows=24`].map((path) =>
                t(`socket ${path.slice(0, 13)}`, () => event(new WebSocket(ws + path), 'open', 'error'))),
            t('event source', () => event(new EventSource(`${url}/api/hello`, { withCredentials: true }), 'open', 'error')),
            t('script', () => element('script', { src: `${url}/app.js` })),
            t('module', () => element('script', { src: `${url}/app.js`, type: 'module' })),
            t('script of data', () => element('script', { src: `${url}/api/hello` })),
            t('image', () => element('img', { src: `${url}/icons/tandem-192.png` })),
            t('svg', () => element('img', { src: `${url}/icons/tandem.svg` })),
            t('screen', () => element('img', { src: `${url}/api/screen?device=${device}` })),
            t('file', () => element('img', { src: `${file}&view=1` })),
            t('style', () => element('link', { rel: 'stylesheet', href: `${url}/styles/base.css` })),
            t('manifest', () => element('link', { rel: 'preload', as: 'script', href: `${url}/app.js` })),
            t('video', () => element('video', { src: file }, 'loadeddata')),
            t('embed', async () => { document.body.append(Object.assign(document.createElement('embed'), { src: url })); return 'sent'; }),
            t('object', () => element('object', { data: `${url}/` })),
            t('frame', async () => {
                const frame = Object.assign(document.createElement('iframe'), { src: `${url}/` });
                document.body.append(frame);
                await new Promise((resolve) => { frame.onload = resolve; });
                // What refuses to be framed is an empty page of nobody's.
                return frame.contentWindow.length ? 'got frames' : `frame ${(() => { try { return frame.contentDocument?.title ?? 'hidden'; } catch { return 'hidden'; } })()}`;
            }),
            t('worker', async () => { new Worker(`${url}/sw.js`); return 'got a worker'; }),
            t('worker by blob', () => {
                const code = `try { importScripts('${url}/first.js'); postMessage('got'); } catch (error) { postMessage('refused'); }`;
                const worker = new Worker(URL.createObjectURL(new Blob([code])));
                return new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); worker.onerror = () => resolve('refused'); });
            }),
            t('service worker', async () => { await navigator.serviceWorker.register(`${url}/sw.js`); return 'got a service worker'; }),
            t('service worker over it', async () => { await navigator.serviceWorker.register('/sw.js', { scope: `${url}/` }); return 'got a scope'; }),
            t('form', async () => {
                const frame = document.body.appendChild(Object.assign(document.createElement('iframe'), { name: `form-${role}` }));
                for (const [action, enctype] of [['/api/sign-out', 'text/plain'], ['/api/call', 'text/plain'], ['/api/call', 'multipart/form-data']]) {
                    const form = Object.assign(document.createElement('form'), { method: 'POST', action: url + action, enctype, target: frame.name });
                    form.append(Object.assign(document.createElement('input'), { name: write.slice(0, -1) + ',"x":"', value: '"}' }));
                    document.body.append(form);
                    form.submit();
                    await new Promise((resolve) => setTimeout(resolve, 100));
                }
                return 'sent';
            }),
            t('cookie', async () => (document.cookie.includes('tandem') ? `got ${document.cookie}` : 'none')),
            t('ping', async () => {
                const link = Object.assign(document.createElement('a'), { href: '#', ping: `${url}/api/sign-out` });
                document.body.append(link);
                link.click();
                return 'sent';
            }),
        ];
    }));
    return outcomes;
}"""

# The page as a window of another one: nothing of it is reached, and it knows no opener.
WINDOW = """async (url) => {
    const opened = window.open(url, 'named');
    await new Promise((resolve) => setTimeout(resolve, 1200));
    const tell = (work) => { try { return String(work()); } catch (error) { return error.name; } };
    opened?.postMessage({ name: 'attack' }, '*');
    return { closed: opened?.closed ?? null, document: tell(() => opened.document.title), address: tell(() => opened.location.href), length: tell(() => opened.length) };
}"""


class OriginTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = cls.enterClassContext(household())
        cls.house.pair("file", "terminal")
        cls.computer = cls.house.computer()
        cls.ports = {role: port_of(cls.house, role) for role in ROLES}
        cls.site = cls.enterClassContext(Site({"/": "<title>other</title><body>", "/framed": "<body>", "/sw.js": "0"}))
        arguments = ["--host-resolver-rules=MAP *.test 127.0.0.1", "--disable-popup-blocking"]
        cls.browser = cls.enterClassContext(Browser(arguments, is_whole=True))
        cls.page = cls.browser.blank(size=DESKTOP, service_workers="allow")
        cls.context = cls.page.context
        for role in ROLES:
            cls.page.goto(cls.house.link(role))
            cls.page.wait_for_selector("#app:not([aria-busy])")
        cls.targets = [{"role": role, "url": cls.house.page_of(role), "device": cls.computer} for role in ROLES]

    def setUp(self):
        self.addCleanup(self.unchanged)

    def unchanged(self):
        """Signed in everywhere as before, and nothing is renamed, opened or put anywhere."""
        for role in ROLES:
            self.page.goto(self.house.page_of(role))
            status = self.page.evaluate("fetch('/api/hello').then((answer) => answer.status)")
            self.assertEqual(status, 200, role)
            devices = json.loads(self.house.run(role, "devices", "list", "--role", role, "--json"))["devices"] if role != "hub" else []
            self.assertNotIn("attacked", [device["name"] for device in devices])
        self.assertEqual(list(self.house.shared.iterdir()), [])
        self.assertEqual(json.loads(self.house.run("phone", "terminal", "list", "--json")).get("sessions", []), [])

    def attack(self, page, left_out=None):
        outcomes = page.evaluate(ATTACK.replace(left_out, "false") if left_out else ATTACK, self.targets)
        self.assertGreater(len(outcomes), 100)
        got = {name: outcome for name, outcome in outcomes.items() if outcome.startswith("got") or outcome == "silent"}
        # A no-cors answer tells nothing where there is one; ours says that not even that is another page's.
        self.assertEqual(got, {})

    def other(self, url):
        page = self.context.new_page()
        self.addCleanup(page.close)
        page.goto(url)
        return page

    def test_a_page_of_another_port(self):
        self.attack(self.other(f"http://127.0.0.1:{self.site.port}/"))

    def test_a_page_of_another_site(self):
        self.attack(self.other(f"http://evil.test:{self.site.port}/"))

    def test_a_page_without_an_origin(self):
        page = self.other(f"http://127.0.0.1:{self.site.port}/")
        with page.expect_event("framenavigated"):
            page.evaluate("document.body.append(Object.assign(document.createElement('iframe'), { sandbox: 'allow-scripts allow-forms', src: '/framed' }))")
        frame = page.frames[-1]
        frame.wait_for_load_state()
        self.assertEqual(frame.evaluate("self.origin"), "null")
        # Its own cookies and storage are out of its reach, so what looks for ours there is left out.
        self.attack(frame, left_out="document.cookie.includes('tandem')")

    def test_a_window_of_another_page_is_not_its_own(self):
        for site in ("127.0.0.1", "evil.test"):
            page = self.other(f"http://{site}:{self.site.port}/")
            for target in self.targets:
                with self.context.expect_page() as opened:
                    seen = page.evaluate(WINDOW, target["url"])
                # Cut off when it came: for the other page it has closed.
                self.assertEqual(seen["closed"], True, (site, seen))
                self.assertNotIn("Tandem", seen["document"])
                self.assertNotIn(target["url"], seen["address"])
                self.assertEqual(opened.value.evaluate("[window.opener, window.name]"), [None, ""])
                opened.value.close()

    def test_a_name_that_was_rebound_to_this_machine(self):
        for role in ROLES:
            page = self.context.new_page()
            self.addCleanup(page.close)
            for path in ("/", "/api/hello", f"/sign-in?{urllib.parse.urlsplit(self.house.link(role)).query}"):
                answer = page.goto(f"http://evil.test:{self.ports[role]}{path}")
                self.assertEqual(answer.status, 421)
            # What the browser takes for the page's own origin.
            outcome = page.evaluate("""async () => [
                (await fetch('/api/hello')).status, (await fetch('/api/sign-out', { method: 'POST' })).status,
                await new Promise((resolve) => {
                    const socket = new WebSocket(`ws://${location.host}/api/events`);
                    socket.onopen = () => resolve('open');
                    socket.onerror = () => resolve('refused');
                }),
                await navigator.serviceWorker?.register('/sw.js').then(() => 'registered', () => 'refused') ?? 'refused',
            ]""")
            self.assertEqual(outcome, [421, 421, "refused", "refused"])
            self.assertEqual([cookie for cookie in self.context.cookies(f"http://evil.test:{self.ports[role]}") if "tandem" in cookie["name"]], [])

    def test_the_machine_s_name_leads_to_the_address(self):
        page = self.browser.blank()
        self.addCleanup(page.context.close)
        link = urllib.parse.urlsplit(self.house.link("phone"))
        page.goto(f"http://localhost:{link.port}/sign-in?{link.query}")
        page.wait_for_selector("#app:not([aria-busy])")
        self.assertTrue(page.url.startswith(f"http://127.0.0.1:{link.port}/#/computers"), page.url)
        self.assertEqual([cookie["domain"] for cookie in page.context.cookies()], ["127.0.0.1"])

    def test_the_link_stays_nowhere_in_the_browser(self):
        page = self.browser.blank()
        self.addCleanup(page.context.close)
        link = self.house.link("desktop")
        token = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["token"][0]
        referrers = []
        page.on("request", lambda request: referrers.append((request.url, request.headers.get("referer", ""))))
        page.goto(link)
        page.wait_for_selector("#app:not([aria-busy])")
        said = page.evaluate("""async () => JSON.stringify([location.href, document.referrer, document.cookie, { ...localStorage }, { ...sessionStorage },
            performance.getEntriesByType('navigation').map((entry) => entry.name), history.state, navigation.entries().map((entry) => entry.url)])""")
        self.assertNotIn(token, said)
        self.assertNotIn("tandem-desktop", said)
        self.assertEqual([url for url, referrer in referrers[1:] if token in url + referrer], [])
        cookie, = page.context.cookies()
        self.assertEqual((cookie["httpOnly"], cookie["sameSite"], cookie["path"]), (True, "Strict", "/"))
        # A second browser with the same link, and whoever goes back to it.
        stranger = self.browser.blank()
        self.addCleanup(stranger.context.close)
        stranger.goto(link)
        stranger.wait_for_selector("#app:not([aria-busy])")
        self.assertEqual(stranger.context.cookies(), [])
        self.assertIn("/#/sign-in/expired", stranger.url)

    def test_a_link_into_the_page_from_elsewhere_does_nothing_by_itself(self):
        """The address after # is the only thing another site can choose of a page that it opens."""
        page = self.other(f"http://evil.test:{self.site.port}/")
        asked = []
        self.context.on("request", lambda request: asked.append(request.post_data) if request.method in ("POST", "PUT") else None)
        mark = "<img data-xss src=/xss>"
        hashes = {
            "phone": [
                "#/pair/scan", "#/pair/code?digits=1234567890", f"#/computers/{self.computer}/terminal?session={urllib.parse.quote(mark)}",
                f"#/computers/{self.computer}/terminal?shell=/bin/sh&cwd=/", f"#/computers/{self.computer}/files?path=/etc&view=/etc/passwd&find={urllib.parse.quote(mark)}",
                f"#/computers/{urllib.parse.quote(mark, safe='')}", "#javascript:__xss()", f"#/computers/{self.computer}/__proto__", "#/queue?device=__proto__",
            ],
            "desktop": [
                "#/pair/scan", "#/__proto__/constructor", f"#/phones/{urllib.parse.quote(mark, safe='')}", "#/audit?phone=%3Cimg%20data-xss%3E&result=constructor",
            ],
            "hub": ["#/settings", "#/sign-in/expired"],
        }
        for target in self.targets:
            for hash in hashes[target["role"]]:
                page.goto(f"http://evil.test:{self.site.port}/")
                page.evaluate("(url) => { location.href = url; }", f"{target['url']}/{hash}")
                page.wait_for_url(f"{target['url']}/**")
                page.wait_for_selector("#app:not([aria-busy])")
                page.wait_for_timeout(100)
                self.assertEqual(page.locator("[data-xss]").count(), 0, hash)
        # Without members it reads.
        asked = [body for body in asked if not (body and '"notifications.local"' in body and not json.loads(body).get("params"))]
        methods = {json.loads(body).get("method") if body and body.startswith("{") else body for body in asked}
        remote = {json.loads(body)["params"].get("method") for body in asked if body and json.loads(body).get("method") in ("call", "threads.call", "notifications.call")}
        changing = {method for method in methods | remote if method and method.split(".")[-1] not in {
            "list", "show", "status", "requests", "asks", "activity", "audit", "call", "limits", "peers", "load", "info", "find", "stat", "search", "doctor", "watch", "roots", "volumes", "text", "history", "readFile", "getFileInfo", "agents", "approvals",
            "folders", "listDirectory", "unread", "getUnreadCount", "getHistory", "getSettings", "sources", "devices", "deliveries", "reports", "standing"}}
        self.assertEqual(changing, set())


if __name__ == "__main__":
    unittest.main()
