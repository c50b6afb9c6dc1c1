/** A phone in Node: a line of JSON for each order, and one for each answer. */
import readline from 'node:readline';
import { createRequire } from 'node:module';
import { memoryStore } from './memory-store.mjs';
import { steered } from './steered.mjs';

const { WebSocket } = createRequire(import.meta.url)('/usr/share/nodejs/ws');
const order = steered({ store: memoryStore(), dial: (url) => new WebSocket(url), cut: (socket) => socket.terminate() });

readline.createInterface({ input: process.stdin }).on('line', async (line) => {
    const { id, act, args } = JSON.parse(line);
    process.stdout.write(`${JSON.stringify({ id, ...await order(act, args) })}\n`);
}).on('close', () => process.exit());
