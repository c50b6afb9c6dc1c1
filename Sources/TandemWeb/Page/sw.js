// The page's files, so that it opens while the program does not run. From the network first: what is stored is only used when nobody answers.
const CACHE = 'tandem-page';
/** How this device shows notifications, which a page tells: a worker has no other place for it that outlasts it. */
const SHOWING = 'tandem-showing';
/** Letters of a push. */
const MOST = 16384;
/** Ends each text, as in `features/notifications/banners.js`, which says why. */
const MARK = '\u2063\u2064\u2063';
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;

self.addEventListener('install', (event) => {
    self.skipWaiting();
    // Questions to the program do not pass here: they would wait for this worker to start.
    event.addRoutes?.([{ condition: { urlPattern: new URLPattern({ pathname: '/api/*', baseURL: location.origin }) }, source: 'network' }]);
});
self.addEventListener('activate', (event) => event.waitUntil(activate()));

self.addEventListener('fetch', (event) => {
    if (event.request.method !== 'GET') return;
    if (isSignIn(event.request)) event.respondWith(signIn(event));
    else if (isShell(event.request.url)) event.respondWith(answer(event));
});

// What a page loaded before this worker was there.
self.addEventListener('message', (event) => {
    if (event.data?.showing) event.waitUntil(keepShowing(event.data.showing));
    const shell = (event.data?.store ?? []).filter(isShell);
    event.waitUntil(caches.open(CACHE).then((cache) => Promise.allSettled(shell.map((url) => cache.add(url)))));
});

// A computer woke this browser while no page was open. The browser shows something for every push, so one that says nothing is shown, too.
self.addEventListener('push', (event) => event.waitUntil(showPush(event.data?.text() ?? '')));
self.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(openPage(event.notification.data?.go));
});

async function activate() {
    await self.clients.claim();
    // What opens the page is asked for while this worker starts.
    await self.registration.navigationPreload?.enable();
}

function isShell(address) {
    const url = new URL(address, location.origin);
    return url.origin === location.origin && !url.pathname.startsWith('/api/') && !url.pathname.startsWith('/sign-in');
}

function isSignIn({ mode, url }) {
    const { origin, pathname } = new URL(url);
    return mode === 'navigate' && origin === location.origin && pathname === '/sign-in';
}

/** A link works once, and the browser has asked for it already, while this worker started: asked for a second time it would be refused. */
async function signIn(event) {
    const { pathname, search } = new URL(event.request.url);
    return await event.preloadResponse ?? fetch(pathname + search, { redirect: 'manual' });
}

async function answer(event) {
    const { request } = event;
    // What opens the page is asked for anew where the browser did not do so itself: the request of a link on another site would arrive as
    // that site's, and no longer as one that opens a page, and be refused.
    const asked = request.destination === 'document' ? new URL(request.url).pathname : request;
    try {
        const [response, stored] = await Promise.all([event.preloadResponse.then((early) => early ?? fetch(asked)), storedTags()]);
        const path = new URL(request.url).pathname;
        const tag = response.headers.get('ETag');
        // Storing waits for nothing and holds nothing up, and is left out for what is stored already: each page opens with fifty files.
        if (response.ok && response.type === 'basic' && !response.redirected && stored.get(path) !== tag) {
            event.waitUntil(store(asked, response.clone()).then(() => stored.set(path, tag)));
        }
        return response;
    } catch (error) {
        const cache = await caches.open(CACHE);
        const stored = await cache.match(asked);
        if (stored) return stored;
        throw error;
    }
}

/** As `features/notifications/banners.js` shows one: under the same tag, so that both show it once. */
async function showPush(text) {
    /** @type {any} */
    let sent = {};
    try {
        if (text.length <= MOST) sent = Object(JSON.parse(text));
    } catch {
        // Not one of ours: the name of the app says where it is from.
    }
    if (sent.type === 'chat.message') { await showMessage(sent); return; }
    const { device, id, silent, timestamp } = sent;
    // As a page tells one call from another, also where the computer numbers none.
    const alert = [sent.alert, timestamp].find(Number.isFinite);
    const showing = await keptShowing();
    const { title, body } = showing.preview === false ? hidden(sent, showing) : sent;
    const name = word(device, 128);
    const tag = word(id, 256) ? `${name} ${word(id, 256)}` : 'tandem';
    const query = word(id, 256) ? `?${new URLSearchParams({ show: id })}` : '';
    // Chromium forgets one that is shown while a page asks for those that are there.
    await navigator.locks.request('tandem-banners', async () => {
        // One that is there already is replaced without a sound: where the program called again, so must this.
        const [former] = query ? await self.registration.getNotifications({ tag }) : [];
        const isNew = Boolean(former) && alert !== undefined && (former.data?.alert ?? alert) !== alert;
        await self.registration.showNotification(word(title, 120) || 'Tandem', {
            body: word(body, 300) + MARK, tag, renotify: isNew, silent: silent === true || showing.sound === false, icon: '/icons/tandem-192.png',
            ...(Number.isFinite(timestamp) && { timestamp }),
            data: { alert, go: name ? `#/computers/${encodeURIComponent(name)}/notifications${query}` : '#/computers' },
        });
    });
}

/** A message of a conversation, which the hub told: one banner for each conversation. Of a sealed one the hub knows no words. */
async function showMessage({ title, body, conversationID, seq, request, timestamp }) {
    const showing = await keptShowing();
    const name = word(conversationID, 256);
    const isHidden = showing.preview === false;
    const words = isHidden ? '' : word(body, 300);
    const tag = `chat ${name}`;
    await navigator.locks.request('tandem-banners', async () => {
        const [former] = await self.registration.getNotifications({ tag });
        await self.registration.showNotification((isHidden ? '' : word(title, 120)) || 'Tandem', {
            body: (words || word(showing.words, 300)) + MARK, tag, renotify: Boolean(former) && former.data?.alert !== seq, silent: showing.sound === false, icon: '/icons/tandem-192.png',
            ...(Number.isFinite(timestamp) && { timestamp }),
            data: { alert: seq, go: name && request !== true ? `#/chats/${encodeURIComponent(name)}` : '#/chats' },
        });
    });
}

/** Says which program it is, and not what it says. Where the computer left that out already, it names no `app`, and its title is the program. */
function hidden({ app, title, body }, { words }) { return { title: app || (body ? '' : title), body: words }; }

/** @param {{sound?: boolean, preview?: boolean, words?: string}} showing `words` stand for those that are hidden, in the page's language. */
async function keepShowing({ sound, preview, words }) {
    const cache = await caches.open(SHOWING);
    await cache.put('/', self.Response.json({ sound: sound !== false, preview: preview !== false, words: word(words, 300) }));
}

/** Where it cannot be read, nothing is shown that the person may want hidden. */
async function keptShowing() {
    try {
        const kept = await (await caches.open(SHOWING)).match('/');
        return kept ? await kept.json() : {};
    } catch {
        return { preview: false };
    }
}

/** A text of a push, in one line, without what hides or turns around other letters. */
function word(text, limit) {
    return typeof text === 'string' ? text.replace(HIDDEN, ' ').slice(0, limit).trim() : '';
}

/** Brings a page to an address: one that is open, else a new one. */
async function openPage(go) {
    const address = typeof go === 'string' && go.startsWith('#/') ? go : '#/';
    const [page] = await self.clients.matchAll({ type: 'window' });
    if (!page) { await self.clients.openWindow(`/${address}`); return; }
    page.postMessage({ go: address });
    await page.focus().catch(() => {});
}

async function store(asked, response) {
    const cache = await caches.open(CACHE);
    await cache.put(asked, response);
}

let tags = null;

/** The version of every stored file, by its path. */
function storedTags() {
    tags ??= (async () => {
        const cache = await caches.open(CACHE);
        return new Map((await cache.matchAll()).map(({ url, headers }) => [new URL(url).pathname, headers.get('ETag')]));
    })();
    return tags;
}
