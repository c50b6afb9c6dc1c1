import { h } from './h.js';

/**
 * A list of any length that draws only the rows in sight and uses them again. It scrolls with the page or the scroller it stands in.
 *
 * @param {Object} options
 * @param {string} options.label
 * @param {number} options.rowHeight In pixels, the same for each.
 * @param {(item: any, index: number) => Node} options.render Draws one row.
 * @param {any[]} [options.items]
 * @returns {HTMLElement & {show(items: any[]): void, refresh(): void, focusRow(index: number): void}}
 */
export function virtualList({ label, rowHeight, render, items = [] }) {
    const element = h('tandem-virtual-list', { class: 'virtual', role: 'list', aria: { label } });
    element.start({ rowHeight, render, items });
    return element;
}

const MARGIN = 8;

class VirtualList extends HTMLElement {
    #rows = new Map();
    #items = [];
    #frame = null;
    #listening = null;

    start({ rowHeight, render, items }) {
        this.rowHeight = rowHeight;
        this.render = render;
        this.#items = items;
    }

    connectedCallback() {
        this.#listening = new AbortController();
        const options = { signal: this.#listening.signal, passive: true, capture: true };
        // Captured at the document: whichever of its ancestors scrolls.
        document.addEventListener('scroll', () => this.#soon(), options);
        window.addEventListener('resize', () => this.#soon(), options);
        this.show(this.#items);
    }

    disconnectedCallback() {
        this.#listening?.abort();
        cancelAnimationFrame(this.#frame);
        this.#frame = null;
    }

    /** Shows other items; rows of the same item and place stay as they are. */
    show(items) {
        const former = this.#items;
        this.#items = items;
        this.style.height = `${items.length * this.rowHeight}px`;
        for (const [index, row] of this.#rows) {
            if (items[index] !== former[index] || index >= items.length) this.#drop(index, row);
        }
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
        const top = this.getBoundingClientRect().top + index * this.rowHeight;
        if (top < 120 || top > innerHeight - 120) this.#scroller().scrollBy({ top: top - innerHeight / 2 });
        this.#draw(index);
        const row = this.#rows.get(index);
        (row?.querySelector('a, button, input') ?? row)?.focus({ preventScroll: true });
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
        const first = Math.max(0, Math.floor(-box.top / this.rowHeight) - MARGIN);
        const last = Math.min(this.#items.length, Math.ceil((innerHeight - box.top) / this.rowHeight) + MARGIN);
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
                class: 'virtual-row', role: 'listitem', vars: { '--top': `${index * this.rowHeight}px`, '--height': `${this.rowHeight}px` },
                aria: { setsize: this.#items.length, posinset: index + 1 },
            }, this.render(this.#items[index], index));
            this.#rows.set(index, row);
            this.#insert(index, row);
        }
    }

    /** Kept in order, so that Tab walks as the eye does. */
    #insert(index, row) {
        const after = [...this.#rows.keys()].filter((other) => other > index).sort((a, b) => a - b)[0];
        this.insertBefore(row, after === undefined ? null : this.#rows.get(after));
    }
}
customElements.define('tandem-virtual-list', VirtualList);
