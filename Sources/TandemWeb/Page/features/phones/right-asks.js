import { button, errorToast, h, riskChip, safeText, toast } from '../../kit/first.js';
import { loadArea, t } from '../../i18n/index.js';
import { loadRights, rightMeaning, rightName, rightRisk, riskOf } from '../../kit/rights.js';

/** An hour, in seconds. */
export const HOUR = 3600;

/** The rights that phones ask for, each on a card. */
export async function askCards(client, asks) {
    const [rights] = await Promise.all([loadRights(client).catch(() => []), loadArea('giving')]);
    return asks.map((ask) => rightAskCard(client, ask, rights));
}

/** A right that a phone asks for, with the answers. */
function rightAskCard(client, ask, rights) {
    const right = rights.find(({ name }) => name === ask.right) ?? { name: ask.right, meaning: ask.meaning, risk: ask.risk };
    /** @param {() => Promise<any>} work @param {string} told */
    const answer = (work, told) => async () => {
        try {
            await work();
            toast(t(told), 'info');
        } catch (error) {
            errorToast(error);
        }
    };
    const risk = rightRisk(right);
    const allow = (options) => () => client.devices.allow(ask.device, [ask.right], options);
    return h('div', { class: 'card request', role: 'group', aria: { label: t('phones.asksLabel') } },
        h('div', { class: 'row-words' },
            h('h3', { class: 'request-name' }, safeText(ask.name || t('phones.unnamed'))),
            h('span', { class: 'row-detail' }, t('phones.asksFor'))),
        h('div', { class: 'row-words' },
            h('div', { class: 'row-title' }, rightName(right), riskOf(right) === 'safe' ? null : riskChip(riskOf(right))),
            h('span', { class: 'row-detail' }, rightMeaning(right), risk && [' ', risk])),
        h('div', { class: 'request-actions' },
            button({ label: t('phones.asksNo'), press: answer(() => client.call('devices.refuse', { id: ask.device, right: ask.right }), 'phones.asksRefused') }),
            button({ label: t('phones.anHour'), press: answer(allow({ seconds: HOUR }), 'phones.allowed') }),
            button({ label: t('phones.forGood'), kind: 'primary', press: answer(allow({}), 'phones.allowed') })));
}
