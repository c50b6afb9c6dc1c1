import { ClientError } from './client.js';
import { apiPath, clientError } from './local-http.js';

/**
 * One connection for everything the program tells by itself: events with their numbers, and the methods that are followed. It does not
 * come back by itself: ``LocalClient`` opens it again, and what was followed begins again with it.
 */
export class EventSocket {
    #socket = null;
    #follows = new Map();
    #nextFollow = 1;
    #epoch = null;
    #seq = 0;

    /** @param {{onEvent: (topic: string, data: any, seq: number) => void, onReset: () => void, onLost: () => void}} listeners */
    constructor({ onEvent, onReset, onLost }) {
        this.onEvent = onEvent;
        this.onReset = onReset;
        this.onLost = onLost;
    }

    get isOpen() { return this.#socket?.readyState === WebSocket.OPEN; }

    /** From which event on to listen, where the program said so before: nothing is missed between its answer and the connection. */
    startAfter({ epoch, seq }) {
        if (this.#epoch === null) [this.#epoch, this.#seq] = [epoch, seq];
    }

    /** Resolves when it is open, throws `lost` when it could not be opened. */
    open() {
        const after = this.#epoch === null ? {} : { epoch: this.#epoch, after: this.#seq };
        const address = new URL(apiPath('events', after), location.href);
        address.protocol = address.protocol.replace('http', 'ws');
        const socket = new WebSocket(address);
        this.#socket = socket;
        return new Promise((resolve, reject) => {
            socket.onopen = () => { this.#begin(); resolve(); };
            socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
            socket.onclose = () => {
                if (this.#socket !== socket) return;
                this.#socket = null;
                this.#interrupt();
                reject(new ClientError('lost'));
                this.onLost();
            };
        });
    }

    close() {
        const socket = this.#socket;
        this.#socket = null;
        if (socket) {
            socket.onclose = null;
            socket.close();
        }
        for (const follow of [...this.#follows.values()]) this.#finish(follow, new ClientError('signed-out'));
    }

    /**
     * @param {string} method
     * @param {Object} params
     * @param {import('./client.js').FollowOptions} options
     * @returns {import('./client.js').Follow}
     */
    follow(method, params = {}, { onItem = () => {}, onRestart = () => {}, signal, once = false } = {}) {
        const follow = { id: this.#nextFollow++, method, params, onItem, onRestart, once, hasBegun: false, waiting: [] };
        const result = new Promise((resolve, reject) => Object.assign(follow, { resolve, reject }));
        // A caller that only listens to items need not look at the result.
        result.catch(() => {});
        this.#follows.set(follow.id, follow);
        const cancel = () => {
            if (!this.#follows.has(follow.id)) return;
            if (follow.hasBegun) this.#send({ cancel: follow.id });
            this.#finish(follow, new ClientError('cancelled'));
        };
        if (signal?.aborted) cancel();
        else signal?.addEventListener('abort', cancel, { once: true });
        if (this.isOpen) this.#start(follow);
        const tell = (message) => {
            if (!this.#follows.has(follow.id)) return;
            if (follow.hasBegun) this.#send(message);
            else follow.waiting.push(message);
        };
        return {
            result, cancel,
            send: (value) => tell({ input: follow.id, value }),
            end: () => tell({ end: follow.id }),
        };
    }

    #begin() {
        for (const follow of this.#follows.values()) this.#start(follow);
    }

    #start(follow) {
        follow.hasBegun = true;
        this.#send({ follow: follow.id, method: follow.method, params: follow.params });
        for (const message of follow.waiting.splice(0)) this.#send(message);
    }

    /** The connection is gone: what may run twice waits for the next one, the rest ends. */
    #interrupt() {
        for (const follow of [...this.#follows.values()]) {
            if (!follow.hasBegun) continue;
            if (follow.once) {
                this.#finish(follow, new ClientError('lost'));
            } else {
                follow.hasBegun = false;
                follow.onRestart();
            }
        }
    }

    #finish(follow, error, value) {
        this.#follows.delete(follow.id);
        if (error) follow.reject(error);
        else follow.resolve(value);
    }

    #send(message) {
        if (this.isOpen) this.#socket.send(JSON.stringify(message));
    }

    #receive(message) {
        if (message.follow !== undefined) this.#receiveFollowed(message);
        else if (message.topic !== undefined) this.#receiveEvent(message);
        else if (message.epoch !== undefined) this.#receiveStart(message);
    }

    #receiveStart({ epoch, seq, reset }) {
        const isUncertain = reset || epoch !== this.#epoch;
        [this.#epoch, this.#seq] = [epoch, isUncertain ? seq : this.#seq];
        if (isUncertain) this.onReset();
    }

    #receiveEvent({ topic, data, seq }) {
        // Sent again after a resumption: known already.
        if (seq <= this.#seq) return;
        this.#seq = seq;
        this.onEvent(topic, data, seq);
    }

    #receiveFollowed(message) {
        const follow = this.#follows.get(message.follow);
        if (!follow?.hasBegun) return;
        if (message.error) this.#finish(follow, clientError(message.error));
        else if ('item' in message) follow.onItem(message.item);
        else this.#finish(follow, null, message.result ?? null);
    }
}
