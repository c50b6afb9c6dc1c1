import { confirm, copyable, facts, group, h, icon, listRow, peer, safeText, segmented } from '../../kit/index.js';
import { LANGUAGES, chosenLanguage, setLanguage, t } from '../../i18n/index.js';
import { chooseTheme, chosenTheme } from '../../theme.js';
import { serversGroup } from './servers.js';

/** How the page looks, what this device is, and the way out. */
export function settingsScreen({ client, life }) {
    const { self } = client;
    const about = group({
        title: t('settings.about'),
        rows: [facts([
            [t('settings.name'), safeText(self.name)],
            [t('settings.version'), peer(self.version)],
            self.fingerprint && [t('settings.words'), peer(self.fingerprint, 'span', { class: 'key-words' })],
            self.id && [t('settings.id'), copyable(self.id, t('settings.id'))],
        ].filter(Boolean))],
        foot: self.fingerprint ? t('settings.wordsFoot') : null,
    });
    const servers = client.role === 'phone' && serversGroup({ client, life });
    return {
        title: t('nav.settings'), layout: 'wide',
        element: h('div', { class: 'sides' },
            h('div', { class: 'stack' }, about, servers), h('div', { class: 'stack' }, appearanceGroup(), signOutGroup(client))),
    };
}

/** The language and the colours of the page. */
export function appearanceGroup() {
    return group({
        title: t('settings.appearance'),
        rows: [
            choiceRow('language', t('settings.language'), segmented({
                label: t('settings.language'),
                options: [{ id: '', label: t('settings.automatic') }, ...LANGUAGES.map(({ id, name }) => ({ id, label: ownName(id, name) }))],
                value: chosenLanguage() ?? '',
                change: (id) => setLanguage(id || null),
            })),
            choiceRow('sun', t('settings.theme'), segmented({
                label: t('settings.theme'),
                options: [
                    { id: '', label: t('settings.automatic') }, { id: 'light', label: t('settings.light'), icon: 'sun' },
                    { id: 'dark', label: t('settings.dark'), icon: 'moon' },
                ],
                value: chosenTheme() ?? '',
                change: (id) => chooseTheme(id || null),
            })),
        ],
    });
}

/** The way out of this browser. */
export function signOutGroup(client) {
    return group({
        rows: [listRow({
            lead: icon('log-out'), title: t('settings.signOut'), detail: t('settings.signOutDetail'),
            press: () => confirm({
                title: t('settings.signOutTitle'), text: t('settings.signOutText', { role: client.role }), action: t('settings.signOut'),
                work: () => client.signOut(),
            }),
        })],
    });
}

function choiceRow(symbol, title, control) {
    return h('div', { class: 'row choice-row' },
        h('div', { class: 'row-main' }, h('span', { class: 'row-lead' }, icon(symbol)), h('span', { class: 'row-words' }, h('span', { class: 'row-title' }, title))),
        control);
}

/** A language's name in that language, whichever the page is in. */
function ownName(id, name) {
    return h('span', { lang: id, data: { ownName: '' } }, name);
}
