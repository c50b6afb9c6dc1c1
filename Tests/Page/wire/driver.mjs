/** A phone of the page's modules that a test steers: a line of JSON for each order, and one for each answer. */
import readline from 'node:readline';
import { createRequire } from 'node:module';
import { openPhone } from '../../../Sources/TandemWeb/Page/wire/phone.js';
import { memoryStore } from './memory-store.mjs';
import { acts } from './acts.mjs';

const { WebSocket } = createRequire(import.meta.url)('/usr/share/nodejs/ws');
const store = memoryStore();
const said = [];
const sockets = new Set();
const state = { phone: null, store, said, sockets, pending: new Map() };

function dial(url) {
    const socket = new WebSocket(url);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    return socket;
}

/** Opens the page: with what the store has, as after a reload. */
async function open({ home, name = 'Ada\'s phone' }) {
    state.phone?.close();
    state.phone = await openPhone({ store, dial, home, mayDial: () => false, device: { name, platform: 'ios', version: '1.0' } });
    for (const event of ['state', 'computer', 'ended', 'rights']) state.phone.on(event, (value) => said.push({ event, value }));
    state.phone.start();
    return { did: state.phone.did, words: state.phone.words, computers: state.phone.computers().length };
}

function say(message) { process.stdout.write(`${JSON.stringify(message)}\n`); }

readline.createInterface({ input: process.stdin }).on('line', async (line) => {
    const { id, act, args } = JSON.parse(line);
    try {
        const result = await (act === 'open' ? open(args) : acts[act](state, args));
        say({ id, result: result ?? null });
    } catch (error) {
        say({ id, error: { name: error.name, code: error.code, reason: error.detail?.reason, rpc: error.detail?.rpc, right: error.detail?.right, message: error.message } });
    }
}).on('close', () => process.exit());
