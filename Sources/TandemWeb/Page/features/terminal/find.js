import { h, iconButton, textField } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

/** Letters that are looked for. */
const MOST = 200;

/**
 * A strip that finds words in what a terminal shows and in what scrolled by: the newest place first, then the ones above.
 *
 * @param {import('./view.js').TerminalView} view
 * @param {() => void} close
 */
export function findStrip(view, close) {
    const finder = new Finder(view);
    const said = h('span', { class: 'visually-hidden', role: 'status' });
    const look = (by) => {
        const isFound = field.value === '' || finder.next(field.value.slice(0, MOST), by);
        field.classList.toggle('failed', !isFound);
        said.textContent = isFound ? '' : t('terminal.notFound');
    };
    const leave = () => { view.clearSelection(); close(); };
    const field = textField({ label: t('terminal.find'), labelHidden: true, placeholder: t('terminal.find'), type: 'search', attributes: { maxLength: MOST, autocapitalize: 'none' }, input: () => { finder.begin(); look(-1); }, enter: () => look(-1) });
    field.addEventListener('keydown', (event) => { if (event.key === 'Escape') { event.stopPropagation(); leave(); } });
    queueMicrotask(() => field.input.focus());
    return h('div', { class: 'terminal-find' }, field, said,
        iconButton({ label: t('terminal.findAbove'), icon: 'arrow-up', press: () => look(-1) }), iconButton({ label: t('terminal.findBelow'), icon: 'arrow-down', press: () => look(1) }),
        iconButton({ label: t('common.close'), icon: 'x', press: leave }));
}

/** Where words stand in a terminal's lines, those that are broken at its edge as one. */
export class Finder {
    #view;
    #xterm;
    /** The place that was found last: the first row of its line, and the letter where it begins. */
    #at = null;

    /** @param {{xterm: Object, show: (row: number) => void}} view */
    constructor(view) {
        this.#view = view;
        this.#xterm = view.xterm;
    }

    /** Looks from the end again. */
    begin() { this.#at = null; }

    /**
     * Selects the next place, and brings it into sight. Behind the last one it goes on at the other end.
     *
     * @param {string} words Upper case and lower case are the same.
     * @param {-1 | 1} by Above or below.
     * @returns {boolean} Whether there is one.
     */
    next(words, by) {
        const wanted = words.toLowerCase();
        const places = this.#lines().flatMap(({ row, text, cells }) => foundIn(text, wanted).map((letter) => ({ row, letter, cells })));
        if (places.length === 0) { this.#xterm.clearSelection(); return false; }
        const known = this.#at && places.findIndex(({ row, letter }) => row === this.#at.row && letter === this.#at.letter);
        const from = known === null || known < 0 ? (by < 0 ? places.length : -1) : known;
        const place = places[(from + by + places.length) % places.length];
        this.#at = place;
        const [first, last] = [place.cells[place.letter], place.cells[place.letter + wanted.length - 1]];
        const { cols } = this.#xterm;
        this.#xterm.select(first.column, first.row, (last.row - first.row) * cols + last.column + last.width - first.column);
        this.#view.show(first.row);
        return true;
    }

    /** @returns {{row: number, text: string, cells: {row: number, column: number, width: number}[]}[]} A cell for each letter of the text. */
    #lines() {
        const { active: buffer } = this.#xterm.buffer;
        const lines = [];
        for (let row = 0; row < buffer.length; row += 1) {
            const line = buffer.getLine(row);
            if (!line.isWrapped || lines.length === 0) lines.push({ row, text: '', cells: [] });
            const own = lines.at(-1);
            for (let column = 0; column < line.length; column += 1) {
                const cell = line.getCell(column);
                // Behind a wide letter stands a cell without a width.
                if (cell.getWidth() === 0) continue;
                const letters = (cell.getChars() || ' ').toLowerCase();
                for (let at = 0; at < letters.length; at += 1) own.cells.push({ row, column, width: cell.getWidth() });
                own.text += letters;
            }
        }
        return lines;
    }
}

/** Where words begin in a text. */
function foundIn(text, wanted) {
    const found = [];
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) found.push(at);
    return found;
}
