/** Where the page's worker keeps what another app shared, until it is sent. */
const STATE = 'tandem-phone';

/**
 * What another app shared with this one.
 *
 * @returns {Promise<{text: string, files: File[]} | null>}
 */
export async function sharedHere() {
    const cache = await caches.open(STATE);
    const kept = await cache.match(address());
    if (!kept) return null;
    const { text, files } = await kept.json();
    const found = await Promise.all(files.map(async ({ name, type }, at) => {
        const answer = await cache.match(`${address()}/${at}`);
        return answer ? new File([await answer.blob()], name, { type }) : null;
    }));
    return { text, files: found.filter(Boolean) };
}

export async function forgetShared() {
    const cache = await caches.open(STATE);
    for (const { url } of await cache.keys()) if (url === address() || url.startsWith(`${address()}/`)) await cache.delete(url);
}

function address() { return new URL('shared', location.href).href; }
