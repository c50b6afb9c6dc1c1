import { strictTextOf, utf8 } from './bytes.js';

const PREFIX = 'chainlesschain:';

/** A request. Source: `docs/protocol.md` 1.3.1. */
export function requestEnvelope({ id, method, params, did, durable }) {
    const payload = { id, method, params, auth: { mobileDid: did, did }, acceptsStream: true, ...(durable ? { durable: true } : {}) };
    return utf8(JSON.stringify({ type: `${PREFIX}command:request`, payload }));
}

/** Ends a request that runs. */
export function cancelEnvelope(id, reason) { return utf8(JSON.stringify({ type: `${PREFIX}command:cancel`, payload: { id, reason } })); }

/** Any other message of a session. */
export function messageOf(type, payload) { return utf8(JSON.stringify({ type, payload })); }

/**
 * The envelope in a message.
 *
 * @param {Uint8Array} bytes
 * @returns {{type: string, payload: Object<string, any>} | null} Its type without the prefix that documented ones have. Null for anything else.
 */
export function envelopeOf(bytes) {
    const envelope = objectIn(strictTextOf(bytes));
    if (typeof envelope?.type !== 'string') return null;
    const payload = typeof envelope.payload === 'string' ? objectIn(envelope.payload) : envelope.payload;
    return { type: envelope.type.startsWith(PREFIX) ? envelope.type.slice(PREFIX.length) : envelope.type, payload: payload !== null && typeof payload === 'object' ? payload : {} };
}

/** The object in a text, null where there is none. */
export function objectIn(text) {
    try {
        const value = JSON.parse(text ?? '');
        return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : null;
    } catch {
        return null;
    }
}

/**
 * The event in an envelope, in every form in which programs send one.
 *
 * @returns {{event: string, members: Object<string, any>} | null}
 */
export function eventIn({ type, payload }) {
    if (type === 'event') {
        const { event, ...members } = payload;
        return typeof event === 'string' ? { event, members } : null;
    }
    if (type === 'event:notification') {
        const params = typeof payload.params === 'string' ? objectIn(payload.params) : payload.params;
        const name = payload.method === `${PREFIX}notification:received` ? 'notification.received' : payload.method;
        return typeof name === 'string' ? { event: name, members: params !== null && typeof params === 'object' ? params : {} } : null;
    }
    return type === 'notification:received' ? { event: 'notification.received', members: payload } : null;
}
