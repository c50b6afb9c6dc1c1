import { h, segmented } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { codeWay } from './code.js';
import { scanWay } from './scan.js';
import { showWay } from './show.js';

const WAYS = [
    { id: 'scan', label: 'pairing.scan', icon: 'camera', make: scanWay },
    { id: 'show', label: 'pairing.show', icon: 'qr', make: showWay },
    { id: 'code', label: 'pairing.type', icon: 'keyboard', make: codeWay },
];

/** The home of pairing: three ways side by side, each of which goes on while another is looked at. */
export function pairComputerScreen(context) {
    const { route, go, link } = context;
    const known = (way) => WAYS.some(({ id }) => id === way);
    if (!known(route.params.way)) go(link('/pair', WAYS[0].id), { replace: true });

    const ways = new Map();
    const body = h('div', { class: 'pairing-body' });
    const picker = segmented({
        label: t('pairing.ways'),
        options: WAYS.map(({ id, label, icon }) => ({ id, label: t(label), icon })),
        value: route.params.way,
        change: (id) => go(link('/pair', id), { replace: true }),
    });
    const show = (id) => {
        const way = WAYS.find((each) => each.id === id) ?? WAYS[0];
        if (!ways.has(way.id)) {
            ways.set(way.id, way.make(context));
            body.append(ways.get(way.id));
        }
        for (const [key, element] of ways) element.hidden = key !== way.id;
        picker.select(way.id);
    };
    show(route.params.way);
    return {
        title: t('pairing.title'), back: '#/computers',
        element: h('div', { class: 'pairing' }, picker, body),
        update: (next) => {
            if (!known(next.params.way)) return false;
            show(next.params.way);
            return true;
        },
    };
}
