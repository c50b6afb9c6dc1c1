// Asks a client whose wire is scripted for every method that the screens ask, and says what does not fit the contract.
import { readFileSync } from 'node:fs';
import { SealedClient } from '../../../Sources/TandemWeb/Page/client/sealed.js';
import { misfits } from './shapes.mjs';
import { scriptedPhone, until } from './scripted-phone.mjs';

const contract = JSON.parse(readFileSync(new URL('../contract.json', import.meta.url), 'utf8')).control;
const found = [];
const said = {};
const { phone, store } = await scriptedPhone();
const [one, two] = [...phone.machines.values()];
let paired = 0;
const client = new SealedClient({ phone, store, version: '1.0', offered: 'https://hub/phone/#code', onPaired: () => { paired += 1; } });
const told = [];
client.events('*', (data, { topic }) => told.push({ topic, ...data }));
await client.start();

async function ask(method, params = {}) {
    found.push(...misfits(contract[method].params, params, `${method} params`));
    const answer = await client.call(method, params);
    found.push(...misfits(contract[method].answer, answer, method));
    return answer;
}

async function follow(method, params, options = {}) {
    const items = [];
    const following = client.follow(method, params, { ...options, onItem: (item) => { found.push(...misfits(contract[method].items, item, `${method} item`)); items.push(item); } });
    return { items, ...following };
}

async function refused(method, params = {}) {
    try {
        await client.call(method, params);
        return null;
    } catch (error) {
        return { code: error.code, name: error.name, ...(error.detail.reason && { reason: error.detail.reason }) };
    }
}

said.self = client.self;
said.status = await ask('status');
said.devices = (await ask('devices.list')).devices;
await ask('devices.show', { id: 'pc-1' });
said.byName = (await ask('devices.show', { id: 'Büro' })).id;
said.renamed = (await ask('devices.rename', { id: 'pc-1', name: ' Atelier ' })).name;
said.refused = {
    unknown: await refused('journal.list'), badName: await refused('devices.rename', { id: 'pc-1', name: ' ' }), nobody: await refused('devices.show', { id: 'none' }),
    allow: await refused('devices.allow', { id: 'pc-1', skills: ['file'] }), audit: await refused('devices.audit'), several: await refused('call', { method: 'system.ping' }),
};

// Calls
one.answers = { 'system.ping': () => ({ pong: true }), 'clipboard.set': ({ content }) => ({ ok: content }), 'threads.list': () => ({ items: [] }) };
said.call = await ask('call', { device: 'pc-1', method: 'system.ping', params: {} });
await ask('threads.call', { device: 'pc-1', method: 'threads.list', params: {} });
said.aborted = await client.call('call', { device: 'pc-1', method: 'system.ping' }, { signal: AbortSignal.abort() }).catch(({ code }) => code);

// What waits
said.now = await ask('queue.call', { device: 'pc-1', method: 'clipboard.set', params: { content: 'a' } });
one.stand('away');
const waits = await ask('queue.call', { device: 'pc-1', method: 'clipboard.set', params: { content: 'b' } });
said.waits = [waits.queued, (await ask('queue.list')).commands.map(({ method, status }) => `${method} ${status}`)];
await ask('queue.remove', { id: waits.command.id });
await ask('queue.call', { device: 'pc-1', method: 'clipboard.set', params: { content: 'c' } });
said.cleared = await ask('queue.clear', { device: 'pc-1' });
said.cannotWait = await refused('queue.call', { device: 'pc-1', method: 'terminal.create', params: {} });
one.stand('ready');

// Streams
const reach = await follow('reachability', { device: 'pc-1' });
one.stand('away');
one.stand('ready');
reach.cancel();
one.stand('away');
one.stand('ready');
said.reach = reach.items;
said.reachEnd = await reach.result.catch(({ code }) => code);
one.answers['clipboard.watch'] = () => ({ success: true });
one.answers['clipboard.unwatch'] = () => ({ success: true });
const clipboard = await follow('clipboard.follow', { device: 'pc-1' });
await until(() => one.asked.some(({ method }) => method === 'clipboard.watch'));
one.emit('clipboard.changed', { type: 'text', content: 'milk', formats: ['text/plain'], timestamp: 1 });
clipboard.cancel();
await clipboard.result.catch(() => {});
said.clipboard = [clipboard.items.length, one.asked.at(-1).method];
const events = await follow('events', { device: 'pc-2' });
two.emit('system.changed', { a: 1 });
two.emit('terminal.stdout', { data: 'x' });
events.cancel();
said.events = events.items.map(({ event }) => event);
said.remote = told.filter(({ topic }) => topic === 'remote').map(({ event }) => event);
said.reachTold = told.filter(({ topic, device }) => topic === 'reach' && device === 'pc-1').map(({ path }) => path).slice(0, 4);

// Waking: what a computer told while it was there is kept for when it sleeps
one.answers['power.status'] = () => ({ success: true, interfaces: [{ name: 'eth0', address: '52:54:00:12:34:56', wakeOn: true }, { name: 'odd', address: 'zz' }] });
two.answers['power.sendWake'] = ({ addresses }) => ({ success: true, packets: addresses.length });
await client.call('power.known');
one.stand('ready');
let known = [];
while (known.length === 0) known = (await ask('power.known')).computers;
one.stand('away');
said.woken = [known[0].addresses, known[0].wakeOn, (await ask('power.wakeUp', { device: 'pc-1' })).senders.map(({ id, packets }) => [id, packets])];
delete two.answers['power.sendWake'];
said.notWoken = [(await ask('power.wakeUp', { device: 'pc-1', through: 'pc-2' })).senders[0].packets, await refused('power.wakeUp', { device: 'pc-2' })];
one.stand('ready');

// Another version of the page
const bundle = { version: '2.0', sha256: 'ab' };
const updates = [];
client.events('updated', (value) => updates.push(value));
let taken = 0;
const offered = async (one_, two_) => {
    one.answers['system.getPage'] = one_ && (() => one_);
    two.answers['system.getPage'] = two_ && (() => two_);
    taken = 0;
    await client.updated(bundle, async () => { taken += 1; }, ({ confirmedBy, differsAt }) => `${confirmedBy} ${differsAt}`);
    return [updates.at(-1).words, updates.at(-1).isDoubtful, taken, client.takeUpdate !== undefined];
};
said.updates = [
    await offered(null, null), await offered(bundle, { version: '1.0', sha256: 'cd' }), await offered(bundle, { version: '2.0', sha256: 'cd' }),
    await offered({ version: '2.0', sha256: 7 }, { version: '2.0', sha256: 'cd' }),
];

// Pairing
said.offered = [client.pairing.takeOffered(), client.pairing.takeOffered()];
const scan = await follow('pair.scan', { text: 'old' });
const device = await scan.result;
found.push(...misfits(contract['pair.scan'].answer, device, 'pair.scan'));
said.scan = scan.items.map(({ event }) => event);
const code = await follow('pair.code', { digits: '482915' });
await until(() => code.items.length === 3);
code.send({ same: 'yes' });
code.send({ same: true });
await code.result;
const differs = await follow('pair.code', { digits: '482915' });
await until(() => differs.items.length === 3);
differs.send({ same: false });
said.differs = await differs.result.catch(({ detail }) => detail.reason);
said.code = code.items.map(({ event }) => event);
said.elsewhere = await (await follow('pair.code', { digits: '4829150011', url: 'wss://other' })).result.catch(({ detail }) => detail.reason);
said.unsealed = await (await follow('pair.scan', { text: 'unsealed' })).result.catch(({ detail }) => detail.reason);
const watch = await follow('pair.watch', {});
await until(() => watch.items.length > 0);
phone.shown.paired();
await watch.result;
said.watch = watch.items.map(({ event }) => event);
const hidden = await follow('pair.watch', {});
await until(() => hidden.items.length > 0);
said.hide = await ask('pair.hide');
await hidden.result;
said.hidden = hidden.items.map(({ event }) => event);
said.paired = paired;
said.matrix = (await client.pairing.matrix('{"type":"device-pairing"}')).size;

said.forgotten = await ask('devices.forget', { id: 'pc-2' });
one.stand('away');
said.untold = Boolean((await ask('devices.forget', { id: 'pc-1' })).untold);
client.end();
said.state = client.state;
console.log(JSON.stringify({ ...said, misfits: found }));
process.exit(0);
