import {
    button, chip, confirm, emptyState, errorBanner, errorToast, find, group, h, icon, iconButton, peer, relativeTime, safeText, skeleton, toast,
} from '../../kit/index.js';
import { hasText, t } from '../../i18n/index.js';

const STATES = { pending: 'idle', sending: 'busy', failed: 'bad' };
const SYMBOLS = { clipboard: 'clipboard', file: 'files', terminal: 'terminal', display: 'screen', sysinfo: 'system', system: 'system', notification: 'bell' };

/** What waits for computers that were away; of all of them, or of the one in the address. */
export function queueScreen({ client, route, life, go, link }) {
    let device = route.query.get('device');
    let [commands, devices] = [[], []];
    const element = h('div', { class: 'stack' }, skeleton(3, { height: 76 }));
    const screen = {
        title: t('nav.queue'), back: '#/computers', element,
        update: (next) => {
            device = next.query.get('device');
            draw();
            return true;
        },
    };

    const load = async () => {
        try {
            const [queue, paired] = await Promise.all([
                client.call('queue.list', {}, { signal: life.signal }), client.devices.list().catch(() => devices),
            ]);
            [commands, devices] = [queue.commands, paired];
        } catch (error) {
            if (!life.hasEnded) element.replaceChildren(errorBanner(error, { retry: load }));
            return;
        }
        if (life.hasEnded) return;
        draw();
    };

    const nameOf = (id) => devices.find((each) => each.id === id)?.name || id;

    const draw = () => {
        const focused = document.activeElement?.dataset?.key;
        const shown = commands.filter((command) => !device || command.desktopId === device);
        const ids = [...new Set(shown.map((command) => command.desktopId))];
        element.replaceChildren(...[
            device && h('div', { class: 'line' },
                chip(t('queue.only'), 'accent'), safeText(nameOf(device), { limit: 120 }),
                button({ label: t('queue.all'), kind: 'quiet', press: () => { go(link('/queue'), { replace: true }); } })),
            ...ids.map((id) => section(id, shown.filter((command) => command.desktopId === id))),
            ids.length === 0 && emptyState({ icon: 'queue', title: t('queue.none'), text: t('queue.noneText') }),
            ids.length > 1 && h('div', { class: 'line' }, button({ label: t('queue.clearAll'), icon: 'trash', kind: 'quiet', press: () => clear(null, shown.length) })),
        ].filter(Boolean));
        if (focused) find(element, `[data-key="${CSS.escape(focused)}"]`)?.focus();
    };

    const section = (id, list) => group({
        title: safeText(nameOf(id), { limit: 120 }),
        action: button({ label: t('queue.clear'), kind: 'quiet', press: () => clear(id, list.length) }),
        rows: list.map((command) => commandRow(command, change)),
        foot: devices.find((each) => each.id === id)?.path ? null : t('queue.foot'),
    });

    const change = async (method, command) => {
        try {
            await client.call(method, { id: command.id });
        } catch (error) {
            // Done meanwhile: that is what the list shows next.
            if (error.code !== 'not-found') errorToast(error);
        }
        await load();
    };

    const clear = (id, count) => confirm({
        title: t('queue.clearTitle', { count }), text: t('queue.clearText'), action: t('queue.clear'),
        work: () => client.call('queue.clear', id ? { device: id } : {}),
    }).then((isDone) => {
        if (!isDone) return;
        toast(t('queue.cleared'));
        load();
    });

    life.add(client.events('queue', load));
    life.add(client.events('reset', load));
    load();
    return screen;
}

/** @param {(method: string, command: Object) => Promise<void>} change Takes it from the queue, or tries it again. */
function commandRow(command, change) {
    const state = STATES[command.status] ? command.status : 'pending';
    const detail = detailOf(command);
    const remove = iconButton({ label: t('queue.remove', { what: wordOf(command.method) }), icon: 'x', press: () => change('queue.remove', command) });
    remove.dataset.key = `remove ${command.id}`;
    const retry = command.status === 'failed' && iconButton({
        label: t('queue.retry', { what: wordOf(command.method) }), icon: 'refresh', press: () => change('queue.retry', command),
    });
    if (retry) retry.dataset.key = `retry ${command.id}`;
    return h('div', { class: 'row' },
        h('div', { class: 'row-main' },
            h('span', { class: 'row-lead' }, icon(SYMBOLS[command.method.split('.')[0]] ?? 'queue')),
            h('span', { class: 'row-words' },
                h('span', { class: 'row-title' }, nameOfMethod(command.method), chip(t(`queue.state.${state}`), STATES[state])),
                detail && h('span', { class: 'row-detail queue-detail', data: { peer: '' }, dir: 'auto' }, detail),
                command.errorMessage && safeText(command.errorMessage, { class: 'row-detail queue-error' }),
                h('span', { class: 'row-detail dotted' },
                    h('span', { class: 'dotted-part' }, t('queue.since'), ' ', relativeTime(command.timestamp)),
                    command.retries > 0 && h('span', { class: 'dotted-part' }, t('queue.tries', { count: command.retries })),
                    command.status !== 'failed' && h('span', { class: 'dotted-part' }, t('queue.until'), ' ', relativeTime(command.expiresAt))))),
        h('div', { class: 'row-actions' }, retry, remove));
}

/** What a command does, in words where this page has them, else as programs call it. */
function wordOf(method) {
    const key = `queue.method.${method}`;
    return hasText(key) ? t(key) : method;
}

function nameOfMethod(method) {
    return hasText(`queue.method.${method}`) ? wordOf(method) : peer(method, 'span', { class: 'mono' });
}

/** What it is about: what a person would know it by, else the beginning of its parameters. */
function detailOf({ parameters }) {
    if (!parameters || parameters === '{}') return null;
    try {
        const { content, path, name, newName, paths } = JSON.parse(parameters);
        if (typeof content === 'string') return content;
        if (path && (name ?? newName)) return `${path} → ${name ?? newName}`;
        return path ?? paths?.join(', ') ?? parameters;
    } catch {
        // Only its beginning is told: a long text is cut off in the middle of the JSON.
        return parameters.match(/"content":"((?:[^"\\]|\\.)*)/)?.[1] ?? parameters;
    }
}
