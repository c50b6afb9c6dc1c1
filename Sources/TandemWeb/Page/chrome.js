import { badge, banner, button, findAll, h, icon, openMenu, peer, safeText, toast } from './kit/first.js';
import { t } from './i18n/index.js';
import { go } from './router.js';

/** Places that a narrow page has room for side by side. Where there are more, the last of these is “More”. */
const PLACES = 6;

/**
 * The frame around every screen: the bar with its title and actions, the navigation (beside the content on a desktop, at the foot on a
 * phone), and strips that concern the whole page.
 */
export class Chrome {
    #client;
    #table;
    #nav = h('nav', { class: 'nav' });
    #title = h('h1', { class: 'bar-title', tabIndex: -1 });
    #back = h('div', { class: 'bar-back' });
    #actions = h('div', { class: 'bar-actions' });
    #strips = h('div', { class: 'strips' });
    #main = h('main', { class: 'main', id: 'main' });
    #skip = h('a', { class: 'skip', href: '#main' });
    #section = null;
    #shown = null;
    #lost = null;
    #lostTimer = null;
    #badges = new Map();
    #unread = 0;

    constructor({ client, table }) {
        this.#client = client;
        this.#table = table;
        this.element = h('div', { class: 'frame' }, this.#skip, this.#nav,
            h('div', { class: 'page' },
                h('header', { class: 'bar' }, this.#back, this.#title, this.#actions), this.#strips, this.#main));
        // The address after # is the router's: the link moves the focus itself.
        this.#skip.addEventListener('click', (event) => { event.preventDefault(); this.#title.focus(); });
        this.drawNavigation();
        client.events('updated', (said) => this.#sayUpdated(said));
    }

    drawNavigation() {
        this.#skip.textContent = t('common.skip');
        this.#nav.setAttribute('aria-label', t('nav.label'));
        const entries = this.#table.filter((entry) => entry.nav);
        const late = entries.length > PLACES ? entries.slice(PLACES - 1) : [];
        const rows = entries.map((entry) => h('a', { class: ['nav-row', late.includes(entry) && 'is-late'], href: `#${entry.path}`, data: { section: entry.path } }, ...rowParts(entry.nav)));
        if (late.length > 0) rows.push(this.#more(late));
        const { name, role } = this.#client.self;
        this.#nav.replaceChildren(
            h('div', { class: 'nav-head' }, h('img', { src: 'icons/tandem.svg', alt: '', width: 36, height: 36 }),
                h('div', { class: 'row-words' }, safeText(name, { limit: 120, class: 'nav-name' }), h('span', { class: 'row-detail' }, t(`role.${role}`)))),
            h('div', { class: 'nav-rows' }, rows));
        for (const path of this.#badges.keys()) this.#wear(path);
        this.#mark();
    }

    /** What a narrow page has no room for; where it is wide, the style shows those rows themselves. */
    #more(late) {
        const label = t('common.more');
        const element = h('button', { type: 'button', class: 'nav-row nav-more', aria: { haspopup: 'menu', expanded: 'false' }, on: { click: () => openMenu({
            label, anchor: element, items: late.map(({ path, nav }) => ({ label: t(nav.label), icon: nav.icon, press: () => go(path) })),
        }) } }, ...rowParts({ icon: 'more', label: 'common.more' }));
        return element;
    }

    /** A number on a row of the navigation, by its path. */
    badge(path, count) {
        if ((this.#badges.get(path) ?? 0) === count) return;
        this.#badges.set(path, count);
        this.#wear(path);
    }

    #wear(path) {
        const row = this.#nav.querySelector(`.nav-row[data-section="${CSS.escape(path)}"]`);
        row?.querySelector('.badge')?.remove();
        const count = this.#badges.get(path);
        if (row && count > 0) row.append(badge(count));
    }

    /** Puts a screen into the frame. The focus goes to its title, unless the same screen only shows another part of itself. */
    show(screen, route) {
        const isNew = this.#shown !== screen;
        const isFirst = this.#shown === null;
        this.#shown = screen;
        this.#section = route.entry.section;
        this.#mark();
        this.titled(screen);
        if (!isNew) return;
        this.#main.replaceChildren(screen.element);
        this.element.classList.toggle('is-inner', Boolean(screen.back));
        if (!isFirst) this.#title.focus({ preventScroll: true });
    }

    /** Draws the bar of a screen again: after its title, its way back or its actions changed. */
    titled(screen) {
        if (screen !== this.#shown) return;
        // The direction is that of the box that cuts: else a name from right to left would lose its beginning.
        this.#title.dir = screen.titleIsPeer ? 'auto' : '';
        this.#title.replaceChildren(screen.titleIsPeer ? peer(screen.title, 'span', { dir: null }) : screen.title);
        this.#back.replaceChildren(...(screen.back
            ? [h('a', { class: 'icon-button quiet', href: screen.back, title: t('common.back'), aria: { label: t('common.back') } }, icon('chevron-left'))]
            : []));
        this.#actions.replaceChildren(...(screen.actions ?? []));
        this.#name();
    }

    /** How many notifications were not read: before the page's title. */
    unread(count) {
        if (count === this.#unread) return;
        this.#unread = count;
        this.#name();
    }

    #name() {
        const words = [this.#shown?.title, t('common.app')].filter(Boolean).join(' · ');
        document.title = this.#unread > 0 ? `(${this.#unread > 99 ? '99+' : this.#unread}) ${words}` : words;
    }

    /** Says what the connection to the program is like; a short loss is not worth a word. */
    state(state) {
        const isLost = state === 'lost' || state === 'gone';
        if (!isLost) {
            clearTimeout(this.#lostTimer);
            this.#lostTimer = null;
            if (this.#lost) toast(t('state.back'));
            this.#lost?.remove();
            this.#lost = null;
            document.documentElement.classList.remove('is-lost');
            return;
        }
        const show = () => {
            document.documentElement.classList.add('is-lost');
            this.#lost?.remove();
            this.#lost = banner({ kind: 'offline', text: t(state === 'gone' ? 'errors.gone' : 'state.lost'), detail: state === 'gone' ? t('gone.text') : null });
            this.#strips.append(this.#lost);
        };
        if (state === 'gone') show();
        else this.#lostTimer ??= setTimeout(show, 1000);
    }

    /**
     * The program was replaced by another version: this page is still the old one's.
     *
     * @param {{words?: string, isDoubtful?: boolean}} said What is known of it, where the server that has it is not believed alone.
     */
    #sayUpdated({ words = null, isDoubtful = false } = {}) {
        const take = async () => {
            await this.#client.takeUpdate?.();
            location.reload();
        };
        const strip = banner({ kind: isDoubtful ? 'warn' : 'info', text: t('state.updated'), detail: words, actions: [button({ label: t('state.reload'), kind: 'quiet', press: take })], dismissable: true });
        strip.classList.add('updated');
        this.#strips.querySelector('.updated')?.remove();
        this.#strips.append(strip);
    }

    #mark() {
        const rows = findAll(this.#nav, '.nav-row[data-section]');
        for (const row of rows) {
            if (row.dataset.section === this.#section) row.setAttribute('aria-current', 'page');
            else row.removeAttribute('aria-current');
        }
        const more = this.#nav.querySelector('.nav-more');
        if (rows.some((row) => row.classList.contains('is-late') && row.dataset.section === this.#section)) more?.setAttribute('aria-current', 'true');
        else more?.removeAttribute('aria-current');
    }
}

function rowParts({ icon: symbol, label }) { return [icon(symbol), h('span', { class: 'nav-label' }, t(label))]; }
