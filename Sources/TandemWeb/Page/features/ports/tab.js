import { button, emptyState, group, h, icon, iconButton, safeText, skeleton, toast } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { followRight } from '../../kit/allowed.js';
import { redraw } from '../../kit/redraw.js';
import { troubleOf } from '../../kit/trouble.js';
import { portRow } from './row.js';

/** How often the bytes of open ports are counted again. */
const EVERY = 3000;

/** The ports that a computer lets this phone open. Each gets an origin of its own in this browser, which this page alone lets it into. */
export function portsTab({ client, device, life }) {
    const element = h('div', { class: 'stack' }, skeleton(2, { height: 64 }));
    let isTroubled = false;

    const load = async () => {
        try {
            const answer = await client.call('ports.remote', { device: device.id }, { signal: life.signal });
            if (life.hasEnded) return;
            isTroubled = false;
            draw(answer);
        } catch (error) {
            if (!life.hasEnded && error.code !== 'cancelled') failed(error);
        }
    };
    const failed = (error) => {
        isTroubled = true;
        element.replaceChildren(error.code === 'unknown-method' && !client.signOut
            // A page has one origin, and a browser lends it no other one.
            ? emptyState({ icon: 'network', title: t('ports.needsProgram'), text: t('ports.needsProgramText') })
            : troubleOf(error, { client, device, what: 'ports', right: 'ports.open', retry: load }));
    };
    const draw = ({ ports, open }) => redraw(element, [ports.length > 0
        ? group({ title: t('ports.title'), foot: t('ports.foot'), rows: ports.map((port) => row(port, open.filter((each) => each.port === port.port))) })
        : emptyState({ icon: 'network', title: t('ports.none'), text: t('ports.noneText') })]);

    const row = (port, open) => portRow({
        lead: icon('network'), title: port.name ? safeText(port.name, { limit: 64 }) : t('ports.port', { port: port.port }),
        detail: h('span', { class: 'dotted' }, [
            t('ports.address', { port: port.port }), port.listening === false && t('ports.silent'), ...open.map(standing),
        ].filter(Boolean).map((each) => h('span', { class: 'dotted-part' }, each))),
        actions: [
            button({ label: t('ports.open'), icon: 'external', kind: open.length > 0 ? 'plain' : 'primary', press: () => enter(port.port) }),
            open.length > 0 && iconButton({ label: t('ports.closePort', { port: port.port }), icon: 'x', press: () => close(port.port) }),
        ].filter(Boolean),
    });

    const enter = async (port) => {
        const { url } = await client.call('ports.enter', { device: device.id, port });
        // The other origin gets no way back to this page.
        const link = /** @type {HTMLAnchorElement} */ (h('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }));
        link.click();
        load();
    };
    const close = async (port) => {
        await client.call('ports.close', { device: device.id, port });
        toast(t('ports.closed'));
        load();
    };

    life.add(client.events('ports', load));
    life.every(EVERY, () => { if (!isTroubled) load(); });
    followRight({ client, device, life }, 'ports.open', { changed: () => { if (isTroubled) load(); }, lost: failed });
    load();
    return { element };
}

/** What goes through an open port. */
function standing({ origin, local, connections, received, sent }) {
    const through = t('ports.through', { count: connections, received: format.bytes(received), sent: format.bytes(sent) });
    return origin ? through : [t('ports.forPrograms', { port: local }), ' ', through];
}
