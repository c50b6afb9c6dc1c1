/** A hub that tells what no hub should: one bad thing spoils nothing beside it. */
import { ChatHub, chance } from './hub.mjs';
import { Person } from './person.mjs';

const said = {};
const hub = new ChatHub();
const ada = await Person.made(hub, chance(1), 'ada');
const bob = await Person.made(hub, chance(2), 'bob');
const { id: conversation } = await ada.call('chat.open', { person: 'bob' });
const texts = async (who = ada) => (await who.call('chat.history', { conversation })).messages.map(({ text, kind, trouble }) => trouble ?? (kind === 'text' ? text : kind));
const until = async (test) => {
    const ends = Date.now() + 10_000;
    while (!await test()) {
        if (Date.now() > ends) throw new Error(`never: ${test}`);
        await new Promise((done) => { setTimeout(done, 2); });
    }
};
const tell = (data) => { for (const socket of hub.sockets) if (socket.uid === 7) socket.tell(data); };
const push = (...messages) => tell({ msgs: { [conversation]: { Msgs: messages, isEnd: true, endSeq: 0 } }, notificationMsgs: {} });
const message = (members) => ({ ...hub.message({ id: `h-${members.seq}`, from: 8, contentType: 101, content: `line ${members.seq}`, seq: 1, time: 1, isRecalled: false }), ...members });

await bob.call('chat.send', { conversation, text: 'one', id: 'b-1' });
await until(async () => (await texts()).includes('one'));
await ada.settled();

// Rows that cannot be read, between others.
const before = hub.log(conversation);
before.push({ id: 'x-2', from: 8, contentType: 101, content: 'two', seq: 2, time: 2, isRecalled: false }, { id: 'x-3', from: 8, contentType: 101, content: 'three', seq: 3, time: 3, isRecalled: false });
push(message({ seq: 2, content: 'not base64 at all', clientMsgID: 'x-2' }), null, 7, message({ seq: 3, clientMsgID: 'x-3', content: Buffer.from('{"content":"three"}').toString('base64') }), message({ seq: -1 }), message({ seq: 'x' }));
await until(async () => (await texts()).includes('three'));
said.amongOthers = await texts();

// The same place and the same id once more, of somebody else, and another content under an id that is known.
push(message({ seq: 3, clientMsgID: 'other' }), message({ seq: 3, clientMsgID: 'x-3', content: Buffer.from('{"content":"changed?"}').toString('base64') }), message({ seq: 1, sendID: 'tb_99', clientMsgID: 'stranger' }));
tell('nothing'); tell(null); tell({ msgs: 7 }); tell({ events: [null, 7, { event: 'nonsense', useq: 'x' }, { event: 'typing', conversationID: 'si_tb_1_tb_2' }] });
tell({ msgs: { si_tb_1_tb_2: { Msgs: [message({ seq: 1 })] }, [conversation]: { Msgs: 'none' } } });
for (const socket of [...hub.sockets]) if (socket.uid === 7) socket.send(JSON.stringify({ reqIdentifier: 1, msgIncr: 'of nobody', data: {} }));
await ada.settled();
said.count = (await texts()).length;
said.conversations = (await ada.call('chat.list')).conversations.length;

// A recall and an event whose number leaps.
tell({ events: [{ event: 'recalled', conversationID: conversation, seq: 3, clientMsgID: 'x-3', userID: 'tb_8', useq: 99 }] });
await new Promise((done) => { setTimeout(done, 50); });
said.leap = (await texts()).includes('recalled');

// A view-once picture cannot be burned by its receiver's word about another's, nor an own one by oneself.
before.push({ id: 'fl', from: 8, contentType: 110, content: '{"type":"flash_image","objectKey":""}', seq: 4, time: 4, isRecalled: false });
before.push({ id: 'fv', from: 8, contentType: 110, content: '{"type":"flash_viewed","msgId":"fl"}', seq: 5, time: 5, isRecalled: false });
ada.network.cut();
ada.chat.session.nudge();
await until(async () => (await ada.call('chat.history', { conversation })).messages.some(({ id }) => id === 'fl'));
said.flash = (await ada.call('chat.history', { conversation })).messages.find(({ id }) => id === 'fl').flash;

// Answers that are none.
const lie = async (path, answer) => {
    hub.lies[path] = () => answer;
    ada.network.cut();
    ada.chat.session.nudge();
    await new Promise((done) => { setTimeout(done, 60); });
    delete hub.lies[path];
    return (await texts()).length;
};
said.lies = [];
for (const answer of [null, 7, [], {}, { useq: -1, events: 'x', seqs: 7, msgs: 'y' }, { useq: 2 ** 60, events: [null], seqs: { [conversation]: null }, msgs: { [conversation]: null } }]) said.lies.push(await lie('/chat/sync', answer));
// Where a number of the hub is beyond all that it says later, the list is loaded anew.
ada.network.cut();
ada.chat.session.nudge();
await bob.call('chat.send', { conversation, text: 'at last', id: 'b-9' });
await until(async () => (await texts()).includes('at last'));
said.last = true;

// A place far away waits until the hub said what is before it: nothing.
const pulls = () => hub.asked.filter((path) => path === '/msg/pull_msg_by_seq').length;
const pulled = pulls();
push(message({ seq: 5000, clientMsgID: 'far', content: Buffer.from('{"content":"far"}').toString('base64') }));
await until(async () => (await texts()).includes('far'));
said.far = pulls() - pulled;

// A session that was ended: the account is forgotten, and the person is told.
ada.network.isDown = true;
ada.network.cut();
await ada.call('chat.send', { conversation, text: 'kept', id: 'k-1' });
hub.accounts.get(7).tokens.clear();
hub.accounts.get(7).did = 'another';
ada.network.isDown = false;
ada.chat.session.nudge();
said.over = await ada.call('account.profile').catch((error) => `${error.code} ${error.detail.reason}`);
await until(async () => (await ada.call('chat.list')).state === 'signedOut');
said.waits = (await ada.store.list('chat-outbox')).map(({ value }) => `${value.id} ${value.isFailed}`);
said.account = (await ada.call('account.show')).account;
console.log(JSON.stringify(said));
process.exit(0);
