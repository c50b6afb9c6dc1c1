import { sameAddress, signalingAddress } from './address.js';
import { failure } from './error.js';
import { nameOf } from './peer-text.js';

/**
 * The servers at which a computer may be met, the best first: those that its code names, and that this page may dial.
 *
 * @param {(string | null)[]} addresses
 * @param {{home: string | null, mayDial: (url: string) => boolean}} options `home` is the server that the page came from.
 * @returns {string[]}
 * @throws {import('./error.js').WireError} Where the code names only addresses that cannot be used.
 */
export function waysTo(addresses, { home, mayDial }) {
    const found = [];
    let refused = null;
    for (const text of addresses) {
        if (text === null) continue;
        try {
            const { url } = signalingAddress(text);
            if (home && sameAddress(url, home)) {
                found.push(home);
            } else if (mayDial(url)) {
                found.push(url);
            } else {
                refused ??= otherServer(url, home);
            }
        } catch (error) {
            refused ??= error;
        }
    }
    if (found.length) return [...new Set(found)];
    if (refused) throw refused;
    if (!home) throw failure('bad-request', 'noAddress', 'It is not known where to reach the computer. Scan its code, or set a hub.');
    return [home];
}

function otherServer(url, home) {
    const [there, here] = [nameOf(new URL(url).host), home ? nameOf(new URL(home).host) : ''];
    return failure('refused', 'otherServer', `The computer is reached at ${there}, and this page came from ${here}. Open the link of its code itself.`, { there, here });
}
