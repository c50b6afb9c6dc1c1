// The page's files, so that it opens while the program does not run. From the network first: what is stored is only used when nobody answers.
const CACHE = 'tandem-page';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
    if (event.request.method === 'GET' && isShell(event.request.url)) event.respondWith(answer(event.request));
});

// What a page loaded before this worker was there.
self.addEventListener('message', (event) => {
    const shell = (event.data?.store ?? []).filter(isShell);
    event.waitUntil(caches.open(CACHE).then((cache) => Promise.allSettled(shell.map((url) => cache.add(url)))));
});

function isShell(address) {
    const url = new URL(address, location.origin);
    return url.origin === location.origin && !url.pathname.startsWith('/api/') && !url.pathname.startsWith('/sign-in');
}

async function answer(request) {
    // What opens the page is asked for anew: the request of a link on another site would arrive as that site's, and no longer as one that
    // opens a page, and be refused.
    const asked = request.destination === 'document' ? new URL(request.url).pathname : request;
    const cache = await caches.open(CACHE);
    try {
        const response = await fetch(asked);
        if (response.ok && response.type === 'basic' && !response.redirected) await cache.put(asked, response.clone());
        return response;
    } catch (error) {
        const stored = await cache.match(asked);
        if (stored) return stored;
        throw error;
    }
}
