import { ada, tablet } from './phones.js';

/**
 * Ports of a computer on a phone, and those that a computer lists. Scenarios: `empty`, `portsopen`, `hostile`, `refused`, `away`, `browserphone` (no program
 * beside the page), `nobody` (no phone has the right), `ownport` (what is listed is Tandem's own).
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function install(fake, scenario) {
    if (fake.role === 'phone') installPhone(fake, scenario);
    if (fake.role === 'desktop') installComputer(fake, scenario);
}

const HOSTILE = '<img src=x onerror="document.title=1">\u202Etxt.exe';

function installPhone(fake, scenario) {
    const open = new Set(scenario.has('portsopen') ? [3000, 5432] : []);
    fake.answer('ports.remote', () => {
        if (scenario.has('away')) fake.fail('away', 'studio-pc is not connected.');
        if (scenario.has('refused')) fake.fail('not-allowed', 'This phone may not open ports.', { right: 'ports.open' });
        if (scenario.has('browserphone')) { fake.signOut = null; fake.fail('unknown-method', 'There is no ports.remote.'); }
        const ports = scenario.has('empty') ? [] : [
            { port: 3000, name: scenario.has('hostile') ? HOSTILE : 'Dev server', listening: true },
            { port: 5432, name: '', listening: false },
            { port: 8080, name: '文档预览', listening: null },
        ];
        return {
            computer: '9f0c6a1be2d34775a1c0ffee00d15ea5', ports,
            open: [...open].map((port) => ({
                port, local: port === 3000 ? 41873 : 40211, origin: port === 3000 ? 'http://p3000-1f9e0a.localhost:41873' : null,
                connections: port === 3000 ? 3 : 1, received: port === 3000 ? 4_812_331 : 9000, sent: port === 3000 ? 71_204 : 128,
            })),
        };
    });
    fake.answer('ports.enter', ({ port }) => {
        if (port === undefined || port === null) return { url: null };
        if (port === 5432) fake.fail('not-found', 'Nothing listens.', { reason: 'portSilent', values: { port } });
        open.add(port);
        fake.emit('ports', {});
        return { url: `about:blank#${port}` };
    });
    fake.answer('ports.close', ({ port }) => {
        const count = open.delete(port) ? 1 : 0;
        fake.emit('ports', {});
        return { count };
    });
}

function installComputer(fake, scenario) {
    const phones = scenario.has('nobody') ? [] : [{ id: ada, name: 'Ada’s iPhone' }, { id: tablet, name: '书房平板' }];
    let ports = scenario.has('empty') ? [] : [
        { port: 3000, name: scenario.has('hostile') ? HOSTILE : 'Dev server', phone: null, phoneName: null },
        { port: 8080, name: '', phone: tablet, phoneName: scenario.has('hostile') ? HOSTILE : '书房平板' },
    ];
    const list = () => ({
        ports, phones,
        open: ports.some((each) => each.port === 3000) && phones.length > 0
            ? [{ port: 3000, phone: ada, phoneName: 'Ada’s iPhone', connections: 3, sent: 4_812_331, received: 71_204 }] : [],
    });
    fake.answer('ports.list', list);
    fake.answer('ports.found', () => ({ ports: [{ port: 3000, program: 'node' }, { port: 5173, program: 'vite' }, { port: 8000, program: null }] }));
    fake.answer('ports.allow', ({ port, phone, name }) => {
        if (scenario.has('ownport')) fake.fail('refused', 'Tandem itself.', { reason: 'portOwn', values: { port } });
        ports = [...ports.filter((each) => each.port !== port || each.phone !== (phone ?? null)), {
            port, name: name ?? '', phone: phone ?? null, phoneName: phones.find((each) => each.id === phone)?.name ?? null,
        }].sort((one, other) => one.port - other.port);
        fake.emit('ports', {});
        return list();
    });
    fake.answer('ports.deny', ({ port, phone, everyPhone }) => {
        ports = ports.filter((each) => each.port !== port || (everyPhone ? each.phone : phone && each.phone !== phone));
        fake.emit('ports', {});
        return list();
    });
}
