import { failure } from '../../wire/error.js';

/** What a hub refuses by these codes, in the words of `client/client.js`. Source: `docs/protocol.md` 2.11.7. */
const CODES = { 410: 'expired', 429: 'full', 507: 'full', 1001: 'bad-request', 1002: 'not-allowed', 1004: 'not-found', 1101: 'not-found', 1506: 'signed-out', 1507: 'signed-out' };
const SENTENCES = {
    410: 'That can be seen once, and was seen.', 429: 'This was asked too often. Wait a little.', 507: 'The disk of the hub is full. Ask who runs it.', 1001: 'The hub cannot read the request. Update the page.',
    1002: 'The hub does not allow this.', 1003: 'Another message has this id already. Send it again.', 1004: 'The hub knows nothing of this.', 1101: 'Nobody at this hub has that account.',
    1302: 'The other person takes no messages of yours.', 1404: 'The message was recalled already.',
};
const KNOWN = {
    malformed: ['bad-request', ({ what }) => `What came is not readable: ${what} is missing or wrong.`],
    tooLong: ['too-large', ({ what, limit }) => `${what} is longer than ${limit} bytes. Make it shorter.`],
    tooMany: ['too-large', ({ what, limit }) => `There are more than ${limit} of ${what} at once. Send them in parts.`],
    blank: ['bad-request', () => 'There is nothing to send. Write something first.'],
    notYours: ['not-allowed', () => 'That conversation is not one of yours. Choose one from the list.'],
    unknownMessage: ['not-found', () => 'That message is not in this conversation. Load the conversation again.'],
    illegalStatus: ['refused', () => 'The message is being sent. Wait until that has ended.'],
    notRecallable: ['refused', () => 'Only an own message that was sent and not yet recalled can be recalled.'],
    flashGone: ['expired', () => 'The picture was viewed already, or recalled. Ask for a new one.'],
    badObjectKey: ['bad-request', () => 'What came is no picture and no recording, so it is not shown.'],
    neverCached: ['refused', () => 'A picture that can be seen once is not kept here.'],
    otherHub: ['bad-request', ({ hub }) => `That person has an account at another hub, ${hub}. Only people of one hub write to each other.`],
    noAccount: ['signed-out', () => 'Nobody is signed in on this phone. Sign in first.'],
    queueFull: ['full', ({ limit }) => `${limit} messages wait to be sent already. Try again when some of them are sent.`],
    unreachable: ['offline', () => 'The hub does not answer. Check the network; what was written is sent then.'],
    timedOut: ['away', () => 'The hub gave no answer in time. Try again.'],
    wrongAnswer: ['internal', () => 'The hub answered for another message, so this one counts as not sent. Send it again.'],
    noChat: ['refused', () => 'This hub has no chat. Ask who runs it to update it.'],
    redirected: ['refused', () => 'The hub leads elsewhere, so nothing was sent.'],
    notAPicture: ['bad-request', () => 'The file is no picture that this browser can read. Choose a JPEG, PNG, GIF or WebP.'],
    notARecording: ['bad-request', () => 'The file is no recording that can be sent.'],
    recordingTooLong: ['too-large', () => 'A voice note is at most 60 seconds long. Record a shorter one.'],
    attachmentGone: ['expired', () => 'The file waited for too long, or was sent already. Choose it again.'],
    notSealed: ['refused', () => 'This conversation is not sealed, so there is nothing to compare or to agree to.'],
};

/** A failure of chat with the sentence of its reason. */
export function chatFailure(reason, values = {}) {
    const [code, sentence] = KNOWN[reason];
    return failure(code, reason, sentence(values), values);
}

/** What a hub refused. `hub` is its own sentence, in one line. */
export function refusal(code, hub = '') {
    const said = lineOf(hub);
    const sentence = SENTENCES[code] ?? `The hub refused this (${code}).`;
    return failure(CODES[code] ?? 'refused', 'refused', said ? `${sentence} The hub says: ${said}` : sentence, { code, ...(said && { hub: said }) });
}

/** What a hub says to the person, without what would control, hide or turn around text. */
function lineOf(text) {
    return [...String(text ?? '').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').replace(/: \d+ \w+Error$/, '').trim()].slice(0, 300).join('');
}

/** The number by which a hub refused something; null for any other failure. */
export function refusedCode(error) { return error?.detail?.reason === 'refused' ? error.detail.values?.code ?? null : null; }

/** Whether nobody is signed in any more. */
export function isSignedOut(error) { return ['signedOut', 'noAccount', 'account.notSignedIn'].includes(error?.detail?.reason); }

/** Whether nothing was answered, so that the same attempt may work later. */
export function isTransport(error) {
    return ['unreachable', 'timedOut'].includes(error?.detail?.reason) || [429, 500, 503, 507, 90_002].includes(refusedCode(error));
}
