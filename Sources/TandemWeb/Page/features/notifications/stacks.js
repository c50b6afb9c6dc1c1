/**
 * Puts notifications of one conversation, or of one kind of one program, together as one row at the place of the newest, until the person
 * opens it: then they stand below it.
 */
export class Stacks {
    #open = new Set();
    #former = new Map();

    /**
     * @param {Object[]} rows The newest first.
     * @returns {Object[]} What a list draws: notifications and stacks, `{key, items, isOpen}`. A stack that did not change is the same object.
     */
    of(rows) {
        const groups = new Map();
        for (const row of rows) {
            const key = keyOf(row);
            if (groups.has(key)) groups.get(key).push(row);
            else groups.set(key, [row]);
        }
        const former = this.#former;
        this.#former = new Map();
        return [...groups].flatMap(([key, items]) => {
            if (items.length === 1) return items;
            const isOpen = this.#open.has(key);
            const before = former.get(key);
            const isSame = before?.isOpen === isOpen && before.items.length === items.length && items.every((item, at) => item === before.items[at]);
            const stack = isSame ? before : { key, items, isOpen };
            this.#former.set(key, stack);
            return isOpen ? [stack, ...items] : [stack];
        });
    }

    toggle({ key }) {
        if (!this.#open.delete(key)) this.#open.add(key);
    }

    /** Whether a notification stands below its open stack. */
    isInside(item) { return this.#former.get(keyOf(item))?.isOpen === true; }
}

/** Where a notification stands among rows: itself, else the closed stack that holds it. */
export function placeIn(rows, id) {
    const own = rows.findIndex((each) => !each.items && each.id === id);
    return own >= 0 ? own : rows.findIndex((each) => each.items?.some((item) => item.id === id));
}

/** A conversation has the name of who speaks for its title. One without a program or a title is alone. */
function keyOf({ id, device, app, title, source }) {
    return app && title ? JSON.stringify([device ?? '', source ?? '', app, title]) : id;
}
