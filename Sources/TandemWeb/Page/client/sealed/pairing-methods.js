import { ClientError } from '../client.js';
import { clientErrorOf } from './failures.js';
import { untilAborted } from './method-table.js';

/** How the wire ends a code that is shown, as the page tells of it. */
const ENDS = { shownCodeExpired: 'expired', codeWithdrawn: 'hidden' };

/**
 * The methods of pairing.
 *
 * @param {import('./method-table.js').MethodTable} table
 * @param {{phone: any, paired: import('./paired.js').Paired, onPaired: () => void}} context
 */
export function servePairing(table, { phone, paired, onPaired }) {
    let shown = null;

    const entryOf = (record) => {
        onPaired();
        return paired.entry(record);
    };
    const show = async (options, signal) => {
        const mine = await tried(() => phone.pairing.show({ signal, acceptsNewIdentity: options.acceptNewIdentity === true }));
        shown = mine;
        mine.done.catch(() => {}).finally(() => { if (shown === mine) shown = null; });
        return mine;
    };
    const described = ({ code, text, expiresAt }) => ({ code, payload: text, expiresAt, ownFingerprint: phone.words });

    table.serve('pair.scan', async ({ text, acceptNewIdentity }, { item, signal }) => {
        const code = await tried(() => phone.pairing.read(text));
        if (code.ageDoubt) item({ event: 'clocks', message: code.ageDoubt.message, reason: code.ageDoubt.detail.reason, values: code.ageDoubt.detail.values });
        const onProgress = ({ state, ...rest }) => item(state === 'waiting' ? { event: 'sending', until: rest.until, message: '' } : stepOf(state, rest));
        return entryOf(await tried(() => phone.pairing.scan(text, { signal, onProgress, acceptsNewIdentity: acceptNewIdentity === true })));
    });
    table.serve('pair.code', async ({ digits, acceptNewIdentity, url }, { item, heard, signal }) => {
        if (url) throw new ClientError('refused', 'A browser types codes of computers at its own hub. Scan the code instead.', { reason: 'typedElsewhere' });
        const onProgress = ({ state, ...rest }) => item(stepOf(state, rest));
        const confirm = () => new Promise((resolve) => heard(({ same } = {}) => { if (typeof same === 'boolean') resolve(same); }));
        return entryOf(await tried(() => phone.pairing.type(digits, { signal, onProgress, confirm, acceptsNewIdentity: acceptNewIdentity === true })));
    });
    table.answer('pair.show', async (options) => described(await show(options)));
    table.answer('pair.hide', async () => {
        const hidden = shown !== null;
        shown?.hide();
        return { hidden };
    });
    table.serve('pair.watch', async (options, { item, signal }) => {
        const mine = await show(options, signal);
        item({ event: 'code', ...described(mine) });
        try {
            item({ event: 'paired', ...entryOf(await untilAborted(mine.done, signal)) });
        } catch (error) {
            const { code, message, detail } = explained(error);
            if (code === 'cancelled') throw error;
            const ending = ENDS[detail.reason];
            item(ending ? { event: ending } : { event: 'failed', message, reason: detail.reason, values: detail.values ?? {} });
        }
        return null;
    });
}

/** @param {string} state @param {{words?: string, number?: string, until?: number}} members */
function stepOf(state, members) {
    const { words, number, until } = members;
    switch (state) {
        case 'identified': return { event: 'key', key: words, message: '' };
        case 'compare': return { event: 'compare', number, message: '' };
        case 'confirm': return { event: 'confirm', number, message: '' };
        default: return { event: 'waiting', until, message: '' };
    }
}

async function tried(work) {
    try {
        return await work();
    } catch (error) {
        throw explained(error);
    }
}

/** A browser seals, or does not pair: what a program's person may allow all the same is not offered here. */
function explained(error) {
    const failed = clientErrorOf(error);
    return failed.detail.reason === 'notEndToEnd' ? new ClientError(failed.code, failed.message, { ...failed.detail, reason: 'cannotSeal' }) : failed;
}
