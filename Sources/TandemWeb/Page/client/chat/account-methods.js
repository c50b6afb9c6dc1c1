import { chatFailure } from './failures.js';
import { short, whole } from './ids.js';

const MOST_DEVICES = 1000;
const LONGEST = 512;

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
    table.answer('account.profile', async () => own(await desk.ask('/account/me', {})));
    table.answer('account.devices', async () => {
        const { devices } = await desk.ask('/account/devices', {});
        return { devices: (Array.isArray(devices) ? devices : []).slice(0, MOST_DEVICES).filter((each) => typeof each?.device === 'string').map(listed) };
    });
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

/** What the hub says of the account, as far as it is known here. */
function own({ uid, userID, name, nickname, avatar, createdAt, hasPassword, keys }) {
    return {
        uid: whole(uid), userID: short(userID, LONGEST), name: short(name, LONGEST), nickname: short(nickname, LONGEST), avatar: short(avatar, LONGEST), createdAt: whole(createdAt),
        hasPassword: hasPassword === true, keys: whole(keys),
    };
}

function listed({ device, name, platformID, did, createdAt, lastSeenAt, address, current }) {
    return {
        device: device.slice(0, LONGEST), name: short(name, LONGEST), platformID: whole(platformID), createdAt: whole(createdAt), current: current === true, ...(typeof did === 'string' && { did: short(did, LONGEST) }),
        ...(whole(lastSeenAt) && { lastSeenAt: whole(lastSeenAt) }), ...(typeof address === 'string' && { address: short(address, LONGEST) }),
    };
}

/** @param {import('./account.js').Account} account */
function shown({ hub, userID, name, nickname, device }) { return { hub, userID, name, nickname, device }; }
