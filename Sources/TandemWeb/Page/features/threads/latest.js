import { threadsOf } from '../../client/threads.js';
import { group, h, listRow } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { threadRow, usualBranches } from './row.js';
import { threadLink } from './strip.js';
import { waitsOf } from './waits.js';

/** So many stand on the overview. */
const MOST = 5;

/** The threads that something happened in last, on a computer's overview; nothing where there are none. */
export async function latestThreads({ client, life }) {
    const element = h('div', { class: 'latest' });
    const threads = threadsOf(client);
    const load = async () => {
        // Agents that are not allowed, or not there, have a screen that says so.
        const page = await threads.list({ limit: MOST }, { signal: life.signal }).catch(() => null);
        const items = page?.items ?? [];
        if (life.hasEnded || !page) return;
        const usual = usualBranches(items);
        element.replaceChildren(...(items.length === 0 ? [] : [group({
            title: t('threads.latest'),
            rows: [
                ...items.map((thread) => h('div', { class: 'row all-threads-row' }, threadRow(thread, { href: threadLink('', thread), usual: usual.get(thread.cwd) }))),
                listRow({ title: h('span', { class: 'more-row' }, t('threads.every')), href: '#/threads' }),
            ],
        })]));
    };
    waitsOf(client).listen(life, load);
    await load();
    return element;
}
