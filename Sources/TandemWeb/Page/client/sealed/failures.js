import { ClientError } from '../client.js';

/** A failure of the wire as the page's own: both have the same codes, and the same words for their reasons. */
export function clientErrorOf(error) {
    if (error instanceof ClientError) return error;
    if (error?.name === 'WireError') return new ClientError(error.code, error.message, { ...error.detail });
    if (error?.name === 'QuotaExceededError') return new ClientError('full', '', { reason: 'storageFull' });
    return ClientError.from(error);
}
