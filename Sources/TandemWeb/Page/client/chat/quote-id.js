import { concat, fromHex, hex, utf8 } from '../../wire/bytes.js';

/** 6ba7b811-9dad-11d1-80b4-00c04fd430c8, the namespace of URLs. Source: RFC 9562. */
const URLS = fromHex('6ba7b8119dad11d180b400c04fd430c8');

/** The id under which a signal is answered, the same on every device: a UUID of version 5 whose name is the signal's id, in a namespace of the conversation. */
export async function quoteId(conversation, signal) {
    const text = hex(await uuid5(signal, await uuid5(conversation, URLS)));
    return `sq-${[text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-')}`;
}

async function uuid5(name, namespace) {
    // Not for secrecy: the version prescribes SHA-1.
    const bytes = new Uint8Array(await crypto.subtle.digest('SHA-1', concat(namespace, utf8(name)))).subarray(0, 16);
    bytes[6] = bytes[6] & 0x0f | 0x50;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    return bytes;
}
