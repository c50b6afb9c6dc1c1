/** What keys send, and the modifiers that are armed or held on the row of keys. Nothing here draws. */

const LETTERS = { up: 'A', down: 'B', right: 'C', left: 'D', home: 'H', end: 'F' };
const NUMBERS = { insert: 2, delete: 3, pageup: 5, pagedown: 6 };
/** Of F1 to F12: the first four are letters, the others numbers. */
const FUNCTIONS = ['P', 'Q', 'R', 'S', 15, 17, 18, 19, 20, 21, 23, 24];
const PLAIN = { escape: '\x1b', tab: '\t', enter: '\r', interrupt: '\x03', endOfInput: '\x04' };

/**
 * What a key sends.
 *
 * @param {string} name `up`, `home`, `escape`, `backtab`, `interrupt`, `F1`, …
 * @param {{cursorMode?: boolean, ctrl?: boolean, alt?: boolean, shift?: boolean}} state `cursorMode`: the program asked for its own
 *   arrows (DECCKM).
 */
export function sequence(name, { cursorMode = false, ctrl = false, alt = false, shift = false } = {}) {
    if (name === 'backtab') return `${alt ? '\x1b' : ''}\x1b[Z`;
    if (name in PLAIN) return (alt && name !== 'interrupt' ? '\x1b' : '') + PLAIN[name];
    const modifier = 1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (ctrl ? 4 : 0);
    if (name in LETTERS) {
        if (modifier > 1) return `\x1b[1;${modifier}${LETTERS[name]}`;
        return `\x1b${cursorMode ? 'O' : '['}${LETTERS[name]}`;
    }
    if (name in NUMBERS) return `\x1b[${NUMBERS[name]}${modifier > 1 ? `;${modifier}` : ''}~`;
    const key = /^F(\d+)$/.test(name) ? FUNCTIONS[Number(name.slice(1)) - 1] : undefined;
    if (typeof key === 'number') return `\x1b[${key}${modifier > 1 ? `;${modifier}` : ''}~`;
    if (key) return modifier > 1 ? `\x1b[1;${modifier}${key}` : `\x1bO${key}`;
    throw new RangeError(name);
}

/** A typed letter with Ctrl: `c` becomes 03. What has no such form stays. */
export function withControl(letter) {
    const code = letter.toUpperCase().charCodeAt(0);
    if (code >= 0x40 && code <= 0x5f) return String.fromCharCode(code - 0x40);
    return { ' ': '\x00', '2': '\x00', '3': '\x1b', '4': '\x1c', '5': '\x1d', '6': '\x1e', '7': '\x1f', '8': '\x7f', '/': '\x1f', '-': '\x1f', '?': '\x7f' }[letter] ?? letter;
}

/** Ctrl and Alt of the row of keys: off, armed for one key, or held until they are pressed again. */
export class Modifiers {
    #states = { ctrl: 'off', alt: 'off' };
    #changed;

    /** @param {() => void} changed Told when a state changed. */
    constructor(changed = () => {}) { this.#changed = changed; }

    state(name) { return this.#states[name]; }

    isOn(name) { return this.#states[name] !== 'off'; }

    /** A short press: arms it, or lets go of it. */
    press(name) { this.#set(name, this.#states[name] === 'off' ? 'armed' : 'off'); }

    /** A long press: stays until it is pressed again. */
    hold(name) { this.#set(name, 'held'); }

    /** What typed text becomes. Only single letters take modifiers; what was armed is used up by them. */
    apply(data) {
        const isLetter = [...data].length === 1 && (data >= ' ' || data === '\r' || data === '\t');
        if (!isLetter) return data;
        const typed = this.isOn('ctrl') ? withControl(data) : data;
        const result = this.isOn('alt') ? `\x1b${typed}` : typed;
        this.#used();
        return result;
    }

    /** What a key of the row sends, with what is armed. */
    sequence(name, state) {
        const result = sequence(name, { ...state, ctrl: this.isOn('ctrl'), alt: this.isOn('alt') });
        this.#used();
        return result;
    }

    #used() {
        for (const name of Object.keys(this.#states)) if (this.#states[name] === 'armed') this.#set(name, 'off');
    }

    #set(name, state) {
        if (this.#states[name] === state) return;
        this.#states[name] = state;
        this.#changed();
    }
}
