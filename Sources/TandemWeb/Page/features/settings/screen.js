import { appearanceGroup, signOutGroup } from '../../kit/appearance.js';
import { copyable, facts, group, h, peer, safeText } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { serversGroup } from './servers.js';

/** How the page looks, what this device is, and the way out. */
export function settingsScreen({ client, life, parts }) {
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
    // What features show here comes a moment later, into the room that is kept for it.
    const more = client.role === 'phone' && h('div', { class: 'stack settings-parts' });
    if (more) parts('settings').then((shown) => { if (!life.hasEnded) more.replaceChildren(...shown); }, () => {});
    return {
        title: t('nav.settings'),
        element: h('div', { class: 'sides' },
            h('div', { class: 'stack' }, more, about, servers), h('div', { class: 'stack' }, appearanceGroup(), signOutGroup(client))),
    };
}
