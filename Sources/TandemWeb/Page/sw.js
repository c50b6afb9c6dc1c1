// The page's files, so that it opens while the program does not run. From the network first: what is stored is only used when nobody answers.
const CACHE = 'tandem-page';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
    const url = new URL(event.request.url);
    const isShell = event.request.method === 'GET' && url.origin === location.origin
        && !url.pathname.startsWith('/api/') && !url.pathname.startsWith('/sign-in');
    if (isShell) event.respondWith(answer(event.request));
});

async function answer(request) {
    const cache = await caches.open(CACHE);
    try {
        const response = await fetch(request);
        if (response.ok && response.type === 'basic' && !response.redirected) await cache.put(request, response.clone());
        return response;
    } catch (error) {
        const stored = await cache.match(request, { ignoreSearch: request.mode === 'navigate' });
        if (stored) return stored;
        throw error;
    }
}
