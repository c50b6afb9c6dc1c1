import { failure } from '../../../wire/error.js';

/** Code and sentence of each reason that sealing gives. @type {Object<string, [string, string | ((values: Object<string, any>) => string)]>} */
const REASONS = {
    malformed: ['bad-request', ({ what }) => `The hub handed over ${what} in a form that is not understood. Update both programs and try again.`],
    tooLarge: ['too-large', ({ what, limit }) => `${what} is larger than ${limit}. Make it smaller.`],
    badSignature: ['refused', 'A signature is wrong: somebody on the way changed it. Ask the other person to send it again.'],
    notListed: ['refused', 'A device signed that is not one of this person’s. Compare the safety number with them.'],
    notContinuation: ['refused', 'The list of this person’s devices does not follow on what was seen before. Compare the safety number with them.'],
    unknownList: ['not-found', 'The message names a list of devices that is not known here. Load the conversation again.'],
    otherDevice: ['not-found', 'The message was sealed for other devices. Read it on one of these.'],
    keyGone: ['expired', 'The message is older than the keys that this device keeps. Read it on another device.'],
    damaged: ['refused', 'The message cannot be read. Ask the other person to send it again.'],
    nobodyToSealFor: ['not-found', 'The other person has no device that sealed messages can be sent to. Ask them to open the program once.'],
    keyNotInUse: ['expired', 'A device’s key is out of date. Ask its owner to open the program there.'],
    otherFile: ['refused', 'The file is not the one that was sent. Ask the other person to send it again.'],
    wrongLength: ['refused', 'The file is incomplete. Load it again.'],
    notYours: ['not-allowed', 'That conversation is not one of yours. Choose one from the list.'],
    unknownMessage: ['not-found', 'That message is not in this conversation. Load the conversation again.'],
    wrongAnswer: ['internal', 'The hub’s answer does not go on where it ended. Try again.'],
    keysBeganAnew: ['refused', 'The other person’s devices began anew. Compare the safety number with them, then agree and send it again.'],
    keysForked: ['refused', 'The hub shows other devices of a person than before. Compare the safety number with them, then agree and send it again.'],
    onlyClear: ['refused', 'This could be sent in the clear alone, although the conversation was sealed. Agree to that, or wait until the other person’s device is back.'],
    deviceNotAdded: ['not-allowed', 'This device reads no sealed messages yet. Add it from a device of yours that does.'],
    notThatDevice: ['not-found', 'No such device of yours waits, or the words are another key’s. Compare them on both screens.'],
    nothingToHandOver: ['not-found', 'This device has read no sealed messages yet, so there is no history to hand over. Do it from a device that has.'],
    handoverUnreadable: ['refused', 'The history that another device of yours handed over cannot be read, so nothing more of it was taken. Hand it over again there.'],
    cancelled: ['cancelled', 'The request was ended on this device before it was answered. Try again.'],
    nothingToAgree: ['bad-request', 'There is nothing to agree to or to compare here. Load the conversation again.'],
};

/**
 * Why something of a sealed conversation was not made, believed or opened. It never has a key or a message in it.
 *
 * @param {string} reason
 * @param {Object<string, any>} [values] What the sentence names.
 */
export function refusal(reason, values = {}) {
    const [code, sentence] = REASONS[reason];
    return failure(code, reason, typeof sentence === 'string' ? sentence : sentence(values), values);
}

/** A value that does not have the documented form. `what` names its member, never what it holds. */
export function malformed(what) { return refusal('malformed', { what }); }

/** Bytes, or elements of a list, beyond a limit. */
export function tooLarge(what, limit) { return refusal('tooLarge', { what, limit }); }

/** The reason that an error names, undefined for errors of others. */
export function reasonOf(error) { return error?.detail?.reason; }

/** The hub's own number for a refusal, undefined for any other error. */
export function refusedCode(error) { return reasonOf(error) === 'refused' ? error.detail.values?.code : undefined; }

/** Whether the hub was not reached, so that the same attempt may work later. */
export function isTransport(error) { return reasonOf(error) === 'unreachable' || reasonOf(error) === 'timedOut'; }
