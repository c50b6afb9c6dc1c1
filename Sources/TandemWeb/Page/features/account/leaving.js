import { confirm, h, textField } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { formDialog } from './acts.js';
import { hubName } from './invitation.js';

/**
 * The ways out of an account. `left` is told which one was taken, and at which hub.
 *
 * @param {import('../../client/client.js').Client} client
 * @param {import('./account-state.js').Entry} account
 * @param {(way: 'signedOut' | 'untold' | 'deleted', hub: string) => void} left
 */
export async function askSignOut(client, account, left) {
    let wasTold = true;
    const isDone = await confirm({
        title: t('account.signOutTitle', { hub: hubName(account.hub) }), text: t('account.signOutText'), action: t('account.signOut'),
        work: async () => { ({ hubWasTold: wasTold } = await client.call('account.logout')); },
    });
    if (isDone) left(wasTold ? 'signedOut' : 'untold', account.hub);
}

/** The account's own name is typed first: what goes does not come back. */
export function askDelete(client, account, left) {
    const isName = (text) => text.trim().toLowerCase() === account.name;
    const field = textField({
        label: t('account.typeName', { name: account.name }), attributes: { autocapitalize: 'none' },
        input: (text) => { dialog.submit.disabled = !isName(text); }, enter: (text) => { if (isName(text)) dialog.press(); },
    });
    const dialog = formDialog({
        title: t('account.deleteTitle', { name: account.name }), action: t('account.delete'), kind: 'danger', isDisabled: true,
        content: [
            list('account.goes', ['account.goes.account', 'account.goes.devices', 'account.goes.phone', 'account.goes.requests', 'account.goes.flash']),
            list('account.stays', ['account.stays.letters', 'account.stays.copies', 'account.stays.backups']), field,
        ],
        work: async (close) => {
            await client.call('account.delete', { name: account.name });
            close();
            left('deleted', account.hub);
        },
    });
}

function list(key, names) {
    return h('div', { class: 'account-list' }, h('h3', { class: 'group-title' }, t(key)), h('ul', null, names.map((name) => h('li', null, t(name)))));
}
