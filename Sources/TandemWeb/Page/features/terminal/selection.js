import { button, copyText, h } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

/** Pixels between the bar and what is beside it, and how far a handle hangs below its line. */
const EDGE = 4;
const HANDLE = 22;
const KNOB = 18;
const BETWEEN_WORDS = /[\s"'`(){}[\]<>|;,]/;

/** A selection by finger: a word first, then what the two handles enclose; with what can be done with it beside it. */
export class TouchSelection {
    #view;
    #xterm;
    #ends = null;
    #layer = h('div', { class: 'terminal-selection', hidden: true });
    #handles = [];
    #menu;
    isOn = false;

    constructor(view, xterm, life) {
        this.#view = view;
        this.#xterm = xterm;
        this.#handles = [0, 1].map((index) => this.#handle(index));
        this.#menu = h('div', { class: 'terminal-selection-menu', role: 'toolbar', aria: { label: t('terminal.selection') } },
            button({ label: t('terminal.copy'), icon: 'copy', kind: 'quiet', press: () => { copyText(xterm.getSelection()); this.end(); } }),
            button({ label: t('terminal.selectAll'), kind: 'quiet', press: () => this.#selectAll() }),
            button({ label: t('common.done'), kind: 'quiet', press: () => this.end() }));
        this.#layer.append(...this.#handles, this.#menu);
        view.element.append(this.#layer);
        const scrolled = xterm.onScroll(() => this.#place());
        const drawn = xterm.onRender(() => { if (this.isOn) this.#place(); });
        life.add(() => { scrolled.dispose(); drawn.dispose(); });
    }

    /** Selects the word at a point. */
    start(point) {
        const { row, column } = this.#cell(point);
        const [first, last] = this.#word(row, column);
        this.#ends = [{ row, column: first }, { row, column: last + 1 }];
        this.#show();
    }

    /** Moves the end that the finger holds; from the word on. */
    extend(point) {
        const cell = this.#cell(point);
        this.#ends[1] = { row: cell.row, column: cell.column + 1 };
        this.#show();
    }

    /** Shows what can be done, once the finger is lifted. */
    offer() {
        this.#sort();
        this.isOn = true;
        this.#layer.hidden = false;
        this.#place();
    }

    end() {
        if (!this.isOn) return;
        this.isOn = false;
        this.#layer.hidden = true;
        this.#xterm.clearSelection();
    }

    #selectAll() {
        this.#xterm.selectAll();
        const length = this.#xterm.buffer.active.length;
        this.#ends = [{ row: 0, column: 0 }, { row: length - 1, column: this.#xterm.cols }];
        this.#place();
    }

    #handle(index) {
        const element = h('div', { class: ['terminal-handle', index === 0 ? 'first' : 'last'], aria: { hidden: true } });
        element.addEventListener('pointerdown', (event) => {
            event.preventDefault();
            event.stopPropagation();
            element.setPointerCapture(event.pointerId);
        });
        element.addEventListener('pointermove', (event) => {
            if (!element.hasPointerCapture(event.pointerId)) return;
            // The finger covers the handle, which hangs below its letter.
            const cell = this.#cell({ x: event.clientX, y: event.clientY - 22 });
            this.#ends[index] = { row: cell.row, column: cell.column + index };
            this.#show();
            this.#place();
        });
        for (const type of ['touchstart', 'touchmove', 'touchend']) element.addEventListener(type, (event) => { event.stopPropagation(); event.preventDefault(); }, { passive: false });
        return element;
    }

    #show() {
        const [from, to] = this.#sorted();
        const length = (to.row - from.row) * this.#xterm.cols + to.column - from.column;
        this.#xterm.select(from.column, from.row, Math.max(1, length));
    }

    #sorted() {
        const [a, b] = this.#ends;
        return a.row < b.row || (a.row === b.row && a.column <= b.column) ? [a, b] : [b, a];
    }

    #sort() { this.#ends = this.#sorted(); }

    #place() {
        if (!this.isOn) return;
        const box = this.#box();
        const top = this.#xterm.buffer.active.viewportY;
        this.#ends.forEach(({ row, column }, index) => {
            const y = (row - top + 1) * box.height;
            const handle = this.#handles[index];
            handle.hidden = row < top || row >= top + this.#xterm.rows;
            const x = box.left + column * box.width;
            handle.style.translate = `${x}px ${box.top + y}px`;
            // Each hangs away from the selection, but not out of the view.
            handle.classList.toggle('inward', index === 0 ? x < KNOB : x > this.#view.element.clientWidth - KNOB);
        });
        this.#placeMenu(box, top);
    }

    /** Above the selection; below it, and below the handles, where there is no room; within the view's edges in any case. */
    #placeMenu(box, top) {
        const [from, to] = this.#sorted();
        const { offsetWidth: width, offsetHeight: height } = this.#menu;
        const { clientWidth, clientHeight } = this.#view.element;
        const most = clientHeight - height - EDGE;
        const above = box.top + (from.row - top) * box.height - height - EDGE;
        const below = box.top + (to.row - top + 1) * box.height + HANDLE + EDGE;
        const y = above >= EDGE ? above : below <= most ? below : EDGE;
        const middle = from.row === to.row ? box.left + (from.column + to.column) * box.width / 2 : clientWidth / 2;
        this.#menu.style.top = `${Math.max(EDGE, Math.min(y, most))}px`;
        this.#menu.style.left = `${Math.max(EDGE, Math.min(middle - width / 2, clientWidth - width - EDGE))}px`;
    }

    /** Where the letters are, within the view. */
    #box() {
        const screen = this.#view.element.querySelector('.xterm-screen').getBoundingClientRect();
        const outer = this.#view.element.getBoundingClientRect();
        return {
            left: screen.left - outer.left, top: screen.top - outer.top, width: screen.width / this.#xterm.cols, height: screen.height / this.#xterm.rows,
        };
    }

    #cell({ x, y }) {
        const outer = this.#view.element.getBoundingClientRect();
        const box = this.#box();
        const within = (value, most) => Math.min(most, Math.max(0, Math.floor(value)));
        return {
            column: within((x - outer.left - box.left) / box.width, this.#xterm.cols - 1),
            row: this.#xterm.buffer.active.viewportY + within((y - outer.top - box.top) / box.height, this.#xterm.rows - 1),
        };
    }

    /** First and last column of the word at a cell; of the cell alone between words. */
    #word(row, column) {
        const line = this.#xterm.buffer.active.getLine(row);
        const isIn = (at) => {
            const cell = line?.getCell(at);
            // The second half of a wide letter belongs to it.
            return cell && (cell.getWidth() === 0 || (cell.getChars() && !BETWEEN_WORDS.test(cell.getChars())));
        };
        let [first, last] = [column, column];
        if (!isIn(column)) return [first, last];
        while (first > 0 && isIn(first - 1)) first -= 1;
        while (last < this.#xterm.cols - 1 && isIn(last + 1)) last += 1;
        return [first, last];
    }
}
