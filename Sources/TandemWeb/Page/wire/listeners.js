/** Listeners by the name of what they listen to. */
export class Listeners {
    /** @type {Map<string, Set<(...values: any[]) => void>>} */
    #all = new Map();

    /** @returns {() => void} What ends it. */
    on(name, listener) {
        if (!this.#all.has(name)) this.#all.set(name, new Set());
        this.#all.get(name).add(listener);
        return () => this.#all.get(name).delete(listener);
    }

    tell(name, ...values) {
        for (const listener of [...this.#all.get(name) ?? []]) listener(...values);
    }
}
