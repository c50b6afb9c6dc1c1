import { button, facts, h, icon, keyWords, linkButton, safeText } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { endToEndChip } from '../../kit/computer.js';
import { Life } from '../../life.js';
import { clocksText, describeFailure } from './failure.js';

/** How long the computer's person has for an answer, counted down. Empty until that is known. */
export class TimeLeft {
    element = h('p', { class: 'stage-left' });
    #life;
    #words = h('span', { class: 'number' });
    #until = null;

    /** @param {Life} life */
    constructor(life) { this.#life = life; }

    /** @param {number | undefined} until In milliseconds since 1970; a computer's program of before says none. */
    set until(until) {
        if (!Number.isFinite(until)) return;
        if (this.#until === null) {
            this.element.append(this.#words);
            this.#life.every(1000, () => this.#count());
        }
        this.#until = until;
        this.#count();
    }

    #count() { this.#words.textContent = t('pairing.timeLeft', { left: format.clock(Math.max(0, this.#until - Date.now())) }); }
}

/**
 * Where one way of pairing stands: one picture, one heading, what can be done. A new standing is read out, and the focus goes to its
 * heading when the person was inside of the former one.
 */
export class Stage {
    element = h('section', { class: 'stage', aria: { live: 'polite' } });
    #life;
    #standing = null;

    /** @param {Life} life Of the whole way. */
    constructor(life) { this.#life = life; }

    /**
     * Ends what belongs to the standing that is shown.
     *
     * @returns {Life} Of the next one.
     */
    next() {
        this.#standing?.end();
        this.#standing = new Life(this.#life);
        return this.#standing;
    }

    /** @param {{kind?: string, symbol?: string | Node, title?: import('../../kit/h.js').Child, text?: import('../../kit/h.js').Child, content?: any, actions?: Node[]}} standing */
    show({ kind = 'accent', symbol, title, text, content, actions = [] }) {
        const hadFocus = this.element.contains(document.activeElement);
        const heading = title && h('h2', { class: 'stage-title', tabIndex: -1 }, title);
        this.element.replaceChildren(...[
            symbol && h('div', { class: `stage-symbol ${kind}` }, typeof symbol === 'string' ? icon(symbol, { size: 36 }) : symbol),
            heading,
            text && h('p', { class: 'stage-text' }, text),
            ...[content ?? []].flat().filter(Boolean),
            actions.length > 0 && h('div', { class: 'stage-actions' }, actions),
        ].filter(Boolean));
        if (hadFocus) heading?.focus({ preventScroll: true });
    }

    /**
     * A computer is paired.
     *
     * @param {Object} device
     * @param {{link: Function, again: () => any, note?: Node}} options
     */
    succeeded(device, { link, again, note }) {
        const name = device.name || t('pairing.unnamed');
        this.show({
            kind: 'good', symbol: 'check',
            title: [safeText(name, { limit: 120 }), ` ${t('pairing.isPaired')}`],
            text: device.confirmed === false ? t('pairing.unconfirmed') : t('pairing.pairedText'),
            content: [h('div', { class: 'card rows stage-facts' },
                device.fingerprint && wordsRow(t('pairing.itsWords'), device.fingerprint),
                facts([[t('computers.protection'), endToEndChip(device.endToEnd)]])), note],
            actions: [
                linkButton({ label: t('pairing.open'), href: link('/computers', device.id), kind: 'primary' }),
                button({ label: t('pairing.another'), press: again }),
                linkButton({ label: t('common.done'), href: '#/computers', kind: 'quiet' }),
            ],
        });
    }

    /**
     * It did not work.
     *
     * @param {import('../../client/client.js').Failure} error
     * @param {{name?: string, again: () => void, goOn?: (options: Object) => void, others?: Node[]}} options `goOn` tries again and allows
     *   what the failure was about, where that is the person's choice.
     */
    failed(error, { name, again, goOn, others = [] }) {
        const { title, text, ways, detail, remedy } = describeFailure(error, name);
        this.show({
            kind: 'bad', symbol: 'warning', title, text,
            content: [
                ways && h('div', { class: 'card rows stage-facts' }, facts(ways)),
                detail && safeText(detail, { tag: 'p', class: 'stage-detail' }),
                remedy && goOn && h('p', { class: 'stage-detail' }, remedy.text),
            ],
            actions: [
                button({ label: t('common.retry'), kind: 'primary', press: again }),
                ...others,
                remedy && goOn && button({ label: remedy.label, press: () => goOn(remedy.options) }),
            ].filter(Boolean),
        });
    }
}

/** That the clocks of the two devices differ, which pairing does without. */
export function clocksNote(item) {
    const text = clocksText(item);
    return text && h('p', { class: 'stage-detail' }, text);
}

/** The words of a key among facts: too long to stand beside their name. */
export function wordsRow(label, words) {
    return h('div', { class: 'words-row' }, h('div', { class: 'small soft' }, label), keyWords(words));
}

/** The words of this phone's key, for the person at the computer to compare. */
export function ownWords(words) {
    return words && h('div', { class: 'stage-words' },
        h('div', { class: 'small soft' }, t('pairing.compareWords')), keyWords(words));
}

/** A number that the person types at the computer. A server in between that plays the computer has another one, which no computer takes. */
export function numberToType(number) {
    return h('div', { class: 'stage-words' },
        h('div', { class: 'small soft' }, t('pairing.typeThere')), h('div', { class: 'digits' }, number.replace(/(\d{3})(?=\d)/g, '$1 ')));
}
