import { fromB64u } from '../../wire/bytes.js';
import { LIMITS, isPerson } from './ids.js';

const SCHEME = 'tandem-account://chat?';
const LONGEST = 2048;

/**
 * A person at a hub as a link. `chain` names the first entry of the person's list of devices, so that the hub cannot put another in its place.
 *
 * @param {{origin: string, user: string, name: string, chain: string | null}} person
 */
export function personLink({ origin, user, name, chain }) {
    const escaped = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
    return `${SCHEME}hub=${escaped(origin.replace(/^http/, 'ws'))}&u=${user}&n=${escaped(name)}${chain ? `&k=${chain}` : ''}`;
}

/** @returns {{host: string, user: string, chain: string | null} | null} Null for anything that is no such link. */
export function readPersonLink(text) {
    if (text.length > LONGEST || !text.startsWith(SCHEME)) return null;
    const members = new URLSearchParams(text.slice(SCHEME.length));
    const [hub, user, name, chain] = ['hub', 'u', 'n', 'k'].map((member) => members.get(member));
    if (!hub || !/^wss?:\/\//.test(hub) || !isPerson(user) || (name ?? '').length > LIMITS.name || chain !== null && !fromB64u(chain, 32)) return null;
    try {
        return { host: new URL(hub.replace(/^ws/, 'http')).host, user, chain };
    } catch {
        return null;
    }
}
