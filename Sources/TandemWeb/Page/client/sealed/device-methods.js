import { ClientError } from '../client.js';
import { nameOf } from './paired.js';

const LONGEST_NAME = 64;

/**
 * The methods about this phone and its computers.
 *
 * @param {import('./method-table.js').MethodTable} table
 * @param {{phone: any, paired: import('./paired.js').Paired, version: string}} context
 */
export function serveDevices(table, { phone, paired, version }) {
    table.answer('status', () => ({
        role: 'phone', name: phone.device.name, version, fingerprint: phone.words, did: phone.did, deviceId: phone.device.id ?? phone.did,
        servers: phone.home ? [{ url: phone.home, state: SERVER_STATES[phone.state] ?? 'disconnected' }] : [],
    }));
    table.answer('devices.list', () => ({ devices: paired.records.map((record) => paired.entry(record)) }));
    table.answer('devices.show', ({ id }) => paired.entry(paired.record(id)));
    table.answer('devices.rename', async ({ id, name }) => {
        const record = paired.record(id);
        const text = typeof name === 'string' ? name.trim() : '';
        if (!text || text.length > LONGEST_NAME) throw new ClientError('bad-request', `A name has 1 to ${LONGEST_NAME} characters.`);
        await phone.label(record.id, text);
        return paired.entry(paired.record(record.id));
    });
    table.answer('devices.forget', async ({ id }) => {
        const record = paired.record(id);
        const isTold = await phone.forget(record.id);
        // By its id: the computer may call this phone otherwise.
        return { id: record.id, name: nameOf(record), ...(!isTold && { untold: `tandem devices forget ${phone.did}` }) };
    });
    const given = async () => { throw new ClientError('refused', 'What this phone may do is decided at the computer: tandem devices allow.'); };
    table.answer('devices.allow', given);
    table.answer('devices.deny', given);
    table.answer('devices.ask', ({ id, right }, { signal }) => paired.computer(id).call('rights.ask', { right }, { signal }));
    table.answer('devices.audit', async () => {
        throw new ClientError('refused', 'A phone keeps no record of what was done: the computer does. Ask there: tandem devices audit');
    });
}

/** The states of the connection to the hub, in the words of `status`. */
const SERVER_STATES = { registered: 'registered', connecting: 'connecting', lost: 'waiting', replaced: 'replaced', refused: 'refused' };
