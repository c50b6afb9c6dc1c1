/** Writes a code as a link, as a computer does. Source: docs/protocol.md 2.3.7. */
import { b64u, concat, fromB64u, fromHex, integer, lv, utf8 } from '../../../Sources/TandemWeb/Page/wire/bytes.js';

const PLATFORMS = [null, 'ios', 'android', 'darwin', 'win32', 'linux'];

function text(value) { return lv(utf8(value)); }

function address(json, member, origin) {
    if (!(member in json)) return [0, []];
    if (json[member] === null) return [1, []];
    return json[member] === origin.replace(/^http/, 'ws') ? [3, []] : [2, text(json[member])];
}

export function linkBytes(json, origin) {
    const [signalingKind, signaling] = address(json, 'signalingUrl', origin);
    const [relayKind, relay] = address(json, 'relayUrl', origin);
    const isHex = /^[0-9a-f]{32}$/.test(json.pcPeerId);
    const platform = Math.max(0, PLATFORMS.indexOf(json.deviceInfo.platform));
    return concat(
        [1, signalingKind | relayKind << 2 | (isHex ? 16 : 0), platform], integer(Number(json.code), 3), integer(json.timestamp, 6), isHex ? fromHex(json.pcPeerId) : text(json.pcPeerId),
        text(json.deviceInfo.name), platform ? [] : text(json.deviceInfo.platform), fromB64u(json.e2e.pk), fromB64u(json.e2e.psk), signaling, relay,
    );
}

export function linkOf(json, origin) { return `${origin}/phone/#${b64u(linkBytes(json, origin))}`; }
