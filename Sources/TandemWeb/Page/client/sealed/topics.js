import { Listeners } from '../client.js';

/** What happens on this phone by itself, as the page listens to it. */
export class Topics {
    #topics = new Map();
    #seq = 0;

    /** @param {string} topic Its name; `*` is all of them. */
    on(topic, listener) {
        if (!this.#topics.has(topic)) this.#topics.set(topic, new Listeners());
        return this.#topics.get(topic).add(listener);
    }

    tell(topic, data) {
        this.#seq += 1;
        for (const name of [topic, '*']) this.#topics.get(name)?.tell(data, { seq: this.#seq, topic });
    }
}
