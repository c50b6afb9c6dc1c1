import { chip, emptyState, errorBanner, h, iconButton, peer, relativeTime, safeText, skeleton, textField, virtualList } from '../../kit/index.js';
import { Store, doneBy } from '../../kit/store.js';
import { t } from '../../i18n/index.js';
import { change, fitting, initial } from './users-state.js';

const ROW = 68;
/** People of one answer. */
const PAGE = 1000;

/** All people with an account, with a search over those that came. */
export function usersPart({ client, life, link }) {
    const count = h('span', { class: 'soft number', aria: { live: 'polite' } });
    const body = h('div', null, skeleton(6, { height: ROW }));
    let list = null;
    const store = new Store({
        initial, change, run: doneBy(() => ({ ask: async ({ turn, after }) => {
            try {
                const answer = await client.call('accounts.list', { limit: PAGE, ...(after !== null && { after }) }, { signal: life.signal });
                if (!life.hasEnded) store.send({ kind: 'page', turn, answer });
            } catch (error) {
                if (!life.hasEnded) store.send({ kind: 'failed', turn, error });
            }
        } })),
    });
    const search = textField({
        label: t('people.search'), labelHidden: true, placeholder: t('people.search'), type: 'search', input: (text) => store.send({ kind: 'typed', text }),
    });
    const load = () => store.send({ kind: 'asked' });
    const draw = (state) => {
        count.textContent = state.all === null ? '' : state.wanted ? t('people.found', { count: fitting(state).length, all: state.total }) : t('people.count', { count: state.total });
        const instead = inPlaceOfList(state, load);
        if (instead) {
            list = null;
            body.replaceChildren(instead);
        } else if (list) {
            list.show(fitting(state));
        } else {
            list = virtualList({ label: t('people.users'), rowHeight: ROW, render: (user) => userRow(user, link('/people/users', user.userID)), items: fitting(state) });
            body.replaceChildren(h('div', { class: 'card rows' }, list));
        }
    };
    store.watch(draw);
    life.add(client.events('reset', load));
    load();
    return { element: h('div', { class: 'stack close' }, h('div', { class: 'hub-search' }, search, iconButton({ label: t('people.refresh'), icon: 'refresh', press: load }), count), body) };
}

/** What stands where the list would be; null for the list. */
function inPlaceOfList(state, load) {
    if (state.all === null) return state.error ? trouble(state.error, load) : skeleton(6, { height: ROW });
    if (state.error) return trouble(state.error, load);
    if (state.all.length === 0) return emptyState({ icon: 'people', title: t('people.nobody'), text: t('people.nobodyText') });
    return fitting(state).length === 0 ? emptyState({ icon: 'search', title: t('people.notFound'), text: t('people.notFoundText') }) : null;
}

/** A failure of what people and reports are asked by; a hub of another kind has none. */
export function trouble(error, retry) {
    if (error?.code === 'unknown-method') return emptyState({ icon: 'people', title: t('people.none'), text: t('people.noneText') });
    return errorBanner(error, { retry });
}

function userRow(user, href) {
    const shown = user.nickname || user.name;
    return h('a', { class: 'row-main person-row', href },
        letter(shown),
        h('span', { class: 'row-words' },
            h('span', { class: 'row-title' }, safeText(shown, { limit: 40, class: 'person-name' }), user.suspended && chip(t('people.suspended'), 'bad')),
            h('span', { class: 'row-detail person-facts' }, peer(user.name), h('span', { class: 'person-devices' }, t('people.devices', { count: user.devices })), seen(user))));
}

/** The first letter of a name, in the place of a picture. */
export function letter(name) {
    return h('span', { class: 'person-letter', aria: { hidden: 'true' }, data: { peer: '' } }, [...name.trim()][0]?.toLocaleUpperCase() ?? '');
}

function seen({ lastSeenAt }) {
    return h('span', null, lastSeenAt ? [t('people.seen'), ' ', relativeTime(lastSeenAt)] : t('people.neverSeen'));
}
