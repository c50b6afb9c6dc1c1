/** How a move's code begins, of any version: the program says what it thinks of another one than its own. */
const CODE = /^mystory-mig:v\d{1,6}\?\S{1,1000}$/;

/** @returns {boolean} Whether a text that was scanned is a new phone's code. */
export function isMovingCode(text) { return CODE.test(text); }

/**
 * The addresses in a code, for the person to compare; empty where it says none.
 *
 * @param {string} code
 * @returns {string[]}
 */
export function addressesIn(code) {
    const values = new URLSearchParams(code.slice(code.indexOf('?') + 1));
    return [...values.getAll('addr'), ...values.getAll('hub')];
}

/**
 * `host:port`, or a hub's address with the room, as a person types it; null where something is missing.
 *
 * @param {string} text
 */
export function typedAddress(text) {
    const address = text.normalize('NFKC').replace(/\s/g, '');
    if (/^wss?:\/\/[^#]+#[0-9A-Za-z-]{10,20}$/.test(address)) return address;
    return /^(\[[0-9A-Fa-f:.%a-z]+\]|[^:/\[\]#]+):\d{1,5}$/u.test(address) ? address : null;
}
