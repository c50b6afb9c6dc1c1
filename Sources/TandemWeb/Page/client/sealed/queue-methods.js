/**
 * The methods of what waits for computers.
 *
 * @param {import('./method-table.js').MethodTable} table
 * @param {{paired: import('./paired.js').Paired, queue: import('./queue.js').Queue}} context
 */
export function serveQueue(table, { paired, queue }) {
    const idOf = (device) => paired.record(device).id;
    table.answer('queue.list', () => ({ commands: queue.list().map(summary) }));
    table.answer('queue.remove', async ({ id }) => summary(await queue.remove(id)));
    table.answer('queue.retry', async ({ id }) => summary(await queue.retry(id)));
    table.answer('queue.clear', async ({ device }) => ({ removed: await queue.clear(device === undefined ? undefined : idOf(device)) }));
    table.answer('queue.call', async ({ device, method, params, timeout }) => {
        const { queued, result, command, evicted } = await queue.call(idOf(device), method, params ?? {}, { timeout });
        return queued ? { queued, command: summary(command), ...(evicted && { evicted: summary(evicted) }) } : { queued, result };
    });
}

/** What a person is told of one that waits. */
function summary({ id, desktopId, method, parameters, timestamp, status, retries, errorMessage, expiresAt }) {
    return { id, desktopId, method, parameters, timestamp, status, retries, errorMessage, expiresAt };
}
