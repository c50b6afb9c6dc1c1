const known = new WeakMap();

/**
 * The conversations of this phone's account: the one place that knows what the methods and the routes of bytes are called. One for the page.
 *
 * @param {import('./client.js').Client} client
 * @returns {Chat}
 */
export function chatOf(client) {
    if (!known.has(client)) known.set(client, new Chat(client));
    return known.get(client);
}

/**
 * @typedef {Control['chat.list']['answer']} StandingAnswer
 * @typedef {StandingAnswer['conversations'][number]} Conversation A row of the list.
 * @typedef {Control['chat.send']['answer']} Message
 * @typedef {Control['chat.history']['answer']['notices'][number]} Notice A line of this phone in a conversation.
 * @typedef {Control['chat.follow']['item']} Item
 * @typedef {Control['chat.safety']['answer']} Safety
 * @typedef {{signal?: AbortSignal}} Options
 */

export class Chat {
    #client;

    /** @param {import('./client.js').Client} client */
    constructor(client) { this.#client = client; }

    // MARK: The list

    /** @param {Options} [options] */
    list(options) { return this.#client.call('chat.list', {}, options); }

    /** @param {string} person An account's name, `tb_7`, a conversation's id or a link. @param {Options} [options] */
    open(person, options) { return this.#client.call('chat.open', { person }, options); }

    pin(conversation, on) { return this.#client.call('chat.pin', { conversation, on }); }

    mute(conversation, on) { return this.#client.call('chat.mute', { conversation, on }); }

    hide(conversation) { return this.#client.call('chat.hide', { conversation }); }

    clear(conversation) { return this.#client.call('chat.clear', { conversation }); }

    /** An empty text forgets the draft. */
    draft(conversation, text) { return this.#client.call('chat.draft', { conversation, text }); }

    block(conversation, on) { return this.#client.call('chat.block', { conversation, on }); }

    /** @param {string} conversation @param {{id?: string, reason: string}} what Without an id the person is reported. */
    report(conversation, { id, reason }) { return this.#client.call('chat.report', { conversation, reason, ...(id && { id }) }); }

    answer(conversation, accept) { return this.#client.call('chat.answer', { conversation, accept }); }

    // MARK: Messages

    /** @param {string} conversation @param {{before?: number | null, limit?: number}} page @param {Options} [options] */
    history(conversation, { before = null, limit = 40 } = {}, options) {
        return this.#client.call('chat.history', { conversation, limit, ...(before !== null && { before }) }, options);
    }

    /** @param {string} id Chosen here, so that asking again sends nothing twice. */
    send(conversation, text, id) { return this.#client.call('chat.send', { conversation, text, id }); }

    /**
     * Files that become one message; each goes to the program first.
     *
     * @param {string} conversation
     * @param {{kind: 'image' | 'flash' | 'voice', files: {blob: Blob, name: string}[], id: string, seconds?: number, waveform?: number[]}} media
     * @returns {Promise<Message>}
     */
    async sendMedia(conversation, { kind, files, id, seconds, waveform }) {
        const tokens = [];
        for (const { blob, name } of files) tokens.push((await this.#client.routes.post('chat/attachments', { name }, blob)).file);
        return this.#client.call('chat.sendMedia', { conversation, kind, files: tokens, id, ...(seconds !== undefined && { seconds }), ...(waveform && { waveform }) });
    }

    resend(conversation, id) { return this.#client.call('chat.resend', { conversation, id }); }

    discard(conversation, id) { return this.#client.call('chat.discard', { conversation, id }); }

    recall(conversation, id) { return this.#client.call('chat.recall', { conversation, id }); }

    remove(conversation, id) { return this.#client.call('chat.remove', { conversation, id }); }

    /** @param {number} upTo A place. */
    read(conversation, upTo) { return this.#client.call('chat.read', { conversation, upTo }); }

    typing(conversation, on) { return this.#client.call('chat.typing', { conversation, on }); }

    /** @param {{text: string, conversation?: string | null, before?: string | null, limit?: number}} query @param {Options} [options] */
    search({ text, conversation = null, before = null, limit = 30 }, options) {
        return this.#client.call('chat.search', { text, limit, ...(conversation && { conversation }), ...(before && { before }) }, options);
    }

    // MARK: Media

    /** The address of a picture or a voice note, for an element that shows it. */
    mediaAddress(conversation, id, index = 0) { return this.#client.routes.address('chat/media', { conversation, id, index }); }

    /** @param {string} user `tb_7` */
    avatarAddress(user) { return this.#client.routes.address('chat/avatar', { user }); }

    /**
     * Opens a view-once picture. No other call gives its bytes again.
     *
     * @param {string} conversation
     * @param {string} id
     * @param {Options} [options]
     * @returns {Promise<Blob>}
     */
    flash(conversation, id, options) { return this.#client.routes.bytes('chat/flash', { conversation, id }, options); }

    // MARK: People

    /** @param {Options} [options] */
    link(options) { return this.#client.call('chat.link', {}, options); }

    /** @param {string} conversation @param {Options} [options] */
    safety(conversation, options) { return this.#client.call('chat.safety', { conversation }, options); }

    verify(conversation, on) { return this.#client.call('chat.verify', { conversation, on }); }

    /** @param {string} conversation @param {'newKeys' | 'clear'} to */
    agree(conversation, to) { return this.#client.call('chat.agree', { conversation, to }); }

    // MARK: Following

    /** What happens in all conversations, from now on. @param {import('./client.js').FollowOptions} options */
    follow(options) { return this.#client.follow('chat.follow', {}, options); }

    /** Told when conversations or the account changed, without what changed. */
    onChange(listener) {
        const stops = ['chat', 'account', 'reset'].map((topic) => this.#client.events(topic, () => listener()));
        return () => stops.forEach((stop) => stop());
    }

    /** Whether the page reaches its program again, which may have missed to tell something meanwhile. */
    onState(listener) { return this.#client.onState(listener); }
}
