import { errorBanner, h, iconButton, relativeTime, skeleton } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { followRight } from '../../kit/allowed.js';
import { troubleOf } from '../../kit/trouble.js';
import { batteryCard, diskCard, memoryCard, networkCard, processorCard, uptimeCard } from './cards.js';
import { batteries, figures, program, swap, temperature } from './figures.js';
import { historyOf, record } from './history.js';

const EVERY = 5000;
/** What changes slowly is asked for at every so many turns. */
const SLOWLY = 6;

/** How a computer is doing: figures with the last minutes, asked for only while they are looked at. */
export function systemTab({ client, computer, device, life }) {
    const history = historyOf(device.id);
    const updated = h('span', { class: 'small soft' });
    const trouble = h('div', { class: 'clip-trouble' });
    const cards = [processorCard, memoryCard, networkCard, diskCard, batteryCard, uptimeCard].map((make) => make(history));
    const whole = [
        h('div', { class: 'system-head' }, updated,
            iconButton({ label: t('system.refresh'), icon: 'refresh', press: () => refresh(true) })),
        trouble,
        h('div', { class: 'system-grid' }, cards.map((each) => each.element)),
    ];
    const element = h('div', { class: 'system' }, skeleton(3, { height: 220 }));
    const more = /** @type {any} */ ({});
    let turn = 0;
    let isAsking = false;
    let latest = null;
    let isRefused = false;

    async function refresh(byHand = false) {
        if (isAsking || (isRefused && !byHand)) return;
        isAsking = true;
        try {
            // What it kept before this page looked comes with the first answer.
            const info = figures(await computer.call('system.info', history.isNew ? { history: true } : {}, { signal: life.signal }));
            if (life.hasEnded) return;
            take(info);
            if (byHand || turn % SLOWLY === 0) await askMore();
            turn += 1;
        } catch (error) {
            failed(error);
        } finally {
            isAsking = false;
        }
    }

    const take = (info) => {
        more.rates = record(history, info);
        latest = info;
        isRefused = false;
        draw();
    };

    const draw = () => {
        if (!element.contains(whole[2])) element.replaceChildren(...whole);
        trouble.replaceChildren();
        updated.replaceChildren(t('system.updated'), ' ', relativeTime(history.at));
        for (const each of cards) each.show(latest, more);
    };

    async function askMore() {
        Object.assign(more, await slowFigures((method, read) => computer.call(method, {}, { signal: life.signal }).then(read, () => null), more.program));
        if (!life.hasEnded) draw();
    }

    const failed = (error) => {
        if (life.hasEnded || error.code === 'cancelled') return;
        if (latest && error.code !== 'not-allowed') {
            trouble.replaceChildren(errorBanner(error, { retry: () => refresh(true) }));
            return;
        }
        isRefused = true;
        element.replaceChildren(troubleOf(error, { client, device, what: 'system', right: 'system.info', retry: () => refresh(true) }));
    };

    followRight({ client, device, life }, 'system.info', { changed: () => { if (isRefused) refresh(true); }, lost: failed });
    let wasReached = true;
    life.add(computer.reachability((path) => {
        if (path && !wasReached) refresh(true);
        wasReached = Boolean(path);
    }));
    life.every(EVERY, () => refresh());
    refresh();
    return { element };
}

/**
 * A computer may not know all of these: what it does not know stays a dash.
 *
 * @param {(method: string, read: (answer: any) => any) => Promise<any>} ask
 * @param {Object | null} [known] The program's facts, which do not change.
 */
async function slowFigures(ask, known) {
    const [celsius, swapped, filled] = await Promise.all([
        ask('sysinfo.getTemperature', temperature), ask('sysinfo.getMemory', swap), ask('sysinfo.getBattery', batteries),
    ]);
    return { celsius, swap: swapped, batteries: filled ?? [], program: known ?? await ask('system.getInfo', program) };
}
