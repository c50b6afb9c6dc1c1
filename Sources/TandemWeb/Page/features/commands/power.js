import { button, confirm, errorBanner, group, h, icon, listRow, plainText, safeText, toast } from '../../kit/index.js';
import { followRight } from '../../kit/allowed.js';
import { t } from '../../i18n/index.js';

/** Locking a computer and putting it to sleep while it is reached, and waking it by others while it is away. */
export function powerPart({ client, computer, device, life }) {
    const element = h('div', { class: 'stack power' });
    let isReached = Boolean(device.path);
    let turn = 0;

    async function load() {
        const mine = ++turn;
        const isLate = () => life.hasEnded || mine !== turn;
        if (!isReached) {
            const known = await client.call('power.known', {}, { signal: life.signal }).catch(() => ({ computers: [] }));
            if (!isLate()) draw([wakeRow(known.computers.find(({ id }) => id === device.id))]);
            return;
        }
        try {
            const status = await computer.call('power.status', {}, { signal: life.signal });
            if (!isLate()) draw([lockRow(status), sleepRow(status), wakingRow(status)]);
        } catch (error) {
            if (isLate() || error.code === 'cancelled') return;
            // An older computer has none of it, and one that has gone is shown so by the next change of its way.
            draw(['unknown-method', 'away', 'offline'].includes(error.code) ? [] : [refusedRow(error)]);
        }
    }

    const draw = (rows) => element.replaceChildren(...(rows.length > 0 ? [group({ title: t('commands.power'), rows })] : []));

    const refusedRow = (error) => (error.code === 'not-allowed'
        ? listRow({ lead: icon('lock'), title: t('commands.powerRefused'), detail: h('code', { class: 'mono', data: { peer: '' } }, `tandem devices allow … power`) })
        : errorBanner(error, { retry: load }));

    const lockRow = ({ lockObstacle }) => listRow({
        lead: icon('lock'), title: t('commands.lock'), detail: lockObstacle ? safeText(lockObstacle, { limit: 400 }) : t('commands.lockText'),
        actions: lockObstacle ? [] : [button({
            label: t('commands.lockNow'), press: async () => {
                await computer.call('power.lock', {}, { signal: life.signal });
                toast(t('commands.locked'));
            },
        })],
    });

    const sleepRow = ({ sleepObstacle }) => listRow({
        lead: icon('moon'), title: t('commands.sleep'), detail: sleepObstacle ? safeText(sleepObstacle, { limit: 400 }) : t('commands.sleepText'),
        actions: sleepObstacle ? [] : [button({
            label: t('commands.sleepNow'), press: () => confirm({
                title: t('commands.sleepTitle'), text: t('commands.sleepConfirm'), action: t('commands.sleepNow'),
                work: async () => {
                    await computer.call('power.sleep', {}, { signal: life.signal });
                    toast(t('commands.asleep'));
                },
            }).then(() => {}),
        })],
    });

    const wakingRow = ({ interfaces = [] }) => listRow({
        lead: icon('sun'), title: t('commands.wake'), detail: t(`commands.wakeable.${wakeable(interfaces.map(({ wakeOn }) => wakeOn ?? null))}`),
    });

    const wakeRow = (known) => listRow({
        lead: icon('sun'), title: t('commands.wake'), detail: t(known ? 'commands.wakeText' : 'commands.wakeUnknown'),
        actions: known ? [button({ label: t('commands.wakeNow'), press: wake })] : [],
    });

    async function wake() {
        const { senders } = await client.call('power.wakeUp', { device: device.id }, { signal: life.signal });
        const sent = senders.filter(({ packets }) => packets > 0);
        if (sent.length > 0) toast(t('commands.woken', { name: plainText(sent[0].name, 60) }));
        else toast(plainText(senders[0]?.reason ?? '', 300) || t('commands.notWoken'), 'bad');
    }

    followRight({ client, device, life }, 'power', { changed: load, lost: load });
    life.add(computer.reachability((path) => {
        if (isReached === Boolean(path)) return;
        isReached = Boolean(path);
        load();
    }));
    load();
    return element;
}

/** `yes`, `no`, `maybe` or `none` of what a computer's network cards say. */
export function wakeable(cards) {
    if (cards.length === 0) return 'none';
    if (cards.includes(true)) return 'yes';
    return cards.includes(null) ? 'maybe' : 'no';
}
