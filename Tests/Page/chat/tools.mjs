/** What the tests of sealed conversations share. */
import { signingKeyOf } from '../../../Sources/TandemWeb/Page/wire/keys.js';
import { bytes, fixture } from '../wire/tools.mjs';

export { bytes, hex, randomOf, thrown } from '../wire/tools.mjs';

export function vectors() { return fixture('ChatSealingTests/Fixtures/sealed-vectors.json'); }

/** The device of a fixture by its name. */
export async function deviceOf({ devices }, name) { return signingKeyOf(bytes(devices[name].seed)); }

/** A value with another one at a path of members. */
export function changed(value, path, put) {
    const copy = structuredClone(value);
    const last = path.slice(0, -1).reduce((one, key) => one[key], copy);
    last[path.at(-1)] = typeof put === 'function' ? put(last[path.at(-1)]) : put;
    return copy;
}
