import { safeText, toast } from '../../kit/first.js';
import { t } from '../../i18n/index.js';

/** Keeps the number of those who ask on the navigation; says so when another one comes while something else is looked at. */
export function countRequests(client, chrome, life) {
    let known = null;
    const load = async () => {
        const { requests } = await client.pairing.requests().catch(() => ({ requests: [] }));
        if (life.hasEnded) return;
        chrome.badge('/overview', requests.length);
        const isInSight = /^#\/(overview|pair)/.test(location.hash);
        const fresh = known && requests.find(({ id }) => !known.has(id));
        if (fresh && !isInSight) toast([safeText(fresh.name), ` ${t('hosting.wants')}`], 'info');
        known = new Set(requests.map(({ id }) => id));
    };
    for (const topic of ['requests', 'reset']) life.add(client.events(topic, load));
    load();
}
