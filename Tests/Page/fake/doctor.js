import { NOW, minutes, selves } from './common.js';

const CHECKS = [
    { name: 'Clipboard', works: true, needed: false, detail: 'read and set by wl-copy and wl-paste', reason: 'clipboardBy', values: { tools: 'wl-copy, wl-paste' } },
    { name: 'Screen', works: false, needed: false, detail: 'The computer lacks the program grim. Install it there: sudo apt install grim.', mend: 'sudo apt install grim', reason: 'toolMissing', values: { tool: 'grim', package: 'grim' } },
    { name: 'Notifications', works: true, needed: false, detail: 'shown by Plasma 6.4', reason: 'noticesShownBy', values: { program: 'Plasma 6.4' } },
    { name: 'agent Codex', works: true, needed: false, detail: '0.150.0' },
    { name: 'agent Gemini', works: false, needed: false, detail: 'Gemini is not installed on this computer.', reason: 'agentMissing', values: { name: 'Gemini' } },
    { name: 'Local network', works: false, needed: false, detail: 'this machine has no private address', reason: 'noPrivateAddress' },
    { name: 'System', works: true, needed: false, detail: '16 cores, 32768 MiB of memory', reason: 'systemKnown', values: { cores: 16, bytes: 34359738368 } },
    { name: 'Discovery', works: false, needed: false, detail: 'no answer. Install and start avahi-daemon.', mend: 'sudo apt install avahi-daemon', reason: 'noDiscovery' },
    { name: 'Open files', works: true, needed: false, detail: '524288 files and sockets at once', reason: 'openFiles', values: { count: 524288 } },
    { name: 'Bridge', works: false, needed: false, detail: 'The bridge does not listen on port 9099 of 0.0.0.0: address already in use. It is tried again each half minute. Another program uses the port. Choose another one: --bridge 0.0.0.0:PORT', reason: 'bridgePortTaken', values: { port: 9099, address: '0.0.0.0' } },
    { name: 'Something new', works: true, needed: false, detail: 'in the program’s own words' },
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
        if (scenario.has('well')) return { checks: CHECKS.map(({ mend, reason, values, ...each }) => ({ ...each, works: true, detail: 'works' })) };
        if (!scenario.has('broken')) return { checks: CHECKS };
        return { checks: [...CHECKS, { name: 'QR codes', works: false, needed: true, detail: 'A code reads as something else.', mend: 'sudo apt install libzbar0' }] };
    });
}
