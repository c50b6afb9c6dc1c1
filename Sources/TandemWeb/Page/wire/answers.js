import { WireError } from './error.js';

/** The code of a failure by the computer's number. Source: `docs/protocol.md` 3.4.2 and 3.2.4. */
const CODES = new Map([
    [-32010, 'not-allowed'], [-32601, 'unknown-method'], [-32006, 'unknown-method'], [-32602, 'bad-request'], [-32600, 'bad-request'], [-32004, 'too-large'], [-32024, 'not-found'],
    [-32020, 'not-found'], [-32023, 'exists'], [-32002, 'cancelled'], [-32603, 'internal'], [-32022, 'internal'],
]);
const REASONS = new Map([[-32021, 'fileChanged'], [-32022, 'wrongChecksum'], [-32008, 'notPaired'], [-32011, 'outcomeUnknown']]);
// What the computer says when it refuses: which command would give the right.
const RIGHT = /devices allow [^\s]+ ([a-z.]+)/;

/** What a computer's answer says: its result. @throws {WireError} */
export function resultOf(payload) {
    const { error } = payload;
    if (error !== undefined && error !== null) throw refusedBy(payload);
    return payload.result ?? {};
}

function refusedBy({ error, code }) {
    const message = typeof error === 'string' ? error : String(error.message ?? 'The computer could not do this.');
    const number = [code, error.code].find((each) => Number.isInteger(each)) ?? -32603;
    return answered(number, message);
}

/** A failure that the computer told. */
export function answered(rpc, message) {
    const right = RIGHT.exec(message)?.[1];
    // A word for programs, of which the page has a sentence.
    const reason = /^[a-z]+(?:_[a-z]+)+$/.test(message) ? message : REASONS.get(rpc);
    return new WireError(CODES.get(rpc) ?? 'refused', message.slice(0, 4096), { rpc, ...(right ? { right } : {}), ...(reason ? { reason } : {}) });
}
