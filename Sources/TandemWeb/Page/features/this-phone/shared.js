/** Where the page's worker keeps what another app shared, until it is sent. */
const SHARED = 'tandem-phone-shared';

/**
 * What another app shared with this one.
 *
 * @returns {Promise<{text: string, files: File[]} | null>}
 */
export async function sharedHere() {
    const cache = await caches.open(SHARED);
    const kept = await cache.match(address());
    if (!kept) return null;
    const { text, files } = await kept.json();
    const found = await Promise.all(files.map(async ({ name, type }, at) => {
        const answer = await cache.match(`${address()}/${at}`);
        return answer ? new File([await answer.blob()], name, { type }) : null;
    }));
    return { text, files: found.filter(Boolean) };
}

export async function forgetShared() { await caches.delete(SHARED); }

function address() { return new URL('shared', location.href).href; }
