/** A hub of two people in memory, and the network before it, which loses, doubles and delays as it is told. Source: docs/protocol.md 2.9 and 2.11. */

const RECALLED = 2101;

/** Numbers that look random and are the same for the same seed. */
export function chance(seed) {
    let state = seed >>> 0 || 1;
    return () => {
        state = state + 0x6D2B79F5 >>> 0;
        let mixed = Math.imul(state ^ state >>> 15, state | 1);
        mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
        return ((mixed ^ mixed >>> 14) >>> 0) / 4294967296;
    };
}

class Refusal extends Error {
    constructor(code) { super(String(code)); this.code = code; }
}

export class ChatHub {
    /** By numbers. */
    accounts = new Map();
    /** By conversations: rows in the order of their places. */
    logs = new Map();
    sockets = new Set();
    /** How many events of a person are kept. */
    keeps = 2000;
    now = 1_790_000_000_000;
    asked = [];
    files = new Map();
    /** What a path answers instead. @type {Object<string, (answer: any, body: any) => any>} */
    lies = {};

    account(token) {
        const found = [...this.accounts.values()].find((each) => each.tokens.has(token));
        if (!found) throw new Refusal(1505);
        return found;
    }

    log(conversation) {
        if (!this.logs.has(conversation)) this.logs.set(conversation, []);
        return this.logs.get(conversation);
    }

    // MARK: Requests

    answer(path, body, token) {
        this.asked.push(path);
        const work = HANDLERS[path];
        if (!work) throw new Refusal(1004);
        const answer = work(this, body, path.startsWith('/account/') && !token ? null : this.account(token), token);
        return this.lies[path] ? this.lies[path](answer, body) : answer;
    }

    session(account) {
        account.count += 1;
        const token = `t-${account.uid}-${account.count}`;
        account.tokens.add(token);
        return { uid: account.uid, userID: `tb_${account.uid}`, name: account.name, nickname: account.nickname, device: `d-${account.uid}`, accessToken: token, expiresIn: 900, refreshToken: 'tdr_unused' };
    }

    // MARK: What is told

    event(uid, members) {
        const account = this.accounts.get(uid);
        account.useq += 1;
        const event = { ...members, useq: account.useq };
        account.events.push(event);
        account.events.splice(0, Math.max(0, account.events.length - this.keeps));
        return event;
    }

    push(uid, data, except = null) { for (const socket of [...this.sockets]) if (socket.uid === uid && socket.token !== except) socket.tell(data); }

    people(conversation) { return conversation.slice(3).match(/tb_\d+/g).map((each) => Number(each.slice(3))); }

    message(row) {
        const element = row.isRecalled ? { detail: '{}' } : row.contentType === 101 ? { content: row.content } : { data: row.content, description: '', extension: '' };
        return {
            clientMsgID: row.id, serverMsgID: 's', createTime: row.time, sendTime: row.time, sendID: `tb_${row.from}`, recvID: 'tb_0', contentType: row.isRecalled ? RECALLED : row.contentType,
            content: Buffer.from(JSON.stringify(element)).toString('base64'), seq: row.seq, status: 2,
        };
    }

    part(conversation, rows, isEnd) { return { [conversation]: { Msgs: rows.map((row) => this.message(row)), isEnd, endSeq: rows.at(-1)?.seq ?? 0 } }; }
}

const HANDLERS = {
    '/account/challenge': () => ({ challenge: 'c'.repeat(43), expiresIn: 120 }),
    '/account/register': (hub, { name, nickname, did }) => {
        const uid = hub.accounts.size + 7;
        hub.accounts.set(uid, { uid, name, nickname: nickname ?? name, did, tokens: new Set(), count: 0, useq: 0, events: [], read: new Map() });
        return hub.session(hub.accounts.get(uid));
    },
    '/account/refresh': (hub, { did }) => {
        const found = [...hub.accounts.values()].find((each) => each.did === did);
        if (!found) throw new Refusal(1507);
        return hub.session(found);
    },
    '/account/find': (hub, { name }) => {
        const found = [...hub.accounts.values()].find((each) => each.name === name);
        if (!found) throw new Refusal(1101);
        return { uid: found.uid, userID: `tb_${found.uid}`, name, nickname: found.nickname, avatar: '' };
    },
    '/user/profile/openim-batch': (hub, { user_ids: ids }) => ids.filter((id) => hub.accounts.has(id)).map((uid) => ({ uid, username: hub.accounts.get(uid).nickname, avatar: '' })),
    '/friend/get_black_list': () => ({ blacks: [], total: 0 }),
    '/chat/received': () => ({}),
    '/account/me': (hub, body, account) => ({ uid: account.uid, userID: `tb_${account.uid}`, name: account.name, nickname: account.nickname, avatar: '', createdAt: 1, hasPassword: false, keys: 1, more: 'unknown' }),
    '/account/devices': () => ({ devices: [{ device: 'd', name: 'phone', platformID: 7, createdAt: 1, current: true, more: 1 }, { no: 'device' }] }),
    '/account/devices/end': () => ({}),
    '/account/password': () => ({}),
    '/account/logout': () => ({}),
    '/account/profile': (hub, { nickname }, account) => Object.assign(account, { nickname: nickname ?? account.nickname }) && { uid: account.uid, nickname: account.nickname },
    '/account/delete': (hub, body, account) => { hub.accounts.delete(account.uid); return {}; },
    '/conversation/delete_conversations': () => ({}),
    '/msg/clear_conversation_msg': () => ({}),
    '/msg/delete_msgs': () => ({}),
    '/friend/add_black': () => ({}),
    '/friend/remove_black': () => ({}),
    '/chat/report': () => ({}),
    '/chat/request/answer': () => ({}),
    '/chat/search': () => ({ msgs: [] }),
    '/chat/upload': (hub, { type, bytes }) => {
        const objectKey = `chat/${type.slice(5)}/${hub.files.size + 1}`;
        hub.files.set(objectKey, bytes);
        return { objectKey, size: bytes.size };
    },
    '/chat/media/sign': (hub, { object_keys: keys }) => Object.fromEntries(keys.filter((key) => hub.files.has(key)).map((key) => [key, `https://elsewhere.example/media/${key}?s=1`])),
    '/chat/flash/open': (hub, { client_msg_id: id }) => {
        const row = [...hub.logs.values()].flat().find((each) => each.id === id);
        const { objectKey } = JSON.parse(row.content);
        if (hub.files.has(`once/${objectKey}`)) throw new Refusal(410);
        hub.files.set(`once/${objectKey}`, hub.files.get(objectKey));
        return { url: `/media/once/${objectKey}` };
    },
    '/conversation/set_conversations': () => ({}),
    '/chat/message/send': (hub, { recvID, contentType, content, clientMsgId }, account, token) => {
        if (contentType === 113) return { serverMsgID: '', clientMsgID: clientMsgId, sendTime: 0 };
        const log = hub.log(recvID);
        let row = log.find((each) => each.from === account.uid && each.id === clientMsgId);
        if (!row) {
            hub.now += 1000;
            row = { id: clientMsgId, from: account.uid, contentType, content, seq: log.length + 1, time: hub.now, isRecalled: false };
            log.push(row);
            for (const uid of hub.people(recvID)) hub.push(uid, { msgs: hub.part(recvID, [row], true), notificationMsgs: {} }, token);
        } else if (row.content !== content && !row.isRecalled) throw new Refusal(1003);
        return { serverMsgID: 's', clientMsgID: clientMsgId, sendTime: row.time, seq: row.seq };
    },
    '/chat/message/revoke': (hub, { conversation_id: conversation, client_msg_id: id }, account) => {
        const row = hub.log(conversation).find((each) => each.id === id && each.from === account.uid);
        if (!row) throw new Refusal(1004);
        if (row.isRecalled) throw new Refusal(1404);
        row.isRecalled = true;
        for (const uid of hub.people(conversation)) {
            const event = hub.event(uid, { event: 'recalled', conversationID: conversation, seq: row.seq, clientMsgID: id, userID: `tb_${account.uid}`, time: hub.now });
            hub.push(uid, { events: [event], msgs: {}, notificationMsgs: {} });
        }
        return {};
    },
    '/msg/mark_conversation_as_read': (hub, { conversationID, hasReadSeq }, account) => {
        const read = Math.min(hasReadSeq, hub.log(conversationID).length);
        if (read <= (account.read.get(conversationID) ?? 0)) return {};
        account.read.set(conversationID, read);
        const peer = hub.people(conversationID).find((uid) => uid !== account.uid);
        hub.push(peer, { events: [hub.event(peer, { event: 'peerRead', conversationID, seq: read })], msgs: {}, notificationMsgs: {} });
        return {};
    },
    '/msg/pull_msg_by_seq': (hub, { seqRanges, order }) => ({
        msgs: Object.assign({}, ...seqRanges.map(({ conversationID, begin, end, num }) => {
            const found = hub.log(conversationID).filter(({ seq }) => seq >= begin && seq <= end);
            const rows = order === 0 ? found.slice(0, num) : found.slice(-num);
            return hub.part(conversationID, rows, rows.length === found.length);
        })),
    }),
    '/conversation/get_sorted_conversation_list': (hub, { conversationIDs }, account) => {
        const all = [...hub.logs.keys()].filter((id) => hub.people(id).includes(account.uid) && hub.log(id).length > 0 && (!conversationIDs || conversationIDs.includes(id)));
        const rows = all.map((id) => {
            const log = hub.log(id);
            const read = account.read.get(id) ?? 0;
            const unread = log.filter(({ seq, from, isRecalled }) => seq > read && from !== account.uid && !isRecalled).length;
            return { conversationID: id, recvMsgOpt: 0, unreadCount: unread, IsPinned: false, msgInfo: { senderName: 'x' }, standing: { isBlocked: false, isPeerDeleted: false, maxSeq: log.length, minSeq: 1, hasReadSeq: read, peerReadSeq: 0, peerReceivedSeq: 0 } };
        });
        return { conversationTotal: rows.length, unreadTotal: 0, conversationElems: rows };
    },
    '/chat/sync': (hub, { useq, seqs }, account) => {
        const kept = account.events[0]?.useq ?? account.useq + 1;
        const places = Object.fromEntries([...hub.logs.keys()].filter((id) => hub.people(id).includes(account.uid) && hub.log(id).length > 0)
            .map((id) => [id, { maxSeq: hub.log(id).length, minSeq: 1, hasReadSeq: account.read.get(id) ?? 0, maxSeqTime: hub.now }]));
        const msgs = Object.assign({}, ...Object.entries(seqs).map(([id, last]) => {
            const found = hub.log(id).filter(({ seq }) => seq > last);
            return hub.part(id, found.slice(0, 200), found.length <= 200);
        }));
        return { useq: account.useq, reload: useq > account.useq || useq + 1 < kept && useq < account.useq, events: account.events.filter((event) => event.useq > useq).slice(0, 500), seqs: places, msgs, notificationMsgs: {} };
    },
};

/** The network between one client and the hub. `bad` is how much of everything goes wrong, from 0 to 1. */
export class Network {
    bad = 0;
    isDown = false;
    sockets = new Set();

    /** @param {ChatHub} hub @param {() => number} random */
    constructor(hub, random) {
        this.hub = hub;
        this.random = random;
    }

    get goesWrong() { return this.random() < this.bad; }

    fetch = async (url, { body, headers }) => {
        const { pathname, searchParams } = new URL(url);
        await new Promise((done) => { setImmediate(done); });
        if (this.isDown || this.goesWrong) throw new TypeError('the request was lost');
        let answer;
        try {
            if (pathname.startsWith('/media/')) return new Response(this.hub.files.get(pathname.slice('/media/'.length)));
            const asked = body instanceof Blob ? { type: searchParams.get('type'), bytes: body } : JSON.parse(body);
            answer = { errCode: 0, errMsg: '', errDlt: '', data: this.hub.answer(pathname, asked, headers.token) };
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            answer = { errCode: error.code, errMsg: 'Refused', errDlt: 'The hub refuses.' };
        }
        if (this.isDown || this.goesWrong) throw new TypeError('the answer was lost');
        return new Response(JSON.stringify(answer), { status: 200, headers: { 'Content-Type': 'application/json' } });
    };

    dial = (url) => {
        const socket = new Socket(this, new URL(url).searchParams.get('token'));
        this.sockets.add(socket);
        return socket;
    };

    cut() { for (const socket of [...this.sockets]) socket.close(); }
}

class Socket {
    readyState = 0;
    #listeners = { open: [], message: [], close: [] };

    constructor(network, token) {
        this.network = network;
        this.token = token;
        setImmediate(() => this.#begin());
    }

    addEventListener(name, listener) { this.#listeners[name]?.push(listener); }

    #emit(name, event = {}) { for (const listener of this.#listeners[name]) listener(event); }

    #begin() {
        if (this.readyState !== 0) return;
        if (this.network.isDown || this.network.goesWrong) { this.close(); return; }
        this.readyState = 1;
        try {
            this.uid = this.network.hub.account(this.token).uid;
        } catch {
            this.#emit('open');
            this.#emit('message', { data: JSON.stringify({ reqIdentifier: 3001, msgIncr: '', errCode: 1505, errMsg: 'no' }) });
            this.close();
            return;
        }
        this.network.hub.sockets.add(this);
        this.#emit('open');
    }

    send(text) {
        const { reqIdentifier, msgIncr, data } = JSON.parse(text);
        const answer = reqIdentifier === 2005 ? data.subscribeUserID.map((userID) => ({ userID, status: 0 })) : {};
        setImmediate(() => this.#say({ reqIdentifier, msgIncr, operationID: '', errCode: 0, errMsg: '', data: answer }));
    }

    /** A push: lost, doubled or late where the network is bad. */
    tell(data) {
        const frame = { reqIdentifier: 2001, msgIncr: '', operationID: '', errCode: 0, errMsg: '', data };
        if (this.network.goesWrong) return;
        const times = this.network.goesWrong ? 2 : 1;
        for (let time = 0; time < times; time += 1) {
            const wait = this.network.goesWrong ? 5 : 0;
            setTimeout(() => this.#say(structuredClone(frame)), wait);
        }
    }

    #say(frame) { if (this.readyState === 1 && !this.network.isDown) this.#emit('message', { data: JSON.stringify(frame) }); }

    close() {
        if (this.readyState === 3) return;
        this.readyState = 3;
        this.network.sockets.delete(this);
        this.network.hub.sockets.delete(this);
        setImmediate(() => this.#emit('close'));
    }
}
