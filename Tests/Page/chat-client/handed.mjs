/** History that another device of the account hands over, at the store of conversations: what it changes, what the hub's word comes before, and what goes out. */
import { Book } from '../../../Sources/TandemWeb/Page/client/chat/book.js';
import { deleteAt, recall, takeCovering } from '../../../Sources/TandemWeb/Page/client/chat/arrivals.js';
import { EarlyStates } from '../../../Sources/TandemWeb/Page/client/chat/early.js';
import { chatFailure } from '../../../Sources/TandemWeb/Page/client/chat/failures.js';
import { HandingOver } from '../../../Sources/TandemWeb/Page/client/chat/handing-over.js';
import { kindOf } from '../../../Sources/TandemWeb/Page/client/chat/message.js';
import { memoryStore } from '../wire/memory-store.mjs';

const [ME, BOB, TALK, OTHER] = ['tb_7', 'tb_8', 'si_tb_7_tb_8', 'si_tb_7_tb_9'];
const said = {};

/** A device with what sealing is given to hand over. */
async function device() {
    const store = memoryStore();
    const book = new Book({ store, uid: 7, me: ME, early: new EarlyStates(), tell: () => {} });
    await book.load();
    let seams;
    const sealing = { handover: async (given) => { seams = given; return { look: async () => {} }; } };
    const hub = { ask: async () => ({}), upload: async () => ({}), bytes: async () => { throw chatFailure('tooLong', { what: 'answer', limit: 1 }); } };
    const handing = new HandingOver(/** @type {any} */ ({ book, hub, sealing, changed: () => {} }));
    handing.look();
    while (!seams) await new Promise((done) => { setImmediate(done); });
    return { store, book, hub, ...seams };
}

function row(seq, members = {}) {
    return {
        conversation: TALK, from: BOB, id: `m-${seq}`, seq, created: seq, sent: seq * 1000, status: 'sent', error: null, type: 110, content: { type: 'sealed' }, isRecalled: false, isDeleted: false, isDestroyed: false,
        isControl: false, isSealed: true, isUnexpectedlyClear: false, trouble: 'otherDevice', ...members,
    };
}

function words(seq, content, members = {}) { return { conversation: TALK, sender: BOB, id: `m-${seq}`, seq, contentType: 101, content, files: [], ...members }; }

/** The hub hands over what it has, by its pages. */
function come({ book }, ...rows) {
    const [first, last] = [rows[0].seq, rows.at(-1).seq];
    return book.change((transaction) => takeCovering(transaction, rows[0].conversation, rows.map((each) => ({ row: each, isUnopened: false })), { first, last }, { tells: true }));
}

const waiting = async ({ store }) => (await store.list('chat-handed')).length;
async function reads({ book }, seq, from = BOB, id = `m-${seq}`) {
    const found = await book.message(TALK, from, id);
    return found.isRecalled ? 'recalled' : found.trouble ?? (kindOf(found) === 'text' ? `text ${found.content}` : kindOf(found));
}

{
    const it = await device();
    await come(it, row(1), row(2), row(3, { trouble: 'keyGone' }), ...['badSignature', 'unknownList', 'damaged'].map((trouble, at) => row(4 + at, { trouble })));
    const picture = JSON.stringify({ type: 'image', objectKey: 'chat/sealed/a' });
    await it.history.take([words(1, 'one'), words(2, picture, { contentType: 110 }), words(3, 'three'), ...[4, 5, 6].map((seq) => words(seq, 'no'))], []);
    said.filled = [await reads(it, 1), await reads(it, 2), await reads(it, 3)];
    said.closed = [await reads(it, 4), await reads(it, 5), await reads(it, 6)];
}
{
    const it = await device();
    await it.history.take([words(1, 'waits'), words(2, 'no', { sender: ME }), words(3, 'no', { id: 'other' }), words(5, 'no', { id: 'm-4' })], []);
    await come(it, row(1), row(2), row(3), row(4), row(5, { id: 'm-5' }));
    said.waited = [await reads(it, 1), await reads(it, 2), await reads(it, 3), await reads(it, 4)];
    said.waiting = await waiting(it);
    await it.history.take([words(6, 'first'), words(6, 'second'), words(6, 'third', { id: 'x' })], []);
    await come(it, row(6));
    said.doubled = await reads(it, 6);
}
{
    const it = await device();
    await come(it, row(1));
    const recalled = (seq) => it.book.change((transaction) => recall(transaction, { conversation: TALK, from: BOB, id: `m-${seq}`, seq }));
    await it.history.take([words(2, 'no'), words(3, 'no')], []);
    await recalled(2);
    await recalled(4);
    await it.history.take([words(4, 'no')], []);
    await come(it, row(2), row(3), row(4));
    said.recalled = [await reads(it, 2), await reads(it, 4), await waiting(it)];

    await it.history.take([words(5, 'no')], []);
    await it.book.change((transaction) => deleteAt(transaction, TALK, [5, 6]));
    await it.history.take([words(5, 'no'), words(6, 'no')], []);
    said.deleted = [await waiting(it), (await it.book.page(TALK, { first: 5, last: 6, limit: 9 })).length];

    await it.history.take([words(7, 'no')], []);
    await it.book.change((transaction) => transaction.clear(transaction.conversation(TALK), 9));
    const cleared = await waiting(it);
    await it.history.take([words(8, 'no'), words(3, 'no')], []);
    said.cleared = [cleared, await waiting(it)];
}
{
    const it = await device();
    await it.history.take([words(1, 'one'), words(2, 'two', { conversation: OTHER, sender: 'tb_9' })], []);
    said.made = { rows: (await it.store.list('chat-messages')).length, conversations: it.book.conversations.size, listed: (await it.store.list('chat-conversations')).length };
}
{
    const it = await device();
    await come(it, row(1));
    const write = it.store.write;
    it.store.write = async () => { throw new Error('the disk is full'); };
    await it.history.take([words(1, 'one')], [{ table: 'sealing-handovers', key: '7/in/x', value: { next: 1 } }]).catch(() => {});
    it.store.write = write;
    said.broken = { row: await reads(it, 1), place: await it.store.get('sealing-handovers', '7/in/x') ?? null };
}
{
    const it = await device();
    const readable = (seq, members) => row(seq, { type: 101, content: `text ${seq}`, trouble: null, ...members });
    const [talk, other] = [[], []];
    for (let seq = 1; seq <= 150; seq += 1) {
        talk.push(readable(seq, { sent: seq * 2000 }));
        other.push(readable(seq, { conversation: OTHER, from: 'tb_9', sent: seq * 2000 + 1000 }));
    }
    const stays = [{ isSealed: false }, { trouble: 'otherDevice' }, { isRecalled: true, content: null }, { isDestroyed: true, content: null }, { isControl: true }].map((members, at) => readable(151 + at, members));
    await come(it, ...talk, ...stays);
    await come(it, ...other);
    said.sent = [...talk, ...other].sort((one, last) => last.sent - one.sent).map(({ conversation, seq }) => `${conversation} ${seq}`);
    said.count = await it.history.count();
    const taken = [];
    for (let part = await it.history.after(null, 70); part.length > 0; part = await it.history.after(part.at(-1).place, 70)) taken.push(...part);
    const named = ({ message: { conversation, seq } }) => `${conversation} ${seq}`;
    said.out = taken.map(named);
    said.rest = (await it.history.after(taken[2].place, 1000)).map(named);
}
{
    const it = await device();
    const reason = (work) => work().then(() => null, (error) => error.detail.reason);
    it.hub.ask = async () => ({ 'chat/sealed/a': '/media/a' });
    said.objects = [await reason(() => it.objects.get('chat/sealed/a', 10)), await reason(() => it.objects.get('chat/sealed/b', 10)), await reason(() => it.objects.put(new Uint8Array(1)))];
}
console.log(JSON.stringify(said));
