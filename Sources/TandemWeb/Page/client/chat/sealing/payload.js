import { byteCountOf } from '../../../wire/bytes.js';
import { canonical, parse } from '../../../wire/json.js';
import { readObject } from './media.js';

export const TEXT = 101;
export const CUSTOM = 110;
/** A sealed message's content, in bytes. */
const SEALED_LIMIT = 128 << 10;
/** Where the keys of sealed files' objects begin. */
const SEALED_PREFIX = 'chat/sealed/';
/** Members of a payload that are addresses, or say how long these hold. */
const ADDRESSES = ['url', 'urls', 'multiUrls', 'thumbUrl', 'thumbUrls', 'expireAt'];

/** The object of a payload of content type 110; null for anything else. */
export function customPayload(contentType, content) {
    if (contentType !== CUSTOM || typeof content !== 'string' || content.length > SEALED_LIMIT || byteCountOf(content) > SEALED_LIMIT) return null;
    const payload = parse(content);
    return payload && typeof payload === 'object' && !Array.isArray(payload) && typeof payload.type === 'string' ? payload : null;
}

/** Whether a message changes other rows and is none itself. */
export function isControl(payload) { return payload?.type === 'flash_viewed'; }

/** Whether it stands for a view-once picture that is gone, which the hub says in nobody's name. */
export function isDestroyed(payload) { return payload?.type === 'flash_image' && payload.destroyed === true; }

/** A content without addresses: one that the sender chose would tell them who looks at it, and from where. */
export function withoutAddresses(contentType, content) {
    const payload = customPayload(contentType, content);
    if (!payload || !ADDRESSES.some((key) => key in payload)) return content;
    return canonical({ ...payload, ...Object.fromEntries(ADDRESSES.map((key) => [key, undefined])) });
}

function textsOf(value) { return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []; }

/**
 * The keys of a payload's files.
 *
 * @returns {string[]}
 */
export function objectKeysOf(payload) {
    if (payload?.type === 'image' || payload?.type === 'audio') return textsOf([payload.objectKey]);
    return payload?.type === 'multi_image' ? textsOf(payload.multiObjectKeys) : [];
}

/** What the hub has to know of a payload's files beside what is sealed: it keeps them with the message, and hands out a view-once picture once. */
export function hubsPart(payload) {
    return { objects: objectKeysOf(payload), flash: payload?.type === 'flash_image' && typeof payload.objectKey === 'string' && payload.objectKey ? payload.objectKey : null };
}

export function isSealedKey(objectKey) { return objectKey.startsWith(SEALED_PREFIX); }

/** The name under which the key of a view-once picture is kept. */
export function flashName(id, sender) { return `flash ${sender} ${id}`; }

function named(name, json) {
    try {
        return [{ name, object: readObject(json) }];
    } catch {
        // What is not of the documented form is none, and its file stays closed.
        return [];
    }
}

/**
 * What opens the files of a message.
 *
 * @param {any} payload
 * @param {string} id
 * @param {string} sender
 * @returns {{name: string, object: import('./media.js').SealedObject}[]}
 */
export function objectsOf(payload, id, sender) {
    if (payload?.sealed === undefined) return [];
    if (payload.type === 'flash_image') return named(flashName(id, sender), payload.sealed);
    const keys = objectKeysOf(payload);
    const list = payload.type === 'multi_image' ? payload.sealed : [payload.sealed];
    if (!Array.isArray(list) || list.length !== keys.length) return [];
    return keys.flatMap((key, at) => (isSealedKey(key) ? named(key, list[at]) : []));
}
