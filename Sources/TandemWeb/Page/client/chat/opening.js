import { LIMITS, whole } from './ids.js';
import { CUSTOM, TEXT, incoming, payloadOf, rowOf } from './message.js';

/** Reads what the hub hands over as this device reads it. */
export class Opening {
    #book;
    #sealing;

    /** @param {{book: import('./book.js').Book, sealing: any}} options */
    constructor({ book, sealing }) {
        this.#book = book;
        this.#sealing = sealing;
    }

    /** Messages as this device reads them. One that is here already stays sealed: the key that opened it may be gone. None stops the others. */
    async opened(conversation, messages) {
        const arrivals = [];
        for (const data of messages) {
            const message = incoming(data, conversation, this.#book.me);
            if (!message) continue;
            const payload = message.type === CUSTOM ? payloadOf(message.content) : null;
            const known = payload?.type === 'sealed' ? await this.#book.message(conversation, message.from, message.id) : undefined;
            const isUnopened = known !== undefined && known.trouble === null;
            const isPlain = isUnopened || !this.#sealing || message.isUnreadable || message.type !== TEXT && message.type !== CUSTOM;
            const opened = isPlain ? unsealed(message, payload, isUnopened) : await this.#sealing.open({ ...message, sender: message.from, contentType: message.type, isFromServer: payload?.destroyed === true });
            arrivals.push({ row: rowOf(message, opened), isUnopened });
        }
        return arrivals;
    }

    async part(conversation, part) {
        const messages = Array.isArray(part?.Msgs) ? part.Msgs.slice(0, LIMITS.pull) : [];
        return { arrivals: await this.opened(conversation, messages), isEnd: part?.isEnd === true, places: messages.map(({ seq }) => whole(seq)).filter(Boolean) };
    }
}

/** What a message is where nothing opens it. */
function unsealed(message, payload, isUnopened) {
    const isSealed = payload?.type === 'sealed';
    return { contentType: message.type, content: message.content, isSealed, trouble: isSealed && !isUnopened ? 'otherDevice' : null, isUnexpectedlyClear: false };
}
