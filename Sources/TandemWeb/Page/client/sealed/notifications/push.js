const WANTED = 'push';

/** Where this phone is woken while it is closed, and which computers know it. */
export class PushTold {
    #store;

    constructor(store) { this.#store = store; }

    /** @param {Object | null} subscription `{endpoint, p256dh, auth, applicationKey}`; null ends it. */
    save(subscription) { return this.#store.put('settings', WANTED, subscription); }

    /**
     * What a computer is to be told: a subscription, null where it has to forget the one that it knows, undefined where it knows what is so.
     *
     * @param {string} computer
     * @param {boolean} isInDoubt It may have forgotten what it was told.
     */
    async toTell(computer, isInDoubt) {
        const [wanted, told] = await Promise.all([this.#store.get('settings', WANTED), this.#store.get('settings', keyOf(computer))]);
        if (!wanted) return told ? null : undefined;
        return isInDoubt || told !== wanted.endpoint ? wanted : undefined;
    }

    told(computer, subscription) { return this.#store.put('settings', keyOf(computer), subscription?.endpoint ?? null); }
    forget(computer) { return this.#store.delete('settings', keyOf(computer)); }
}

function keyOf(computer) { return `push ${computer}`; }
