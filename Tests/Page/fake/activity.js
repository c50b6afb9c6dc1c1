import { NOW, minutes } from './common.js';
import { ada, tablet } from './phones.js';

const activity = (id, device, right, since, detail, words) => (
    { id, kind: id.split(':')[0], device, right, since: since === null ? null : NOW - since, detail, words });

const running = [
    { ...activity('terminal:4f1c', ada, 'terminal', minutes(52), '/bin/zsh (process 1831)', 'has a shell open'), program: '/bin/zsh', process: 1831 },
    activity('clipboard:ada', ada, 'clipboard', minutes(12), '', 'watches the clipboard'),
    activity('download:77ab', ada, 'file.read', minutes(1), '/home/ada/Pictures/2026/Garden in November – panorama.tiff', 'fetches a file'),
    activity('screen:tab', tablet, 'display', null, '', 'takes pictures of the screen'),
];

/**
 * What runs for phones. Scenarios: `idle`, `hostile`, `stubborn` (what cannot be ended).
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function install(fake, scenario) {
    if (fake.role !== 'desktop') return;
    let all = scenario.has('idle') || scenario.has('empty') ? [] : structuredClone(running);
    if (scenario.has('hostile')) all = all.map((each) => ({ ...each, detail: '<script>alert(1)</script>\u202Egpj.exe' }));
    const named = (list) => list.map((each) => ({ ...each, name: fake.host.nameOf(each.device) }));
    fake.host.activities = () => named(all);
    fake.host.endActivities = (isMeant) => {
        const ended = all.filter(isMeant);
        all = all.filter((each) => !ended.includes(each));
        if (ended.length) fake.emit('activity', {});
        return named(ended);
    };
    fake.answer('activity.list', ({ id }) => ({ activities: named(all).filter((each) => !id || each.device === id) }));
    fake.answer('activity.end', ({ activities = [], all: everything }) => {
        if (scenario.has('stubborn')) return { ended: [], notEnded: activities };
        return { ended: fake.host.endActivities((each) => everything || activities.includes(each.id)), notEnded: [] };
    });
}
