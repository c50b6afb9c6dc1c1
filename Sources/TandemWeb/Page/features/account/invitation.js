/** How many digits the code of an invitation has. */
export const CODE_DIGITS = 12;

const LINK = /(?:tandem-account|https?):\/\/[^\s<>"']+/;
/** What follows the `#` of a hub's page for phones in an invitation. */
const JOIN = /^#join=(\d{12})$/;
/** Of a hub's address, in bytes. */
const LONGEST_HUB = 255;

/**
 * What a text that was pasted or scanned says: an invitation as a link, alone or among other words, or as its bare code.
 *
 * @param {string} text
 * @returns {{hub?: string, code: string} | {trouble: 'notInvitation' | 'personLink'}}
 */
export function invitationIn(text) {
    const link = LINK.exec(text.slice(0, 8192))?.[0];
    if (!link) {
        const code = text.length <= 64 && /^[\d\s\u2010-\u2015-]*$/.test(text.normalize('NFKC')) ? digitsOf(text) : '';
        return code.length === CODE_DIGITS ? { code } : { trouble: 'notInvitation' };
    }
    const address = parsed(link);
    if (address?.protocol.startsWith('http')) return onPage(address);
    if (address?.host === 'chat') return { trouble: 'personLink' };
    const [hub, code] = [address?.searchParams.get('hub') ?? '', digitsOf(address?.searchParams.get('c') ?? '')];
    if (address?.host !== 'join' || code.length !== CODE_DIGITS || !isHub(hub)) return { trouble: 'notInvitation' };
    return { hub, code };
}

/**
 * An invitation as a link to the hub's page for phones, as `tandem hub invite` prints it.
 *
 * @param {URL} address
 * @returns {ReturnType<typeof invitationIn>}
 */
function onPage({ protocol, host, pathname, search, hash, username }) {
    const code = JOIN.exec(hash)?.[1];
    const hub = `${protocol.replace('http', 'ws')}//${host}`;
    if (!code || pathname !== '/phone/' || search !== '' || username !== '' || !isHub(hub)) return { trouble: 'notInvitation' };
    return { hub, code };
}

/** The digits of a text, those of full width too. */
export function digitsOf(text) { return text.normalize('NFKC').replace(/\D/g, ''); }

function isHub(text) {
    const address = text.length <= LONGEST_HUB ? parsed(text) : null;
    return ['ws:', 'wss:'].includes(address?.protocol) && address.hostname !== '' && address.username === '';
}

function parsed(text) {
    try {
        return new URL(text);
    } catch {
        return null;
    }
}

/** A hub's address as people say it: without the scheme that stands for itself, its own port and the slash at the end. */
export function hubName(address) {
    return address.replace(/^(wss|https):\/\//, '').replace(/^ws:\/\//, 'http://').replace(/\/$/, '').replace(/^([^:/]+):443$/, '$1');
}
