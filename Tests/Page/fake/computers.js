import { NOW, days, hours, minutes, selves } from './common.js';

/** The computers of a phone, as `devices.list` gives them. */
export const computers = [
    computer('9f0c6a1be2d34775a1c0ffee00d15ea5', 'studio-pc', 'linux', 'lan', minutes(1), days(41)),
    computer('41d7b9e07c8e4c7b9a2f00d15ea59f0c', 'Büro-Laptop', 'win32', 'relay', minutes(14), days(12)),
    computer('c0ffee00d15ea59f0c6a1be2d34775a1', '客厅的 Mac mini', 'darwin', null, days(3), days(200)),
];

function computer(id, name, platform, path, seen, paired) {
    return {
        id, pcPeerId: id, name, platform, did: `did:key:z6Mk${id}`, fingerprint: 'cobalt-heron-maple-quiet-summit-velvet', endToEnd: true,
        confirmed: true, skills: [], ownFingerprint: selves.phone.fingerprint, path, lanSignalingUrl: 'ws://192.168.7.20:9001', relayUrl: null,
        pairedAt: NOW - paired, lastSeenAt: NOW - seen,
    };
}

/** @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario */
export function install(fake, scenario) {
    if (fake.role !== 'phone') return;
    let all = scenario.has('empty') ? [] : structuredClone(computers);
    if (scenario.has('clear')) all = all.map((each, at) => (at === 1 ? { ...each, endToEnd: false, confirmed: false, did: null, fingerprint: null, skills: ['clipboard'] } : each));
    if (scenario.has('hostile')) all = all.map((each) => ({ ...each, name: '<img src=x onerror=window.hacked=1>\u202egnp.exe', platform: '<b>haiku</b>' }));
    if (scenario.has('away')) all = all.map((each) => ({ ...each, path: null }));
    if (scenario.has('threads-read-only')) all = all.map((each) => ({ ...each, allowed: ['threads.read'] }));
    if (scenario.has('notices-refused')) all = all.map((each) => ({ ...each, allowed: ['threads.read'] }));
    if (scenario.has('not-act')) all = all.map((each) => ({ ...each, allowed: ['threads.read', 'notification'] }));
    for (const { id, path } of all) fake.setPath(id, path);
    const found = (id) => all.find((each) => each.id === id) ?? fake.fail('not-found', `No paired computer is called ${id}.`);
    fake.answer('devices.list', () => ({ devices: all }));
    fake.answer('devices.show', ({ id }) => found(id));
    const change = (work) => ({ id, skills }) => {
        const device = found(id);
        device.skills = work(device.skills, skills);
        fake.emit('devices', {});
        return { ...device, changed: skills };
    };
    fake.answer('devices.allow', change((former, more) => [...new Set([...former, ...more])]));
    fake.answer('devices.deny', change((former, fewer) => former.filter((right) => !fewer.includes(right))));
    // Nobody answers until a test does, as the owner.
    Object.assign(fake, { allowAsked: (right) => {
        for (const device of all.filter(({ asks }) => asks?.[right])) Object.assign(device, { allowed: [...(device.allowed ?? []), right], asks: {} });
        fake.emit('devices', {});
    } });
    fake.answer('devices.ask', ({ id, right }) => {
        if (scenario.has('no-asking')) fake.fail('unknown-method', 'There is no method rights.ask here.');
        const device = found(id);
        device.asks = { ...device.asks, [right]: { state: scenario.has('ask-refused') ? 'refused' : 'waiting', until: Date.now() + minutes(10) } };
        fake.emit('devices', {});
        return device.asks[right];
    });
    fake.answer('devices.rename', ({ id, name }) => {
        if (scenario.has('full')) fake.fail('full', 'The disk is full.');
        const renamed = Object.assign(found(id), { name });
        fake.emit('devices', {});
        return renamed;
    });
    fake.answer('status', () => ({
        role: 'phone', name: fake.self.name, version: fake.self.version, fingerprint: fake.self.fingerprint, did: fake.self.id, deviceId: 'b1d6c3a2-0000-4000-8000-00000000abcd',
        servers: scenario.has('empty') ? [] : [
            { url: 'ws://192.168.7.20:9001', state: 'registered' },
            { url: 'wss://hub.example.net/signal', state: 'waiting', reason: 'The server did not answer within 10 s.', since: NOW - minutes(9) },
        ],
    }));
    fake.answer('devices.forget', ({ id }) => {
        const { name, path } = found(id);
        all = all.filter((each) => each.id !== id);
        fake.emit('devices', {});
        return path ? { id, name } : { id, name, untold: `tandem devices forget ${fake.self.id}` };
    });
}
