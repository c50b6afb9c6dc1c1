import { emptyState, errorBanner, group, h, linkButton, listRow, menuButton, skeleton } from '../../kit/first.js';
import { t } from '../../i18n/index.js';
import { clearChip, phoneName, phoneSymbol, whereabouts } from '../../kit/phone.js';
import { redraw } from '../../kit/redraw.js';
import { loadRights, rightNames } from '../../kit/rights.js';

/** The phones that may do things here, last seen first. */
export function phonesScreen({ client, life, link }) {
    const body = h('div', { class: 'stack' }, skeleton(3, { height: 72 }));
    let isDrawn = false;
    const load = async () => {
        try {
            const [phones, rights] = await Promise.all([client.devices.list(), loadRights(client).catch(() => [])]);
            if (life.hasEnded) return;
            isDrawn = true;
            redraw(body, [phones.length > 0 ? list(phones, rights) : nothing()]);
        } catch (error) {
            // While the program does not answer, the frame says so, and what was here stays.
            if (!life.hasEnded && !(isDrawn && client.state !== 'live')) body.replaceChildren(errorBanner(error, { retry: load }));
        }
    };
    const list = (phones, rights) => group({
        title: t('phones.count', { count: phones.length }),
        foot: t('phones.foot'),
        rows: [...phones].sort((a, b) => Number(Boolean(b.path)) - Number(Boolean(a.path)) || b.lastSeenAt - a.lastSeenAt).map((phone) => phoneRow({ client, link, phone, rights })),
    });
    for (const topic of ['reach', 'rights']) life.add(client.events(topic, load));
    life.add(client.devices.onChange(load));
    load();
    return {
        title: t('nav.phones'), element: body,
        actions: [linkButton({ label: t('phones.pair'), icon: 'plus', kind: 'primary', href: '#/pair' })],
    };
}

/** A phone on a list: who, where, and what it may do besides what all may. */
export function phoneRow({ client, link, phone, rights, withMenu = true }) {
    const given = rightNames(phone.skills, rights.filter(({ initial }) => !initial));
    return listRow({
        lead: phoneSymbol(phone), title: [phoneName(phone.name), clearChip(phone)].filter(Boolean),
        detail: [whereabouts(phone), h('span', { class: 'phone-rights' }, given.length > 0 ? given : t('phones.onlyInitial'))],
        href: link('/phones', phone.id),
        actions: withMenu ? [menuButton({
            label: t('phones.more'),
            items: () => [
                { label: t('phones.rename'), icon: 'edit', press: async () => (await import('./phone-acts.js')).askForName(client, phone) },
                { label: t('phones.forget'), icon: 'trash', kind: 'danger', press: async () => (await import('./phone-acts.js')).forgetPhone(client, phone) },
            ],
        })] : [],
    });
}

/** Nobody is paired yet: the ways to begin. */
export function nothing() {
    return emptyState({
        icon: 'phone', title: t('phones.none'), text: t('phones.noneText'),
        actions: [
            linkButton({ label: t('hosting.show'), icon: 'qr', kind: 'primary', href: '#/pair/show' }),
            linkButton({ label: t('hosting.scan'), icon: 'camera', href: '#/pair/scan' }),
        ],
    });
}
