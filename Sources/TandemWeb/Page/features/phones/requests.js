import { safeText, toast } from '../../kit/first.js';
import { t } from '../../i18n/index.js';

/** Keeps the number of those who ask on the navigation; says so when another one comes while something else is looked at. */
export function countRequests(client, chrome, life) {
    let known = null;
    const load = async () => {
        const [{ requests }, { asks }] = await Promise.all([
            client.pairing.requests().catch(() => ({ requests: [] })), client.call('devices.asks').catch(() => ({ asks: [] })),
        ]);
        if (life.hasEnded) return;
        chrome.badge('/overview', requests.length + asks.length);
        const named = asks.map(({ device, right, name }) => ({ id: `${device} ${right}`, name }));
        const isInSight = /^#\/(overview|pair)/.test(location.hash);
        const fresh = known && requests.find(({ id }) => !known.has(id));
        const asking = known && named.find(({ id }) => !known.has(id));
        if (fresh && !isInSight) toast([safeText(fresh.name), ` ${t('hosting.wants')}`], 'info');
        if (asking && !isInSight) toast([safeText(asking.name), ` ${t('phones.asksMore')}`], 'info');
        known = new Set([...requests, ...named].map(({ id }) => id));
    };
    for (const topic of ['requests', 'asks', 'reset']) life.add(client.events(topic, load));
    load();
}
