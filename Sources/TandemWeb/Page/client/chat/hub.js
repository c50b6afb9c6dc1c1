import { fromBase64, textOf } from '../../wire/bytes.js';
import { chatFailure, refusal, refusedCode } from './failures.js';

const LONGEST_ANSWER = 8 << 20;
const PATIENCE = 30_000;
const UPLOAD_PATIENCE = 600_000;
/** Codes at which another token may help. */
const STALE = new Set([1501, 1502, 1503, 1505]);
const OVER = new Set([1506, 1507]);

/**
 * Requests of a hub's interface, at the page's own origin. Source: `docs/protocol.md` 2.9 and 2.11.
 *
 * @typedef {{token(refused?: string | null): Promise<string>, over(): Promise<Error>}} Tokens `token` gives the one of now, another than the refused one.
 */
export class Hub {
    #origin;
    #fetch;
    #time;
    /** @type {Tokens | null} */
    tokens = null;

    /** @param {{origin: string, fetch: typeof fetch, time: import('../../wire/time.js').Time}} options */
    constructor({ origin, fetch, time }) {
        this.#origin = origin;
        this.#fetch = fetch;
        this.#time = time;
    }

    get origin() { return this.#origin; }

    /** One request as the account that is signed in; what the hub answers to it. @returns {Promise<any>} */
    ask(path, body, options = {}) {
        return this.#asAccount((token) => this.post(path, body, { ...options, token }));
    }

    /** One request; without a token as nobody. @returns {Promise<any>} */
    async post(path, body, { token = null, signal = undefined } = {}) {
        const request = { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', ...(token && { token }) } };
        return this.#send(path, request, { signal }, async (response) => answerOf(await bodyOf(response), response.status));
    }

    /** Puts a file there. @returns {Promise<any>} */
    upload(type, blob) {
        const read = async (response) => answerOf(await bodyOf(response), response.status);
        return this.#asAccount((token) => this.#send(`/chat/upload?type=${type}`, { method: 'POST', body: blob, headers: { token, 'Content-Type': 'application/octet-stream' } }, { patience: UPLOAD_PATIENCE }, read));
    }

    /**
     * The bytes at an address of this hub. Of an address only its path and query are used: another host would learn where the reader is.
     *
     * @returns {Promise<Blob>}
     */
    bytes(address, { limit }) {
        const { pathname, search } = new URL(address, this.#origin);
        const read = async (response) => (response.ok ? bodyOf(response, limit) : answerOf(await bodyOf(response), response.status));
        return this.#asAccount((token) => this.#send(pathname + search, { method: 'GET', headers: { token }, cache: 'no-store' }, { patience: UPLOAD_PATIENCE }, read));
    }

    async #asAccount(work) {
        if (!this.tokens) throw chatFailure('noAccount');
        const token = await this.tokens.token();
        try {
            return await work(token);
        } catch (error) {
            const code = refusedCode(error);
            if (STALE.has(code)) return work(await this.tokens.token(token));
            if (OVER.has(code)) throw await this.tokens.over();
            throw error;
        }
    }

    async #send(path, options, { signal = undefined, patience = PATIENCE }, read) {
        const ends = new AbortController();
        let isLate = false;
        const stop = this.#time.after(patience, () => { isLate = true; ends.abort(); });
        const leave = () => ends.abort();
        signal?.addEventListener('abort', leave, { once: true });
        try {
            const response = await this.#fetch(this.#origin + path, { ...options, redirect: 'manual', credentials: 'omit', referrerPolicy: 'no-referrer', signal: ends.signal });
            if (response.type === 'opaqueredirect' || response.status >= 300 && response.status < 400) throw chatFailure('redirected');
            return await read(response);
        } catch (error) {
            if (error?.name === 'WireError') throw error;
            if (signal?.aborted) throw error;
            throw chatFailure(isLate ? 'timedOut' : 'unreachable');
        } finally {
            stop();
            signal?.removeEventListener('abort', leave);
        }
    }
}

/** A response's body, no more of it than its bound. */
async function bodyOf(response, limit = LONGEST_ANSWER) {
    if (Number(response.headers.get('Content-Length') ?? 0) > limit) throw chatFailure('tooLong', { what: 'answer', limit });
    const parts = [];
    let size = 0;
    const reader = response.body?.getReader();
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader.read()) {
        size += piece.value.length;
        if (size > limit) throw chatFailure('tooLong', { what: 'answer', limit });
        parts.push(piece.value);
    }
    return new Blob(parts, { type: response.headers.get('Content-Type') ?? '' });
}

/** What an envelope holds. @throws {import('../../wire/error.js').WireError} */
async function answerOf(body, status) {
    let envelope = null;
    try {
        envelope = JSON.parse(await body.text());
    } catch {
        // Said below.
    }
    if (!envelope || typeof envelope !== 'object' || !Number.isSafeInteger(envelope.errCode)) {
        if (status === 404 || status === 405) throw chatFailure('noChat');
        if (status === 429 || status === 413) throw refusal(status === 429 ? 429 : 1001);
        throw chatFailure(status >= 500 ? 'unreachable' : 'malformed', { what: 'answer' });
    }
    if (envelope.errCode !== 0) {
        const error = refusal(envelope.errCode, envelope.errDlt || envelope.errMsg);
        if (typeof envelope.reason === 'string') error.detail.word = envelope.reason.slice(0, 64);
        throw error;
    }
    return envelope.data ?? {};
}

/** A JSON text behind base64, as contents travel; null for anything else. */
export function elementOf(content, longest) {
    if (content !== null && typeof content === 'object') return content;
    if (typeof content !== 'string' || content.length > longest * 2) return null;
    for (const read of [() => textOf(fromBase64(content)), () => content]) {
        try {
            const value = JSON.parse(read());
            if (value !== null && typeof value === 'object') return value;
        } catch {
            // Tried the next way.
        }
    }
    return null;
}
