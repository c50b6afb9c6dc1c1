import { strictTextOf, utf8 } from '../../../wire/bytes.js';
import { canonical, parse } from '../../../wire/json.js';
import { isTransport, malformed, refusedCode } from './failures.js';
import { openFile, sealedCount, sealFile } from './media.js';

/**
 * The sealed objects of a handover at the hub: `put` uploads as `chat_sealed`, `get` fetches at most so many bytes.
 *
 * @typedef {{put(bytes: Uint8Array): Promise<string>, get(objectKey: string, limit: number): Promise<Uint8Array>}} HandoverObjects
 */

const TOO_MANY = 429;

/** Bytes that a value takes before it is sealed. */
export function sizeOf(json) { return utf8(canonical(json)).length; }

/**
 * Seals a value under a new key and uploads it.
 *
 * @param {HandoverObjects} objects
 */
export async function putSealed(objects, json) {
    const text = utf8(canonical(json));
    const { bytes, key, hash } = await sealFile(text);
    return { object: await objects.put(bytes), key, hash, size: text.length };
}

/**
 * Fetches a value and opens it.
 *
 * @param {HandoverObjects} objects
 * @param {import('./handover-index.js').Part} part
 * @param {Uint8Array} key
 */
export async function getSealed(objects, { object, hash, size }, key) {
    const sealed = await objects.get(object, sealedCount(size));
    const text = strictTextOf(await openFile(sealed, { key, hash, limit: size }));
    const json = text === null ? undefined : parse(text);
    if (json === undefined) throw malformed('handover');
    return json;
}

/** Whether trying again a little later may help, without anything else that changes. */
export function isSoonOver(error) { return isTransport(error) || refusedCode(error) === TOO_MANY; }
