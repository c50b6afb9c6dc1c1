import { h } from '../../kit/index.js';
import { Life } from '../../life.js';
import { followEnd } from './follow.js';
import { Modifiers } from './keys.js';
import { useLetters } from './letters.js';
import { watchInsertions } from './paste.js';
import { pasted } from './pasted.js';
import { guardClipboard, keepSilent, openLink } from './safety.js';
import { touchScreen } from './touch.js';
import { onScheme, palette } from './xterm.js';

const SIZE_KEY = 'tandem.terminal.size';
const READER_KEY = 'tandem.terminal.reader';
const OPTION_KEY = 'tandem.terminal.option';
const SMALLEST = { cols: 20, rows: 4 };
const SIZES = { least: 9, most: 24 };
/** The smallest text by which a larger window's terminal is still drawn whole. */
const SMALLEST_TEXT = 3;
const SIZE_WAIT_MS = 1000;
/** What is typed while the connection is made again is kept for so long, and so much of it. */
const HELD_MS = 30_000;
const HELD_PIECES = 1000;

/**
 * One terminal on the page: xterm.js, what it may do, and the session it shows. It goes on when it is hidden.
 */
export class TerminalView {
    element = h('div', { class: 'terminal-view', data: { peer: '' } });
    modifiers;
    title = '';
    life;
    #xterm;
    #fit;
    #session = null;
    #sessionLife = null;
    #isReplaying = false;
    /** What was typed since the connection went; null while there is one, and once the terminal has ended. */
    #held = null;
    #end;
    #resizing = null;
    #fontSize = storedSize();
    /** Columns and rows that there is room for here. */
    #room = null;
    /** The terminal's size, where it is that of another window. */
    #other = null;
    /** Until then the size that was asked for is awaited: what the terminal had before is not drawn in between. */
    #asked = 0;
    #settling = null;
    #heard;

    /**
     * @param {Object} parts Of xterm.js.
     * @param {Object} options
     * @param {Life} options.life
     * @param {{title(): void, modifiers(): void, clipboard(text: string): void, paste(text: string): void, size(other: {cols: number, rows: number} | null): void,
     *   notice(text: string): void, exit(exit: Object): void, selection(): void, copy(): void, leave(): void}} options.heard
     */
    constructor({ Terminal, FitAddon, WebLinksAddon }, { life, heard }) {
        this.life = new Life(life);
        this.#heard = heard;
        this.modifiers = new Modifiers(() => heard.modifiers());
        const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
        const xterm = new Terminal({
            allowProposedApi: true, cursorBlink: !calm, fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--mono'),
            fontSize: this.#fontSize, lineHeight: 1.15, scrollback: 10_000, theme: palette(), minimumContrastRatio: 4.5, macOptionIsMeta: localStorage.getItem(OPTION_KEY) === 'meta',
            logLevel: 'off', screenReaderMode: localStorage.getItem(READER_KEY) === 'on',
            linkHandler: { activate: (_, address) => openLink(address), allowNonHttpProtocols: false },
        });
        this.#xterm = xterm;
        this.#fit = new FitAddon();
        xterm.loadAddon(this.#fit);
        xterm.loadAddon(new WebLinksAddon((_, address) => openLink(address)));
        useLetters(xterm);
        keepSilent(xterm, () => this.#isReplaying);
        guardClipboard(xterm, { isReplaying: () => this.#isReplaying, offered: heard.clipboard });
        xterm.onTitleChange((text) => { this.title = text.slice(0, 200); heard.title(); });
        xterm.onData((data) => this.#write(this.modifiers.apply(data)));
        /** @param {string} data */
        const written = (data) => this.#write(Uint8Array.from(data, (letter) => letter.charCodeAt(0) & 0xff));
        xterm.onBinary(written);
        xterm.onSelectionChange(() => heard.selection());
        xterm.attachCustomKeyEventHandler((event) => this.#isForTerminal(event));
        onScheme(this.life, () => { xterm.options.theme = palette(); });
        this.life.add(() => { this.detach(); xterm.dispose(); });
    }

    /** Draws it for the first time, once its element stands on the page. */
    open() {
        this.#xterm.open(this.element);
        this.#measure();
        // `display: none` counts as a size of nothing, which is passed over.
        const observer = new ResizeObserver(() => this.fit());
        observer.observe(this.element);
        this.life.add(() => observer.disconnect());
        touchScreen(this, this.#xterm, this.life);
        this.#end = followEnd(this.element, this.#xterm, this.life);
        // Who looks here again has it in this window's size.
        this.life.listen(window, 'focus', () => this.look());
        this.life.listen(this.element, 'pointerdown', () => this.look(), { capture: true });
        this.life.listen(document, 'visibilitychange', () => this.look());
        watchInsertions(this.element, this.life, (text) => this.#heard.paste(text));
    }

    get size() { return this.#room ?? { cols: this.#xterm.cols, rows: this.#xterm.rows }; }
    get isAttached() { return this.#session !== null; }
    get sessionId() { return this.#session?.sessionId ?? null; }
    get xterm() { return this.#xterm; }

    /** Shows a session: what it wrote before first, then what it writes. `isNew`: it has written nothing before. */
    attach(session, { isNew = false } = {}) {
        this.detach();
        this.#sessionLife = new Life(this.life);
        this.#session = session;
        this.#isReplaying = !isNew;
        this.#xterm.reset();
        const life = this.#sessionLife;
        // Written after what came before: xterm.js reads in the order it was given.
        const goLive = () => this.#xterm.write('', () => { if (!life.hasEnded) this.#isReplaying = false; });
        life.add(session.onLive(goLive));
        life.add(session.onNotice((text) => this.#heard.notice(text)));
        life.add(session.onExit((exit) => {
            // All of it is drawn before it is said that it ended.
            this.#xterm.write('', () => {
                if (life.hasEnded) return;
                this.#leave();
                this.#held = exit.error && exit.error.code !== 'not-found' ? [] : null;
                this.#heard.exit(exit);
            });
        }));
        life.add(session.onData((bytes, taken) => this.#xterm.write(bytes, taken)));
        life.add(session.onSize((size) => this.#drawn(size)));
        this.#take();
        const since = performance.now() - HELD_MS;
        for (const { data, at } of this.#held ?? []) if (at > since) session.write(data);
        this.#held = null;
    }

    #write(data) {
        if (this.#session) this.#session.write(data);
        else if (this.#held && this.#held.length < HELD_PIECES) this.#held.push({ data, at: performance.now() });
    }

    /** Leaves the session running. */
    detach() {
        this.#session?.detach();
        this.#leave();
    }

    #leave() {
        this.#sessionLife?.end();
        this.#session = null;
    }

    // Typing

    type(text) { this.#xterm.input(text, true); }

    /** What was pasted, without anything that acts, between the marks that the program asked for. */
    paste(text) {
        const { text: clean } = pasted(text);
        this.#xterm.scrollToBottom();
        this.#write(this.marksPaste ? `\x1b[200~${clean}\x1b[201~` : clean);
    }

    /** Whether a paste is marked, so that its lines are not run one by one. */
    get marksPaste() { return this.#xterm.modes.bracketedPasteMode; }

    key(name) {
        this.#xterm.scrollToBottom();
        this.#write(this.modifiers.sequence(name, { cursorMode: this.#xterm.modes.applicationCursorKeysMode }));
    }

    /** Ctrl-C at once, whatever is armed. */
    interrupt() {
        this.#xterm.scrollToBottom();
        this.#write('\x03');
    }

    // Looking

    /** Brings a row of the buffer into the middle, and stays there. */
    show(row) {
        this.#end.leave();
        this.#xterm.scrollToLine(Math.max(0, row - (this.#xterm.rows >> 1)));
    }

    focus() { this.#xterm.focus(); }
    blur() { this.#xterm.blur(); }
    get selection() { return this.#xterm.getSelection(); }
    clearSelection() { this.#xterm.clearSelection(); }
    selectAll() { this.#xterm.selectAll(); }

    get fontSize() { return this.#fontSize; }

    set fontSize(size) {
        this.#fontSize = Math.min(SIZES.most, Math.max(SIZES.least, size));
        localStorage.setItem(SIZE_KEY, String(this.#fontSize));
        this.fit();
    }

    get readsAloud() { return this.#xterm.options.screenReaderMode; }

    set readsAloud(on) {
        this.#xterm.options.screenReaderMode = on;
        localStorage.setItem(READER_KEY, on ? 'on' : 'off');
    }

    /** Whether Option is Meta on a Mac; else it writes what the keyboard's layout has there: @ and { on many. Option with an arrow moves by a word in both. */
    get optionIsMeta() { return this.#xterm.options.macOptionIsMeta; }

    set optionIsMeta(on) {
        this.#xterm.options.macOptionIsMeta = on;
        localStorage.setItem(OPTION_KEY, on ? 'meta' : 'layout');
    }

    /** Takes the size of its place; the session is told once it stays so for a moment. */
    fit() {
        const before = this.#room;
        this.#measure();
        if (!this.#room || (this.#room.cols === before?.cols && this.#room.rows === before?.rows)) return;
        clearTimeout(this.#resizing);
        this.#resizing = setTimeout(() => this.#take(), 80);
    }

    /** Somebody looks here: the terminal takes this window's size, if another one has it. */
    look() {
        if (this.#other && this.#room && !document.hidden && this.element.clientWidth > 0) this.#take();
    }

    #take() {
        const { cols, rows } = this.size;
        this.#asked = performance.now() + SIZE_WAIT_MS;
        this.#session?.resize(cols, rows);
    }

    #measure() {
        if (this.element.clientWidth === 0) return;
        this.#xterm.options.fontSize = this.#fontSize;
        const wanted = this.#fit.proposeDimensions();
        if (!wanted || Number.isNaN(wanted.cols) || Number.isNaN(wanted.rows)) return;
        this.#room = { cols: Math.max(SMALLEST.cols, wanted.cols), rows: Math.max(SMALLEST.rows, wanted.rows) };
        this.#draw();
    }

    /** The terminal has a size: this window's, or another one's, which is drawn as it is, smaller where there is no room for it. */
    #drawn(size) {
        const isOwn = this.#room !== null && size.cols === this.#room.cols && size.rows === this.#room.rows;
        clearTimeout(this.#settling);
        const left = this.#asked - performance.now();
        if (!isOwn && left > 0) {
            this.#settling = setTimeout(() => { if (!this.life.hasEnded) this.#drawn(size); }, left);
            return;
        }
        this.#asked = 0;
        this.#other = isOwn ? null : size;
        if (this.#room) this.#draw();
        this.#heard.size(this.#other);
    }

    #draw() {
        const { cols, rows } = this.#other ?? this.#room;
        const scale = Math.min(1, this.#room.cols / cols, this.#room.rows / rows);
        this.#xterm.options.fontSize = Math.max(SMALLEST_TEXT, Math.floor(this.#fontSize * scale * 2) / 2);
        this.#xterm.resize(cols, rows);
    }

    /** False for keys that are the page's. */
    #isForTerminal(event) {
        if (event.type !== 'keydown') return true;
        const isShortcut = event.ctrlKey && event.shiftKey && !event.altKey;
        if (isShortcut && event.code === 'KeyC' && this.selection) {
            event.preventDefault();
            this.#heard.copy();
            return false;
        }
        // The browser pastes by itself.
        if (isShortcut && event.code === 'KeyV') return false;
        // The way out for the keyboard: all else, Tab too, belongs to the shell.
        if (event.key === 'Escape' && event.shiftKey) {
            event.preventDefault();
            this.#heard.leave();
            return false;
        }
        return true;
    }
}

function storedSize() {
    const size = Number(localStorage.getItem(SIZE_KEY));
    if (size >= SIZES.least && size <= SIZES.most) return size;
    return matchMedia('(max-width: 599px)').matches ? 12 : 14;
}
