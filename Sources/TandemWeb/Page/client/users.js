/**
 * Those that use something of which the page has one: what each is to be called with at a change. It is at work while there are some.
 *
 * @extends {Set<() => void>}
 */
export class Users extends Set {
    #begin;
    #end;

    /** @param {() => void} begin @param {() => void} end */
    constructor(begin, end) {
        super();
        this.#begin = begin;
        this.#end = end;
    }

    /**
     * Is one of them as long as the life lasts, and is called once at first.
     *
     * @param {import('../life.js').Life} life
     * @param {() => void} changed
     */
    use(life, changed) {
        this.add(changed);
        if (this.size === 1) this.#begin();
        life.add(() => {
            this.delete(changed);
            if (this.size === 0) this.#end();
        });
        changed();
    }

    tell() { for (const changed of this) changed(); }
}
