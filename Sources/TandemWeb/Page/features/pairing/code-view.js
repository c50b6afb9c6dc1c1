import { banner, button, copyText, errorBanner, grouped, h, iconButton } from '../../kit/index.js';
import { qrCode } from '../../kit/pictures.js';
import { format, hasText, t } from '../../i18n/index.js';

/** For so long a code is good; the bar below it runs down. */
const LIFETIME = 300_000;
/** For so long the program's own word about a code's end is waited for. */
const GRACE = 3000;

/** A code that is looked at: its picture, its digits or why there are none, and how long it is good. */
export class CodeView {
    #client;
    #life;
    #options;
    #expired;
    #current = null;
    /** Why there are no digits, and until when: `{reason, until, words(left)}`. */
    #pause = null;
    #notes = h('div', { class: 'stack close code-notes' });
    #reach = h('div', { class: 'code-notes' });
    #picture = h('div', { class: 'qr-place skeleton-row' });
    /** Whether the code for programs is drawn where there is a link, too. */
    #isForPrograms = false;
    #step = h('p', { class: 'soft' }, t('hosting.stepText'));
    #forms = h('div', { class: 'code-forms' });
    #digits = h('div', { class: 'code-digits' });
    #pauseText = h('span', { class: 'number' });
    #left = h('span', { class: 'number' });
    #bar = h('div', { class: 'life-bar' });

    /**
     * @param {Object} options
     * @param {import('../../client/client.js').Client} options.client
     * @param {import('../../life.js').Life} options.life Of the code.
     * @param {{allowUnsealed: boolean, sixDigits: boolean, digits?: boolean}} options.options What the code was asked for with.
     * @param {() => void} options.expired Called where the program does not say so itself.
     */
    constructor({ client, life, options, expired }) {
        this.#client = client;
        this.#life = life;
        this.#options = options;
        this.#expired = expired;
        life.every(1000, () => { this.#count(); this.#countPause(); });
        this.element = this.#layOut();
    }

    wait() {
        this.#current = null;
        this.#pause = null;
        this.#digits.replaceChildren();
    }

    async code(item) {
        this.#current = item;
        this.#pause = null;
        this.#count();
        this.#digits.replaceChildren(...this.#digitsOf(item));
        const isOnlyHere = isOnlyForThisMachine(item.payload);
        if (isOnlyHere !== this.#reach.hasChildNodes()) {
            this.#reach.replaceChildren(...(isOnlyHere ? [banner({ kind: 'warn', text: t('hosting.onlyHere') })] : []));
        }
        if (item.trouble) this.unreachable(item);
        await this.#draw(item);
    }

    /** Draws the link, which the phone's own camera opens, or where there is none or a program scans, the code as it was always. */
    async #draw(item) {
        const isLink = Boolean(item.link) && !this.#isForPrograms;
        this.#step.textContent = t(isLink ? 'hosting.stepLink' : 'hosting.stepText');
        this.#forms.replaceChildren(...(item.link ? this.#formsOf(item.link, isLink) : []));
        const matrix = await this.#client.pairing.matrix(isLink ? item.link : item.payload).catch(() => null);
        if (this.#life.hasEnded || this.#current !== item || isLink !== (Boolean(item.link) && !this.#isForPrograms)) return;
        this.#picture.classList.remove('skeleton-row');
        this.#picture.replaceChildren(matrix ? qrCode(matrix, { label: t('hosting.qr') }) : h('p', { class: 'stage-detail' }, t('hosting.noQR')));
    }

    locked({ until }) {
        this.#withoutDigits(t('hosting.locked'), { reason: 'locked', until, words: (left) => t('hosting.lockedText', { left }) });
    }

    /** No server leads phones here by the digits. */
    unreachable({ trouble: { reason, server, until, message } }) {
        const key = `hosting.unreachable.${reason}`;
        const isKnown = hasText(key);
        this.#withoutDigits(t(isKnown ? key : 'hosting.unreachable'), {
            reason, until, words: (left) => (isKnown ? t(`${key}Text`, { server, left }) : message),
        });
    }

    note(kind, key) {
        this.#notes.replaceChildren(banner({ kind, text: t(key), detail: t(`${key}Text`), dismissable: true }));
    }

    #layOut() {
        return h('div', { class: 'code-view' }, this.#notes, this.#reach,
            h('div', null, h('h2', { class: 'stage-title' }, t('hosting.step')), this.#step),
            this.#picture, this.#forms, this.#digits,
            h('div', { class: 'code-life', aria: { live: 'off' } }, this.#bar,
                h('div', { class: 'code-left' }, this.#left, h('span', { class: 'code-acts' },
                    iconButton({ label: t('hosting.hide'), icon: 'eye-off', press: () => this.#hide() }),
                    iconButton({ label: t('hosting.newCode'), icon: 'refresh', press: () => this.#renew() })))),
            this.#options.allowUnsealed && h('div', { class: 'code-notes' }, banner({ kind: 'warn', text: t('hosting.unsealedOn') })));
    }

    #formsOf(link, isLink) {
        const other = button({
            label: t(isLink ? 'hosting.forPrograms' : 'hosting.forBrowsers'), icon: isLink ? 'phone' : 'link', kind: 'quiet',
            press: () => { this.#isForPrograms = isLink; return this.#draw(this.#current); },
        });
        return isLink ? [button({ label: t('hosting.copyLink'), icon: 'copy', kind: 'quiet', press: () => copyText(link) }), other] : [other];
    }

    #digitsOf({ typed, code }) {
        const says = (key) => h('span', { class: 'small soft' }, t(key));
        if (typed) return [says('hosting.orType'), h('span', { class: 'digits' }, grouped(code))];
        if (this.#options.digits === false) return [says('hosting.scanOnlyOn')];
        return [
            says('hosting.noDigits'),
            button({ label: t('hosting.showDigits'), icon: 'keyboard', kind: 'quiet', press: () => this.#renew() }),
        ];
    }

    /** Told again with another time, only the time changes: a banner is read out once. */
    #withoutDigits(title, pause) {
        const isNew = this.#pause?.reason !== pause.reason;
        this.#pause = pause;
        this.#countPause();
        if (isNew) this.#digits.replaceChildren(banner({ kind: 'warn', text: title, detail: this.#pauseText }));
    }

    #count() {
        if (!this.#current) return;
        // The program says so, unless it is not reached: what can no longer be used is not shown.
        if (this.#current.expiresAt - Date.now() < -GRACE) { this.#expired(); return; }
        const rest = Math.max(0, this.#current.expiresAt - Date.now());
        this.#left.textContent = t('hosting.left', { left: format.clock(rest) });
        this.#bar.style.setProperty('--part', String(Math.min(1, rest / LIFETIME)));
    }

    #countPause() {
        if (this.#pause) this.#pauseText.textContent = this.#pause.words(format.clock(Math.max(0, this.#pause.until - Date.now())));
    }

    #hide() { return this.#saying('hosting.notHidden', this.#client.pairing.hide()); }

    #renew() { return this.#saying('hosting.failed', this.#client.pairing.show(this.#options)); }

    /** Says above the code what did not work. */
    #saying(key, work) {
        return work.catch((error) => { this.#notes.replaceChildren(errorBanner(error, { text: t(key), dismissable: true })); });
    }
}

/**
 * Whether a code leads a phone to itself, because this computer is on no network and has no hub.
 *
 * @param {string} payload
 */
function isOnlyForThisMachine(payload) {
    try {
        const { relayUrl, signalingUrl } = JSON.parse(payload);
        if (typeof relayUrl === 'string' || typeof signalingUrl !== 'string') return false;
        const host = new URL(signalingUrl).hostname;
        return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
    } catch {
        return false;
    }
}
