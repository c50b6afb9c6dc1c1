import { WireError } from './error.js';
import { rightOf } from './rights.js';

const NOT_ALLOWED = -32010;
/** The code of a failure by the computer's number. Source: `docs/protocol.md` 3.4.2 and 3.2.4. */
const CODES = new Map([
    [NOT_ALLOWED, 'not-allowed'], [-32601, 'unknown-method'], [-32006, 'unknown-method'], [-32602, 'bad-request'], [-32600, 'bad-request'], [-32004, 'too-large'], [-32024, 'not-found'],
    [-32020, 'not-found'], [-32023, 'exists'], [-32002, 'cancelled'], [-32603, 'internal'], [-32022, 'internal'],
]);
const REASONS = new Map([[-32021, 'fileChanged'], [-32022, 'wrongChecksum'], [-32008, 'notPaired'], [-32011, 'outcomeUnknown']]);

/**
 * What a computer's answer says: its result.
 *
 * @param {Object<string, any>} payload
 * @param {string} method What was asked.
 * @throws {WireError}
 */
export function resultOf(payload, method) {
    const { error } = payload;
    if (error !== undefined && error !== null) throw refusedBy(payload, method);
    return payload.result ?? {};
}

function refusedBy(payload, method) {
    const { error, code } = payload;
    const message = typeof error === 'string' ? error : String(error.message ?? 'The computer could not do this.');
    const number = [code, error.code].find((each) => Number.isInteger(each)) ?? -32603;
    return answered(number, message, method);
}

/**
 * A failure that the computer told.
 *
 * @param {number} rpc
 * @param {string} message
 * @param {string} [method]
 */
export function answered(rpc, message, method) {
    const right = rpc === NOT_ALLOWED && method ? rightOf(method) : null;
    // A word for programs, of which the page has a sentence.
    const reason = /^[a-z]+(?:_[a-z]+)+$/.test(message) ? message : REASONS.get(rpc);
    return new WireError(CODES.get(rpc) ?? 'refused', message.slice(0, 4096), { rpc, ...(right ? { right } : {}), ...(reason ? { reason } : {}) });
}
