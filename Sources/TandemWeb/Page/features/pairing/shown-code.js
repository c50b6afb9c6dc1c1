import { button, errorBanner, h, icon, keyWords, linkButton, part, safeText, switchRow, toast } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { CodeView } from './code-view.js';
import { Stage } from './stage.js';

/** Codes that follow by themselves when nobody used the one before. Then a person has to want another. */
const RENEWALS = 3;
/** @type {{allowUnsealed: boolean, sixDigits: boolean, digits?: boolean}} */
const PLAIN = { allowUnsealed: false, sixDigits: false };

/**
 * The code of this computer, and everything that becomes of it. While it is looked at, another follows a few times when one is over;
 * those have no digits, for nobody asked for them.
 *
 * @param {Object} context Of the screen.
 * @param {{isOpen: (isOpen: boolean) => void}} told Whether a phone can come by the code: not once one is paired, until another is wanted.
 * @returns {HTMLElement & {restart(options: Object): void}}
 */
export function shownCode(context, { isOpen }) {
    const code = new ShownCode(context, isOpen);
    code.begin({ keep: true });
    return part(h('div', { class: 'card code-card' }, code.stage.element), { restart: (changed) => code.restart(changed) });
}

class ShownCode {
    #client;
    #link;
    #isOpen;
    #options = { ...PLAIN };
    #choices = codeChoices((changed) => this.restart(changed));
    #renewals = 0;

    constructor({ client, life, link }, isOpen) {
        this.#client = client;
        this.#link = link;
        this.#isOpen = isOpen;
        this.stage = new Stage(life);
    }

    /** @param {{keep?: boolean}} how With `keep` a code that is good already is shown: a page that is opened or loaded again voids none. */
    async begin({ keep = false } = {}) {
        const mine = this.stage.next();
        this.#isOpen(true);
        const view = new CodeView({ client: this.#client, life: mine, options: this.#options, expired: () => this.#expired() });
        this.#renewals = 0;
        const options = { stay: true, renew: true, ...(keep && { keep }), ...this.#options };
        const follow = this.#client.pairing.watch((item) => { if (!mine.hasEnded) this.#take(item, view); }, options, {
            signal: mine.signal, onRestart: () => view.wait(),
        });
        this.stage.show({ content: [view.element, this.#choices.element] });
        try {
            await follow.result;
            if (!mine.hasEnded) this.#expired();
        } catch (error) {
            if (mine.hasEnded) return;
            this.stage.next();
            this.stage.show({ content: errorBanner(error, { text: t('hosting.failed'), retry: () => { this.begin({ keep }); } }) });
        }
    }

    restart(changed) {
        this.#options = { ...this.#options, ...changed };
        this.#choices.update(this.#options);
        this.begin();
    }

    #take(item, view) {
        switch (item.event) {
            case 'code': view.code(item); break;
            case 'digits-replaced': view.code(item); view.note('warn', 'hosting.replaced'); break;
            case 'digits-locked': view.locked(item); break;
            case 'digits-unlocked': view.code(item); break;
            case 'digits-unreachable': view.unreachable(item); break;
            case 'digits-reachable': view.code(item); view.note('good', 'hosting.reachable'); break;
            case 'interference': view.note('warn', 'hosting.interference'); break;
            case 'used-up': toast(t('hosting.usedUp'), 'info'); break;
            case 'paired': this.#paired(item); break;
            // Here, in another window or by a command: no other is shown until one is wanted.
            case 'hidden': this.#over({ symbol: 'eye-off', title: t('hosting.hidden'), text: t('hosting.hiddenText') }); break;
            case 'expired':
                this.#renewals += 1;
                if (this.#renewals > RENEWALS) this.#expired();
                break;
            default: break;
        }
    }

    #expired() { this.#over({ kind: 'warn', symbol: 'clock', title: t('hosting.expired'), text: t('hosting.expiredText') }); }

    #over(standing) {
        this.stage.next();
        this.stage.show({
            ...standing, actions: [button({ label: t('hosting.makeNew'), icon: 'refresh', kind: 'primary', press: () => { this.begin(); } })],
        });
    }

    #paired(phone) {
        this.stage.next();
        this.#isOpen(false);
        this.#options = { ...PLAIN };
        this.#choices.update(this.#options);
        showPaired(this.stage, phone, { link: this.#link, again: () => { this.begin(); } });
    }
}

/** What a code can be like: for older phones and other programs, or only to be scanned. It stays over codes, so that the keyboard does not lose its place. */
function codeChoices(change) {
    const changes = {
        sixDigits: (on) => ({ sixDigits: on, ...(on ? { digits: undefined } : {}) }),
        unsealed: (on) => ({ allowUnsealed: on }),
        scanOnly: (on) => (on ? { digits: false, sixDigits: false } : { digits: undefined }),
    };
    const rows = Object.entries(changes).map(([key, changed]) => switchRow({
        label: t(`hosting.${key}`), detail: t(`hosting.${key}Text`), on: false, change: (on) => { change(changed(on)); },
    }));
    const element = h('details', { class: 'disclosure code-options' },
        h('summary', null, icon('chevron-right', { size: 18 }), h('span', null, t('hosting.options'))), h('div', { class: 'rows' }, rows));
    return {
        element,
        /** @param {typeof PLAIN} options */
        update: ({ sixDigits, allowUnsealed, digits }) => {
            const isOn = [sixDigits, allowUnsealed, digits === false];
            rows.forEach((row, at) => { row.control.checked = isOn[at]; });
            element.open ||= isOn.includes(true);
        },
    };
}

/**
 * A phone is paired: whose words, and where its switches are.
 *
 * @param {Stage} stage
 * @param {Object} phone
 * @param {{link: Function, again: () => any, note?: Node}} options
 */
export function showPaired(stage, phone, { link, again, note }) {
    stage.show({
        kind: 'good', symbol: 'check', title: [safeText(phone.name), ` ${t('hosting.isPaired')}`], text: t('hosting.pairedText'),
        content: [h('div', { class: 'stage-words' }, h('div', { class: 'small soft' }, t('hosting.itsWords')), keyWords(phone.fingerprint)), note],
        actions: [
            linkButton({ label: t('hosting.mayDo'), icon: 'shield', kind: 'primary', href: link('/phones', phone.id) }),
            button({ label: t('hosting.another'), press: again }),
        ],
    });
}
