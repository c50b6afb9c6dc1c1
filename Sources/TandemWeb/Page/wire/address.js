import { failure } from './error.js';
import { nameOf } from './peer-text.js';

const LOCAL_NAME = /^localhost$|\.(?:localhost|local|home\.arpa)$/;
const LOCAL_V4 = /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
const LOCAL_V6 = /^\[(?:::1|fe[89ab][0-9a-f]:.*|f[cd][0-9a-f]{2}:.*)\]$/;

/** Whether a host is this machine or on its own network. */
export function isLocalHost(host) {
    const name = host.toLowerCase();
    return LOCAL_NAME.test(name) || LOCAL_V6.test(name) || /^[\d.]+$/.test(name) && LOCAL_V4.test(name);
}

/**
 * The address of a signaling server: `wss:` anywhere, `ws:` only on this machine and its own network, where no stranger far away listens.
 *
 * @param {any} text
 * @returns {{url: string, isLocal: boolean}}
 * @throws {import('./error.js').WireError}
 */
export function signalingAddress(text) {
    let url = null;
    if (typeof text === 'string' && text.length <= 512) {
        try {
            url = new URL(text);
        } catch {
            // Said below.
        }
    }
    const isLocal = url !== null && isLocalHost(url.hostname);
    if (!url || !(url.protocol === 'wss:' || url.protocol === 'ws:' && isLocal) || url.username || url.password || text.includes('#') || !url.hostname) {
        const shown = nameOf(text);
        throw failure('bad-request', 'unsafeAddress', `The code leads to ${shown}, where others could listen. Pair on the same network, or use a wss:// address.`, { address: shown });
    }
    return { url: text, isLocal };
}

/** The authority that a browser sends as `Host` when it dials this address: without a default port. */
export function authorityOf(url) { return new URL(url.replace(/^ws/, 'http')).host; }

/** An address as two programs may write it differently: for comparing only. */
export function sameAddress(one, other) { return new URL(one).href === new URL(other).href; }
