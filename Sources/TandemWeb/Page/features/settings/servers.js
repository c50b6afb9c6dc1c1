import { chip, errorBanner, group, h, icon, listRow, middle, relativeTime, safeText, skeleton } from '../../kit/index.js';
import { t } from '../../i18n/index.js';

const KINDS = { registered: 'good', connected: 'busy', connecting: 'busy', waiting: 'warn', disconnected: 'idle', replaced: 'warn', refused: 'bad' };

/** The servers by which others find this device, and how it stands with each. */
export function serversGroup({ client, life }) {
    const place = h('div', null, group({ title: t('settings.servers'), rows: [skeleton(1, { height: 60 })], foot: t('settings.serversFoot') }));
    const load = async () => {
        let rows;
        try {
            const { servers = [] } = await client.pairing.status();
            rows = servers.length > 0 ? servers.map(serverRow) : [
                listRow({ lead: icon('offline'), title: t('settings.noServers'), detail: t('settings.noServersText') }),
            ];
        } catch (error) {
            rows = [errorBanner(error, { retry: load })];
        }
        if (!life.hasEnded) place.replaceChildren(group({ title: t('settings.servers'), rows, foot: t('settings.serversFoot') }));
    };
    life.add(client.events('servers', load));
    life.add(client.events('reset', load));
    load();
    return place;
}

function serverRow({ url, state, reason, since }) {
    // A refusal carries its sentence behind the word.
    const [word] = String(state ?? '').split(':');
    const known = KINDS[word] ? word : 'disconnected';
    const why = reason ?? (word === 'refused' ? String(state).slice(word.length + 1).trim() : null);
    return listRow({
        lead: icon('relay'), title: [middle(url, { tail: 12 }), chip(t(`server.${known}`), KINDS[known])],
        detail: why && h('span', null, safeText(why), since ? [' · ', t('settings.since'), ' ', relativeTime(since)] : null),
    });
}
