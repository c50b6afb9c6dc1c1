import {
    banner, button, copyText, errorBanner, h, icon, iconButton, menuButton, openMenu, plainText, safeText, spinner,
} from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { composeLine } from './compose.js';
import { keyRow } from './key-row.js';
import { terminalMenu } from './menu.js';
import { pasteClipboard, pasteInto } from './paste.js';
import { pasted } from './pasted.js';
import { programName, shortId } from './sessions.js';
import { TerminalView } from './view.js';

const COMPOSE_KEY = 'tandem.terminal.compose';

/**
 * The screen of running terminals: one is shown, those that were opened before go on behind it.
 *
 * @param {Object} options
 * @param {Object} options.parts Of xterm.js.
 * @param {Object} options.computer
 * @param {import('../../life.js').Life} options.life
 * @param {(id: string) => string} options.address
 * @param {import('./awake.js').Awake} options.awake
 * @param {{leave: Function, create: Function, choose: Function, close: (entry: Object) => Promise<boolean>, sessions: () => Promise<Object[]>}} options.actions
 */
export class SessionScreen {
    #options;
    #opened = new Map();
    #shown = null;
    #stage = h('div', { class: 'terminal-stage' });
    #strips = h('div', { class: 'terminal-strips' });
    #title = h('span', { class: 'terminal-title' });
    #tabs = h('nav', { class: 'terminal-tabs', aria: { label: t('terminal.sessions') } });
    #keys;
    #compose;
    #entries = [];

    constructor(options) {
        this.#options = options;
        const view = () => this.#shown?.view ?? null;
        this.#keys = keyRow({ view, paste: () => this.#paste(), compose: () => this.#showCompose(this.#compose.hidden) });
        this.#compose = composeLine({
            send: async (text) => {
                const shown = view();
                if (!shown || !await this.#write(shown, text)) return false;
                shown.type('\r');
                return true;
            },
            insert: async (text) => { const shown = view(); return shown !== null && await pasteInto(shown, text, { isWritten: true }); },
        });
        this.#compose.hidden = true;
        this.#stage.append(this.#strips);
        this.#back = h('a', { class: 'icon-button quiet', href: options.actions.back, title: t('terminal.toList'), aria: { label: t('terminal.toList') } }, icon('chevron-left'));
        const choose = h('button', {
            type: 'button', class: 'terminal-choose', aria: { haspopup: 'menu' }, on: { click: () => this.#choose(choose) },
        }, this.#title, icon('chevron-down', { size: 18 }));
        this.element = h('section', { class: 'terminal-session', aria: { label: t('tab.terminal') } },
            h('div', { class: 'terminal-head' }, this.#back, this.#tabs, choose,
                h('span', { class: 'terminal-head-space' }),
                iconButton({ label: t('terminal.new'), icon: 'plus', press: () => options.actions.create() }),
                menuButton({ label: t('terminal.menu'), items: () => this.#menu() })),
            this.#stage, h('div', { class: 'terminal-foot' }, this.#compose, this.#keys));
        this.#followKeyboard();
        if (localStorage.getItem(COMPOSE_KEY) === 'on') this.#showCompose(true, false);
    }

    #back;

    /** Where the sessions are shown: for the size of a new one. */
    get size() { return this.#shown?.view.size ?? { cols: 80, rows: 24 }; }

    /** Takes over a session that has just been started. */
    adopt(session, entry) {
        const opened = this.#make(entry);
        opened.started = session;
    }

    /** Shows a session, attaching to it where it was not open yet. */
    async show(id) {
        const opened = this.#opened.get(id) ?? this.#make({ id, shell: '', cwd: '', alive: true });
        this.#options.awake.want(!opened.hasEnded);
        if (this.#shown === opened) return;
        if (this.#shown) this.#shown.view.element.hidden = true;
        this.#shown = opened;
        this.#strips.replaceChildren(...opened.strips);
        const { view } = opened;
        if (!view.element.isConnected) {
            this.#stage.append(view.element);
            view.open();
        }
        view.element.hidden = false;
        view.fit();
        view.look();
        this.#draw();
        if (matchMedia('(pointer: fine)').matches) view.focus();
        if (opened.started) {
            opened.wasLive = true;
            view.attach(opened.started, { isNew: true });
            opened.started = null;
        } else if (!view.isAttached && !opened.hasEnded) {
            await this.#attach(opened);
        }
        this.refresh();
    }

    /** The computer is reached again, or the page is connected again. */
    reconnect() {
        for (const opened of this.#opened.values()) {
            if (opened.isLost && opened.view.element.isConnected) this.#attach(opened);
        }
    }

    /** Leaves every session: nothing of them is to be shown any more. */
    leaveAll() {
        for (const { view } of this.#opened.values()) {
            view.life.end();
            view.element.remove();
        }
        this.#opened.clear();
        this.#shown = null;
        this.#strips.replaceChildren();
    }

    /** Asks which sessions there are: for the tabs and names. */
    async refresh() {
        this.#entries = await this.#options.actions.sessions().catch(() => this.#entries);
        for (const entry of this.#entries) {
            const opened = this.#opened.get(entry.id);
            if (opened) opened.entry = entry;
        }
        this.#draw();
    }

    #make(entry) {
        const opened = { entry, view: null, strips: [], started: null, wasLive: false, hasEnded: false, isLost: false };
        opened.view = new TerminalView(this.#options.parts, {
            life: this.#options.life,
            heard: {
                title: () => this.#draw(),
                modifiers: () => this.#keys.update(),
                selection: () => {},
                copy: () => copyText(opened.view.selection),
                leave: () => this.#back.focus(),
                paste: (text) => this.#pasteText(opened.view, text),
                size: (other) => this.#strip(opened, 'size', other && this.#otherSize(opened, other)),
                clipboard: (text) => this.#offerClipboard(opened, text),
                notice: (text) => this.#strip(opened, 'notice', banner({ kind: 'info', text: text === 'truncated' ? t('terminal.truncated') : safeText(text), dismissable: true })),
                exit: (exit) => this.#exited(opened, exit),
            },
        });
        this.#opened.set(entry.id, opened);
        return opened;
    }

    async #attach(opened) {
        opened.isLost = false;
        this.#strip(opened, 'state', h('div', { class: 'terminal-waiting', role: 'status' }, spinner({ size: 18 }), t('terminal.attaching')));
        try {
            const { id } = opened.entry;
            const session = await this.#options.computer.terminal({ sessionId: id, ...opened.view.size, signal: this.#options.life.signal });
            this.#strip(opened, 'state', null);
            opened.wasLive = true;
            opened.view.attach(session);
        } catch (error) {
            if (error.code !== 'cancelled') this.#lost(opened, error);
        }
    }

    #exited(opened, { code, signal, error }) {
        if (error) { this.#lost(opened, error); return; }
        this.#over(opened, signal ? t('terminal.endedSignal', { signal }) : t('terminal.endedCode', { code: code ?? '?' }), code === 0 ? 'good' : 'info');
    }

    /** @param {Object} opened @param {string} text @param {'info' | 'good'} [kind] */
    #over(opened, text, kind = 'info') {
        opened.hasEnded = true;
        if (opened === this.#shown) this.#options.awake.want(false);
        opened.entry = { ...opened.entry, alive: false };
        this.#strip(opened, 'state', banner({
            kind, text, dismissable: true,
            actions: [button({ label: t('terminal.new'), kind: 'quiet', press: () => this.#options.actions.create() })],
        }));
        this.#draw();
    }

    #lost(opened, error) {
        // Its shell was ended from elsewhere, or ended long ago: there is nothing to try again.
        if (error.code === 'not-found') { this.#over(opened, opened.wasLive ? t('terminal.endedThere') : t('reason.session_not_found')); return; }
        opened.isLost = ['away', 'gone', 'offline', 'lost'].includes(error.code);
        this.#strip(opened, 'state', errorBanner(error, { dismissable: true, retry: () => this.#attach(opened) }));
    }

    /** A program may ask to put text on this device's clipboard; a person decides. One question at a time: the newest. */
    #offerClipboard(opened, text) {
        const strip = banner({
            kind: 'info', text: t('terminal.clipboardAsks', { count: [...text].length }),
            detail: safeText(text, { limit: 120, class: 'mono' }),
            actions: [
                button({ label: t('terminal.clipboardAllow'), kind: 'quiet', press: () => { copyText(text); this.#strip(opened, 'clipboard', null); } }),
                button({ label: t('terminal.clipboardIgnore'), kind: 'quiet', press: () => this.#strip(opened, 'clipboard', null) }),
            ],
        });
        this.#strip(opened, 'clipboard', strip);
    }

    #otherSize({ view }, { cols, rows }) {
        return banner({
            kind: 'info', text: t('terminal.otherSize', { cols: format.number(cols), rows: format.number(rows) }), dismissable: true,
            actions: [button({ label: t('terminal.takeSize'), kind: 'quiet', press: () => view.look() })],
        });
    }

    /** One strip of each kind above a terminal. */
    #strip(opened, kind, element) {
        opened.strips = opened.strips.filter((each) => each.dataset.kind !== kind);
        if (element) {
            element.dataset.kind = kind;
            opened.strips.push(element);
        }
        if (opened === this.#shown) this.#strips.replaceChildren(...opened.strips);
    }

    #draw() {
        if (!this.#shown) return;
        const { entry, view } = this.#shown;
        this.#title.replaceChildren(this.#name(entry, view));
        const all = this.#entries.some(({ id }) => id === entry.id) ? this.#entries : [entry, ...this.#entries];
        this.#tabs.replaceChildren(...all.filter((each) => each.alive || this.#opened.has(each.id)).map((each) => h('a', {
            class: ['terminal-tab', !each.alive && 'ended'], href: this.#options.address(each.id),
            aria: { current: each.id === entry.id ? 'page' : null },
        }, this.#name(each, this.#opened.get(each.id)?.view))));
        this.#keys.update();
    }

    #name(entry, view) {
        const title = view?.title ? safeText(view.title, { limit: 48 }) : null;
        return h('span', { class: 'terminal-name' }, title ?? (entry.shell ? h('span', { data: { peer: '' } }, programName(entry)) : h('span', null, t('terminal.standard'))),
            h('span', { class: 'mono faint', data: { peer: '' } }, shortId(entry.id)));
    }

    #choose(anchor) {
        const { id } = this.#shown.entry;
        openMenu({
            label: t('terminal.sessions'), anchor,
            items: this.#entries.filter((each) => each.alive || each.id === id).map((each) => ({
                label: `${plainText(this.#opened.get(each.id)?.view.title || programName(each), 40)} · ${shortId(each.id)}`,
                icon: each.id === id ? 'check' : 'terminal', press: () => { location.hash = this.#options.address(each.id); },
            })),
        });
    }

    #menu() {
        const { view, entry, hasEnded } = this.#shown, opened = this.#shown;
        return terminalMenu(view, {
            hasEnded, awake: this.#options.awake, strip: (kind, element) => this.#strip(opened, kind, element), choose: () => this.#options.actions.choose(), paste: () => this.#paste(),
            close: async () => { if (await this.#options.actions.close(entry)) this.#options.actions.leave(); },
        });
    }

    async #paste() {
        const { view } = this.#shown;
        await pasteClipboard(view);
        if (this.#compose.hidden) view.focus();
    }

    async #pasteText(view, text) {
        await pasteInto(view, text);
        if (this.#compose.hidden) view.focus();
    }

    /** A line as if it were typed; several, or what only looks like a line, as a paste. */
    async #write(view, text) {
        if (text.includes('\n') || pasted(text).hasControls) return pasteInto(view, text, { isWritten: true });
        if (text) view.type(text);
        return true;
    }

    #showCompose(on, takesFocus = true) {
        this.#compose.hidden = !on;
        this.element.classList.toggle('composes', on);
        this.#keys.compose(on);
        localStorage.setItem(COMPOSE_KEY, on ? 'on' : 'off');
        if (!takesFocus) return;
        if (on) this.#compose.focus();
        else this.#shown?.view.focus();
    }

    /** Keeps the screen above the keyboard: the visual viewport is what is left of the display. */
    #followKeyboard() {
        const { visualViewport: viewport } = window;
        if (!viewport) return;
        const follow = () => {
            this.element.style.setProperty('--viewport-top', `${viewport.offsetTop}px`);
            this.element.style.setProperty('--viewport-height', `${viewport.height}px`);
        };
        follow();
        this.#options.life.listen(viewport, 'resize', follow);
        this.#options.life.listen(viewport, 'scroll', follow);
    }
}
