import { errorBanner } from '../../kit/index.js';
import { threadsOf } from '../../client/threads.js';
import { t } from '../../i18n/index.js';
import { mayNotWrite, workspace } from './workspace.js';

/** The threads of this computer's own coding agents. */
export function threadsScreen({ client, life, route, go, link }) {
    const space = workspace({
        client, threads: threadsOf(client), life, route, go,
        address: (query) => link('/threads', query),
        trouble: (error, retry) => errorBanner(error, { retry }),
        rights: { why: () => null, explain: () => mayNotWrite({ phone: '' }) },
    });
    life.add(client.onState((state) => { if (state === 'live') space.retry(); }));
    return { title: t('nav.threads'), element: space.element, update: space.update };
}
