import { h, segmented } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { shownCode } from './shown-code.js';
import { requestList } from '../../kit/requests.js';
import { nobodyAsks, refusedBanners } from './refused.js';
import { scanPhone } from './scan-phone.js';
import { together } from '../../kit/together.js';

/** A computer lets phones in: it shows a code, or scans a phone's, and whoever asks stands beside it. */
export function pairPhoneScreen(context) {
    const { route, go, link } = context;
    const ways = { show: showWay, scan: scanPhone };
    const made = new Map();
    const known = (way) => way in ways;
    const body = h('div', { class: 'pairing-body' });
    const picker = segmented({
        label: t('hosting.ways'),
        options: [{ id: 'show', label: t('hosting.show'), icon: 'qr' }, { id: 'scan', label: t('hosting.scan'), icon: 'camera' }],
        value: known(route.params.way) ? route.params.way : 'show',
        change: (id) => go(link('/pair', id), { replace: true }),
    });
    const show = (id) => {
        if (!made.has(id)) {
            made.set(id, ways[id](context));
            body.append(made.get(id));
        }
        for (const [key, element] of made) element.hidden = key !== id;
        picker.select(id);
    };
    show(known(route.params.way) ? route.params.way : 'show');
    return {
        title: t('hosting.title'),
        element: h('div', { class: 'pairing hosting' }, picker, body),
        update: (next) => {
            show(known(next.params.way) ? next.params.way : 'show');
            return true;
        },
    };
}

/** The code at one side, whoever asks at the other; on a phone's screen they stand first. */
function showWay(context) {
    const refused = h('div', { class: 'stack close notices' });
    const nobody = nobodyAsks();
    let [count, isOpen] = [0, true];
    // Beside a phone that was just paired nobody is expected.
    const draw = () => { nobody.hidden = count > 0 || !isOpen; };
    const code = shownCode(context, { isOpen: (now) => { isOpen = now; draw(); } });
    const requests = requestList(context, {
        changed: (now) => {
            count = now;
            draw();
            element.classList.toggle('has-requests', count > 0);
        },
        refused: (all) => refused.replaceChildren(...refusedBanners(all, { allowUnsealed: () => code.restart({ allowUnsealed: true }) })),
    });
    const element = h('div', { class: 'hosting-sides' },
        h('div', { class: 'hosting-code' }, code),
        h('div', { class: 'hosting-requests stack' }, requests, nobody, refused));
    return together([element], [requests.ready], { rows: 6, life: context.life });
}
