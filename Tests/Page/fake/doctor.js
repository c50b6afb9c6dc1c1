import { NOW, minutes, selves } from './common.js';

const CHECKS = [
    { name: 'Clipboard', works: true, needed: false, detail: 'read and set by wl-copy and wl-paste' },
    { name: 'Screen', works: false, needed: false, detail: 'No program that takes pictures of the screen is installed.', mend: 'sudo apt install grim' },
    { name: 'Notifications', works: true, needed: false, detail: 'shown by notify-send' },
    { name: 'Processor', works: true, needed: false, detail: '16 cores' },
    { name: 'Discovery', works: false, needed: false, detail: 'The system’s discovery service does not answer.', mend: 'sudo apt install avahi-daemon' },
    { name: 'Open files', works: true, needed: false, detail: '524288 files and sockets at once' },
];

/**
 * This computer. Scenarios: `no-hub`, `hub-away`, `server-away`, `broken` (a needed thing is), `well`.
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function install(fake, scenario) {
    if (fake.role !== 'desktop') return;
    const hub = scenario.has('no-hub') ? null : 'wss://hub.example.net:9001';
    const servers = [{ name: 'local', registered: !scenario.has('server-away') }];
    if (hub) servers.push({ name: 'hub', registered: !scenario.has('hub-away') });
    for (const server of servers.filter(({ registered }) => !registered)) {
        server.reason = server.name === 'hub' ? 'hub.example.net did not answer within 10 s' : 'Port 9001 is used by another program';
        server.since = NOW - minutes(18);
    }
    fake.answer('status', () => ({
        role: 'desktop', deviceId: '9f0c6a1be2d34775a1c0ffee00d15ea5', did: selves.desktop.id, fingerprint: selves.desktop.fingerprint,
        name: selves.desktop.name, version: selves.desktop.version, port: 9001, servers, hub, activities: fake.host.activities(),
        addresses: { lan: ['ws://192.168.7.20:9001', 'ws://[fd12:3456:789a::20]:9001'], relays: hub ? [hub] : [] },
    }));
    fake.answer('doctor', () => {
        if (scenario.has('well')) return { checks: CHECKS.map(({ mend, ...each }) => ({ ...each, works: true, detail: 'works' })) };
        if (!scenario.has('broken')) return { checks: CHECKS };
        return { checks: [...CHECKS, { name: 'QR codes', works: false, needed: true, detail: 'A code reads as something else.', mend: 'sudo apt install libzbar0' }] };
    });
}
