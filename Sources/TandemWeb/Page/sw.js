// The page's files, so that it opens while the program does not run. From the network first: what is stored is only used when nobody answers.
const CACHE = 'tandem-page';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
    const url = new URL(event.request.url);
    const isShell = event.request.method === 'GET' && url.origin === location.origin
        && !url.pathname.startsWith('/api/') && !url.pathname.startsWith('/sign-in');
    if (isShell) event.respondWith(answer(event.request, url.pathname));
});

async function answer(request, path) {
    // What opens the page is asked for anew: the request of a link on another site would arrive as that site's, and no longer as one that
    // opens a page, and be refused.
    const asked = request.destination === 'document' ? path : request;
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
