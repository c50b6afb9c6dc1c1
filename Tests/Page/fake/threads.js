import { ClientError } from '/client/client.js';
import { NOW, hours, minutes } from './common.js';
import { computers } from './computers.js';
import { HOSTILE, MAIN, MARKUP, NASTY, PATCH } from './thread-texts.js';

/** A picture of four points. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGPkT/nPwMDAxAAGjHAGACmLAcxfVUqLAAAAAElFTkSuQmCC';

/** The first answer that any page of this browser gave, kept by one transaction: a page's view of localStorage may be old. */
function firstAnswer(id, answer) {
    return new Promise((resolve, reject) => {
        const opening = indexedDB.open('fake-approvals');
        opening.onupgradeneeded = () => opening.result.createObjectStore('answers');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
            const store = opening.result.transaction('answers', 'readwrite').objectStore('answers');
            const asking = store.get(id);
            asking.onsuccess = () => {
                if (!asking.result) store.put(answer, id);
                resolve(asking.result ?? answer);
            };
        };
    });
}

/** The threads of one computer: items by cursor, which is ten times their place, and who follows them. */
class FakeThreads {
    threads = [];
    approvals = [];
    posts = [];
    #followers = new Set();
    /** Events that do not arrive: for tests of what is lost. */
    drops = 0;

    constructor(fake, device, scenario) {
        this.fake = fake;
        this.device = device;
        this.scenario = scenario;
    }

    add(thread, items = []) {
        const entry = { thread: { source: 'codex', created_at: NOW - hours(50), updated_at: thread.last_message_ts, is_interactive: true, is_archived: false, origin: 'cli', can_post: true, ...thread }, items: [] };
        entry.items = items.map((item, at) => numbered(item, at));
        this.threads.push(entry);
        return entry;
    }

    find({ id, source }) {
        return this.threads.find(({ thread }) => thread.id === id && thread.source === source) ?? this.fake.fail('not-found', 'There is no such thread.');
    }

    // What is told

    /** Tells what is followed, until the page leaves it or the connection is cut. */
    async follow(wants, item, signal) {
        if (this.scenario.has('away')) return new Promise(() => {});
        await new Promise((resolve) => setTimeout(resolve));
        this.check();
        const subscribed = wants.id ? this.get(wants) : {};
        return new Promise((_, reject) => {
            const follower = { wants, tell: (event) => item(structuredClone(event)), cut: () => { this.#followers.delete(follower); reject(new ClientError('lost')); } };
            this.#followers.add(follower);
            signal.addEventListener('abort', () => this.#followers.delete(follower));
            follower.tell({ subscribed });
        });
    }

    tell(event, thread) {
        if (this.drops > 0) { this.drops -= 1; return; }
        const isItems = event.event === 'threads.items' || event.event === 'threads.delta';
        for (const { wants, tell } of this.#followers) {
            const isList = wants.id === undefined;
            if ((isList && !isItems) || (wants.id === thread?.id && wants.source === thread?.source)) tell(event);
        }
    }

    /** All that is followed is lost, as when the computer restarts. */
    cut() { for (const follower of [...this.#followers]) follower.cut(); }

    append(entry, items, { replaces = false } = {}) {
        const after = String(entry.items.length * 10);
        const made = items.map((item, at) => numbered({ at: Date.now(), ...item }, entry.items.length + at));
        entry.items.push(...made);
        entry.thread = { ...entry.thread, last_message_ts: Date.now() };
        const { id, source } = entry.thread;
        this.tell({ event: 'threads.items', id, source, after, items: made, newer: String(entry.items.length * 10), is_end: true, ...(replaces && { replaces: true }) }, entry.thread);
        this.change(entry, {});
    }

    change(entry, members) {
        entry.thread = { ...entry.thread, ...members };
        this.tell({ event: 'threads.changed', thread: entry.thread }, entry.thread);
    }

    delta(entry, item, offset, text) { this.tell({ event: 'threads.delta', id: entry.thread.id, source: entry.thread.source, item, offset, text }, entry.thread); }

    ask(approval) {
        const made = { at: Date.now(), options: OPTIONS, ...approval };
        this.approvals.push(made);
        this.tell({ event: 'threads.approval', approval: made }, { id: made.thread_id, source: made.source });
        return made;
    }

    closed(approval, option, by) {
        this.approvals = this.approvals.filter(({ id }) => id !== approval.id);
        const entry = this.threads.find(({ thread }) => thread.id === approval.thread_id);
        this.tell({ event: 'threads.approval.closed', approval: approval.id, id: approval.thread_id, source: approval.source, option, by }, { id: approval.thread_id, source: approval.source });
        if (entry) this.change(entry, { state: 'running' });
    }

    // What is asked

    check() {
        const { fake, scenario } = this;
        if (scenario.has('away')) fake.fail('away', 'studio-pc is not connected.');
        if (scenario.has('threads-refused') || scenario.has('not-allowed')) fake.fail('not-allowed', 'This phone may not read threads.', { right: 'threads.read' });
        if (scenario.has('threads-old')) fake.fail('unknown-method', 'There is no such method.');
        if (scenario.has('threads-failed')) fake.fail('internal', 'The index cannot be opened: the disk has an error.');
    }

    mayWrite() {
        this.check();
        if (this.scenario.has('threads-read-only')) this.fake.fail('not-allowed', 'This phone may not direct agents.', { right: 'threads.write' });
    }

    list({ limit = 50, cursor = '0', source, cwd, archived = false, all = false, state }) {
        this.check();
        const found = this.threads.map(({ thread }) => thread).filter((thread) => (!source || thread.source === source) && (!cwd || thread.cwd === cwd)
            && Boolean(thread.is_archived) === archived && (all || thread.is_interactive) && (!state || thread.state === state))
            .sort((a, b) => b.last_message_ts - a.last_message_ts);
        const from = Number(cursor);
        return {
            items: found.slice(from, from + limit), total: found.length, ...(from + limit < found.length && { next: String(from + limit) }),
            ...(this.scenario.has('indexing') && { indexing: { done: 3120, total: 10_412 } }),
        };
    }

    folders({ source }) {
        this.check();
        const found = new Map();
        for (const { thread } of this.threads) {
            if (source && thread.source !== source) continue;
            const folder = found.get(thread.cwd) ?? { cwd: thread.cwd, count: 0, updated_at: 0 };
            found.set(thread.cwd, { cwd: thread.cwd, count: folder.count + 1, updated_at: Math.max(folder.updated_at, thread.last_message_ts) });
        }
        return { folders: [...found.values()].sort((a, b) => b.updated_at - a.updated_at) };
    }

    agents() {
        this.check();
        const isThere = !this.scenario.has('no-agents');
        const missing = (name) => `${name} is not in the PATH of the program. Install it with \`npm install -g ${name}\`, then sign in.`;
        return { agents: [
            { source: 'codex', name: 'Codex', is_installed: isThere, version: '0.63.0', can_post: isThere, can_start: isThere, ...(!isThere && { reason: missing('codex') }) },
            { source: 'claude_code', name: 'Claude Code', is_installed: isThere, version: '2.1.4', can_post: isThere, can_start: isThere, ...(!isThere && { reason: missing('claude'), install: { program: 'claude', command: 'npm install -g @anthropic-ai/claude-code', sign_in: 'claude' } }) },
            { source: 'acp:gemini', name: 'Gemini CLI', is_installed: false, can_post: false, can_start: false, reason: missing('gemini') },
        ] };
    }

    get({ id, source, before, after, limit = 60 }) {
        this.check();
        const { thread, items } = this.find({ id, source });
        const end = items.length;
        let [from, to] = [Math.max(0, end - limit), end];
        if (after !== undefined) [from, to] = [Math.ceil(Number(after) / 10), Math.min(end, Math.ceil(Number(after) / 10) + limit)];
        if (before !== undefined) [from, to] = [Math.max(0, Number(before) / 10 - limit), Number(before) / 10];
        return { thread, items: items.slice(from, to), ...(from > 0 && { older: String(from * 10) }), newer: String(to * 10), is_end: to === end };
    }

    item({ id, source, item: wanted, image }) {
        const item = this.find({ id, source }).items.find((each) => each.id === wanted) ?? this.fake.fail('not-found', 'There is no such item.');
        if (image) return { item, ...(!this.scenario.has('no-pictures') && { data: PICTURE }) };
        return { item: { ...item, text: `${item.text}\n${Array.from({ length: 200 }, (_, at) => `more of it, line ${at + 1}`).join('\n')}`, is_cut: true } };
    }

    search({ query, source, cwd, limit = 20 }) {
        this.check();
        const words = query.toLowerCase();
        const found = [];
        for (const { thread, items } of this.threads) {
            if ((source && thread.source !== source) || (cwd && thread.cwd !== cwd)) continue;
            const all = [{ id: items[0]?.id, cursor: items[0]?.cursor, kind: 'user', text: thread.title ?? '' }, ...items.slice(-400)];
            for (const item of all) {
                const at = typeof item.text === 'string' ? item.text.toLowerCase().indexOf(words) : -1;
                if (at < 0) continue;
                const start = Math.max(0, at - 30);
                found.push({ thread, item: item.id, at: item.cursor, kind: item.kind, snippet: (start > 0 ? '…' : '') + item.text.slice(start, at + 160), marks: [[at - start + (start > 0 ? 1 : 0), at - start + (start > 0 ? 1 : 0) + words.length]] });
                if (found.length >= limit) return { items: found, next: 'more' };
            }
        }
        return { items: found };
    }

    post({ id, source, text, attachments }) {
        this.mayWrite();
        const entry = this.find({ id, source });
        if (this.scenario.has('post-fails')) this.fake.fail('lost', 'The agent ended while it was written to.');
        this.posts.push({ id, text, attachments });
        setTimeout(() => { this.append(entry, [{ kind: 'user', text }]); this.change(entry, { state: 'running' }); }, 30);
        return { state: 'running', turn: `turn-${this.posts.length}` };
    }

    start({ source, cwd, text, attachments }) {
        this.mayWrite();
        if (/nope/.test(cwd)) this.fake.fail('bad-request', 'There is no folder /nope on this computer.');
        this.posts.push({ source, cwd, text, attachments });
        const entry = this.add({ id: `new-${this.posts.length}`, source, title: text.slice(0, 80), cwd, state: 'running', last_message_ts: Date.now(), created_at: Date.now() }, [{ kind: 'user', text, at: Date.now() }]);
        this.change(entry, {});
        return { thread: entry.thread };
    }

    cancel({ id, source }) {
        this.mayWrite();
        const entry = this.find({ id, source });
        this.append(entry, [{ kind: 'notice', notice: 'interrupted', text: '' }]);
        this.change(entry, { state: 'done' });
        return { state: 'done' };
    }

    /** The first answer counts, of all pages of this browser. */
    async approve({ approval: id, option, reason, answers }) {
        this.mayWrite();
        const by = `page ${this.fake.page}`;
        const first = await firstAnswer(id, { option, by, reason, answers });
        const found = this.approvals.find((each) => each.id === id);
        if (found) setTimeout(() => this.closed(found, first.option, first.by));
        this.fake.channel.postMessage({ device: this.device, id, ...first });
        return { outcome: first.by === by ? 'answered' : 'already', option: first.option, by: first.by };
    }
}

const OPTIONS = [
    { id: 'accept', kind: 'allow_once' }, { id: 'acceptForSession', kind: 'allow_session' }, { id: 'decline', kind: 'decline' }, { id: 'cancel', kind: 'cancel' },
];

function numbered(item, at) {
    return { id: `i${at}`, cursor: String(at * 10), ...(item.ago !== undefined && { at: NOW - item.ago }), ...item };
}

/** @type {[title: string | null, source: string, cwd: string, branch: string | null, state: string, minutesAgo: number][]} */
const TITLES = [
    ['Spread the relay’s reconnects', 'codex', '/home/ada/src/tandem', 'spread-waits', 'approval', 3], ['Why does the index read files twice?', 'claude_code', '/home/ada/src/tandem', 'main', 'running', 1],
    ['给文件列表加上排序', 'claude_code', '/home/ada/src/网站', 'main', 'input', 12], ['Write the release notes for 0.9', 'codex', '/home/ada/src/tandem', 'main', 'done', 46],
    ['Flaky test in PairingTests', 'codex', '/home/ada/src/pairing', 'fix/flaky-test-under-load-on-slow-machines', 'failed', 180], ['Explain the borrow checker’s complaint', 'claude_code', '/home/ada/src/parser', null, 'idle', 60 * 26],
    ['Move the settings to SQLite without losing anybody’s choices, and write down how it was done so that others can follow', 'codex', '/home/ada/src/tandem', 'settings', 'idle', 60 * 50],
    [null, 'acp:gemini', '/home/ada', null, 'idle', 60 * 80],
];

/** @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario */
export function install(fake, scenario) {
    if (fake.role === 'hub') return;
    fake.page = crypto.randomUUID().slice(0, 8);
    fake.channel = new BroadcastChannel('fake-approvals');
    const places = new Map();
    const at = (device) => {
        if (!places.has(device ?? '')) places.set(device ?? '', filled(new FakeThreads(fake, device, scenario), device, scenario));
        return places.get(device ?? '');
    };
    fake.threadParts = at;
    fake.channel.onmessage = ({ data }) => {
        const place = at(data.device);
        const found = place.approvals.find(({ id }) => id === data.id);
        if (found) place.closed(found, data.option, data.by);
    };
    const own = new Map();
    for (const method of /** @type {const} */ (['list', 'folders', 'agents', 'get', 'item', 'search', 'approvals', 'post', 'start', 'cancel', 'approve'])) {
        const work = (place, params) => {
            if (method !== 'approvals') return place[method](params);
            place.check();
            return { items: place.approvals };
        };
        own.set(`threads.${method}`, (params) => work(at(null), params));
        fake.remote(`threads.${method}`, (params, { id }) => work(at(id), params));
    }
    fake.serve('threads.follow', ({ params, item, signal }) => at(params.device ?? null).follow(params, item, signal));
    fake.answer('threads.call', ({ method, params }) => own.get(method)(params ?? {}));
}

function filled(place, device, scenario) {
    if (scenario.has('no-threads') || scenario.has('empty')) return place;
    if (scenario.has('hostile')) {
        place.add({ id: 'main', title: NASTY, cwd: `/home/${NASTY}`, git_branch: NASTY, model: NASTY, state: NASTY, last_message_ts: NOW }, HOSTILE);
        place.add({ id: MARKUP, source: `acp:${MARKUP}`, title: 'x'.repeat(5000), cwd: MARKUP, last_message_ts: NOW - 1 }, []);
        place.ask({ id: MARKUP, thread_id: 'main', source: 'codex', kind: 'command', command: NASTY, cwd: NASTY, reason: NASTY, options: [{ id: MARKUP, name: NASTY, kind: MARKUP }] });
        place.ask({ id: 'h2', thread_id: 'main', source: 'codex', kind: MARKUP, method: NASTY, text: NASTY, options: [{ id: 'd', kind: 'decline' }] });
        return place;
    }
    if (device === computers[1].id) {
        place.add({ id: 'laptop', source: 'claude_code', title: 'Tidy the photo folder', cwd: 'C:\\Users\\Ada\\Pictures', state: 'approval', last_message_ts: NOW - minutes(9) }, [{ kind: 'user', text: 'Tidy my photos', at: NOW - minutes(10) }]);
        if (!scenario.has('no-waits')) place.ask({ id: 'laptop-1', thread_id: 'laptop', source: 'claude_code', at: NOW - minutes(9), kind: 'command', command: 'mkdir 2024 && move IMG_*.jpg 2024', cwd: 'C:\\Users\\Ada\\Pictures' });
        return place;
    }
    const isCalm = scenario.has('no-waits');
    TITLES.forEach(([title, source, cwd, branch, state, ago], index) => place.add({
        id: index === 0 ? 'main' : `t${index}`, title: title ?? undefined, source, cwd, git_branch: branch ?? undefined, model: source === 'codex' ? 'gpt-5.1-codex' : 'opus-4.5',
        state: isCalm && (state === 'approval' || state === 'input') ? 'done' : state, last_message_ts: NOW - minutes(ago), can_post: !source.startsWith('acp:'),
    }, index === 0 ? MAIN : [{ kind: 'user', text: title ?? 'Hello', at: NOW - minutes(ago + 5) }, { kind: 'agent', text: 'Let me look at **that**.', at: NOW - minutes(ago) }]));
    place.add({ id: 'old', title: 'An archived thread', cwd: '/home/ada/src/tandem', is_archived: true, last_message_ts: NOW - hours(900) }, [{ kind: 'user', text: 'long ago' }]);
    place.add({ id: 'auto', title: 'Nightly check', cwd: '/home/ada/ci', is_interactive: false, origin: 'exec', last_message_ts: NOW - hours(9) }, [{ kind: 'user', text: 'check' }]);
    if (scenario.has('many-threads')) {
        for (let index = 0; index < 10_000; index += 1) place.add({ id: `many${index}`, title: `Thread number ${index + 1}`, cwd: `/home/ada/project-${index % 40}`, last_message_ts: NOW - hours(100) - minutes(index) }, [{ kind: 'user', text: `hello ${index}` }]);
    }
    if (scenario.has('huge-thread')) place.add({ id: 'huge', title: 'Twenty thousand items', cwd: '/home/ada/src/tandem', state: 'running', last_message_ts: NOW - 5 }, huge(20_000));
    if (!isCalm) {
        const main = { thread_id: 'main', source: 'codex' };
        place.ask({ ...main, id: 'a1', at: NOW - minutes(3), kind: 'command', command: 'bin/flood --phones 10000 --frugal --report /tmp/flood.json', cwd: '/home/ada/src/tandem', reason: 'The command needs the network, which the sandbox does not give.' });
        const kinds = {
            'asks-change': { kind: 'change', files: [{ path: 'Sources/Relay/Backoff.swift', kind: 'updated' }], text: PATCH, reason: 'The folder is read only for this thread.' },
            'asks-tool': { kind: 'tool', name: 'github.create_issue', text: '{"title":"Flood needs 3 GB","labels":["memory"]}' },
            'asks-permissions': { kind: 'permissions', lines: ['Network: api.github.com', 'Write: /var/tmp/flood'] },
            'asks-questions': {
                kind: 'questions', questions: [
                    { id: 'where', header: 'Figures', text: 'Where shall the figures go?', choices: ['docs/performance.md', 'The issue'], details: [{ text: 'Kept with the code', preview: 'docs/\n└─ performance.md' }, {}], several: false, free_text: true },
                    { id: 'which', text: 'Which machines?', choices: ['slow', 'fast', 'the laptop'], several: true, free_text: false },
                    { id: 'token', text: 'The token of the issue tracker', choices: [], free_text: true, secret: true },
                ], options: [{ id: 'submit', kind: 'submit' }, { id: 'decline', kind: 'decline' }],
            },
            'asks-long': { kind: 'command', command: `${Array.from({ length: 30 }, (_, at) => `swift test --filter Part${at} &&`).join('\n')}\nrm -rf ~`, cwd: '/home/ada/src/tandem', reason: 'All parts, one after the other.' },
            'asks-unknown': { kind: 'teleport', method: 'item/teleport/requestApproval', text: '{"to":"the moon","speed":3}', options: [{ id: 'once', name: 'Teleport now', kind: 'other' }, { id: 'decline', kind: 'decline' }] },
        };
        const wanted = Object.keys(kinds).find((kind) => scenario.has(kind));
        if (wanted) place.approvals = [];
        if (wanted) place.ask({ ...main, id: 'a2', at: NOW - minutes(1), ...kinds[wanted] });
    }
    return place;
}

function huge(count) {
    const kinds = [
        (at) => ({ kind: 'user', text: `Question ${at}` }), (at) => ({ kind: 'reasoning', text: `Thinking about ${at}` }),
        (at) => ({ kind: 'call', call_id: `call${at}`, name: 'shell', text: `{"command":["bash","-lc","echo ${at}"]}` }),
        (at) => ({ kind: 'output', call_id: `call${at - 1}`, outcome: 'ok', code: 0, text: `${at}\n` }),
        (at) => ({ kind: 'agent', text: `Answer **${at}**\n\n${'Some words of an answer. '.repeat((at * 7) % 23)}\n\n- one\n- two` }),
    ];
    return Array.from({ length: count }, (_, at) => ({ ...kinds[at % kinds.length](at), at: NOW - (count - at) * 1000 }));
}
