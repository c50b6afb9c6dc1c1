import { errorBanner, group, h, icon, listRow, safeText, skeleton } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { hubName } from './invitation.js';

/** The way to the account, on the settings of a phone. */
export function accountRow({ client, life }) {
    const place = h('div', null);
    const show = (row) => place.replaceChildren(group({ title: t('account.title'), rows: [row] }));
    const load = async () => {
        try {
            const { account } = await client.call('account.show', {}, { signal: life.signal });
            if (life.hasEnded) return;
            show(listRow({
                lead: icon('people'), href: '#/account',
                title: account ? safeText(account.nickname || account.name, { limit: 64 }) : t('account.none'),
                detail: account ? t('account.at', { name: account.name, hub: hubName(account.hub) }) : t('account.noneText'),
            }));
        } catch (error) {
            if (!life.hasEnded) show(errorBanner(error, { retry: load }));
        }
    };
    show(skeleton(1, { height: 60 }));
    life.add(client.events('account', load));
    life.add(client.events('reset', load));
    load();
    return place;
}
