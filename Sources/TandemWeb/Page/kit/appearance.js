import { LANGUAGES, chosenLanguage, setLanguage, t } from '../i18n/index.js';
import { chooseTheme, chosenTheme } from '../theme.js';
import { confirm, group, h, icon, listRow, segmented } from './index.js';

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

/** The way out of this browser; null where nobody signs in. */
export function signOutGroup(client) {
    return client.signOut && group({
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
