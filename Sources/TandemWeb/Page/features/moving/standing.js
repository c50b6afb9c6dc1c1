import { loadArea } from '../../i18n/index.js';

const known = new WeakMap();

/**
 * Whether a phone is the one that its keys name. One for the page, kept up to date as long as somebody is signed in.
 *
 * @param {import('../../client/client.js').Client} client
 * @returns {Standing}
 */
export function standingOf(client) {
    if (!known.has(client)) known.set(client, new Standing(client));
    return known.get(client);
}

class Standing {
    /** @type {Object | null} What `phone.standing` answered last; null before. */
    value = null;
    /** Whether the program of a phone that has only to be started again can do that by itself. */
    canStartAgain = false;
    /** @type {Promise<void> | null} */
    #ready = null;
    #client;
    #turn = 0;
    #listeners = new Set();

    constructor(client) {
        this.#client = client;
    }

    /** Settles once it is known, or could not be asked. */
    get ready() { return this.#ready ??= this.#ask(); }

    /** @param {import('../../life.js').Life} life Until its end it is asked for at each change. */
    follow(life) {
        for (const topic of ['standing', 'reset']) life.add(this.#client.events(topic, () => { this.#ask(); }));
        life.add(() => { this.#ready = null; });
        return this.ready;
    }

    /**
     * @param {import('../../life.js').Life} life Until its end.
     * @param {() => void} changed Called at each change.
     */
    use(life, changed) {
        this.#listeners.add(changed);
        life.add(() => this.#listeners.delete(changed));
    }

    async #ask() {
        const turn = ++this.#turn;
        // Without an answer it stays what it was: the screens say what is the matter.
        const value = await this.#client.call('phone.standing', {}).catch(() => null);
        if (!value || turn !== this.#turn) return;
        // A phone that never moved, which is nearly every one, loads none of it.
        if (value.isResting) await loadArea('/features/moving/texts');
        this.canStartAgain = value.isResting && goesOn(value) && await this.#asksProgram();
        if (turn !== this.#turn) return;
        this.value = value;
        for (const changed of this.#listeners) changed();
    }

    async #asksProgram() { return (await this.#client.call('migrate.state', {}).catch(() => null))?.canStartAgain === true; }
}

/** Whether nothing but a start of its program keeps a phone that rests from going on. */
export function goesOn({ state }) { return state === 'kept' || state === 'active'; }
