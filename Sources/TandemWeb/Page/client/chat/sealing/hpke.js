import { concat, hex, integer, utf8 } from '../../../wire/bytes.js';
import { hkdf, hmac } from '../../../wire/hash.js';
import { agree, makeAgreementKey } from '../../../wire/keys.js';
import { cipherKey, open, seal } from '../../../wire/noise.js';

/*
 * HPKE (RFC 9180) in its base mode for one message: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM. Names of steps and labels are the RFC's.
 */
const VERSION = utf8('HPKE-v1');
const KEM = concat(utf8('KEM'), [0x00, 0x20]);
const SUITE = concat(utf8('HPKE'), [0x00, 0x20, 0x00, 0x01, 0x00, 0x02]);
const NOTHING = new Uint8Array();
const BASE_MODE = [0];

// Points whose order divides 8, on the curve or its twist, without the topmost bit, which X25519 ignores: the secret with them is zero for every key.
const LOW_ORDER = new Set([
    '00'.repeat(32), `01${'00'.repeat(31)}`, `ec${'ff'.repeat(30)}7f`, `ed${'ff'.repeat(30)}7f`, `ee${'ff'.repeat(30)}7f`,
    'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800', '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
]);

/** Whether a public key makes a secret that everybody knows. */
export function hasLowOrder(key) {
    const masked = Uint8Array.from(key);
    masked[31] &= 0x7F;
    return LOW_ORDER.has(hex(masked));
}

function labelledInput(suite, label, input) { return concat(VERSION, suite, utf8(label), input); }

function labelledInfo(suite, label, info, count) { return concat(integer(count, 2), VERSION, suite, utf8(label), info); }

/** `LabeledExtract` without a salt, which HMAC fills up with zeros. */
function extracted(label, input) { return hmac('SHA-256', new Uint8Array(32), labelledInput(SUITE, label, input)); }

/** `ExtractAndExpand` of the KEM. */
function sharedSecret(secret, encapsulated, recipient) {
    return hkdf(labelledInput(KEM, 'eae_prk', secret), 32, { info: labelledInfo(KEM, 'shared_secret', concat(encapsulated, recipient), 32) });
}

/** `KeySchedule` of the base mode: the key and nonce of the only message. */
async function schedule(shared, info) {
    const [none, hashed] = await Promise.all([extracted('psk_id_hash', NOTHING), extracted('info_hash', info)]);
    const context = concat(BASE_MODE, none, hashed);
    const expanded = (label, count) => hkdf(labelledInput(SUITE, 'secret', NOTHING), count, { salt: shared, info: labelledInfo(SUITE, label, context, count) });
    const [key, nonce] = await Promise.all([expanded('key', 32), expanded('base_nonce', 12)]);
    return { key: await cipherKey(key), nonce };
}

/**
 * Seals for a public key.
 *
 * @param {Uint8Array} recipient
 * @param {{info: Uint8Array, aad: Uint8Array}} bound
 * @param {Uint8Array} plaintext
 * @param {import('../../../wire/keys.js').AgreementKey} [ephemeral] Used once; vectors have their own.
 */
export async function sealFor(recipient, { info, aad }, plaintext, ephemeral) {
    const own = ephemeral ?? await makeAgreementKey();
    const { key, nonce } = await schedule(await sharedSecret(await agree(own.secret, recipient), own.bytes, recipient), info);
    return { encapsulated: own.bytes, ciphertext: await seal(key, nonce, plaintext, aad) };
}

/**
 * Opens what was sealed for a key.
 *
 * @param {import('../../../wire/keys.js').AgreementKey} own
 * @param {{info: Uint8Array, aad: Uint8Array}} bound
 * @param {{encapsulated: Uint8Array, ciphertext: Uint8Array}} sealed
 * @returns {Promise<Uint8Array | null>} Null where anything of it was not sealed so.
 */
export async function openWith(own, { info, aad }, { encapsulated, ciphertext }) {
    if (hasLowOrder(encapsulated)) return null;
    const { key, nonce } = await schedule(await sharedSecret(await agree(own.secret, encapsulated), encapsulated, own.bytes), info);
    return open(key, nonce, ciphertext, aad);
}
