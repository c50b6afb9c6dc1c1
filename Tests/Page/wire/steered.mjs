/** A phone of the page's modules that a test orders about. */
import { openPhone } from '../../../Sources/TandemWeb/Page/wire/phone.js';
import { acts } from './acts.mjs';

/**
 * `dial` opens a socket, and `cut` ends one as a network does.
 *
 * @returns What does an order: `{result}`, or `{error}`.
 */
export function steered({ store, dial, cut }) {
    const said = [];
    const sockets = new Set();
    const state = { phone: null, said, pending: new Map(), cut: () => { for (const socket of sockets) cut(socket); } };
    const kept = (url) => {
        const socket = dial(url);
        sockets.add(socket);
        socket.addEventListener('close', () => sockets.delete(socket));
        return socket;
    };

    /** Opens the page: with what the store has, as after a reload. */
    async function open({ home, name = 'Ada\'s phone' }) {
        state.phone?.close();
        state.phone = await openPhone({ store, dial: kept, home, mayDial: () => false, device: { name, platform: 'ios', version: '1.0' } });
        for (const event of ['state', 'computer', 'ended', 'rights']) state.phone.on(event, (value) => said.push({ event, value }));
        state.phone.start();
        return { did: state.phone.did, words: state.phone.words, computers: state.phone.computers().length };
    }

    return async (act, args) => {
        try {
            const result = await (act === 'open' ? open(args) : acts[act](state, args));
            return { result: result ?? null };
        } catch (error) {
            return { error: { name: error.name, code: error.code, reason: error.detail?.reason, rpc: error.detail?.rpc, right: error.detail?.right, message: error.message } };
        }
    };
}
