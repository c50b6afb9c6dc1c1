/** What a test may order of the phone. */
import { concat, hex } from '../../../Sources/TandemWeb/Page/wire/bytes.js';
import { sha256 } from '../../../Sources/TandemWeb/Page/wire/hash.js';
import { linkOf } from './link-writer.mjs';
import { until } from './tools.mjs';

/** Begins something whose end is asked for by `finish`, by its name. */
function begin(state, name, promise) {
    promise.catch(() => {});
    state.pending.set(name, promise);
}

export const acts = {
    /** The only paired computer. */
    computers: ({ phone }) => phone.computers(),
    said: ({ said }) => said.splice(0),
    state: ({ phone }) => ({ phone: phone.state, computers: phone.computers().map(({ id }) => ({ state: phone.computer(id).state, path: phone.computer(id).path })) }),
    finish: (state, { name }) => state.pending.get(name),
    scan: (state, { text, ...options }) => begin(state, 'scan', state.phone.pairing.scan(text, options)),
    type: async (state, { digits }) => {
        const progress = [];
        state.progress = progress;
        begin(state, 'type', state.phone.pairing.type(digits, {
            onProgress: (item) => progress.push(item), confirm: () => new Promise((resolve) => { state.confirm = resolve; }),
        }));
    },
    progress: (state) => state.progress,
    confirm: (state, { same }) => state.confirm(same),
    show: async (state) => {
        const { text, done, hide } = await state.phone.pairing.show();
        state.hide = hide;
        begin(state, 'show', done);
        return text;
    },
    linkOf: (_, { text, origin }) => linkOf(JSON.parse(text), origin),
    pause: ({ phone }) => phone.pause(),
    resume: ({ phone }) => phone.resume(),
    hide: (state) => state.hide(),
    abortScan: (state, { text }) => {
        const control = new AbortController();
        begin(state, 'scan', state.phone.pairing.scan(text, { signal: control.signal }));
        state.abort = () => control.abort();
    },
    abort: (state) => state.abort(),
    ready: ({ phone }, { id }) => phone.computer(id).reached({ timeout: 20 }),
    call: ({ phone }, { id, method, params, options }) => phone.computer(id).call(method, params, options),
    queue: ({ phone }, { id, method, params }) => phone.queue.call(id, method, params),
    queueLater: ({ phone }, { id, method, params }) => phone.queue.add(id, method, params),
    unqueue: ({ phone }, { id }) => phone.queue.remove(id),
    queued: ({ phone }) => phone.queue.list(),
    queueEmpties: ({ phone }) => until(() => phone.queue.list().length === 0, 30_000, 'the end of the queue'),
    forget: ({ phone }, { id }) => phone.forget(id),
    /** Cuts every connection as a network does. */
    cut: ({ cut }) => cut(),
    waitFor: ({ phone }, { id, state }) => until(() => phone.computer(id).state === state, 20_000, state),
    waitForEnd: ({ said }) => until(() => said.find(({ event }) => event === 'ended'), 20_000, 'the end'),
    pings: async ({ phone }, { id, count }) => {
        const took = [];
        for (let at = 0; at < count; at += 1) took.push(await phone.computer(id).ping());
        took.sort((one, other) => one - other);
        return { median: took[count >> 1], last: took.at(-1) };
    },
    /** Many calls side by side while connections are cut. */
    callsAcrossCuts: async ({ phone, cut }, { id, count, cuts }) => {
        let done = 0;
        const all = Array.from({ length: count }, async (_, at) => {
            const answer = await phone.computer(id).call('system.ping', {}, { timeout: 60 });
            done += 1;
            if (cuts.includes(at)) cut();
            return answer.pong;
        });
        const answers = [];
        for (const each of all) answers.push(await each);
        return answers.filter(Boolean).length === count && done;
    },
};

/** What leaves a stream: how many bytes, their SHA-256, and in how many milliseconds. */
async function drained(stream, onPiece = () => {}) {
    const pieces = [];
    const began = performance.now();
    let bytes = 0;
    for await (const piece of stream) {
        pieces.push(piece);
        bytes += piece.length;
        onPiece(bytes);
    }
    const milliseconds = performance.now() - began;
    return { bytes, sha256: hex(await sha256(concat(...pieces))), milliseconds };
}

Object.assign(acts, {
    download: async ({ phone }, { id, path, options }) => {
        const { stream, ...told } = await phone.computer(id).download(path, options);
        return { ...told, ...await drained(stream) };
    },
    /** Cuts every connection when so many bytes have come, each once. */
    downloadAcrossCuts: async (state, { id, path, cuts }) => {
        const { stream } = await state.phone.computer(id).download(path);
        return drained(stream, (bytes) => { if (cuts.length && bytes >= cuts[0]) { cuts.shift(); state.cut(); } });
    },
    /** Goes on reading once the test has done something in between. */
    downloadHalf: async (state, { id, path }) => {
        const { stream } = await state.phone.computer(id).download(path);
        const reader = stream.getReader();
        const first = (await reader.read()).value;
        begin(state, 'download', new Promise((resolve) => { state.goOn = resolve; }).then(async () => {
            let bytes = first.length;
            for (let next = await reader.read(); !next.done; next = await reader.read()) bytes += next.value.length;
            return bytes;
        }));
        return first.length;
    },
    goOn: (state) => state.goOn(),
    upload: async (state, { id, folder, name, size, cuts = [], options = {} }) => {
        const contents = new Uint8Array(size).map((_, at) => at * 7 % 251);
        const began = performance.now();
        const answer = await state.phone.computer(id).upload(folder, new Blob([contents]), {
            name, ...options, onProgress: (done) => { if (cuts.length && done >= cuts[0]) { cuts.shift(); state.cut(); } },
        });
        return { path: answer.path, milliseconds: performance.now() - began };
    },
    terminal: async (state, { id, ...options }) => {
        const terminal = await state.phone.computer(id).terminal(options);
        state.output = '';
        state.exit = null;
        state.notices = [];
        const decoder = new TextDecoder();
        terminal.onData((bytes, taken) => {
            state.output += decoder.decode(bytes, { stream: true });
            taken();
        });
        terminal.onExit((exit) => { state.exit = { ...exit, error: exit.error?.code }; });
        terminal.onNotice((notice) => state.notices.push(notice));
        terminal.onLive(() => { state.isLive = true; });
        state.terminal = terminal;
        return terminal.sessionId;
    },
    type_keys: ({ terminal }, { data }) => terminal.write(data),
    detach: ({ terminal }) => terminal.detach(),
    shows: async (state, { text, seconds = 30 }) => {
        await until(() => state.output.includes(text), seconds * 1000, text);
        return state.output.length;
    },
    exits: async (state) => until(() => state.exit, 20_000, 'the exit'),
    /** Whether the numbered lines of the output follow one another. */
    lines: (state, { count }) => {
        const numbers = [...state.output.matchAll(/^line (\d+)\r?$/gm)].map(([, number]) => Number(number));
        return numbers.length === count && numbers.every((number, at) => number === at + 1) ? count : { found: numbers.length, first: numbers.find((number, at) => number !== at + 1) };
    },
});
