import { NOW, days, hours, minutes, selves } from './common.js';

const right = (name, risk, meaning, more = {}) => ({ name, risk, meaning, initial: false, ...more });

/** As `rights.list` gives them, the least first. */
export const rights = [
    right('system.info', 'Safe', 'see what this computer is and how busy it is', { initial: true }),
    right('notification', 'Mutating', 'be told what this computer tells its phones from now on, mark it read, and show you messages', { initial: true }),
    right('clipboard', 'Mutating', 'read and replace what you copy, passwords among it'),
    right('display', 'Mutating', 'take pictures of everything on your screen'),
    right('notification.all', 'Mutating', 'read what programs show on this computer and what was told before, delete it on every device, and set what is told'),
    right('file.read', 'Privileged', 'read all documents you share', { group: 'file' }),
    right('file.write', 'Privileged', 'add, replace, rename and delete all documents you share', { group: 'file' }),
    right('system.logs', 'Privileged', 'read this computer’s logs, which can hold private things', { group: 'system' }),
    right('terminal', 'Privileged', 'run any program as you, and so do everything you can do here'),
];

/** The choices of rights that are made at once. */
export const presets = [
    { name: 'look', meaning: 'look at what is on this computer, and change nothing', rights: ['system.info', 'notification', 'display', 'file.read'] },
    { name: 'all', meaning: 'do everything here that you can do', rights: rights.map(({ name }) => name) },
];

/** What a hostile phone might call itself: none of it may become HTML, or turn what stands beside it round. */
export const hostile = '<img src=x onerror="document.title=1">\u202Ephone';

export const ada = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK';
export const tablet = 'did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH';
export const old = 'did:key:z6MkjchhfUsD6mmvni8mCdXHw216Xrm9bQe2mBH1P5RDjVJG';

/** The phones of a computer, as `devices.list` gives them. */
const phones = [
    phone(ada, 'Ada’s iPhone', 'ios', 'lan', minutes(0), days(41), {
        skills: ['system.info', 'notification', 'clipboard', 'file.read', 'terminal'], fingerprint: selves.phone.fingerprint,
    }),
    phone(tablet, '书房平板', 'android', 'relay', minutes(6), days(12), { fingerprint: 'cedar-lagoon-ochre-pilot-thimble-walnut' }),
    phone(old, 'Old work phone with a rather long name of its own', 'android', null, days(23), days(390), {
        endToEnd: false, skills: ['system.info', 'notification', 'terminal'], stillRefused: ['terminal'], fingerprint: 'flint-harbor-meadow-opal-sable-tundra',
    }),
];

/** A right that a phone asks for, as `devices.asks` gives it. */
function ask(device, name, right) {
    const { meaning, risk } = rights.find((each) => each.name === right);
    return { device, name, right, meaning, risk, askedAt: NOW - minutes(1), expiresAt: NOW + minutes(9) };
}

function phone(id, name, platform, path, seen, paired, more = {}) {
    return {
        id, did: id, deviceId: 'b1d6c3a2-0000-4000-8000-00000000abcd', ownFingerprint: selves.desktop.fingerprint, name, platform, endToEnd: true,
        path, skills: ['system.info', 'notification'], unsigned: [], stillRefused: [], pairedAt: NOW - paired, lastSeenAt: NOW - seen, ...more,
    };
}

/**
 * Paired phones and their rights. Scenarios: `empty`, `offline`, `hostile`, `right-asked`, `full` (the log cannot be written, so nothing is changed).
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function install(fake, scenario) {
    if (fake.role !== 'desktop') return;
    let all = scenario.has('empty') ? [] : structuredClone(phones);
    if (scenario.has('offline')) all = all.map((each) => ({ ...each, path: null }));
    if (scenario.has('hostile')) all = all.map((each) => ({ ...each, name: hostile, platform: '<b>toaster</b>' }));
    const found = (id) => all.find((each) => each.id === id) ?? fake.fail('not-found', `No paired phone is called ${id}. See: tandem devices`);
    const change = (id, work) => {
        if (scenario.has('full')) fake.fail('full', 'What cannot be logged is not done: the disk is full.');
        const before = found(id);
        const after = work(structuredClone(before));
        all = all.map((each) => (each === before ? after : each));
        fake.emit('devices', {});
        fake.emit('rights', { device: id });
        return after;
    };
    fake.host = {
        addPhone: (request, skills) => {
            const made = phone(request.did, request.name, request.platform, 'lan', 0, 0, { fingerprint: request.fingerprint, endToEnd: request.endToEnd });
            made.skills.push(...skills);
            all = [made, ...all];
            fake.emit('devices', {});
            return made;
        },
        nameOf: (id) => all.find((each) => each.id === id)?.name ?? '',
    };
    fake.answer('rights.list', () => ({ rights, presets }));
    let asks = scenario.has('right-asked') ? [ask(ada, 'Ada’s iPhone', 'display'), ask(tablet, '书房平板', 'terminal')] : [];
    const answered = (device, names) => {
        asks = asks.filter((each) => each.device !== device || !names.includes(each.right));
        fake.emit('asks', {});
    };
    fake.answer('devices.asks', () => ({ asks }));
    fake.answer('devices.refuse', ({ id, right }) => {
        answered(id, [right]);
        return { asks };
    });
    fake.answer('devices.list', () => (scenario.has('broken') ? fake.fail('internal', 'The database is locked.') : { devices: all }));
    fake.answer('devices.show', ({ id }) => found(id));
    fake.answer('devices.rename', ({ id, name }) => change(id, (each) => ({ ...each, name })));
    fake.answer('devices.allow', ({ id, skills, unsigned, seconds, preset }) => {
        const chosen = presets.find(({ name }) => name === preset);
        answered(id, skills);
        return {
            ...change(id, (each) => ({
                ...each, skills: chosen ? chosen.rights : [...new Set([...each.skills, ...skills])], stillRefused: unsigned ? [] : each.stillRefused,
                unsigned: unsigned ? skills : each.unsigned,
                ends: Object.fromEntries([
                    ...Object.entries(each.ends ?? {}).filter(([name]) => !skills.includes(name)),
                    ...(seconds ? skills.map((name) => [name, Date.now() + seconds * 1000]) : []),
                ]),
            })),
            changed: skills,
        };
    });
    fake.answer('devices.deny', ({ id, skills, keepShells }) => ({
        ...change(id, (each) => ({ ...each, skills: each.skills.filter((name) => !skills.includes(name)) })),
        changed: skills, ended: fake.host.endActivities((each) => each.device === id && skills.includes(each.right) && !(keepShells && each.kind === 'terminal')),
    }));
    fake.answer('devices.forget', ({ id }) => {
        const { name } = found(id);
        change(id, (each) => each);
        all = all.filter((each) => each.id !== id);
        fake.emit('devices', {});
        return { id, name, ended: fake.host.endActivities((each) => each.device === id) };
    });
}
