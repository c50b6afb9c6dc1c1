// A phone's notifications over a scripted computer: caught up, told, marked, lost and found.
import { readFileSync } from 'node:fs';
import { SealedClient } from '../../../Sources/TandemWeb/Page/client/sealed.js';
import { registerPush } from '../../../Sources/TandemWeb/Page/client/notifications.js';
import { memoryStore } from '../wire/memory-store.mjs';
import { misfits } from './shapes.mjs';
import { scriptedPhone, until } from './scripted-phone.mjs';

const contract = JSON.parse(readFileSync(new URL('../contract.json', import.meta.url), 'utf8')).control;
const found = [];
const said = {};
const item = (number, more = {}) => ({ id: `n${number}`, title: `Title ${number}`, body: 'Body', priority: 'normal', read: false, source: 'pc', createdAt: 1000 + number, sequence: number, alert: number, ...more });

/** A computer's history: what `notification.sync` answers of it. */
class History {
    epoch = 'e1';
    rows = new Map();
    last = 0;
    history = 0;

    put(more = {}) { this.last += 1; const row = item(more.as ?? this.last, { ...more, sequence: this.last, alert: this.last }); this.rows.set(row.id, row); return row; }
    change(id, more) { this.last += 1; const row = { ...this.rows.get(id), ...more, sequence: this.last }; this.rows.set(id, row); return row; }
    get unread() { return [...this.rows.values()].filter(({ read, deleted }) => !read && !deleted).length; }

    sync({ epoch, after, limit }) {
        const fromStart = epoch !== this.epoch;
        const all = [...this.rows.values()].filter(({ sequence }) => sequence > (fromStart ? 0 : after)).sort((a, b) => a.sequence - b.sequence);
        const changes = all.slice(0, Math.min(limit, 3)).map((row) => (row.deleted ? { id: row.id, sequence: row.sequence, deleted: true } : row));
        const more = changes.length < all.length;
        return { epoch: this.epoch, changes, reached: more ? changes.at(-1).sequence : this.last, more, fromStart, unreadCount: this.unread, ...(fromStart && { history: this.history }) };
    }
}

const store = memoryStore();
const { phone } = await scriptedPhone(store);
const [one, two] = [...phone.machines.values()];
two.stand('away');
const there = new History();
for (let count = 0; count < 5; count += 1) there.put();
there.history = 4;
one.answers = {
    'notification.sync': (params) => there.sync(params),
    'notification.markAsRead': ({ ids }) => { ids.forEach((id) => there.change(id, { read: true })); return { success: true, markedCount: ids.length, count: ids.length }; },
    'notification.markAllAsRead': () => { for (const id of there.rows.keys()) there.change(id, { read: true }); return { success: true, markedCount: there.rows.size }; },
    'notification.delete': ({ ids }) => { ids.forEach((id) => there.change(id, { deleted: true })); return { success: true, markedCount: ids.length }; },
};
let client = new SealedClient({ phone, store, version: '1' });
const items = [];
const ask = async (method, params = {}) => {
    const answer = await client.call(method, params);
    found.push(...misfits(contract[method].answer, answer, method));
    return answer;
};
client.follow('notifications.follow', {}, { onItem: (each) => { found.push(...misfits(contract['notifications.follow'].items, each, 'item')); items.push(each); } });
const list = async (params = {}) => (await ask('notifications.list', params)).notifications.map(({ id, read, waiting }) => `${id}${read ? ' read' : ''}${waiting ? ' waits' : ''}`);

await until(() => items.some(({ new: each }) => each?.id === 'n5'));
said.first = await list({ device: 'pc-1' });
said.banners = items.filter(({ new: each }) => each).map(({ new: each, banner }) => `${each.id} ${banner}`);
said.pages = await ask('notifications.list', { device: 'pc-1', limit: 2 });
said.older = await list({ device: 'pc-1', limit: 2, before: said.pages.notifications[1].id });
said.olderOfAll = await list({ limit: 2, before: said.pages.before });
said.pages = [said.pages.total, said.pages.upTo, said.pages.unreadCount];
said.unread = await ask('notifications.unread');

// An event that goes on, one that is known, and a gap.
items.length = 0;
const sixth = there.put();
one.emit('notification.received', { ...sixth, notificationId: sixth.id, timestamp: sixth.createdAt, epoch: 'e1' });
one.emit('notification.received', { ...sixth, epoch: 'e1' });
await until(() => items.some(({ new: each }) => each?.id === 'n6'));
there.put();
const eighth = there.put();
one.emit('notification.received', { ...eighth, epoch: 'e1' });
await until(() => items.some(({ new: each }) => each?.id === 'n8'));
said.told = items.filter(({ new: each }) => each).map(({ new: each }) => each.id);

// Marks, there and away.
said.marked = await ask('notifications.mark', { device: 'pc-1', ids: ['n8'] });
await ask('notifications.refresh', { device: 'pc-1' });
one.stand('away');
said.queued = await ask('notifications.mark', { device: 'pc-1', ids: ['n7'] });
await ask('notifications.delete', { device: 'pc-1', ids: ['n6'] });
said.away = await list({ device: 'pc-1', limit: 4 });
// Another page of the same phone finds the marks again.
client.end();
const next = await scriptedPhone(store);
const again = [...next.phone.machines.values()][0];
[...next.phone.machines.values()].forEach((each) => { each.state = 'away'; });
client = new SealedClient({ phone: next.phone, store, version: '1' });
said.reloaded = await list({ device: 'pc-1', limit: 4 });
again.answers = one.answers;
again.stand('ready');
await until(() => there.rows.get('n7').read && there.rows.get('n6').deleted);
await ask('notifications.refresh', { device: 'pc-1' });
said.done = await list({ device: 'pc-1', limit: 3 });

// A refusal takes the mark back, and all is read up to what was seen.
again.answers['notification.delete'] = () => { throw Object.assign(new Error('no'), { name: 'WireError', code: 'not-allowed', detail: { rpc: -32010 } }); };
said.refused = await client.call('notifications.delete', { device: 'pc-1', ids: ['n5'] }).catch(({ code }) => code);
said.after = await list({ device: 'pc-1', limit: 3 });
said.all = await ask('notifications.mark', { device: 'pc-1', all: true, upTo: there.last });
said.none = (await ask('notifications.unread')).total;

// Another database: what is known shows no banner, what is later does.
const banners = [];
client.follow('notifications.follow', { device: 'pc-1' }, { onItem: ({ new: each, banner }) => { if (each) banners.push(`${each.id} ${banner}`); } });
there.epoch = 'e2';
there.last = 0;
const rows = [...there.rows.values()].filter(({ deleted }) => !deleted);
there.rows.clear();
for (const row of rows) there.put({ ...row, as: 0, id: row.id });
there.history = there.last;
there.put({ as: 99, createdAt: 99_000 });
await ask('notifications.refresh', { device: 'pc-1' });
said.anew = [banners, (await list({ device: 'pc-1' })).length];

said.local = await ask('notifications.local', { preview: false });
const subscription = { endpoint: 'https://push.example/1', p256dh: 'k', auth: 'a', applicationKey: 'x' };
said.push = await ask('notifications.push', { subscription });
again.answers['notification.registerPush'] = () => ({ success: true });
await registerPush(client, subscription);
said.registered = again.asked.findLast(({ method }) => method === 'notification.registerPush').params;
await store.put('notifications', 'gone n1', { id: 'n1', position: 1 });
await store.put('notificationCursors', 'gone', {});

said.advice = (await ask('notifications.list', {})).advice?.length ?? 0;
said.hostile = await (async () => {
    const before = (await list({ device: 'pc-1' })).length;
    for (const members of [null, [], { id: 7 }, { id: 'x', title: 'no body' }, { id: 'y'.repeat(300), title: 't', body: 'b' }, { deleted: true }]) again.emit('notification.changed', members);
    again.emit('notification.received', { id: 'long', title: 'x'.repeat(9000), body: '鸡'.repeat(9000), data: { a: 'b'.repeat(9000), c: 'd' }, actions: Array(99).fill({ id: 'a' }), epoch: 'e2', sequence: there.last + 1 });
    await until(() => banners.some((each) => each.startsWith('long')));
    const row = (await ask('notifications.list', { device: 'pc-1', limit: 500 })).notifications.find(({ id }) => id === 'long');
    return [(await list({ device: 'pc-1' })).length - before, Buffer.byteLength(row.title), Buffer.byteLength(row.body), row.data, row.actions.length];
})();
const third = await scriptedPhone(store);
const last = new SealedClient({ phone: third.phone, store, version: '1' });
await last.call('notifications.unread');
said.strangers = (await store.list('notificationCursors')).map(({ key }) => key);
console.log(JSON.stringify({ ...said, misfits: found }));
process.exit(0);
