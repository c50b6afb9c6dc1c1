/** What the tests of the wire share: where its modules are, and how a test says what it found. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');

/** Values of a file of fixtures. */
export function fixture(name) { return JSON.parse(fs.readFileSync(path.join(ROOT, 'Tests', name), 'utf8')); }

export function bytes(hexadecimal) { return Uint8Array.from(Buffer.from(hexadecimal.replace(/\s/g, ''), 'hex')); }

export function hex(value) { return Buffer.from(value).toString('hex'); }

/** What an action throws: the reason of the wire's own errors, the message of others; null where it throws nothing. */
export async function thrown(action) {
    try {
        await action();
        return null;
    } catch (error) {
        return error.detail ? error.detail.reason ?? error.code : `not typed: ${error.message}`;
    }
}

/** Numbers below 1 that are the same in each run: a linear congruential generator. */
export function randomOf(seed) {
    let state = seed >>> 0;
    return () => {
        state = Math.imul(state, 1664525) + 1013904223 >>> 0;
        return state / 2 ** 32;
    };
}

/** Waits until something is so, at most so many milliseconds. */
export async function until(ask, milliseconds = 10_000, what = 'something') {
    const end = Date.now() + milliseconds;
    for (;;) {
        const answer = await ask();
        if (answer) return answer;
        if (Date.now() > end) throw new Error(`${what} did not come in ${milliseconds} ms`);
        await new Promise((resolve) => { setTimeout(resolve, 5); });
    }
}
