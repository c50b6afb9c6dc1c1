/** Asks a phone's account and conversations for every method, and says what does not fit the contract and how they fail. */
import { readFileSync } from 'node:fs';
import { misfits } from '../sealed/shapes.mjs';
import { ChatHub, chance } from './hub.mjs';
import { Person } from './person.mjs';

const contract = JSON.parse(readFileSync(new URL('../contract.json', import.meta.url), 'utf8')).control;
const found = [];
const said = {};
const hub = new ChatHub();
const ada = await Person.made(hub, chance(1), 'ada');
const bob = await Person.made(hub, chance(2), 'bob');
const asked = new Set(['account.new']);

async function ask(method, params = {}, who = ada) {
    asked.add(method);
    found.push(...misfits(contract[method].params, params, `${method} params`));
    const answer = await who.call(method, params);
    found.push(...misfits(contract[method].answer, answer, method));
    return answer;
}

async function refused(method, params = {}, who = ada) {
    try {
        await who.call(method, params);
        return null;
    } catch (error) {
        return `${error.code} ${error.detail?.reason ?? ''}`.trim();
    }
}

const until = async (test) => {
    const ends = Date.now() + 10_000;
    while (!await test()) {
        if (Date.now() > ends) throw new Error(`never: ${test}`);
        await new Promise((done) => { setTimeout(done, 2); });
    }
};

function follow(who, params = {}) {
    const items = [];
    const following = who.table.begin('chat.follow', params, { onItem: (item) => { found.push(...misfits(contract['chat.follow'].items, item, 'chat.follow item')); items.push(item); } });
    return { items, ...following };
}

found.push(...misfits(contract['account.new'].answer, ada.account, 'account.new'));
said.account = (await ask('account.show')).account.hub;
said.profile = (await ask('account.profile')).name;
said.devices = (await ask('account.devices')).devices.length;
await ask('account.endDevice', { device: 'd' });
await ask('account.password', { new: 'correct horse' });
said.renamed = (await ask('account.change', { nickname: 'Ada L' })).nickname;

const { id: conversation } = await ask('chat.open', { person: 'bob' });
said.conversation = conversation;
const seen = follow(bob);
asked.add('chat.follow');
await ask('chat.send', { conversation, text: ' hello ', id: 'm-1' });
said.again = (await ask('chat.send', { conversation, text: 'hello', id: 'm-1' })).id;
await until(() => seen.items.some(({ message }) => message?.text === 'hello'));
said.told = [...new Set(seen.items.flatMap((item) => Object.keys(item)))].sort();
await bob.settled();
said.row = await ask('chat.list', {}, bob);
await ask('chat.read', { conversation, upTo: 1 }, bob);
await until(() => hub.accounts.get(8).read.get(conversation) === 1);
await until(async () => (await ada.call('chat.list')).conversations[0].readByPeer === 1);
said.unread = (await ask('chat.list', {}, bob)).unread;
for (const method of ['chat.pin', 'chat.mute', 'chat.block']) said[method] = await ask(method, { conversation, on: true });
await ask('chat.typing', { conversation, on: true });
await ask('chat.draft', { conversation, text: 'Are you' });
said.draft = (await ask('chat.list')).conversations[0].draft;
await ask('chat.report', { conversation, reason: 'Rude' });
await ask('chat.answer', { conversation, accept: true });
await ask('chat.quote', { conversation, signal: 's-1', reply: 'Yes', content: 'Coffee?' });
said.contacts = (await ask('chat.contacts')).people.map(({ name }) => name);
said.link = (await ask('chat.link')).link;
said.safety = await ask('chat.safety', { conversation });
await ada.settled();

// Files.
const jpeg = new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, ...new Array(40).fill(1)])]);
const sound = new Blob([new Uint8Array([0x4f, 0x67, 0x67, 0x53, ...new Array(40).fill(1)])]);
const attach = (blob) => ada.chat.take('chat/attachments', blob).file;
await ask('chat.sendMedia', { conversation, kind: 'image', files: [attach(jpeg), attach(jpeg)], id: 'p-1' });
await ask('chat.sendMedia', { conversation, kind: 'voice', files: [attach(sound)], id: 'v-1', seconds: 3, waveform: [1, 200] });
await ask('chat.sendMedia', { conversation, kind: 'flash', files: [attach(jpeg)], id: 'f-1' });
await ada.settled();
await bob.settled();
said.here = (await ask('chat.history', { conversation })).messages.map(({ kind, status }) => `${kind} ${status}`);
said.there = (await ask('chat.history', { conversation }, bob)).messages.map(({ id, kind, text, flash }) => [id.slice(0, 3), kind, text, flash].filter(Boolean).join(' '));
said.picture = (await bob.chat.bytes('chat/media', { conversation, id: 'p-1', index: 1 })).type;
said.voice = (await bob.chat.bytes('chat/media', { conversation, id: 'v-1' })).type;
said.flash = (await bob.chat.bytes('chat/flash', { conversation, id: 'f-1' })).size;
said.flashAgain = await bob.chat.bytes('chat/flash', { conversation, id: 'f-1' }).catch((error) => `${error.code} ${error.detail.reason}`);
said.flashKept = (await bob.store.list('chat-media')).filter(({ key }) => key.includes('flash')).length;
said.wrongFile = await refused('chat.sendMedia', { conversation, kind: 'voice', files: [attach(jpeg)] });
said.goneFile = await refused('chat.sendMedia', { conversation, kind: 'image', files: ['nothing'] });

// All of it in one file.
said.exported = await ask('chat.export', { folder: '/home/ada/../my chats' }, bob);
said.archive = Buffer.from(await bob.saved.get('my chats.zip').arrayBuffer()).toString('base64');
bob.network.isDown = true;
await bob.store.write((await bob.store.list('chat-media')).map(({ table = 'chat-media', key }) => ({ table, key, remove: true })));
said.brokenExport = [await refused('chat.export', { folder: 'again' }, bob), bob.saved.get('again.zip')];
bob.network.isDown = false;

// Taken back: its file goes, too.
said.recalled = (await ask('chat.recall', { conversation, id: 'p-1' })).kind;
await until(async () => (await bob.call('chat.history', { conversation })).messages.some(({ kind }) => kind === 'recalled'));
said.kept = (await bob.store.list('chat-media')).filter(({ key }) => key.includes('/file/chat/image')).length;
await ask('chat.remove', { conversation, id: 'v-1' });
said.removed = await refused('chat.recall', { conversation, id: 'v-1' });
said.found = (await ask('chat.search', { text: 'HELLO' })).messages.map(({ id }) => id);
await ask('chat.hide', { conversation });
await ask('chat.clear', { conversation }, bob);
said.cleared = (await ask('chat.history', { conversation }, bob)).messages.length;

// What fails.
hub.lies['/chat/message/send'] = () => { throw Object.assign(new Error('no'), { code: 1302 }); };
said.refused = {
    notYours: await refused('chat.history', { conversation: 'si_tb_1_tb_2' }), blank: await refused('chat.send', { conversation, text: ' ' }), tooLong: await refused('chat.send', { conversation, text: 'x'.repeat(17_000) }),
    id: await refused('chat.send', { conversation, text: 'x', id: 'ü' }), nobody: await refused('chat.open', { person: 'eve' }), oneself: await refused('chat.open', { person: 'tb_7' }),
    otherHub: await refused('chat.open', { person: 'tandem-account://chat?hub=wss%3A%2F%2Fother.example&u=tb_9&n=X' }), unknown: await refused('chat.recall', { conversation, id: 'none' }),
    verify: await refused('chat.verify', { conversation, on: true }), media: await refused('chat.media', { conversation, id: 'm-1' }), handOver: await refused('chat.handOver', { did: 'x' }),
    again: await refused('account.login', { hub: 'hub.example' }),
};
hub.lies = {};

// The end, and another account.
said.out = await ask('account.logout');
said.signedOut = [(await ask('chat.list')).state, await refused('chat.send', { conversation, text: 'x' }), (await ask('account.show')).account, await refused('account.profile')];
said.elsewhere = await refused('account.login', { hub: 'wss://other.example' });
await ask('account.delete', { name: 'bob' }, bob);
said.left = (await bob.store.list('chat-messages')).length;
said.misfits = found;
said.asked = [...asked].sort();
console.log(JSON.stringify(said));
process.exit(0);
