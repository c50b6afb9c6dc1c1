import { button, codeField, grouped, h, icon, linkButton, spinner, textField } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { Stage, TimeLeft, numberToType, ownWords } from './stage.js';

const LENGTHS = [6, 10];

/** The digits of the computer's screen are typed here. */
export function codeWay(context) {
    const way = new CodeWay(context);
    way.enter();
    return h('div', { class: 'way' }, way.stage.element);
}

class CodeWay {
    #client;
    #link;
    /** Kept over the standings: a failed try need not be typed again. */
    #server = '';

    constructor({ client, life, link }) {
        this.#client = client;
        this.#link = link;
        this.stage = new Stage(life);
    }

    enter(digits = '') {
        this.stage.next();
        const submit = button({ label: t('pairing.pair'), kind: 'primary', disabled: true, wide: true, press: () => { this.#pair(field.digits); } });
        const field = codeField({
            label: t('pairing.code'), lengths: LENGTHS,
            input: (_, isWhole) => { submit.disabled = !isWhole; },
            enter: (whole) => this.#pair(whole),
        });
        if (digits) {
            field.value = digits;
            field.input.dispatchEvent(new Event('input'));
        }
        this.stage.show({
            symbol: 'keyboard', title: t('pairing.typeTitle'), text: t('pairing.typeText'),
            content: h('div', { class: 'code-form' }, field, submit, this.#otherServer()),
        });
        this.stage.element.append(h('p', { class: 'stage-detail' }, t('pairing.scanIsBetter')));
    }

    #otherServer() {
        const address = textField({
            label: t('pairing.server'), value: this.#server, hint: t('pairing.serverHint'), type: 'url', placeholder: t('pairing.serverExample'),
            mono: true, input: (text) => { this.#server = text.trim(); },
        });
        return h('details', { class: 'disclosure', open: this.#server !== '' },
            h('summary', null, icon('chevron-right', { size: 18 }), h('span', null, t('pairing.otherServer'))), address);
    }

    async #pair(digits, more = {}) {
        const mine = this.stage.next();
        const search = new Search({ stage: this.stage, life: mine, digits, cancel: () => this.enter(), answer: (same) => follow.send({ same }) });
        search.draw();
        const follow = this.#client.pairing.code(digits, { ...more, ...(this.#server ? { url: this.#server } : {}) }, {
            signal: mine.signal,
            onItem: (item) => { if (!mine.hasEnded) search.take(item); },
        });
        try {
            const device = await follow.result;
            if (mine.hasEnded) return;
            this.stage.next();
            this.stage.succeeded(device, { link: this.#link, again: () => this.enter() });
        } catch (error) {
            if (mine.hasEnded) return;
            this.stage.next();
            this.stage.failed(error, {
                again: () => this.enter(digits), goOn: (options) => this.#pair(digits, options),
                others: [linkButton({ label: t('pairing.scanInstead'), href: this.#link('/pair', 'scan') })],
            });
        }
    }
}

/** A computer is looked for by its digits, then its person's yes is waited for. */
class Search {
    #stage;
    #digits;
    #cancel;
    #answer;
    #words = null;
    #number = null;
    /** Whether the computer's yes is there, and the person's is asked for. */
    #asks = false;
    #isTold = false;
    #left;

    constructor({ stage, life, digits, cancel, answer }) {
        this.#stage = stage;
        this.#left = new TimeLeft(life);
        this.#digits = digits;
        this.#cancel = cancel;
        this.#answer = answer;
    }

    take(item) {
        if (item.event === 'key') this.#words = item.key;
        if (item.event === 'compare') this.#number = item.number;
        if (item.event === 'confirm') {
            this.#number = item.number;
            this.#asks = true;
        }
        if (item.event === 'waiting') {
            this.#isTold = true;
            this.#left.until = item.until;
        }
        this.draw();
    }

    draw() {
        if (this.#asks) {
            this.#stage.show({
                symbol: 'warning', title: t('pairing.tookIt'), text: t('pairing.tookItText'),
                content: h('div', { class: 'digits' }, grouped(this.#number)),
                actions: [
                    button({ label: t('pairing.tookItYes'), kind: 'primary', press: () => this.#say(true) }),
                    button({ label: t('pairing.tookItNo'), press: () => this.#say(false) }),
                ],
            });
            return;
        }
        this.#stage.show({
            symbol: spinner({ size: 32 }),
            title: this.#isTold ? t('pairing.waiting') : t('pairing.searching'),
            text: this.#isTold ? t('pairing.sayYes') : null,
            content: [
                this.#number ? numberToType(this.#number) : h('div', { class: 'digits soft' }, grouped(this.#digits)),
                ownWords(this.#words),
                this.#isTold && this.#left.element,
            ],
            actions: [button({ label: t('common.cancel'), press: this.#cancel })],
        });
    }

    #say(same) {
        this.#asks = false;
        this.#answer(same);
        this.draw();
    }
}
