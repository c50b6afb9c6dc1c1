import { ClientError } from '../../client/client.js';
import { threadsOf } from '../../client/threads.js';
import { h } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { followRight, mayUse } from '../../kit/allowed.js';
import { troubleOf } from '../../kit/trouble.js';
import { waitsOf } from './waits.js';
import { mayNotWrite, workspace } from './workspace.js';

/** The threads of a computer's coding agents. */
export function threadsTab({ client, computer, device, life, route, go, link, badge }) {
    const waits = waitsOf(client);
    waits.use(life, () => badge(waits.countAt(computer.id), t('threads.waitHere')));
    const mayWrite = () => !Array.isArray(device.allowed) || device.allowed.includes('threads.write');
    const explain = () => mayNotWrite({ phone: client.self.name });
    const element = h('div', { class: 'thread-host' });
    const trouble = (error, retry) => troubleOf(error, { client, device, what: 'threads', right: 'threads.read', retry });
    let space = null;
    const open = () => {
        space = workspace({
            client, threads: threadsOf(client, computer), life, route, go, trouble,
            address: (query) => link('/computers', computer.id, 'threads', query),
            rights: { why: () => (mayWrite() ? null : explain()), explain },
        });
        element.replaceChildren(space.element);
    };
    // Where the computer said already that it is not allowed, it is not asked.
    if (mayUse(device, 'threads.read') === false) element.replaceChildren(trouble(new ClientError('not-allowed', '', { right: 'threads.read' }), open));
    else open();
    let wasReached = Boolean(device.path);
    life.add(computer.reachability((path) => {
        const isReached = Boolean(path) && path !== 'failed' && path !== 'connecting';
        if (isReached && !wasReached) space?.retry();
        wasReached = isReached;
    }));
    followRight({ client, device, life }, 'threads.read', {
        changed: (now) => {
            if (space) {
                space.retry();
                space.mayChanged();
            } else if (mayUse(now, 'threads.read') !== false) {
                open();
            }
        },
        lost: () => space?.lost(),
    });
    return { element, update: (next) => { route = next; return space ? space.update(next) : true; } };
}
