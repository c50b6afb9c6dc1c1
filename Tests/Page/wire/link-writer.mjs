/** Writes a code as a link, as a computer does. Source: docs/protocol.md 2.3.7. */
const PLATFORMS = [null, 'ios', 'android', 'darwin', 'win32', 'linux'];

function lv(value) {
    const bytes = Buffer.from(value);
    return bytes.length < 128 ? [bytes.length, ...bytes] : [bytes.length % 128 + 128, bytes.length >> 7, ...bytes];
}

function address(json, member, origin) {
    if (!(member in json)) return [0, []];
    if (json[member] === null) return [1, []];
    return json[member] === origin.replace(/^http/, 'ws') ? [3, []] : [2, lv(json[member])];
}

export function linkBytes(json, origin) {
    const [signalingKind, signaling] = address(json, 'signalingUrl', origin);
    const [relayKind, relay] = address(json, 'relayUrl', origin);
    const isHex = /^[0-9a-f]{32}$/.test(json.pcPeerId);
    const platform = Math.max(0, PLATFORMS.indexOf(json.deviceInfo.platform));
    const numbers = Buffer.alloc(9);
    numbers.writeUIntBE(Number(json.code), 0, 3);
    numbers.writeUIntBE(json.timestamp, 3, 6);
    return Buffer.from([
        1, signalingKind | relayKind << 2 | (isHex ? 16 : 0), platform, ...numbers, ...(isHex ? Buffer.from(json.pcPeerId, 'hex') : lv(json.pcPeerId)), ...lv(json.deviceInfo.name),
        ...(platform ? [] : lv(json.deviceInfo.platform)), ...Buffer.from(json.e2e.pk, 'base64url'), ...Buffer.from(json.e2e.psk, 'base64url'), ...signaling, ...relay,
    ]);
}

export function linkOf(json, origin) { return `${origin}/phone/#${linkBytes(json, origin).toString('base64url')}`; }
