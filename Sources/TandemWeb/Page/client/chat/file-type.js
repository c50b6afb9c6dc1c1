/** What a file is, by its first bytes: names and types that others declare are not looked at. Source: `docs/protocol.md` 2.11.6. */
const KINDS = [
    ['image/jpeg', 0, [0xff, 0xd8, 0xff]], ['image/png', 0, [0x89, 0x50, 0x4e, 0x47]], ['image/gif', 0, [0x47, 0x49, 0x46, 0x38]], ['image/webp', 8, [0x57, 0x45, 0x42, 0x50]],
    ['audio/webm', 0, [0x1a, 0x45, 0xdf, 0xa3]], ['audio/ogg', 0, [0x4f, 0x67, 0x67, 0x53]], ['audio/wav', 8, [0x57, 0x41, 0x56, 0x45]], ['audio/aac', 0, [0xff, 0xf1]], ['audio/aac', 0, [0xff, 0xf9]],
    ['audio/amr', 0, [0x23, 0x21, 0x41, 0x4d, 0x52]],
];
const FILE_TYPE = [0x66, 0x74, 0x79, 0x70];
const HEIF = new Set(['heic', 'heix', 'hevc', 'mif1', 'msf1']);
const AVIF = new Set(['avif', 'avis']);

/**
 * @param {Uint8Array} head At least its first 16 bytes.
 * @returns {string | null} Null for what is neither a picture nor a recording.
 */
export function typeOf(head) {
    const has = (at, bytes) => bytes.every((byte, index) => head[at + index] === byte);
    const found = KINDS.find(([, at, bytes]) => has(at, bytes));
    if (found) return /** @type {string} */ (found[0]);
    if (!has(4, FILE_TYPE)) return null;
    const brand = String.fromCharCode(...head.subarray(8, 12));
    if (AVIF.has(brand)) return 'image/avif';
    return HEIF.has(brand) ? 'image/heic' : 'audio/mp4';
}

/** A file with its own type, if it is one that is wanted. @param {Blob} blob @param {'image' | 'audio'} wanted @returns {Promise<Blob | null>} */
export async function typed(blob, wanted) {
    const type = typeOf(new Uint8Array(await blob.slice(0, 16).arrayBuffer()));
    return type?.startsWith(`${wanted}/`) ? blob.slice(0, blob.size, type) : null;
}
