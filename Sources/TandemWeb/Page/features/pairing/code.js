import { button, codeField, grouped, h, icon, linkButton, spinner, textField } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { Life } from '../../life.js';
import { Stage, numberToType, ownWords } from './stage.js';

const LENGTHS = [6, 10];

/** The digits of the computer's screen are typed here. */
export function codeWay({ client, life, link }) {
    const stage = new Stage();
    let own = new Life(life);
    const next = () => {
        own.end();
        own = new Life(life);
        return own;
    };
    /** Kept over the standings: a failed try need not be typed again. */
    let server = '';

    const entering = (digits = '') => {
        next();
        const submit = button({ label: t('pairing.pair'), kind: 'primary', disabled: true, wide: true, press: () => { begin(field.digits); } });
        const field = codeField({
            label: t('pairing.code'), lengths: LENGTHS,
            input: (_, isWhole) => { submit.disabled = !isWhole; },
            enter: (whole) => begin(whole),
        });
        if (digits) {
            field.value = digits;
            field.input.dispatchEvent(new Event('input'));
        }
        const address = textField({
            label: t('pairing.server'), value: server, hint: t('pairing.serverHint'), type: 'url', placeholder: t('pairing.serverExample'),
            mono: true, input: (text) => { server = text.trim(); },
        });
        stage.show({
            symbol: 'keyboard', title: t('pairing.typeTitle'), text: t('pairing.typeText'),
            content: h('div', { class: 'code-form' }, field, submit,
                h('details', { class: 'disclosure', open: server !== '' },
                    h('summary', null, icon('chevron-right', { size: 18 }), h('span', null, t('pairing.otherServer'))), address)),
        });
        stage.element.append(h('p', { class: 'stage-detail' }, t('pairing.scanIsBetter')));
    };

    async function begin(digits, more = {}) {
        const mine = next();
        let [words, number, until] = [null, null, null];
        const left = h('span', { class: 'number' });
        const count = () => {
            const seconds = Math.max(0, Math.ceil((until - Date.now()) / 1000));
            left.textContent = t('pairing.secondsLeft', { seconds });
        };
        const draw = () => stage.show({
            symbol: spinner({ size: 32 }),
            title: until ? t('pairing.waiting') : t('pairing.searching'),
            text: until ? t('pairing.sayYes') : null,
            content: [
                number ? numberToType(number) : h('div', { class: 'digits soft' }, grouped(digits)),
                ownWords(words),
                until && h('p', { class: 'stage-left' }, left),
            ],
            actions: [button({ label: t('common.cancel'), press: () => entering() })],
        });
        draw();
        const follow = client.pairing.code(digits, { ...more, ...(server ? { url: server } : {}) }, {
            signal: mine.signal,
            onItem: (item) => {
                if (mine.hasEnded) return;
                if (item.event === 'key') words = item.key;
                if (item.event === 'compare') number = item.number;
                if (item.event === 'waiting') {
                    if (until === null) mine.every(1000, count);
                    until = item.until;
                    count();
                }
                draw();
            },
        });
        try {
            const device = await follow.result;
            if (mine.hasEnded) return;
            next();
            stage.succeeded(device, { link, again: () => entering() });
        } catch (error) {
            if (mine.hasEnded) return;
            next();
            stage.failed(error, {
                again: () => entering(digits), goOn: (options) => begin(digits, options),
                others: [linkButton({ label: t('pairing.scanInstead'), href: link('/pair', 'scan') })],
            });
        }
    }

    entering();
    return h('div', { class: 'way' }, stage.element);
}
