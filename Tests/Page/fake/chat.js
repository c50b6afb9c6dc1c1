import { ClientError } from '/client/client.js';
import { NOW, days, hours, minutes } from './common.js';
import { install as installSealing } from './sealing.js';

const ME = 'tb_7';
const LINK = 'tandem-account://chat?hub=wss%3A%2F%2Fhub.example.net&u=tb_7&n=Ada&k=1vSxK0a7Qm3C2pZbXy0aF5hW8oTt9cEJd4r6uNqLsMk';
const BLURS = ['LEHV6nWB2yk8pyo0adR*.7kCMdnj', 'LGF5]+Yk^6#M@-5c,1J5@[or[Q6.', 'L6PZfSi_.AyE_3t7t7R**0o#DgR4'];
const HOSTILE = '\u202Egpj.exe<img src=x onerror="window.hacked=1">\u200B';

/** The conversation with a person. */
export const idOf = (user) => `si_${[ME, user].sort().join('_')}`;

/**
 * A phone's conversations. Scenarios: `no-chats`, `chat-signed-out`, `chat-away`, `chat-connecting`, `chat-failed`, `chat-long` (10,000 messages),
 * `chat-requests-none`, `chat-restarted`, `chat-forked`, `chat-clear-now`, `chat-blocked`, `chat-deleted`, `chat-incoming`, `chat-outgoing`,
 * `chat-first`, `chat-send-fails`, `chat-no-media`, `chat-no-number`, `chat-verified`, `hostile`, `many-chats`.
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function install(fake, scenario) {
    if (fake.role !== 'phone') return;
    const house = new House(fake, scenario);
    fake.chat = house;
    installList(fake, house, scenario);
    installMessages(fake, house, scenario);
    installPeople(fake, house, scenario);
    installSealing(fake, scenario);
    fake.routes = routesOf(fake, house, scenario);
}

/** What the program keeps, and what tests let happen in it. */
class House {
    rows = new Map();
    messages = new Map();
    /** Lines of the phone, by conversations. */
    notices = new Map();
    listeners = new Set();
    state = 'live';
    /** What was opened of view-once pictures. */
    opened = [];
    attached = [];
    #number = 0;

    constructor(fake, scenario) {
        this.fake = fake;
        if (scenario.has('chat-away')) this.state = 'away';
        if (scenario.has('chat-connecting')) this.state = 'connecting';
        if (scenario.has('chat-signed-out')) this.state = 'signedOut';
        if (!scenario.has('no-chats') && this.state !== 'signedOut') fill(this, scenario);
    }

    row(user, members = {}) {
        const row = {
            id: idOf(user), user, name: user, avatar: null, isOnline: false, isPinned: false, isMuted: false, isBlocked: false, isDeleted: false, request: null, draft: null, unread: 0, last: null,
            readByPeer: 0, receivedByPeer: 0, newest: 0, read: 0, isSealed: true, isVerified: false, trouble: null, ...members,
        };
        this.rows.set(row.id, row);
        if (!this.messages.has(row.id)) this.messages.set(row.id, []);
        return row;
    }

    /** Puts a message at the end of a conversation, without telling. */
    put(user, members = {}) {
        const row = this.rows.get(idOf(user));
        const all = this.messages.get(row.id);
        const isMine = members.isMine ?? false;
        const status = members.status ?? 'sent';
        const message = {
            id: `m-${this.#number += 1}`, conversation: row.id, from: isMine ? ME : user, isMine, kind: 'text', text: '', time: NOW, seq: status === 'sent' ? (row.newest += 1) : null, status, error: null, progress: 0,
            pictures: [], voice: null, quote: null, flash: null, isSealed: row.isSealed, trouble: null, isUnexpectedlyClear: false, ...members,
        };
        all.push(message);
        this.settle(row, message);
        return message;
    }

    settle(row, message) {
        row.last = { id: message.id, kind: message.kind, text: message.kind === 'text' || message.kind === 'quote' ? message.text.slice(0, 200) : '', time: message.time, isMine: message.isMine, status: message.status };
        if (message.isMine && message.seq) row.read = message.seq;
        row.unread = this.messages.get(row.id).filter(({ isMine, seq, kind }) => !isMine && seq > row.read && kind !== 'recalled').length;
    }

    tell(item) { for (const listener of this.listeners) listener(structuredClone(item)); }

    tellRow(row) { this.tell({ conversation: row }); }

    /** A message of the other person comes. */
    come(user, members = {}) {
        const message = this.put(user, { time: Date.now(), ...members });
        this.tell({ message });
        this.tellRow(this.rows.get(idOf(user)));
        return message;
    }

    /** The other person's list of devices changed. */
    noticed(user, members = {}) {
        const { id, newest } = this.rows.get(idOf(user));
        const all = this.notices.get(id) ?? [];
        const notice = { id: this.#number += 1, conversation: id, after: newest, time: NOW, added: [], removed: [], isAnew: false, ...members };
        this.notices.set(id, [...all, notice]);
        this.tell({ notice });
        return notice;
    }

    change(message, members) {
        Object.assign(message, members);
        const row = this.rows.get(message.conversation);
        if (row.last?.id === message.id) this.settle(row, message);
        this.tell({ message });
        this.tellRow(row);
        return message;
    }

    find(conversation, id) {
        const found = this.messages.get(conversation)?.find((each) => each.id === id);
        if (!found) this.fake.fail('not-found', 'There is no such message.');
        return found;
    }

    get(conversation) { return this.rows.get(conversation) ?? this.fake.fail('not-found', 'There is no such conversation.'); }

    get standing() {
        const conversations = [...this.rows.values()].sort((one, other) => Number(other.isPinned) - Number(one.isPinned) || (other.last?.time ?? 0) - (one.last?.time ?? 0) || (one.id < other.id ? -1 : 1));
        const isIn = this.state !== 'signedOut';
        return {
            state: this.state, me: isIn ? { user: ME, name: 'ada', nickname: 'Ada' } : null, conversations, requests: conversations.filter(({ request }) => request === 'incoming').length,
            unread: conversations.reduce((sum, { unread, isMuted }) => sum + (isMuted ? 0 : unread), 0),
        };
    }
}

function fill(house, scenario) {
    const trouble = ['restarted', 'forked', 'clear-now'].find((each) => scenario.has(`chat-${each}`))?.replace('clear-now', 'clear') ?? null;
    const name = scenario.has('hostile') ? HOSTILE : 'Grace Hopper';
    house.row('tb_9', {
        name, avatar: 'avatar/9', isOnline: true, isPinned: true, isVerified: scenario.has('chat-verified') || trouble === 'restarted', isBlocked: scenario.has('chat-blocked'), isDeleted: scenario.has('chat-deleted'),
        request: scenario.has('chat-incoming') ? 'incoming' : scenario.has('chat-outgoing') ? 'outgoing' : null, trouble,
    });
    talk(house, scenario);
    house.row('tb_12', { name: '王小明', isSealed: false, draft: '明天下午三点可以吗？' });
    house.put('tb_12', { text: '好的，周四见', time: NOW - hours(20) });
    house.row('tb_15', { name: 'Linus', isMuted: true });
    for (let at = 0; at < 3; at += 1) house.put('tb_15', { text: `Build ${at + 1} is green`, time: NOW - days(2) + minutes(at) });
    house.row('tb_18', { name: 'Margaret', isOnline: true });
    house.put('tb_18', { kind: 'flash', flash: 'closed', time: NOW - days(3) });
    house.row('tb_21', { name: 'Katherine' });
    house.put('tb_21', { isMine: true, text: 'The numbers are in the shared folder', status: 'failed', error: 'The hub refused the message: you are blocked.', time: NOW - days(4) });
    house.row('tb_24', { name: 'Somebody with a very long name who writes on one line what others write on three', isSealed: false });
    house.put('tb_24', { kind: 'recalled', time: NOW - days(9) });
    if (!scenario.has('chat-requests-none')) {
        house.row('tb_31', { name: 'Radia', request: 'incoming' });
        house.put('tb_31', { text: 'Hello! We met at the meet-up about spanning trees. May I write to you here?', time: NOW - hours(1) });
        house.row('tb_32', { name: scenario.has('hostile') ? HOSTILE : 'a-7f3', request: 'incoming', isSealed: false });
        house.put('tb_32', { text: scenario.has('hostile') ? HOSTILE : 'Buy cheap watches', time: NOW - hours(5) });
    }
    if (scenario.has('chat-first')) house.row('tb_40', { name: 'Barbara' });
    if (scenario.has('many-chats')) {
        for (let at = 0; at < 400; at += 1) {
            house.row(`tb_${1000 + at}`, { name: `Person ${at + 1}` });
            house.put(`tb_${1000 + at}`, { text: `Line ${at + 1}`, time: NOW - days(10) - minutes(at) });
        }
    }
}

/** The conversation that most states look at. */
function talk(house, scenario) {
    const say = (members) => house.put('tb_9', members);
    const row = house.rows.get(idOf('tb_9'));
    if (scenario.has('chat-incoming')) { say({ text: 'Hello Ada, this is Grace from the workshop.', time: NOW - hours(1) }); return; }
    if (scenario.has('chat-outgoing')) { say({ isMine: true, text: 'Hello Grace, may I ask you something?', time: NOW - hours(1) }); return; }
    const at = (count) => NOW - minutes(count);
    if (scenario.has('chat-long')) {
        for (let each = 0; each < 10_000; each += 1) say({ isMine: each % 3 === 0, text: each % 7 === 0 ? `Message ${each + 1}\nwith a second line` : `Message ${each + 1}`, time: NOW - minutes(30_000 - each * 3) });
        Object.assign(row, { read: row.newest, readByPeer: row.newest, receivedByPeer: row.newest, unread: 0 });
        return;
    }
    say({ text: 'Are you coming to the review on Thursday?', time: at(2000) });
    say({ isMine: true, text: 'Yes. I bring the figures of the last run, and the drawing of the relay.', time: at(1998) });
    say({ text: '太好了！那我们三点在会议室见。', time: at(1990) });
    say({ kind: 'quote', text: 'Count me in, I have a board.', quote: { id: '41', content: 'Anybody for chess after work? I have room for two, and the coffee machine works again.', reply: 'Count me in, I have a board.' }, time: at(1500) });
    say({ isMine: true, kind: 'image', pictures: [{ width: 1200, height: 800, blurHash: BLURS[0], isExpired: false }], time: at(1400) });
    say({ kind: 'image', pictures: [0, 1, 2, 3, 4].map((each) => ({ width: 600, height: 600, blurHash: BLURS[each % 3], isExpired: each === 4 })), time: at(900) });
    say({ kind: 'recalled', time: at(800) });
    say({ kind: 'voice', voice: { seconds: 12, waveform: Array.from({ length: 48 }, (_, each) => Math.round(20 + 70 * Math.abs(Math.sin(each / 3)))), isExpired: false }, time: at(300) });
    say({ isMine: true, kind: 'voice', voice: { seconds: 3, waveform: [], isExpired: false }, time: at(298) });
    house.noticed('tb_9', { added: [scenario.has('hostile') ? HOSTILE : 'Tablet'], time: at(210) });
    say({ kind: 'unknown', time: at(200), trouble: 'otherDevice' });
    say({ kind: 'unknown', time: at(195), trouble: 'unreadable' });
    say({ kind: 'text', text: 'This one came without a seal.', isSealed: false, isUnexpectedlyClear: true, time: at(190) });
    say({ kind: 'image', pictures: [{ width: null, height: null, blurHash: null, isExpired: true }], time: at(120) });
    say({ isMine: true, kind: 'flash', flash: 'own', pictures: [{ width: 800, height: 600, blurHash: BLURS[1], isExpired: false }], time: at(60) });
    say({ isMine: true, kind: 'flash', flash: 'viewedByPeer', time: at(59) });
    say({ kind: 'flash', flash: 'viewed', time: at(30) });
    say({ kind: 'flash', flash: 'closed', time: at(29) });
    say({ isMine: true, text: 'I look at it now.', time: at(10) });
    say({ text: scenario.has('hostile') ? HOSTILE : 'Tell me what you think of it: is the second drawing better than the first one?', time: at(8) });
    say({ isMine: true, text: 'Not yet sent', status: 'sending', time: at(2) });
    say({ isMine: true, text: 'This one did not go', status: 'failed', error: 'The hub was not reached for a day.', time: at(1) });
    say({ isMine: true, kind: 'image', pictures: [{ width: 900, height: 1200, blurHash: BLURS[2], isExpired: false }], status: 'sending', progress: 0.42, time: at(0) });
    Object.assign(row, { readByPeer: row.newest - 6, receivedByPeer: row.newest - 1, read: row.newest - 1 });
    row.unread = 1;
}

function installList(fake, house, scenario) {
    const one = (conversation, members) => {
        const row = house.get(conversation);
        Object.assign(row, members);
        house.tellRow(row);
        return row;
    };
    fake.answer('chat.list', () => (scenario.has('chat-failed') ? fake.fail('internal', 'The database cannot be read.') : house.standing));
    fake.answer('chat.open', ({ person }) => {
        const known = [...house.rows.values()].find(({ id, user, name }) => [id, user, name.toLowerCase()].includes(person.toLowerCase()));
        if (known) return known;
        if (person.startsWith('tandem-account://') || person === 'barbara') return house.row('tb_40', { name: 'Barbara' });
        return fake.fail('not-found', 'The hub knows nobody of this name.');
    });
    fake.answer('chat.pin', ({ conversation, on }) => one(conversation, { isPinned: on }));
    fake.answer('chat.mute', ({ conversation, on }) => one(conversation, { isMuted: on }));
    fake.answer('chat.block', ({ conversation, on }) => one(conversation, { isBlocked: on }));
    fake.answer('chat.hide', ({ conversation }) => { house.rows.delete(conversation); house.tell({ hidden: conversation }); return null; });
    fake.answer('chat.clear', ({ conversation }) => {
        house.messages.set(conversation, []);
        house.notices.delete(conversation);
        house.tell({ cleared: conversation });
        one(conversation, { last: null, unread: 0 });
        return null;
    });
    fake.answer('chat.draft', ({ conversation, text }) => { house.get(conversation).draft = text || null; return null; });
    fake.answer('chat.report', () => null);
    fake.answer('chat.answer', ({ conversation, accept }) => {
        const row = house.get(conversation);
        row.request = null;
        if (!accept) { house.rows.delete(conversation); house.tell({ hidden: conversation }); } else house.tellRow(row);
        return row;
    });
    fake.serve('chat.follow', ({ item, signal }) => new Promise((_, reject) => {
        if (house.state === 'signedOut') { reject(new ClientError('refused', 'There is no account on this phone.')); return; }
        house.listeners.add(item);
        signal.addEventListener('abort', () => house.listeners.delete(item));
    }));
}

function installMessages(fake, house, scenario) {
    const add = ({ conversation, id }, members) => {
        if (scenario.has('chat-send-fails')) fake.fail('full', 'The disk is full.');
        const row = house.get(conversation);
        const message = house.put(row.user, { isMine: true, status: 'sending', time: Date.now(), ...(id && { id }), ...members });
        house.tell({ message });
        if (house.state === 'live') setTimeout(() => house.change(message, { status: 'sent', seq: (row.newest += 1) }), 40);
        return message;
    };
    fake.answer('chat.history', ({ conversation, before = null, limit = 40 }) => {
        house.get(conversation);
        const all = house.messages.get(conversation);
        const some = before === null ? all : all.filter(({ seq }) => seq !== null && seq < before);
        const [page, isEnd] = [some.slice(-limit), some.length <= limit];
        const first = isEnd ? 0 : page[0].seq;
        return { messages: page, notices: (house.notices.get(conversation) ?? []).filter(({ after }) => after >= first && (before === null || after < before)), isEnd };
    });
    fake.answer('chat.send', (params) => add(params, { text: params.text }));
    fake.answer('chat.sendMedia', (params) => add(params, {
        kind: params.kind, ...(params.kind === 'image' && { pictures: params.files.map(() => ({ width: 800, height: 600, blurHash: null, isExpired: false })), progress: 0.1 }),
        ...(params.kind === 'flash' && { flash: 'own' }), ...(params.kind === 'voice' && { voice: { seconds: params.seconds ?? null, waveform: params.waveform ?? [], isExpired: false } }),
    }));
    fake.answer('chat.quote', (params) => add(params, { kind: 'quote', text: params.reply, quote: { id: params.signal, content: params.content ?? '', reply: params.reply } }));
    fake.answer('chat.resend', ({ conversation, id }) => {
        const message = house.change(house.find(conversation, id), { status: 'sending', error: null });
        setTimeout(() => house.change(message, { status: 'sent', seq: (house.get(conversation).newest += 1) }), 40);
        return message;
    });
    const drop = ({ conversation, id }) => {
        house.find(conversation, id);
        house.messages.set(conversation, house.messages.get(conversation).filter((each) => each.id !== id));
        house.tell({ removed: { conversation, id } });
        return null;
    };
    fake.answer('chat.discard', drop);
    fake.answer('chat.remove', drop);
    fake.answer('chat.recall', ({ conversation, id }) => {
        if (scenario.has('chat-send-fails')) fake.fail('refused', 'A message can be recalled for two minutes.');
        return house.change(house.find(conversation, id), { kind: 'recalled', text: '', pictures: [], voice: null, quote: null, flash: null });
    });
    fake.answer('chat.push', () => null);
    fake.answer('chat.read', ({ conversation, upTo }) => {
        const row = house.get(conversation);
        Object.assign(row, { read: Math.max(row.read, upTo ?? row.newest), unread: 0 });
        house.tellRow(row);
        return null;
    });
    fake.answer('chat.typing', () => null);
    fake.answer('chat.search', ({ text, conversation = null, limit = 20, before = null }) => {
        const from = Number(before ?? 0);
        const all = [...house.messages].filter(([id]) => !conversation || id === conversation).flatMap(([, messages]) => messages)
            .filter((message) => message.text.toLowerCase().includes(text.toLowerCase())).sort((one, other) => other.time - one.time);
        return { messages: all.slice(from, from + limit), next: all.length > from + limit ? String(from + limit) : null };
    });
    fake.answer('chat.media', () => ({ path: '/home/ada/.tandem/media/chat_image_1.jpg', type: 'image/jpeg', size: 20_480 }));
    fake.answer('chat.flash', () => ({ path: '/tmp/tandem-flash/1.jpg', type: 'image/jpeg', size: 20_480 }));
    fake.answer('chat.export', ({ folder }) => ({ folder, conversations: 1, messages: 2, files: 0 }));
}

function installPeople(fake, house, scenario) {
    const safetyOf = (conversation) => {
        const { isSealed, isVerified, trouble } = house.get(conversation);
        const hasNumber = isSealed && !scenario.has('chat-no-number');
        return {
            conversation, isSealed, isVerified, trouble, code: hasNumber ? 'tandem-safety:1vSxK0a7Qm3C2pZbXy0aF5hW8oTt9cEJd4r6uNqLsMk' : '',
            number: hasNumber ? ['30718', '92244', '05196', '77120', '41863', '60925', '18377', '25094', '83612', '09458', '56271', '34890'] : [],
        };
    };
    fake.answer('chat.link', () => ({ link: LINK, user: ME, name: 'Ada' }));
    fake.answer('chat.contacts', () => ({ people: [...house.rows.values()].map(({ id, user, name, request, isBlocked, isVerified }) => ({ conversation: id, user, name, request, isBlocked, isVerified })) }));
    fake.answer('chat.safety', ({ conversation }) => safetyOf(conversation));
    fake.answer('chat.verify', ({ conversation, on }) => {
        const row = house.get(conversation);
        row.isVerified = on;
        house.tellRow(row);
        return safetyOf(conversation);
    });
    fake.answer('chat.agree', ({ conversation }) => {
        const row = house.get(conversation);
        Object.assign(row, { trouble: null, isVerified: false });
        house.tellRow(row);
        return safetyOf(conversation);
    });
}

/** Bytes: pictures are drawn, and a voice note is a low hum. */
function routesOf(fake, house, scenario) {
    const hum = () => URL.createObjectURL(new Blob([wave()], { type: 'audio/wav' }));
    return {
        address: (path, query) => {
            if (scenario.has('chat-no-media')) return '/fake/none.png';
            if (path === 'chat/avatar') return drawing('#7a5cc0', '#f3c76b', 64, 64);
            const message = house.messages.get(query.conversation)?.find(({ id }) => id === query.id);
            if (message?.kind === 'voice') return hum();
            const { width, height } = message?.pictures[query.index] ?? {};
            return drawing(['#27576b', '#6b3f27', '#2f6b3a'][query.index % 3], '#f0d9a8', width ?? 600, height ?? 600);
        },
        post: async (path, query, body) => {
            house.attached.push({ path, name: query.name, type: body.type, size: body.size });
            return { file: `file-${house.attached.length}` };
        },
        bytes: async (path, { conversation, id }) => {
            const message = house.find(conversation, id);
            if (message.flash !== 'closed') fake.fail('not-found', 'The picture was viewed already.');
            house.opened.push(id);
            house.change(message, { flash: 'viewed' });
            return new Blob([svgOf('#5b2f6b', '#f6b7a0', 800, 1000)], { type: 'image/svg+xml' });
        },
    };
}

function svgOf(ground, sun, width, height) {
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="${ground}"/><circle cx="${width * 0.7}" cy="${height * 0.3}" r="${Math.min(width, height) * 0.14}" fill="${sun}"/><path d="M0 ${height * 0.8} L${width * 0.35} ${height * 0.45} L${width * 0.6} ${height * 0.72} L${width * 0.8} ${height * 0.55} L${width} ${height * 0.75} V${height} H0 Z" fill="#10202699"/></svg>`;
}

/** A picture of two colours and a size, as an address. */
export function drawing(...colours) { return `data:image/svg+xml,${encodeURIComponent(svgOf(...colours))}`; }

/** A tenth of a second of a tone, as WAV. */
export function wave() {
    const count = 800;
    const view = new DataView(new ArrayBuffer(44 + count));
    [0x52494646, 36 + count, 0x57415645, 0x666d7420, 16, 0x00010001, 8000, 8000, 0x00080001, 0x64617461, count].forEach((word, at) => view.setUint32(at * 4, word, ![0, 2, 3, 9].includes(at)));
    for (let at = 0; at < count; at += 1) view.setUint8(44 + at, 128 + Math.round(40 * Math.sin(at / 3)));
    return view;
}
