import { failure, unproven } from './error.js';
import { nameOf } from './peer-text.js';

/** @type {Object<string, (name: string) => import('./error.js').WireError>} */
const REFUSALS = {
    declined: (name) => failure('refused', 'declined', `Pairing was declined at ${name}. Ask the person there, then try again.`, { name }),
    expired: () => failure('expired', 'shownCodeExpired', 'The code has expired. Make a new one.'),
    'wrong-code': () => failure('refused', 'wrongCode', 'The code does not match, or someone may be interfering. Type the new digits that the computer shows.'),
    locked: () => failure('refused', 'locked', 'Too many wrong codes were typed. Wait a few minutes, or scan the code instead.'),
    'e2e-required': () => failure('refused', 'endToEndRequired', 'The other device pairs only with programs that can seal what they send. Update this one, or allow it there.'),
    'handshake-failed': () => unproven('it says the same of this one'),
    'key-changed': (name) => keyChanged(name),
    busy: () => failure('refused', 'busy', 'The computer is busy with another pairing. Try again in a minute.'),
    'ten-digits': () => failure('bad-request', 'tenDigitsNeeded', 'The computer shows ten digits, and six of them are not enough. Type all ten.'),
};

/** What a refusal of the other side says to the person. Source: `docs/protocol.md` 2.3.3. */
export function refusal(reason, name) {
    if (typeof reason === 'string' && Object.hasOwn(REFUSALS, reason)) return REFUSALS[reason](name);
    const shown = nameOf(reason);
    return failure('refused', 'refused', `The other device refused (${shown}). Make a new code and try again.`, { reason: shown });
}

export function keyChanged(name) {
    return failure('refused', 'keyChanged', `${name} is known with another key. If it was set up anew, forget it and pair again; if not, do not go on.`, { name });
}
