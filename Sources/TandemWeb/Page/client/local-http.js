import { ClientError } from './client.js';

/** Codes for answers that carry no error of their own, as those of something between. */
const CODES_BY_STATUS = {
    400: 'bad-request', 401: 'signed-out', 403: 'refused', 404: 'not-found', 408: 'away', 409: 'exists', 413: 'too-large', 422: 'not-found', 429: 'refused',
    502: 'away', 503: 'gone', 504: 'away', 507: 'full',
};

/** The address below `/api`, without members that are not set. */
export function apiPath(path, query = {}) {
    const set = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
    return `/api/${path}${set.length ? `?${new URLSearchParams(set)}` : ''}`;
}

/**
 * Asks the local API.
 *
 * @param {string} path Below `/api`, with its query.
 * @param {RequestInit & {timeout?: number}} options The timeout in milliseconds, until the answer begins.
 * @returns {Promise<Response>} Only what succeeded.
 * @throws {ClientError}
 */
export async function request(path, { timeout, signal, ...options } = {}) {
    const signals = [signal, timeout && window.AbortSignal.timeout(timeout)].filter(Boolean);
    let response;
    try {
        response = await fetch(path, { cache: 'no-store', ...options, signal: signals.length ? window.AbortSignal.any(signals) : undefined });
    } catch (error) {
        // What the browser says of it (“Failed to fetch”) tells a person nothing.
        throw error instanceof TypeError ? new ClientError('gone') : ClientError.from(error);
    }
    if (response.ok) return response;
    throw await failure(response.status, () => response.json());
}

/** @returns {Promise<any>} The answer's JSON. */
export async function requestJSON(path, options) {
    const response = await request(path, options);
    try {
        return await response.json();
    } catch (error) {
        throw ClientError.from(error);
    }
}

/** The failure that an answer tells. */
export async function failure(status, readJSON) {
    try {
        const { error } = await readJSON();
        return clientError({ ...error, status }, CODES_BY_STATUS[status]);
    } catch {
        return new ClientError(CODES_BY_STATUS[status] ?? 'internal');
    }
}

/** `{code, message, right?}` of an answer or a message as a ClientError. */
export function clientError({ code, message, ...detail }, otherwise = 'internal') {
    return new ClientError(code ?? otherwise, message ?? '', detail);
}
