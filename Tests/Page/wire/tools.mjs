/** What the tests of the wire share. They run in Node by `run.mjs`, and in a page as they are. */
import { fromHex, hex } from '../../../Sources/TandemWeb/Page/wire/bytes.js';

export { hex };

/** Values of a file of fixtures. */
export async function fixture(name) {
    const file = new URL(`../../${name}`, import.meta.url);
    if (file.protocol !== 'file:') return (await fetch(file)).json();
    const { readFile } = await import('node:fs/promises');
    return JSON.parse(await readFile(file, 'utf8'));
}

export function bytes(hexadecimal) { return fromHex(hexadecimal.replace(/\s/g, '')); }

/** One turn of the event loop. */
export function turn() {
    return new Promise((resolve) => {
        if (globalThis.setImmediate) return void setImmediate(resolve);
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        port2.postMessage(null);
    });
}

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
