import { h } from './h.js';

/**
 * A list of any length that draws only the rows in sight and uses them again. It scrolls with the page or the scroller it stands in.
 *
 * @param {Object} options
 * @param {string} options.label
 * @param {number} options.rowHeight In pixels, the same for each; where rows are measured, what one probably has.
 * @param {boolean} [options.isMeasured] Each row is as high as what stands in it. Its items are objects.
 * @param {(item: any, index: number) => Node} options.render Draws one row.
 * @param {any[]} [options.items]
 * @returns {VirtualList}
 */
export function virtualList({ label, rowHeight, isMeasured = false, render, items = [] }) {
    const element = h('tandem-virtual-list', { class: ['virtual', isMeasured && 'is-measured'], role: 'list', aria: { label } });
    element.start({ rowHeight, isMeasured, render, items });
    return element;
}

/**
 * The row that something stands in.
 *
 * @param {EventTarget | null} inside
 * @returns {HTMLElement | null}
 */
export function rowOf(inside) { return inside instanceof Element ? inside.closest('.virtual-row') : null; }

const MARGIN = 8;

export class VirtualList extends HTMLElement {
    #rows = new Map();
    #items = [];
    #frame = null;
    #listening = null;
    /** By item, of those that were drawn in this width. */
    #heights = new WeakMap();
    /** What a row had in another width, or the one that stood in its place, until it is measured. */
    #guesses = new WeakMap();
    /** Where each row begins, and the last one ends; only where rows are measured. */
    #tops = [0];
    #width = 0;
    #resizing = new ResizeObserver(() => this.#resized());

    start({ rowHeight, isMeasured, render, items }) {
        this.rowHeight = rowHeight;
        this.isMeasured = isMeasured;
        this.render = render;
        this.#items = items;
    }

    connectedCallback() {
        this.#listening = new AbortController();
        const options = { signal: this.#listening.signal, passive: true, capture: true };
        // Captured at the document: whichever of its ancestors scrolls.
        document.addEventListener('scroll', () => this.#soon(), options);
        window.addEventListener('resize', () => this.#soon(), options);
        if (this.isMeasured) this.#resizing.observe(this);
        this.show(this.#items);
    }

    disconnectedCallback() {
        this.#listening?.abort();
        this.#resizing.disconnect();
        cancelAnimationFrame(this.#frame);
        this.#frame = null;
    }

    /** Shows other items; rows of the same item and place stay as they are. */
    show(items) {
        const former = this.#items;
        this.#items = items;
        for (const [index, row] of this.#rows) {
            if (items[index] === former[index] && index < items.length) continue;
            if (this.isMeasured && index < items.length) this.#guesses.set(items[index], this.#heightOf(former[index]));
            this.#drop(index, row);
        }
        this.#place();
        this.#draw();
    }

    /** Draws all rows in sight again. */
    refresh() {
        for (const [index, row] of this.#rows) this.#drop(index, row);
        this.#draw();
    }

    /** Brings a row into sight and the focus to what can be pressed in it. */
    focusRow(index) {
        if (index < 0 || index >= this.#items.length) return;
        const top = this.getBoundingClientRect().top + this.#topOf(index);
        if (top < 120 || top > innerHeight - 120) this.#scroller().scrollBy({ top: top - innerHeight / 2 });
        this.#draw(index);
        const row = this.#rows.get(index);
        (row?.querySelector('a, button, input') ?? row)?.focus({ preventScroll: true });
    }

    #heightOf(item) { return this.#heights.get(item) ?? this.#guesses.get(item) ?? this.rowHeight; }

    #topOf(index) { return this.isMeasured ? this.#tops[index] : index * this.rowHeight; }

    /** The row at a place below the list's top; the number of rows behind the last one. */
    #rowAt(y) {
        if (!this.isMeasured) return Math.floor(y / this.rowHeight);
        let [low, high] = [0, this.#items.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.#tops[middle + 1] <= y) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    /** Gives the list its height, and where rows are measured, each row its place. */
    #place() {
        if (this.isMeasured) {
            let top = 0;
            this.#tops = [0, ...this.#items.map((item) => { top += this.#heightOf(item); return top; })];
            for (const [index, row] of this.#rows) row.style.setProperty('--top', `${this.#tops[index]}px`);
        }
        this.style.height = `${this.#topOf(this.#items.length)}px`;
    }

    /** Rows that were drawn for the first time take their own height; what is in sight stays where it is. */
    #measure(seen) {
        let [isChanged, above] = [false, 0];
        for (const [index, row] of this.#rows) {
            const item = this.#items[index];
            if (this.#heights.has(item)) continue;
            const { height } = row.getBoundingClientRect();
            if (height === 0) continue;
            const guess = this.#heightOf(item);
            this.#heights.set(item, height);
            if (height === guess) continue;
            isChanged = true;
            if (this.#tops[index + 1] <= seen) above += height - guess;
        }
        if (!isChanged) return;
        this.#place();
        if (above !== 0) this.#scroller().scrollBy({ top: above, behavior: 'instant' });
        this.#soon();
    }

    #resized() {
        const { width } = this.getBoundingClientRect();
        // While it is hidden its rows keep what they have.
        if (width === 0 || width === this.#width) return;
        this.#width = width;
        [this.#guesses, this.#heights] = [this.#heights, new WeakMap()];
        this.#place();
        this.#draw();
    }

    #scroller() {
        let element = this.parentElement;
        while (element && !/auto|scroll/.test(getComputedStyle(element).overflowY)) element = element.parentElement;
        return element ?? window;
    }

    #drop(index, row) {
        row.remove();
        this.#rows.delete(index);
    }

    #soon() {
        this.#frame ??= requestAnimationFrame(() => { this.#frame = null; this.#draw(); });
    }

    #draw(wanted = null) {
        if (!this.isConnected) return;
        const box = this.getBoundingClientRect();
        const first = Math.max(0, this.#rowAt(-box.top) - MARGIN);
        const last = Math.min(this.#items.length, this.#rowAt(innerHeight - box.top) + 1 + MARGIN);
        const kept = document.activeElement;
        for (const [index, row] of this.#rows) {
            // The row with the focus stays, or the keyboard would lose its place.
            if ((index < first || index >= last) && index !== wanted && !row.contains(kept)) this.#drop(index, row);
        }
        const indexes = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
        if (wanted !== null) indexes.push(wanted);
        for (const index of indexes) {
            if (this.#rows.has(index)) continue;
            const row = h('div', {
                class: 'virtual-row', role: 'listitem', vars: { '--top': `${this.#topOf(index)}px`, '--height': `${this.rowHeight}px` },
                aria: { setsize: this.#items.length, posinset: index + 1 },
            }, this.render(this.#items[index], index));
            this.#rows.set(index, row);
            this.#insert(index, row);
        }
        if (this.isMeasured) this.#measure(-box.top);
    }

    /** Kept in order, so that Tab walks as the eye does. */
    #insert(index, row) {
        const after = [...this.#rows.keys()].filter((other) => other > index).sort((a, b) => a - b)[0];
        this.insertBefore(row, after === undefined ? null : this.#rows.get(after));
    }
}
customElements.define('tandem-virtual-list', VirtualList);
