import { button, errorToast, facts, h, spinner, peer } from '../../kit/index.js';
import { qrCode } from '../../kit/pictures.js';
import { ClientError } from '../../client/client.js';
import { format, t } from '../../i18n/index.js';
import { Stage, wordsRow } from './stage.js';

/** For so long the program's own word about a code's end is waited for. */
const GRACE = 3000;

/** The computer scans this phone's code. It goes on waiting while another tab is looked at. */
export function showWay(context) {
    const way = new ShowWay(context);
    way.idle();
    return h('div', { class: 'way' }, way.stage.element);
}

class ShowWay {
    #client;
    #link;
    #shown = {};

    constructor({ client, life, link }) {
        this.#client = client;
        this.#link = link;
        this.stage = new Stage(life);
    }

    idle() {
        this.stage.next();
        this.stage.show({
            symbol: 'qr', title: t('pairing.showTitle'), text: t('pairing.showText'),
            actions: [button({ label: t('pairing.makeCode'), icon: 'qr', kind: 'primary', press: () => { this.#begin(); } })],
        });
    }

    async #begin(options = {}) {
        const mine = this.stage.next();
        this.stage.show({ symbol: spinner({ size: 32 }), title: t('pairing.making') });
        let outcome = null;
        const follow = this.#client.pairing.watch((item) => {
            if (mine.hasEnded) return;
            if (item.event === 'code') this.#display(item, mine);
            else outcome = item;
        }, options, { signal: mine.signal });
        try {
            await follow.result;
            if (!mine.hasEnded) this.#ended(outcome);
        } catch (error) {
            if (mine.hasEnded) return;
            this.stage.next();
            this.stage.failed(error, { again: () => this.idle() });
        }
    }

    #ended(outcome) {
        this.stage.next();
        switch (outcome?.event) {
            case 'paired': this.stage.succeeded(outcome, { link: this.#link, again: () => this.#begin() }); break;
            case 'failed': {
                const error = new ClientError('refused', outcome.message, { reason: outcome.reason, values: outcome.values });
                this.stage.failed(error, { again: () => this.#begin(), goOn: (options) => this.#begin(options) });
                break;
            }
            case 'hidden': this.#over({ symbol: 'eye-off', title: t('pairing.hidden'), text: t('pairing.hiddenText') }); break;
            default: this.#over({ kind: 'warn', symbol: 'clock', title: t('pairing.expired'), text: t('pairing.expiredText') });
        }
    }

    #over(standing) {
        this.stage.show({
            ...standing,
            actions: [button({ label: t('pairing.makeNew'), icon: 'refresh', kind: 'primary', press: () => { this.#begin(); } })],
        });
    }

    /** The person wants no more of it: what was scanned by now is told. A code that stays is worth nothing after its time. */
    #takeBack() {
        this.idle();
        this.#client.pairing.hide().catch((error) => errorToast(error));
    }

    async #display(item, mine) {
        this.#shown = item;
        const matrix = await this.#client.pairing.matrix(item.payload).catch(() => null);
        if (mine.hasEnded || this.#shown !== item) return;
        const left = h('span', { class: 'number' });
        const count = () => {
            const rest = item.expiresAt - Date.now();
            // The program says so, unless it is not reached: what can no longer be used is not shown.
            if (rest < -GRACE) this.#ended({ event: 'expired' });
            else left.textContent = t('pairing.validFor', { left: format.clock(rest) });
        };
        count();
        mine.every(1000, count);
        // Counting down is not for reading out each second.
        this.stage.element.setAttribute('aria-live', 'off');
        mine.add(() => this.stage.element.setAttribute('aria-live', 'polite'));
        this.stage.show({
            title: t('pairing.showThere'), text: t('pairing.showWhere'),
            content: [
                matrix ? qrCode(matrix, { label: t('pairing.qrLabel') }) : h('p', { class: 'stage-detail' }, t('pairing.noQR')),
                h('p', { class: 'stage-left' }, left),
                codeFacts(item),
            ],
            actions: [button({ label: t('common.cancel'), press: () => this.#takeBack() })],
        });
    }
}

/** What the code says of this phone, to compare. */
function codeFacts({ payload, ownFingerprint }) {
    const { name } = parsed(payload).deviceInfo ?? {};
    return h('div', { class: 'card rows stage-facts' }, ownFingerprint && wordsRow(t('pairing.ownWords'), ownFingerprint),
        name && facts([[t('pairing.deviceName'), peer(name)]]));
}

/** The phone's own code, as an object. */
function parsed(payload) {
    try {
        return JSON.parse(payload) ?? {};
    } catch {
        return {};
    }
}
