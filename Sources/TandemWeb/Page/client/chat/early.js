const MOST = 500;

/**
 * What was told of messages that are not here yet: it waits for them. All of it is in memory: after a start the hub says it with the messages. Source: rule B14.
 */
export class EarlyStates {
    #recalled = new Set();
    #burned = new Set();
    #deleted = new Set();

    noteRecalled({ conversation, from, id, seq }) { note(this.#recalled, from && id ? keyOf(conversation, from, id) : `${conversation}/${seq}`); }
    noteBurned(conversation, from, id) { note(this.#burned, keyOf(conversation, from, id)); }
    noteDeleted(conversation, seq) { note(this.#deleted, `${conversation}/${seq}`); }

    isRecalled({ conversation, from, id, seq }) { return this.#recalled.has(keyOf(conversation, from, id)) || this.#recalled.has(`${conversation}/${seq}`); }
    isBurned({ conversation, from, id }) { return this.#burned.has(keyOf(conversation, from, id)); }
    isDeleted(conversation, seq) { return this.#deleted.has(`${conversation}/${seq}`); }
}

function keyOf(conversation, from, id) { return `${conversation}/${from}/${id}`; }

/** The oldest go where there are too many. */
function note(set, key) {
    set.add(key);
    if (set.size > MOST) set.delete(set.values().next().value);
}
