import { h } from './first.js';

/** So far above and below what is seen rows are drawn, in pixels. */
const MARGIN = 700;
/** As near to the end counts as being there. */
const NEAR = 56;
/** So many entries away the focus is kept. */
const FAR = 60;

/** Sums of heights that change: each question and each change in as many steps as the count has binary digits. */
class Sums {
    constructor(heights) {
        this.size = heights.length;
        this.tree = new Float64Array(this.size + 1);
        for (let at = 1; at <= this.size; at += 1) {
            this.tree[at] += heights[at - 1];
            const parent = at + (at & -at);
            if (parent <= this.size) this.tree[parent] += this.tree[at];
        }
    }

    add(index, difference) {
        for (let at = index + 1; at <= this.size; at += at & -at) this.tree[at] += difference;
    }

    /** Of the first `count`. */
    before(count) {
        let sum = 0;
        for (let at = count; at > 0; at -= at & -at) sum += this.tree[at];
        return sum;
    }

    /** The index of what lies at a height. */
    at(height) {
        let [index, left] = [0, height];
        for (let step = 1 << Math.floor(Math.log2(this.size || 1)); step > 0; step >>= 1) {
            if (index + step <= this.size && this.tree[index + step] <= left) {
                index += step;
                left -= this.tree[index];
            }
        }
        return Math.min(index, Math.max(0, this.size - 1));
    }
}

/** @typedef {{key: string}} Entry With whatever else is drawn of it. */

/**
 * A scroller for any number of entries of different heights, of which it draws those in sight. What the reader looks at stays where it is
 * when entries are added above, change their height, or are drawn for the first time; at the end it stays at the end.
 *
 * @param {Object} options
 * @param {string} options.label
 * @param {(entry: any) => HTMLElement} options.render
 * @param {(entry: any) => number} options.estimate The height of one that was never drawn.
 * @param {Node} [options.head] Above the first entry.
 * @param {Node} [options.foot] Below the last one.
 * @param {{top(): void, end(): void, moved(isAtEnd: boolean): void}} options.near The first or the last entries come into sight.
 * @returns {Flow}
 */
export function flow(options) {
    const element = h('tandem-flow', { class: 'flow', tabIndex: 0, role: 'region', aria: { label: options.label } });
    element.start(options);
    return element;
}

/**
 * The row that an element stands in.
 *
 * @param {Element | null} element
 * @returns {HTMLElement & {entry: Entry} | null}
 */
function rowWith(element) { return element?.closest?.('.flow-row') ?? null; }

export class Flow extends HTMLElement {
    #options;
    #entries = [];
    #indexes = new Map();
    #heights = new Map();
    #sums = new Sums([]);
    #rows = new Map();
    #above = h('div', { class: 'flow-space' });
    #below = h('div', { class: 'flow-space' });
    #body = h('div', { class: 'flow-rows', role: 'feed' });
    #sizes = null;
    #frame = null;
    #anchor = null;
    #last = { top: 0, height: 0 };
    isAtEnd = true;

    start(options) {
        this.#options = options;
        this.#body.setAttribute('aria-label', options.label);
        this.#body.append(this.#above, this.#below);
        this.append(...[options.head, this.#body, options.foot].filter(Boolean));
        this.addEventListener('scroll', () => {
            const isNear = this.scrollHeight - this.scrollTop - this.clientHeight < NEAR;
            // The end is left by going up only: where it moved away by itself, it is gone to again.
            const wentUp = this.scrollTop < this.#last.top - 1 && this.scrollHeight >= this.#last.height;
            const isAtEnd = isNear || (this.isAtEnd && !wentUp);
            if (isAtEnd !== this.isAtEnd) {
                this.isAtEnd = isAtEnd;
                options.near.moved(isAtEnd);
            }
            this.#last = { top: this.scrollTop, height: this.scrollHeight };
            this.#frame ??= requestAnimationFrame(() => { this.#frame = null; this.#draw(this.isAtEnd ? 'end' : this.#look()); });
        }, { passive: true });
        this.addEventListener('focusin', ({ target }) => this.#focused(target));
    }

    /** The keyboard went to something further up: the end is left, before anything that grows leads back to it. */
    #focused(target) {
        if (target === this || !this.isAtEnd) return;
        if (target.getBoundingClientRect().top >= this.getBoundingClientRect().top && this.scrollTop >= this.#last.top - 1) return;
        this.isAtEnd = false;
        this.#options.near.moved(false);
    }

    connectedCallback() {
        this.#sizes = new ResizeObserver((changes) => this.#resized(changes));
        this.#sizes.observe(this);
        for (const row of this.#rows.values()) this.#sizes.observe(row);
        this.#draw(this.#anchor ?? this.#look());
    }

    disconnectedCallback() {
        this.#sizes.disconnect();
        cancelAnimationFrame(this.#frame);
        this.#frame = null;
    }

    /** @param {Object[]} entries Each with a `key`; one that changed is another object. */
    show(entries) {
        const anchor = this.#look();
        this.#entries = entries;
        this.#indexes = new Map(entries.map((entry, index) => [entry.key, index]));
        this.#sums = new Sums(entries.map((entry) => this.#heightOf(entry)));
        for (const [key, row] of this.#rows) {
            const index = this.#indexes.get(key);
            if (index === undefined) this.#drop(key, row);
            else if (entries[index] !== row.entry) this.#replace(row, entries[index]);
        }
        this.#draw(this.isAtEnd ? 'end' : anchor);
    }

    /** Draws an entry again, whose look depends on more than its items. */
    refresh(key) {
        const row = this.#rows.get(key);
        if (!row) return;
        const anchor = this.#look();
        this.#replace(row, row.entry);
        this.#draw(this.isAtEnd ? 'end' : anchor);
    }

    toEnd() {
        this.isAtEnd = true;
        this.#options.near.moved(true);
        this.#draw('end');
    }

    /** Brings an entry into sight. Its beginning stands at `part` of what is seen. */
    reveal(key, part = 0.25) {
        if (!this.#indexes.has(key)) return null;
        this.isAtEnd = false;
        this.#draw({ key, top: this.clientHeight * part });
        this.isAtEnd = this.scrollHeight - this.scrollTop - this.clientHeight < NEAR;
        this.#options.near.moved(this.isAtEnd);
        return this.#rows.get(key) ?? null;
    }

    /** The entry at the upper edge, and where it stands. */
    #look() {
        if (this.#entries.length === 0) return null;
        const edge = this.getBoundingClientRect().top;
        for (const [key, row] of this.#ordered()) {
            const box = row.getBoundingClientRect();
            if (box.bottom > edge + 1 && this.#indexes.has(key)) {
                return box.top < edge + this.clientHeight ? { key, top: box.top - edge } : this.#guess();
            }
        }
        return this.#guess();
    }

    /** After a leap: nothing that is drawn is in sight. */
    #guess() {
        const within = Math.max(0, this.scrollTop - this.#body.offsetTop);
        const index = this.#sums.at(within);
        return { key: this.#entries[index].key, top: this.#sums.before(index) - within };
    }

    #ordered() { return [...this.#rows].sort(([a], [b]) => (this.#indexes.get(a) ?? 0) - (this.#indexes.get(b) ?? 0)); }

    #heightOf(entry) { return this.#heights.get(entry.key) ?? this.#options.estimate(entry); }

    /** Draws what is in sight around an anchor, and puts it where it stood. Heights become known by drawing, so it may take a few rounds. */
    #draw(anchor) {
        if (!this.isConnected || this.clientHeight === 0) { this.#anchor = anchor; return; }
        const count = this.#entries.length;
        if (count === 0) {
            for (const [key, row] of this.#rows) this.#drop(key, row);
            this.#spaces(0, 0);
            return;
        }
        const height = this.clientHeight;
        for (let round = 0; round < 6; round += 1) {
            const total = this.#sums.before(count);
            const index = anchor === 'end' ? count - 1 : this.#indexes.get(anchor?.key) ?? Math.max(0, Math.min(count - 1, this.#sums.at(this.scrollTop)));
            const start = anchor === 'end' ? total - height : this.#sums.before(index) - (anchor?.top ?? 0);
            let from = this.#sums.at(Math.max(0, start - MARGIN));
            let to = Math.min(count, this.#sums.at(Math.max(0, start + height + MARGIN)) + 1);
            // What has the focus stays, and what lies between, unless it is far away.
            const kept = this.#indexes.get(rowWith(document.activeElement)?.entry?.key);
            if (kept !== undefined && kept < from && from - kept < FAR) from = kept;
            if (kept !== undefined && kept >= to && kept - to < FAR) to = kept + 1;
            const hasNew = this.#window(from, to);
            const row = anchor === 'end' ? null : this.#rows.get(this.#entries[index].key);
            if (anchor === 'end') this.scrollTop = this.scrollHeight;
            else if (row) {
                const off = row.getBoundingClientRect().top - this.getBoundingClientRect().top - (anchor?.top ?? 0);
                if (Math.abs(off) > 0.5) this.scrollTop += off;
            }
            if (!hasNew) break;
        }
        this.#anchor = this.#look();
        this.#last = { top: this.scrollTop, height: this.scrollHeight };
        const shown = [...this.#rows.keys()].map((key) => this.#indexes.get(key));
        if (Math.min(...shown) < 8) this.#options.near.top();
        if (Math.max(...shown) > count - 4) this.#options.near.end();
    }

    /** Draws these rows and no others, and takes their heights; says whether one was not what it was taken for. */
    #window(from, to) {
        const wanted = this.#entries.slice(from, to);
        const keys = new Set(wanted.map(({ key }) => key));
        for (const [key, row] of this.#rows) if (!keys.has(key)) this.#drop(key, row);
        let next = this.#above.nextSibling;
        for (const entry of wanted) {
            let row = this.#rows.get(entry.key);
            if (!row) {
                row = h('div', { class: 'flow-row', role: 'article' });
                this.#fill(row, entry);
                this.#rows.set(entry.key, row);
                this.#sizes.observe(row);
            }
            row.setAttribute('aria-posinset', String(this.#indexes.get(entry.key) + 1));
            if (row === next) next = next.nextSibling;
            else this.#body.insertBefore(row, next);
        }
        let isOther = false;
        for (const entry of wanted) isOther = this.#measure(entry, this.#rows.get(entry.key)) || isOther;
        this.#spaces(this.#sums.before(from), this.#sums.before(this.#entries.length) - this.#sums.before(to));
        return isOther;
    }

    #fill(row, entry) {
        row.entry = entry;
        row.className = `flow-row is-${entry.kind}`;
        row.replaceChildren(this.#options.render(entry));
    }

    #replace(row, entry) {
        const hadFocus = row.contains(document.activeElement);
        this.#fill(row, entry);
        if (hadFocus) (row.querySelector('summary, button, a') ?? this).focus({ preventScroll: true });
    }

    #measure(entry, row) {
        const height = row.getBoundingClientRect().height;
        const before = this.#heightOf(entry);
        this.#heights.set(entry.key, height);
        if (Math.abs(height - before) < 0.5) return false;
        this.#sums.add(this.#indexes.get(entry.key), height - before);
        return true;
    }

    #spaces(above, below) {
        this.#above.style.height = `${above}px`;
        this.#below.style.height = `${Math.max(0, below)}px`;
    }

    #drop(key, row) {
        // The keyboard's place is the conversation then, not the page.
        if (row.contains(document.activeElement)) this.focus({ preventScroll: true });
        this.#sizes?.unobserve(row);
        row.remove();
        this.#rows.delete(key);
    }

    #resized(changes) {
        let isOther = changes.some(({ target }) => target === this);
        for (const { target } of changes) {
            if (target !== this && this.#rows.get(target.entry?.key) === target && this.#indexes.has(target.entry.key)) {
                isOther = this.#measure(target.entry, target) || isOther;
            }
        }
        if (isOther) this.#draw(this.isAtEnd ? 'end' : this.#anchor);
    }
}
customElements.define('tandem-flow', Flow);
