// The files of the page for phones, of one version: the one that this browser has. It takes another when its person says so, not because a server has one.

/** Which version this is: its list of files, under this name. */
const STATE = 'tandem-phone';
const CURRENT = new URL('current', self.registration.scope).href;
/** What another app shared, until the page takes it: `features/this-phone/shared.js`. */
const SHARED = 'tandem-phone-shared';
const SHARED_AT = new URL('shared', self.registration.scope).href;
const FILES = 'tandem-phone-files-';
const LIST = new URL('bundle.json', self.registration.scope).href;
/** Files that are asked for at once. */
const AT_A_TIME = 8;
const MOST_FILES = 2000;
const LARGEST_SHARE = 1 << 30;
/** What the page itself has for its elements, below this. */
const BYTES = 'api/';
const PAGE_PATIENCE = 120_000;

importScripts(pathOf('sw-push.js'));

self.addEventListener('install', (event) => {
    // The first version comes with the first worker; a worker that comes later serves the version that is there.
    event.waitUntil((async () => { if (!await current()) await take(); })().then(() => self.skipWaiting()));
});
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (url.origin !== location.origin || !url.href.startsWith(self.registration.scope)) return;
    const path = url.pathname.slice(new URL(self.registration.scope).pathname.length);
    if (request.method === 'POST' && path === 'share') event.respondWith(takeShare(request));
    else if (path === 'bundle.json' && url.search === '?here') event.respondWith(current().then((version) => (version ? self.Response.json({ version: version.version }) : fetch(request))));
    else if (request.method === 'GET' && path.startsWith(BYTES)) event.respondWith(askPage(event.clientId, path.slice(BYTES.length), request));
    // Which version the server has is asked of the server.
    else if (request.method === 'GET' && path !== 'bundle.json') event.respondWith(answer(request, path));
});

// `{look}` asks whether the server has another version, `{take}` takes the one with that hash: each is answered at its port. `{claim}` is of a page that was
// loaded past this worker.
self.addEventListener('message', (event) => {
    const [port] = event.ports;
    if (event.data?.claim) { event.waitUntil(self.clients.claim()); return; }
    if (!port || !(event.data?.look || event.data?.take)) return;
    const work = event.data.take ? take(String(event.data.take)) : look();
    event.waitUntil(work.then((found) => port.postMessage(found), (error) => port.postMessage({ failed: String(error?.message ?? error) })));
});

function pathOf(name) {
    const address = new URL(name, self.registration.scope).href;
    // Where the browser lets only trusted addresses become scripts: this one is of the page's own files.
    return self.trustedTypes ? self.trustedTypes.createPolicy('tandem', { createScriptURL: () => address }).createScriptURL(address) : address;
}

/** The version that is served, with its files: read once, since a page begins with a hundred of them. */
let known = null;

function current() {
    known ??= (async () => {
        const kept = await (await caches.open(STATE)).match(CURRENT);
        return kept ? kept.json() : null;
    })().catch((error) => { known = null; throw error; });
    return known;
}

async function digest(bytes) {
    return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function listed() {
    const response = await fetch(LIST, { cache: 'no-store' });
    if (!response.ok) throw new Error('The list of files could not be had.');
    const { sha256, version, files } = await response.json();
    if (typeof sha256 !== 'string' || !Array.isArray(files) || files.length > MOST_FILES) throw new Error('The list of files could not be read.');
    const entries = files.map((file) => [String(file.path), String(file.sha256)]).sort(([one], [other]) => (one < other ? -1 : 1));
    // A computer that confirms this hash knows nothing else of the list.
    const lines = entries.map(([path, hash]) => `${hash}  ${path}\n`).join('');
    if (await digest(new TextEncoder().encode(lines)) !== sha256) throw new Error('The list of files is another one than its hash says.');
    return { sha256, version: String(version), files: Object.fromEntries(entries) };
}

async function look() {
    const [here, there] = await Promise.all([current(), listed()]);
    return { isOther: here?.sha256 !== there.sha256, version: there.version, sha256: there.sha256 };
}

/**
 * Takes the server's version, whole: only once all of its files are here, and are what the list says, is it the one that is served. Where a hash is `wanted`,
 * which a person or a computer agreed to, a list with another one is not taken.
 *
 * @param {string} [wanted]
 */
async function take(wanted) {
    const [former, next] = await Promise.all([current(), listed()]);
    if (wanted !== undefined && next.sha256 !== wanted) throw new Error('The server has yet another version by now.');
    const name = FILES + next.sha256;
    if (former?.sha256 !== next.sha256) {
        const cache = await caches.open(name);
        const old = former && await caches.open(FILES + former.sha256);
        const left = Object.entries(next.files);
        await Promise.all(Array.from({ length: AT_A_TIME }, async () => {
            for (let entry = left.pop(); entry; entry = left.pop()) await bring(cache, entry, former?.files[entry[0]] === entry[1] ? old : null);
        }));
        await (await caches.open(STATE)).put(CURRENT, self.Response.json(next));
    }
    known = null;
    for (const key of await caches.keys()) if (key.startsWith(FILES) && key !== name) await caches.delete(key);
    return { isOther: false, version: next.version };
}

async function bring(cache, [path, hash], old) {
    const address = new URL(path, self.registration.scope).href;
    const kept = await old?.match(address);
    if (kept) { await cache.put(address, kept); return; }
    await cache.put(address, await fetched(address, hash));
}

/** One file of the version with this hash, and no other. */
async function fetched(address, hash) {
    const response = await fetch(`${address}?sha256=${hash}`);
    if (!response.ok || response.redirected) throw new Error(`A file could not be had: ${address}`);
    const bytes = await response.arrayBuffer();
    if (await digest(bytes) !== hash) throw new Error(`A file is another one than its list says: ${address}`);
    const headers = new Headers(response.headers);
    for (const name of ['Content-Encoding', 'Content-Length']) headers.delete(name);
    // The server says of this version that it may be kept for good. Under its own address another version has to follow: a reload would not even ask this worker.
    headers.set('Cache-Control', 'no-cache');
    return new Response(bytes, { headers });
}

async function answer(request, path) {
    // Another worker, the one before this or behind it, may have taken a version meanwhile: each page begins with the one that is kept.
    if (request.mode === 'navigate') known = null;
    const version = await current();
    const hash = version?.files[path];
    if (hash === undefined) return fetch(request);
    const address = new URL(path, self.registration.scope).href;
    const cache = await caches.open(FILES + version.sha256);
    const kept = await cache.match(address);
    if (kept) return kept;
    // The browser threw it away for room.
    const response = await fetched(address, hash).catch(() => null);
    if (!response) return new Response('', { status: 504 });
    await cache.put(address, response.clone());
    return response;
}

/** Bytes that only the page can have: fetched and opened by it. */
async function askPage(client, path, request) {
    const page = await self.clients.get(client);
    const query = {};
    new URL(request.url).searchParams.forEach((value, name) => { query[name] = value; });
    const { blob } = page ? await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        const stop = setTimeout(() => resolve({ blob: null }), PAGE_PATIENCE);
        port1.onmessage = ({ data }) => { clearTimeout(stop); resolve(data); };
        page.postMessage({ bytesOf: path, query }, [port2]);
    }) : { blob: null };
    if (!(blob instanceof Blob)) return new Response('', { status: 404 });
    // What the page sniffed is what it is; another document's it never becomes.
    const headers = { 'Content-Type': blob.type, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store', 'Accept-Ranges': 'bytes' };
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get('Range') ?? '');
    const from = range ? Number(range[1]) : 0;
    if (!range || from >= blob.size) return new Response(blob, { headers });
    const last = Math.min(range[2] === '' ? blob.size - 1 : Number(range[2]), blob.size - 1);
    return new Response(blob.slice(from, last + 1), { status: 206, headers: { ...headers, 'Content-Range': `bytes ${from}-${last}/${blob.size}` } });
}

/** What another app shares is kept until the page takes it. */
async function takeShare(request) {
    const form = await request.formData();
    await caches.delete(SHARED);
    const cache = await caches.open(SHARED);
    const texts = ['title', 'text', 'url'].map((name) => form.get(name)).filter((value) => typeof value === 'string' && value !== '');
    const files = form.getAll('files').filter((value) => typeof value !== 'string' && value.size <= LARGEST_SHARE);
    await cache.put(SHARED_AT, self.Response.json({ text: texts.join('\n').slice(0, 65_536), files: files.map(({ name, type }) => ({ name, type })) }));
    await Promise.all(files.map((file, at) => cache.put(`${SHARED_AT}/${at}`, new Response(file))));
    return self.Response.redirect(`${self.registration.scope}#/share`, 303);
}
