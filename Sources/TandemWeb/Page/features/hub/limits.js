import { chip, emptyState, errorBanner, group, h, peer, skeleton, switchRow, textField } from '../../kit/index.js';
import { format, hasText, t } from '../../i18n/index.js';

/**
 * Which part of the hub a limit belongs to, by its name; the first that fits.
 *
 * @type {[part: string, names: RegExp][]}
 */
const PARTS = [
    ['chat', /^(account|chat)/],
    ['people', /^limit(Address|Socket)[A-Z].*|^limitAddresses$/],
    ['kept', /Mail|Unwritten/],
    ['ids', /Id|Contact|Alias|Challenge|DeviceInfo|Routes/],
    ['bytes', /Bytes|Arrival/],
    ['connections', /./],
];
const ORDER = ['connections', 'bytes', 'kept', 'ids', 'people', 'chat'];
const NONE = 2 ** 53;

/** What this hub lets others make it hold or do. They are changed in its settings, so that they hold from its start. */
export function hubLimitsScreen({ client, life }) {
    const body = h('div', { class: 'stack' }, skeleton(8, { height: 60 }));
    let [all, wanted, onlyChanged] = [null, '', false];
    const search = textField({
        label: t('hub.searchLimits'), labelHidden: true, placeholder: t('hub.searchLimits'), type: 'search',
        input: (text) => { wanted = text.trim().toLowerCase(); draw(); },
    });
    const filters = h('div', { class: 'stack close hub-filters' }, search,
        h('div', { class: 'card' }, switchRow({ label: t('hub.onlyChanged'), on: false, change: (on) => { onlyChanged = on; draw(); } })));
    const load = async () => {
        try {
            all = (await client.call('hub.limits', {}, { signal: life.signal })).limits;
            if (!life.hasEnded) draw();
        } catch (error) {
            if (!life.hasEnded) body.replaceChildren(errorBanner(error, { retry: load }));
        }
    };
    const draw = () => {
        if (!all) return;
        const fitting = all.filter((limit) => (!onlyChanged || limit.value !== limit.default)
            && (!wanted || `${limit.name} ${summary(limit)} ${limit.summary}`.toLowerCase().includes(wanted)));
        if (fitting.length === 0) {
            body.replaceChildren(emptyState({ icon: 'filter', title: t('hub.noLimit'), text: t(onlyChanged ? 'hub.noneChanged' : 'hub.noLimitText') }));
            return;
        }
        const parts = ORDER.map((part) => [part, fitting.filter((limit) => PARTS.find(([, names]) => names.test(limit.name))[0] === part)]);
        body.replaceChildren(
            ...parts.filter(([, limits]) => limits.length > 0).map(([part, limits]) => group({ title: t(`hub.part.${part}`), rows: limits.map(limitRow) })),
            h('p', { class: 'group-foot' }, t('hub.limitsFoot')));
    };
    load();
    return { title: t('hub.limits'), element: h('div', { class: 'stack' }, filters, body) };
}

function limitRow(limit) {
    const isChanged = limit.value !== limit.default;
    return h('div', { class: 'row limit-row' },
        h('div', { class: 'row-words' },
            h('span', { class: 'row-title' }, words(limit) !== null ? summary(limit) : peer(limit.summary), isChanged && chip(t('hub.changed'), 'accent')),
            peer(limit.name, 'span', { class: 'row-detail mono' })),
        h('div', { class: 'limit-value number' }, h('span', { class: 'limit-number' }, amount(limit, limit.value)),
            isChanged && h('span', { class: 'row-detail' }, t('hub.default', { value: amount(limit, limit.default) }))));
}

/** A burst is the same limit's other half. */
function base(limit) { return limit.name.replace(/Burst$/, ''); }

function summary(limit) { return words(limit) ?? limit.summary; }

/** The page's words for a limit; null for one that it does not know. */
function words(limit) {
    const [own, shared] = [`hub.limit.${limit.name}`, `hub.limit.${base(limit)}`];
    if (hasText(own)) return t(own);
    return hasText(shared) ? t('hub.atOnce', { words: t(shared) }) : null;
}

/** A number with its unit, in the page's language. */
function amount(limit, value) {
    if (value >= NONE) return t('hub.noBound');
    const [, unit, period] = /^(.*?) ?\ban? (second|minute|hour)$/.exec(limit.unit) ?? ['', limit.unit, ''];
    const words = unit === 'bytes' ? format.bytes(value)
        : unit === 'seconds' ? format.duration(value * 1000)
            : unit === 'percent' ? format.percent(value / 100) : format.number(value);
    return hasText(`hub.per.${period}`) ? t(`hub.per.${period}`, { words }) : t('hub.value', { value: words });
}
