import { ClientError } from '../client/client.js';

/**
 * Follows whether the owner of a computer allows a right to this phone. A tab that was refused comes back by itself, and one whose right
 * is taken back says so before the next thing fails.
 *
 * @param {{client: import('../client/client.js').Client, device: Object, life: import('../life.js').Life}} context
 * @param {string} right
 * @param {{changed: (device: Object) => void, lost: (error: ClientError) => void}} told `changed` after each change of what this phone may do there, or
 *   of the list of computers; `lost` instead once the computer says that the right is not among it any more.
 */
export function followRight({ client, device, life }, right, { changed, lost }) {
    let had = mayUse(device, right);
    life.add(client.devices.onChange(async () => {
        const now = await client.devices.show(device.id).catch(() => null);
        if (life.hasEnded || !now) return;
        const before = had;
        had = mayUse(now, right);
        if (before && had === false) lost(new ClientError('not-allowed', '', { right }));
        // What is asked for and not given is not tried again: its place says how the request stands.
        else if (had || !isAsked(now, right)) changed(now);
    }));
}

function isAsked({ asks }, right) { return asks?.[right]?.until > Date.now(); }

/** Null where the computer does not tell: an older program, or one that cannot seal. */
export function mayUse({ allowed }, right) {
    return Array.isArray(allowed) ? allowed.includes(right) : null;
}
