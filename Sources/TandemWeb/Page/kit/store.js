/**
 * The state of a screen as one value. Named events change it, in a pure function that also says what is to be done: it answers the next
 * value, and effects behind it. Without a document, so that Node tests what a screen does.
 *
 * @template State, Event, Effect
 */
export class Store {
    /** @type {State} */
    #state;
    #change;
    #run;
    /** @type {Event[]} */
    #events = [];
    #isBusy = false;
    #watchers = new Set();

    /**
     * @param {Object} options
     * @param {State} options.initial
     * @param {(state: State, event: Event) => [State, ...(Effect | false | null | undefined)[]]} options.change
     * @param {(effect: Effect) => void} [options.run] Does what an event asks for.
     */
    constructor({ initial, change, run = () => {} }) {
        this.#state = initial;
        this.#change = change;
        this.#run = run;
    }

    get state() { return this.#state; }

    /**
     * Events that an effect sends wait until the one that it belongs to is through; watchers are called once for all of them.
     *
     * @param {Event} event
     */
    send(event) {
        this.#events.push(event);
        if (this.#isBusy) return;
        const before = this.#state;
        this.#isBusy = true;
        try {
            while (this.#events.length > 0) {
                const [state, ...effects] = this.#change(this.#state, this.#events.shift());
                this.#state = state;
                for (const effect of effects) if (effect) this.#run(effect);
            }
        } finally {
            this.#isBusy = false;
        }
        if (this.#state !== before) for (const draw of this.#watchers) draw(this.#state, before);
    }

    /**
     * Calls `draw` after each change. Returns what stops it.
     *
     * @param {(state: State, before: State) => void} draw
     */
    watch(draw) {
        this.#watchers.add(draw);
        return () => this.#watchers.delete(draw);
    }
}

/**
 * What `run` is where each effect has a function of its name, as `{do: 'ask'}` has `ask`. They may be made after the store.
 *
 * @param {() => Object<string, (effect?: any) => any>} works
 * @returns {(effect: {do: string}) => void}
 */
export function doneBy(works) { return (effect) => works()[effect.do](effect); }
