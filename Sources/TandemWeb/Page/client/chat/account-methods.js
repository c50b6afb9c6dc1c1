import { chatFailure } from './failures.js';

/**
 * The methods about the account.
 *
 * @param {import('../sealed/method-table.js').MethodTable} table
 * @param {import('./account.js').AccountDesk} desk
 * @param {{session: () => import('./session.js').ChatSession | null, settled: () => Promise<void>}} context `settled` waits until the session is the account's.
 */
export function serveAccount(table, desk, { session, settled }) {
    const entered = async (account) => { await settled(); return shown(account); };
    table.answer('account.show', () => ({ account: desk.account ? shown(desk.account) : null }));
    table.answer('account.new', async (params) => entered(await desk.register(params)));
    table.answer('account.login', async (params) => entered(await desk.login(params)));
    table.answer('account.logout', async () => ({ hubWasTold: await desk.logout() }));
    table.answer('account.change', async (members) => shown(await desk.change(members)));
    table.answer('account.profile', () => desk.ask('/account/me', {}));
    table.answer('account.devices', () => desk.ask('/account/devices', {}));
    table.answer('account.endDevice', async ({ device }) => { await desk.ask('/account/devices/end', { device }); return null; });
    table.answer('account.password', async (params) => {
        await desk.ask('/account/password', { new: params.new, ...(params.old !== undefined && { old: params.old }) });
        return null;
    });
    table.answer('account.delete', async ({ name }) => {
        const current = session();
        await desk.delete(name);
        await settled();
        // Nothing of it stays here.
        await current?.book.forget();
        await current?.sealing?.forget();
        return null;
    });
    table.answer('chat.setFace', async ({ file }) => {
        const current = session();
        if (!current) throw chatFailure('noAccount');
        const avatar = file === undefined ? '' : await current.media.uploadFace(file);
        await desk.change({ avatar });
        return { avatar: avatar || null };
    });
}

/** @param {import('./account.js').Account} account */
function shown({ hub, userID, name, nickname, device }) { return { hub, userID, name, nickname, device }; }
