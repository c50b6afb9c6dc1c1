import { NOW, minutes } from './common.js';
import { ada } from './phones.js';

const ID = 'b7c1a0d2-0000-4000-8000-00000000000';
/** @type {[name: string, shell: string | null, words: string[] | null, confirm: boolean, timeout: number | null][]} */
const SAVED = [
    ['backup', null, ['restic', 'backup', '/home/ada/Mein Ordner'], false, 3600], ['deploy', 'cd site && make deploy | tail -20', null, true, null],
    ['lamp-on', null, ['hue', 'on'], false, null],
];
const OUTPUT = 'scanned 18231 files\n\u001b[31mnot a colour\u001b[0m 第二行\nsnapshot 4f1c saved\n';

/**
 * Saved commands and the power of a computer. Scenarios: `none`, `refused`, `away`, `running`, `hostile`, `cannot` (nothing of lock and sleep), `unlisted` (the computer told no address).
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function install(fake, scenario) {
    const saved = scenario.has('none') || scenario.has('empty') ? [] : SAVED.map(([name, shell, words, confirm, timeout], at) => ({
        id: `${ID}${at}`, name: scenario.has('hostile') && at === 0 ? '<b>x</b>\u202Egpj' : name, arguments: words, shell, folder: at === 1 ? '/home/ada/site' : null, confirm, timeout,
        phones: at < 2 ? [{ id: ada, name: 'Ada’s phone', hasRight: true }] : [], running: 0,
    }));
    let runs = saved.length === 0 ? [] : [
        { run: 'r2', id: saved[1].id, name: saved[1].name, startedAt: NOW - minutes(9), endedAt: NOW - minutes(8), end: { how: 'exited', number: 2 }, printed: 66 },
        { run: 'r1', id: saved[0].id, name: saved[0].name, startedAt: NOW - minutes(60), endedAt: NOW - minutes(58), end: { how: 'exited', number: 0 }, printed: 66 },
    ];
    const going = scenario.has('running') ? null : { how: 'exited', number: 0 };
    const begin = (command) => {
        const run = { run: `r${runs.length + 1}`, id: command.id, name: command.name, startedAt: Date.now(), endedAt: null, end: null, printed: 0 };
        runs = [run, ...runs];
        return run;
    };
    const printed = (id, offset) => {
        const run = runs.find((each) => each.run === id);
        if (!run.end && going) Object.assign(run, { end: going, endedAt: Date.now() });
        const text = OUTPUT.slice(Math.min(offset ?? 0, OUTPUT.length));
        return { success: true, offset: offset ?? 0, next: OUTPUT.length, text, complete: run.end !== null, state: run };
    };
    const stop = (id) => {
        const run = runs.find((each) => each.run === id);
        if (!run.end) Object.assign(run, { end: { how: 'stopped' }, endedAt: Date.now() });
    };
    if (fake.role === 'desktop') {
        const owned = (run) => ({ ...run, device: ada, deviceName: 'Ada’s phone' });
        const found = (name) => saved.find((each) => each.id === name || each.name === name);
        const named = (name) => found(name) ?? saved[0] ?? fake.fail('not-found', `There is no saved command ${name}.`);
        if (scenario.has('running') && saved.length > 0) begin(saved[0]);
        fake.answer('savedCommands.list', () => ({ commands: saved }));
        fake.answer('savedCommands.runs', () => ({ runs: runs.map(owned) }));
        fake.answer('savedCommands.add', (given) => {
            if (found(given.name)) fake.fail('exists', `There is a saved command called ${given.name} already.`);
            const made = { id: `${ID}${saved.length}`, name: '', arguments: null, shell: null, folder: null, confirm: false, timeout: null, phones: [], running: 0, ...given };
            saved.push(made);
            return made;
        });
        fake.answer('savedCommands.change', ({ command, ...changed }) => Object.assign(named(command), changed));
        fake.answer('savedCommands.remove', ({ command }) => {
            const removed = named(command);
            saved.splice(saved.indexOf(removed), 1);
            return removed;
        });
        fake.answer('savedCommands.permit', ({ command, device, allowed }) => {
            const meant = named(command);
            meant.phones = allowed ? [...meant.phones, { id: device, name: 'Phone', hasRight: true }] : meant.phones.filter(({ id }) => id !== device);
            return meant;
        });
        fake.answer('savedCommands.output', ({ run, offset }) => ({ ...printed(run, offset), state: owned(runs.find((each) => each.run === run)) }));
        fake.answer('savedCommands.stop', ({ run }) => {
            stop(run);
            fake.emit('savedCommands', {});
            return null;
        });
        return;
    }
    if (fake.role !== 'phone') return;
    const check = (right) => {
        if (scenario.has('away')) fake.fail('away', 'studio-pc is not connected.');
        if (scenario.has('refused')) fake.fail('not-allowed', 'This phone may not do that.', { right });
    };
    fake.remote('commands.list', () => {
        check('commands');
        return { success: true, commands: saved.map(({ id, name, confirm, timeout }) => ({ id, name, confirm, ...(timeout && { timeout }) })) };
    });
    fake.remote('commands.runs', () => {
        check('commands');
        return { success: true, runs };
    });
    fake.remote('commands.run', ({ id }) => {
        check('commands');
        return { success: true, ...begin(saved.find((each) => each.id === id)) };
    });
    fake.remote('commands.output', ({ run, offset }) => printed(run, offset));
    fake.remote('commands.stop', ({ run }) => {
        stop(run);
        return { success: true };
    });
    fake.remote('power.status', () => {
        check('power');
        const sentence = scenario.has('cannot') ? 'The computer has no manager of sessions that Tandem could ask.' : null;
        return {
            success: true, ...(sentence && { lockObstacle: sentence, sleepObstacle: sentence }),
            interfaces: scenario.has('cannot') ? [] : [{ name: 'eth0', address: '52:54:00:12:34:56', wakeOn: true }],
        };
    });
    fake.remote('power.lock', () => ({ success: true }));
    fake.remote('power.sleep', () => ({ success: true }));
    fake.answer('power.known', () => ({
        computers: scenario.has('unlisted') ? [] : [{ id: '9f0c6a1be2d34775a1c0ffee00d15ea5', name: 'studio-pc', addresses: ['52:54:00:12:34:56'], wakeOn: true, at: NOW }],
    }));
    fake.answer('power.wakeUp', () => ({ senders: [{ id: 'x', name: 'attic', packets: 1, reason: null }] }));
}
