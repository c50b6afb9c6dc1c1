import { concat, integer, integerOf } from './bytes.js';

/** The first byte of a record's body. */
export const DATA = 1;
export const ACK = 2;
export const PING = 3;
export const PONG = 4;
export const CLOSE = 5;

/** @typedef {{kind: number, number?: number, durable?: number, ack?: number, token?: Uint8Array, bytes?: Uint8Array}} Body */

/** One message, and up to where everything arrived from the other side. */
export function dataBody(number, ack, bytes) { return concat([DATA], integer(number, 8), integer(0, 8), integer(ack, 8), bytes); }

export function ackBody(ack) { return concat([ACK], integer(ack, 8)); }

/** @param {number} kind ``PING`` or ``PONG``. */
export function tokenBody(kind, token) { return concat([kind], token); }

/**
 * What a body says.
 *
 * @param {Uint8Array} body
 * @returns {Body | null} Null for one of another length, or with a number that no sender reaches.
 */
export function bodyOf(body) {
    const kind = body[0];
    if (kind === DATA && body.length >= 25) {
        const [number, durable, ack] = [1, 9, 17].map((at) => integerOf(body.subarray(at, at + 8)));
        return Number.isFinite(number + durable + ack) && number > 0 ? { kind, number, durable, ack, bytes: body.subarray(25) } : null;
    }
    if (kind === ACK && body.length === 9) {
        const ack = integerOf(body.subarray(1));
        return Number.isFinite(ack) ? { kind, ack } : null;
    }
    if ((kind === PING || kind === PONG) && body.length === 9) return { kind, token: body.slice(1) };
    return kind === CLOSE && body.length === 1 ? { kind } : null;
}
