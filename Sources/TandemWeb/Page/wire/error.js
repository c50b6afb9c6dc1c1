/** @typedef {{reason?: string, values?: Object<string, any>, right?: string, rpc?: number} & Object<string, any>} WireDetail */

/** A failure of the wire: decisions are taken on `code` and `detail.reason`, `message` is a sentence for the person. */
export class WireError extends Error {
    /**
     * @param {string} code One of the codes of `client/client.js`.
     * @param {string} message
     * @param {WireDetail} [detail]
     */
    constructor(code, message, detail = {}) {
        super(message);
        this.name = 'WireError';
        this.code = code;
        this.detail = detail;
    }
}

/**
 * A failure whose reason has a sentence on the page.
 *
 * @param {string} code
 * @param {string} reason
 * @param {string} message
 * @param {Object<string, any>} [values]
 */
export function failure(code, reason, message, values = {}) { return new WireError(code, message, { reason, values }); }

/** A failure of cryptography: the other side did not make what it sent, or made it wrong. */
export function unproven(what) { return failure('internal', 'handshakeFailed', `The other device could not be verified (${what}); someone may be interfering. Make a new code and try again.`); }

/** Throws where a signal was aborted. */
export function throwIfAborted(signal) {
    if (signal?.aborted) throw new WireError('cancelled', 'This was cancelled.');
}
