import { untilAborted, aborted } from './method-table.js';

/** How long a method of threads may take that makes an agent work, in seconds. */
const LONG = 90;
const SLOW = new Set(['threads.post', 'threads.start']);
/** Letters of an event's members that pages are told of; beyond, they ask themselves. */
const LARGEST_EVENT = 64 << 10;
/** What comes in streams of its own, and is told only to who follows it. */
const STREAMED = new Set(['terminal.stdout', 'terminal.resized', 'threads.items', 'threads.delta', 'notification.received', 'notification.changed']);

/**
 * The methods that ask a computer, and what computers tell by themselves.
 *
 * @param {import('./method-table.js').MethodTable} table
 * @param {{phone: any, paired: import('./paired.js').Paired}} context
 */
export function serveCalls(table, { phone, paired }) {
    /** @param {{device?: string, method: string, params?: any, timeout?: number}} call @param {{signal?: AbortSignal}} options */
    const ask = ({ device, method, params, timeout }, { signal }) => paired.computer(device).call(method, params ?? {}, { timeout, signal });
    table.answer('call', ask);
    table.answer('notifications.call', ask);
    table.answer('threads.call', (call, options) => ask({ ...call, timeout: call.timeout ?? (SLOW.has(call.method) ? LONG : undefined) }, options));
    table.serve('events', async ({ device }, { item, signal }) => {
        const stop = paired.computer(device).events('*', ({ event, members }) => item({ event, members: members ?? {} }));
        await aborted(signal).finally(stop);
        return null;
    });
    table.serve('reachability', async ({ device }, { item, signal }) => {
        const { id } = paired.record(device);
        await whileReached(phone, id, signal, item);
        return null;
    });
    table.serve('clipboard.follow', ({ device }, { item, signal }) => followClipboard(phone, paired.computer(device), { item, signal }));
}

/** Tells whether a computer is reached, now and at each change, until somebody stops listening or it is forgotten. */
export function whileReached(phone, id, signal, tell) {
    return new Promise((resolve) => {
        const computer = phone.computer(id);
        let known = computer.state === 'ready';
        const stops = [];
        const end = () => { stops.forEach((stop) => stop()); resolve(); };
        stops.push(
            phone.on('computer', (change) => {
                if (change.id !== id || known === (change.state === 'ready')) return;
                known = !known;
                tell(known);
            }),
            phone.on('computers', () => { if (!phone.computers().some((record) => record.id === id)) end(); }),
        );
        if (signal.aborted) { end(); return; }
        signal.addEventListener('abort', end, { once: true });
        tell(known);
    });
}

async function followClipboard(phone, computer, { item, signal }) {
    const stop = computer.events('clipboard.changed', (members) => item(members));
    try {
        await untilAborted(computer.call('clipboard.watch', {}, { signal }), signal);
        item({ watching: true });
        let isFirst = true;
        await new Promise((resolve, reject) => {
            whileReached(phone, computer.id, signal, (isReached) => {
                // A computer that lost this phone has stopped watching for it.
                if (isReached && !isFirst) computer.call('clipboard.watch', {}, { signal }).then(() => item({ watching: true }), reject);
                isFirst = false;
            }).then(resolve);
        });
        return null;
    } finally {
        stop();
        if (computer.state === 'ready') computer.call('clipboard.unwatch', {}).catch(() => {});
    }
}

/** What computers tell, as the topics of a page have it. */
export function tellEvents(phone, paired, topics) {
    return [
        phone.on('computers', () => topics.tell('devices', {})),
        phone.on('rights', ({ id, rights }) => topics.tell('rights', { device: id, rights })),
        phone.on('state', () => topics.tell('servers', {})),
        phone.on('queue', () => topics.tell('queue', {})),
        phone.on('computer', ({ id }) => {
            const isPaired = paired.records.some((record) => record.id === id);
            topics.tell('reach', { device: id, path: isPaired ? paired.path(id) : null });
        }),
        phone.on('event', ({ id, event, members }) => {
            if (STREAMED.has(event)) return;
            topics.tell('remote', { device: id, event, members: JSON.stringify(members ?? {}).length > LARGEST_EVENT ? null : members });
        }),
    ];
}
