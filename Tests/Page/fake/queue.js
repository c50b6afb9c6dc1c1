import { NOW, days, hours, minutes } from './common.js';
import { computers } from './computers.js';

/** What waits on a phone, as `queue.list` gives it. Scenarios: `empty`, `idle` (nothing waits), `many`. */
export function install(fake, scenario) {
    if (fake.role !== 'phone') return;
    let commands = scenario.has('empty') || scenario.has('idle') ? [] : [
        command('a1', 2, 'clipboard.set', '{"content":"Milch, Brot, 鸡蛋","type":"text"}', 'pending', hours(3)),
        command('a2', 2, 'file.rename', '{"name":"Report final.pdf","path":"/home/ada/Report.pdf"}', 'failed', hours(26), 'The name is taken already: Report final.pdf'),
        command('b1', 1, 'vendor.doThing', '{}', 'sending', minutes(1)),
    ];
    if (scenario.has('many')) commands = Array.from({ length: 100 }, (_, at) => command(`m${at}`, at % 3, 'clipboard.set', `{"content":"${at}"}`, 'pending', minutes(at)));
    const found = (id) => commands.find((each) => each.id === id) ?? fake.fail('not-found', 'It is done, or was removed.');
    const told = (result) => { queueMicrotask(() => fake.emit('queue', {})); return result; };
    fake.answer('queue.list', () => ({ commands }));
    fake.answer('queue.remove', ({ id }) => {
        const one = found(id);
        commands = commands.filter((each) => each !== one);
        return told(one);
    });
    fake.answer('queue.retry', ({ id }) => told(Object.assign(found(id), { status: 'pending', retries: 0, errorMessage: null })));
    fake.answer('queue.clear', ({ device }) => {
        const left = device ? commands.filter((each) => each.desktopId !== device) : [];
        const removed = commands.length - left.length;
        commands = left;
        return told({ removed });
    });
    fake.answer('queue.call', ({ device, method, params }) => {
        const one = { ...command(`q${commands.length}`, 0, method, JSON.stringify(params), 'pending', 0), desktopId: device };
        commands = [...commands, one];
        return told({ queued: true, command: one });
    });
}

function command(id, computer, method, parameters, status, age, errorMessage = null) {
    return {
        id, desktopId: computers[computer].id, method, timestamp: NOW - age, status, retries: status === 'failed' ? 3 : 0, errorMessage,
        expiresAt: NOW - age + days(7), parameters,
    };
}
