import { NOW, hours, minutes } from './common.js';
import { ada, hostile, old, tablet } from './phones.js';

const names = { [ada]: 'Ada’s iPhone', [tablet]: '书房平板', [old]: 'Old work phone' };
const entry = (device, method, risk, outcome, more = {}) => ({ device, name: names[device], method, risk, outcome, count: 1, by: 'phone', ...more });
const owner = (device, method, detail) => entry(device, method, 'Privileged', 'done', { by: 'owner', detail });

const KINDS = [
    entry(ada, 'terminal.stdin', 'Privileged', 'done', { count: 214 }),
    entry(ada, 'terminal.create', 'Privileged', 'done'),
    entry(tablet, 'file.list', 'Privileged', 'refused', { code: -32010, reason: 'it may not do that' }),
    owner(ada, 'devices allow', 'terminal'),
    entry(ada, 'clipboard.get', 'Mutating', 'done', { count: 3 }),
    entry(ada, 'file.requestDownload', 'Privileged', 'failed', { code: -32024, reason: 'it was not there' }),
    entry(old, 'terminal.create', 'Privileged', 'refused', { code: -32001, reason: 'its proof did not hold' }),
    entry(tablet, 'system.getInfo', 'Safe', 'done', { count: 60 }),
    entry(ada, 'file.completeUpload', 'Privileged', 'begun'),
    owner(tablet, 'pair accept', 'system.info, notification'),
    owner(ada, 'activity end', 'terminal:4f1c'),
    entry(tablet, 'display.screenshot', 'Mutating', 'failed', { code: -32777, reason: 'error -32777' }),
];

/** What a page asks by itself between two things that a person did. */
const POLLING = [
    entry(ada, 'terminal.create', 'Privileged', 'done'),
    entry(ada, 'threads.list', 'Mutating', 'done', { count: 4 }),
    entry(ada, 'threads.approvals', 'Mutating', 'done'),
    entry(ada, 'notification.getHistory', 'Mutating', 'done', { count: 2 }),
    entry(tablet, 'threads.get', 'Mutating', 'done'),
    entry(ada, 'threads.post', 'Privileged', 'done'),
];

/**
 * The log. Scenarios: `empty`, `polling`, `hostile`, `broken`.
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function install(fake, scenario) {
    if (fake.role !== 'desktop') return;
    const all = scenario.has('empty') ? [] : Array.from({ length: 156 }, (_, at) => ({
        ...KINDS[at % KINDS.length], at: NOW - minutes(3) * at - hours(4) * Math.floor(at / 9), row: 156 - at,
    }));
    if (scenario.has('polling')) all.splice(0, all.length, ...POLLING.map((each, at) => ({ ...each, at: NOW - minutes(at), row: 9 - at })));
    if (scenario.has('hostile')) for (const each of all) Object.assign(each, { name: hostile, method: '<b>x</b>', detail: '<img src=x>' });
    fake.answer('devices.audit', ({ after, limit = 50, id, outcome, by }) => {
        if (scenario.has('broken')) fake.fail('internal', 'The database is locked.');
        const fitting = all.filter((each) => (!after || each.row < after) && (!id || each.device === id)
            && (!outcome || each.outcome === outcome) && (!by || each.by === by));
        const page = fitting.slice(0, limit);
        return { entries: page.map(({ row, ...rest }) => rest), next: fitting.length > limit ? page.at(-1).row : null };
    });
}
