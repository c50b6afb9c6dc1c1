import { b64u, labelled, lv } from '../../../wire/bytes.js';
import { sha256 } from '../../../wire/hash.js';
import { userIdOf } from './people.js';

/**
 * What two people compare to know that the hub told both of them the truth. Source: `docs/protocol.md` 2.10.5.
 *
 * @param {{uid: number, start: {hash: Uint8Array}}} one An account, and the first entry of its chain that is believed.
 * @param {{uid: number, start: {hash: Uint8Array}}} other
 * @returns {Promise<{groups: string[], code: string}>} Twelve groups of five digits, and the text of the QR code, with the whole hash.
 */
export async function safetyNumber(one, other) {
    const parts = [one, other].sort((a, b) => a.uid - b.uid).flatMap(({ uid, start }) => [lv(userIdOf(uid)), lv(start.hash)]);
    const hash = await sha256(labelled('tandem-chat-number-1', ...parts));
    const number = hash.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) % 10n ** 60n;
    return { groups: number.toString().padStart(60, '0').match(/.{5}/g), code: `tandem-chat-number:1:${b64u(hash)}` };
}

/** Whether a scanned code says the same. */
export function matchesNumber({ code }, text) { return text === code; }
