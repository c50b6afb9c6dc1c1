/** What a test may order of the phone. */
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
        begin(state, 'type', state.phone.pairing.type(digits, { onProgress: (item) => progress.push(item) }));
    },
    progress: (state) => state.progress,
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
    forget: ({ phone }, { id }) => phone.forget(id),
    /** Cuts every connection as a network does. */
    cut: ({ sockets }) => { for (const socket of sockets) socket.terminate(); },
    waitFor: ({ phone }, { id, state }) => until(() => phone.computer(id).state === state, 20_000, state),
    waitForEnd: ({ said }) => until(() => said.find(({ event }) => event === 'ended'), 20_000, 'the end'),
    pings: async ({ phone }, { id, count }) => {
        const took = [];
        for (let at = 0; at < count; at += 1) took.push(await phone.computer(id).ping());
        took.sort((one, other) => one - other);
        return { median: took[count >> 1], last: took.at(-1) };
    },
    /** Many calls side by side while connections are cut. */
    callsAcrossCuts: async ({ phone, sockets }, { id, count, cuts }) => {
        let done = 0;
        const all = Array.from({ length: count }, async (_, at) => {
            const answer = await phone.computer(id).call('system.ping', {}, { timeout: 60 });
            done += 1;
            if (cuts.includes(at)) for (const socket of sockets) socket.terminate();
            return answer.pong;
        });
        const answers = [];
        for (const each of all) answers.push(await each);
        return answers.filter(Boolean).length === count && done;
    },
};
