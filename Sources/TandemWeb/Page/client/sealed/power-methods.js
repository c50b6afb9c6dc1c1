import { ClientError } from '../client.js';
import { nameOf } from './paired.js';

/** Interfaces of one computer at most, as computers take them. */
const MOST = 8;
const ADDRESS = /^[0-9a-f]{2}([:-])[0-9a-f]{2}(\1[0-9a-f]{2}){4}$/i;
const keyOf = (id) => `wake.${id}`;
let served = null;

/**
 * The methods by which this phone wakes its computers, and what it keeps for them: a computer that sleeps cannot be asked for its addresses. Once for
 * a table.
 *
 * @param {import('./method-table.js').MethodTable} table
 * @param {{phone: any, paired: import('./paired.js').Paired, store: any}} context
 */
export function servePower(table, context) {
    if (served === table) return;
    served = table;
    const { phone, paired, store } = context;
    const learn = async (id) => {
        const { interfaces } = await phone.computer(id).call('power.status', {}, {});
        const cards = (Array.isArray(interfaces) ? interfaces : []).filter((card) => isAddress(card?.address)).slice(0, MOST);
        await store.put('settings', keyOf(id), { at: Date.now(), cards: cards.map(({ address, wakeOn }) => ({ address, wakeOn: wakeOn ?? null })) });
    };
    const learnWhenReady = ({ id }) => {
        if (!paired.records.some((record) => record.id === id) || phone.computer(id).state !== 'ready') return;
        // A computer without the right, or of another program, has nothing to tell.
        learn(id).catch(() => {});
    };
    phone.on('computer', learnWhenReady);
    phone.on('rights', learnWhenReady);
    phone.on('ended', ({ id }) => store.delete('settings', keyOf(id)).catch(() => {}));
    for (const record of paired.records) learnWhenReady(record);

    table.answer('power.known', async () => {
        const all = await Promise.all(paired.records.map(async (record) => ({ record, kept: await store.get('settings', keyOf(record.id)) })));
        return {
            computers: all.filter(({ kept }) => kept?.cards?.length > 0).map(({ record, kept }) => ({
                id: record.id, name: nameOf(record), addresses: kept.cards.map(({ address }) => address), wakeOn: wakeOn(kept.cards), at: kept.at,
            })),
        };
    });
    table.answer('power.wakeUp', async ({ device, through }) => {
        const sleeper = paired.record(device);
        const kept = await store.get('settings', keyOf(sleeper.id));
        if (!(kept?.cards?.length > 0)) throw new ClientError('not-found', 'This phone does not know the network addresses of that computer.');
        const others = (through ? [paired.record(through)] : paired.records).filter(({ id }) => id !== sleeper.id);
        if (others.length === 0) throw new ClientError('not-found', 'No other computer is paired with this phone that could wake it.');
        const addresses = kept.cards.map(({ address }) => address);
        return { senders: await Promise.all(others.map((record) => sent(phone, record, addresses))) };
    });
}

async function sent(phone, record, addresses) {
    const who = { id: record.id, name: nameOf(record) };
    try {
        const { packets } = await phone.computer(record.id).call('power.sendWake', { addresses }, {});
        return { ...who, packets: Number.isSafeInteger(packets) ? packets : 0, reason: null };
    } catch (error) {
        return { ...who, packets: 0, reason: error.message };
    }
}

/** Whether one of the cards listens; null where none says so and one does not say. */
function wakeOn(cards) {
    if (cards.some((card) => card.wakeOn === true)) return true;
    return cards.some((card) => card.wakeOn === null) ? null : false;
}

function isAddress(text) { return typeof text === 'string' && ADDRESS.test(text); }
