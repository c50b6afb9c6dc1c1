/** The messages of a device in memory, as a conversation's store keeps them: what it read, what it could not, and handed words that wait. */
export class KeptMessages {
    rows = new Map();
    waiting = new Map();

    constructor(store) { this.store = store; }

    /** Keeps a message that came and was opened. */
    note({ id, conversation, sender, seq }, { contentType, content, trouble, isSealed }) {
        const words = this.waiting.get(id);
        this.waiting.delete(id);
        this.rows.set(id, { id, conversation, sender, seq, contentType, content, trouble, isSealed });
        if (words) this.#fill(words);
    }

    #fill({ id, seq, contentType, content }) {
        const row = this.rows.get(id);
        if (['otherDevice', 'keyGone'].includes(row.trouble) && row.seq === seq) this.rows.set(id, { ...row, contentType, content, trouble: null });
    }

    #read() { return [...this.rows.values()].filter(({ trouble, isSealed }) => isSealed && !trouble).sort((one, other) => other.seq - one.seq); }

    async count() { return this.#read().length; }

    async after(place, limit) {
        const behind = this.#read().filter(({ seq }) => place === null || seq < place).slice(0, limit);
        return behind.map(({ id, conversation, sender, seq, contentType, content }) => ({ place: seq, message: { id, conversation, sender, seq, contentType, content } }));
    }

    async take(messages, writes) {
        for (const message of messages) {
            if (this.rows.has(message.id)) this.#fill(message);
            else this.waiting.set(message.id, message);
        }
        await this.store.write(writes);
    }

    /** The words in their order, or why there are none. */
    get texts() { return [...this.rows.values()].sort((one, other) => one.seq - other.seq).map(({ content, trouble }) => trouble ?? content); }
}
