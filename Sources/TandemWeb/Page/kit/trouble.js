import { confirm, h } from './first.js';
import { hasText, t } from '../i18n/index.js';
import { isolated } from './isolated.js';
import { tabTrouble } from './refused.js';

/**
 * Why a tab of a computer shows nothing, with what helps: see `tabTrouble`.
 *
 * @param {import('../client/client.js').Failure | null} error
 * @param {{client: Object, device: Object, what: import('./refused.js').What, right: string, retry: () => any}} options
 */
export function troubleOf(error, { client, device, what, right, retry }) {
    const missing = error?.right ?? right;
    const allow = async () => {
        const name = `rights.${missing}`;
        const isDone = await confirm({
            title: t('refused.allowTitle', { right: t(hasText(name) ? name : 'refused.itsSwitch') }),
            text: t('refused.allowText', { name: isolated(device.name) }),
            action: t('refused.allowHere'),
            work: () => client.devices.allow(device.id, [missing]),
        });
        if (isDone) retry();
    };
    const ask = error?.code === 'not-allowed' && device.endToEnd ? h('div', null) : null;
    if (ask) import('./ask-right.js').then(({ askForRight }) => ask.replaceChildren(askForRight({ client, device, right: missing }))).catch(() => {});
    return tabTrouble(error, {
        what, right, phone: client.self.name, retry, seen: device.lastSeenAt, allowHere: device.endToEnd ? null : allow,
        ask,
    });
}
