// The page's files, so that it opens while the program does not run. From the network first: what is stored is only used when nobody answers.
const CACHE = 'tandem-page';

importScripts('/sw-push.js');

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
    const shell = (event.data?.store ?? []).filter(isShell);
    event.waitUntil(caches.open(CACHE).then((cache) => Promise.allSettled(shell.map((url) => cache.add(url)))));
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
