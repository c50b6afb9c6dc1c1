import { chip, h, icon, listRow, peer, relativeTime, safeText } from './first.js';
import { t } from '../i18n/index.js';

/** Why this computer is not registered at one of its servers, and since when. */
export function serverReason(server) {
    return h('span', null,
        server.reason ? safeText(server.reason) : t('doctor.noReason'),
        server.since ? [' · ', relativeTime(server.since)] : '');
}

/**
 * A row for a server that this computer waits at.
 *
 * @param {string | null} address Where it is.
 */
export function serverRow(server, address) {
    const isHub = server.name === 'hub';
    const row = listRow({
        lead: icon(isHub ? 'hub' : 'network'), title: t(isHub ? 'doctor.hub' : 'doctor.ownServer'),
        detail: [
            h('span', null, t(isHub ? 'doctor.hubFor' : 'doctor.ownServerFor')),
            address && peer(address, 'span', { class: 'mono server-address' }),
            !server.registered && h('span', { class: 'server-reason' }, serverReason(server)),
        ],
        trail: server.registered ? chip(t('doctor.registered'), 'good', 'check') : chip(t('doctor.notReached'), 'bad', 'warning'),
    });
    row.classList.add('server-row');
    return row;
}
