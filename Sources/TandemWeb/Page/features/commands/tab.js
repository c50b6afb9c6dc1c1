import { confirm, emptyState, errorToast, group, h, icon, listRow, plainText, safeText, skeleton } from '../../kit/index.js';
import { followRight } from '../../kit/allowed.js';
import { redraw } from '../../kit/redraw.js';
import { troubleOf } from '../../kit/trouble.js';
import { t } from '../../i18n/index.js';
import { powerPart } from './power.js';
import { runDetail, runPanel } from './run.js';

const RIGHT = 'commands';
const SHOWN = 10;

/** The commands that this phone may run at a computer, what they print, and its locking, sleeping and waking. */
export function commandsTab(context) {
    const { client, computer, device, life } = context;
    const list = h('div', { class: 'stack' }, skeleton(3));
    const shown = h('div', { class: 'run-place' });
    const past = h('div', { class: 'stack' });
    const own = h('div', { class: 'stack' }, list, shown, past);
    const element = h('div', { class: 'commands stack' }, own, powerPart(context));
    let commands = [];
    let runs = [];
    let panel = null;
    let isRefused = false;
    let isLoading = false;

    const ask = (method, params = {}) => computer.call(method, params, { signal: life.signal });

    async function load() {
        if (isLoading) return;
        isLoading = true;
        try {
            const [first, second] = await Promise.all([ask('commands.list'), ask('commands.runs', { limit: 40 })]);
            if (life.hasEnded) return;
            [commands, runs, isRefused] = [first.commands ?? [], second.runs ?? [], false];
            draw();
        } catch (error) {
            failed(error);
        } finally {
            isLoading = false;
        }
    }

    const failed = (error) => {
        if (life.hasEnded || error.code === 'cancelled') return;
        isRefused = true;
        panel = null;
        shown.replaceChildren();
        past.replaceChildren();
        list.replaceChildren(troubleOf(error, { client, device, what: 'commands', right: RIGHT, retry: load }));
    };

    const draw = () => {
        redraw(list, [commands.length === 0
            ? emptyState({ icon: 'keyboard', title: t('commands.none'), text: t('commands.noneText') }) : commandGroup(commands, runs, { begin, show })]);
        const over = runs.filter(({ end }) => end).slice(0, SHOWN);
        redraw(past, over.length === 0 ? [] : [pastGroup(over, show)]);
    };

    const show = (run) => {
        panel = runPanel({
            run, life,
            ask: (offset) => ask('commands.output', { run: run.run, offset }),
            stop: () => ask('commands.stop', { run: run.run }),
            ended: load,
        });
        shown.replaceChildren(panel.element);
        panel.element.scrollIntoView({ block: 'nearest' });
    };

    async function begin(command) {
        const run = async (confirmed) => {
            const begun = await ask('commands.run', { id: command.id, confirmed });
            if (life.hasEnded) return;
            show(begun);
            load();
        };
        if (command.confirm) await confirmRun(command, () => run(true));
        else await run(false).catch((error) => (error.code === 'not-allowed' ? failed(error) : errorToast(error)));
    }

    followRight({ client, device, life }, RIGHT, { changed: () => { if (isRefused) load(); }, lost: failed });
    life.add(computer.events('commands.runChanged', ({ run }) => { if (panel?.id === run) panel.look(); }));
    let wasReached = true;
    life.add(computer.reachability((path) => {
        if (path && !wasReached) load();
        wasReached = Boolean(path);
    }));
    load();
    return { element };
}

function confirmRun({ name }, work) {
    return confirm({
        title: t('commands.confirmTitle', { name: plainText(name, 64) }), text: t('commands.confirmText'), kind: 'primary', action: t('commands.run'), work,
    });
}

/** A row for each command: a press runs it, or shows the run that goes on. */
function commandGroup(commands, runs, { begin, show }) {
    const row = (command) => {
        const going = runs.find((run) => run.id === command.id && !run.end);
        const last = going ?? runs.find((run) => run.id === command.id);
        return listRow({
            lead: icon(going ? 'activity' : 'play'), title: safeText(command.name, { limit: 64 }),
            detail: last ? runDetail(last) : t(command.confirm ? 'commands.asks' : 'commands.tap'),
            press: () => (going ? show(going) : begin(command)),
        });
    };
    return group({ title: t('commands.title'), foot: t('commands.foot'), rows: commands.map(row) });
}

function pastGroup(runs, show) {
    return group({
        title: t('commands.past'),
        rows: runs.map((run) => listRow({ lead: icon('clock'), title: safeText(run.name, { limit: 64 }), detail: runDetail(run), press: () => show(run) })),
    });
}
