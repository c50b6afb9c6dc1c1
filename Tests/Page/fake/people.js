import { NOW, days, hours, minutes } from './common.js';

const HOSTILE = '\u202Egpj.exe<img src=x onerror="window.hacked=1">\u200B';
const NAMES = ['Ada Lovelace', '林小雨', 'Grace Hopper', 'Omar Khayyam', 'Émilie du Châtelet', 'Katherine Johnson', 'Srinivasa', '王明', 'Hedy Lamarr', 'Tim', 'Radia Perlman'];
const REASONS = ['She sends the same advertisement every day.', '一直发送辱骂的内容，请处理。', 'Insults. I asked twice to stop.'];

/**
 * A hub's people, invitations, reports and conversations. Scenarios: `empty`, `many` (2,500 people), `broken`, `hostile`, `no-accounts` (an older hub),
 * `anybody`, `nobody` (who may come), `reported` (120 reports), `late` (what is asked for is gone already), `no-address`.
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function install(fake, scenario) {
    if (fake.role !== 'hub' || scenario.has('no-accounts')) return;
    const check = () => { if (scenario.has('broken')) fake.fail('internal', 'The database is locked.'); };
    installPeople(fake, scenario, check);
    installInvitations(fake, scenario, check);
    installReports(fake, scenario, check);
    installLoad(fake, scenario, check);
}

function installPeople(fake, scenario, check) {
    const count = scenario.has('empty') ? 0 : scenario.has('many') ? 2500 : NAMES.length;
    let people = Array.from({ length: count }, (_, at) => ({
        uid: at + 1, userID: `tb_${at + 1}`, name: at === 0 ? 'ada' : `person${at + 1}`, nickname: scenario.has('hostile') ? `${HOSTILE}${at}` : NAMES[at % NAMES.length],
        createdAt: NOW - days(90) + hours(at), suspended: at % 7 === 3, devices: at % 7 === 3 ? 0 : at % 3 + 1, ...(at % 4 !== 2 && { lastSeenAt: NOW - minutes(7 * at + 1) }),
    }));
    const found = (user) => {
        const person = people.find(({ userID, name, uid }) => [userID, name, String(uid)].includes(user));
        return person && !scenario.has('late') ? person : fake.fail('not-found', `No account here is called ${user}. See: tandem hub users`);
    };
    const put = (person) => { people = people.map((each) => (each.uid === person.uid ? person : each)); return person; };
    fake.answer('accounts.list', ({ limit = 100, after = 0 }) => {
        check();
        const page = people.filter(({ uid }) => uid > after);
        return { users: page.slice(0, limit), total: people.length, ...(page.length > limit && { next: page[limit - 1].uid }) };
    });
    fake.answer('accounts.show', ({ user }) => {
        const person = found(user);
        return {
            user: person, devices: Array.from({ length: person.devices }, (_, at) => ({
                device: `d${at}`, name: scenario.has('hostile') ? HOSTILE : ['Phone', 'Tablet', 'studio-pc'][at], platformID: [2, 9, 7][at], createdAt: NOW - days(40 - at),
                ...(at < 2 && { lastSeenAt: NOW - hours(at * 5 + 1), address: `203.0.113.${17 + at}` }), current: false,
            })),
        };
    });
    fake.answer('accounts.suspend', ({ user }) => put({ ...found(user), suspended: true, devices: 0 }));
    fake.answer('accounts.resume', ({ user }) => put({ ...found(user), suspended: false }));
    fake.answer('accounts.endSessions', ({ user }) => {
        const person = found(user);
        put({ ...person, devices: 0 });
        return { name: person.name, count: person.devices };
    });
    fake.answer('accounts.delete', ({ user }) => {
        const person = found(user);
        people = people.filter(({ uid }) => uid !== person.uid);
        return person;
    });
}

function installInvitations(fake, scenario, check) {
    let invitations = scenario.has('empty') ? [] : [
        { id: '4f2a', uses: 1, used: 0, createdAt: NOW - hours(5), endsAt: NOW + days(6) + hours(19) },
        { id: '7c1d', uses: 25, used: 9, createdAt: NOW - days(12), endsAt: NOW + days(18) },
        { id: '9e0b', uses: 3, used: 2, createdAt: NOW - days(6), endsAt: NOW + hours(2) },
    ];
    // A code of digits that a screenshot can be read by.
    fake.pictures.matrix = async () => ({ size: 25, rows: Array.from({ length: 25 }, (_, y) => Array.from({ length: 25 }, (_, x) => ((x * 7 + y * 13 + x * y) % 3 === 0 ? '1' : '0')).join('')) });
    if (scenario.has('no-address')) {
        fake.answer('status', () => ({ role: 'hub', version: '0.9.0', address: '0.0.0.0', port: 9001, urls: [], dialect: 'strict', legacyOpen: false, trustedProxies: [] }));
    }
    fake.answer('accounts.invitations', () => { check(); return { invitations }; });
    fake.answer('accounts.invite', ({ uses = 1, days: count = 7 }) => {
        if (scenario.has('late')) fake.fail('refused', 'There are 1000 open invitations. Take back those that are not needed: tandem hub invitations');
        const made = { id: 'a001', uses, used: 0, createdAt: Date.now(), endsAt: NOW + days(count) };
        invitations = [...invitations, made];
        const admission = ['anybody', 'nobody'].find((word) => scenario.has(word)) ?? 'invitation';
        return { id: made.id, code: '482913730655', uses, endsAt: made.endsAt, admission };
    });
    fake.answer('accounts.takeBack', ({ id }) => {
        if (scenario.has('late')) fake.fail('not-found', `No invitation is called ${id}. See: tandem hub invitations`);
        invitations = invitations.filter((each) => each.id !== id);
        return null;
    });
}

function installReports(fake, scenario, check) {
    const count = scenario.has('empty') ? 0 : scenario.has('reported') ? 120 : 4;
    const report = (id) => ({
        id, ...(id % 3 !== 0 && { reporter: `tb_${id % 5 + 2}` }), reported: `tb_${id % 3 + 1}`, reason: scenario.has('hostile') ? HOSTILE : REASONS[id % 3],
        ...(id % 4 !== 2 && { message: scenario.has('hostile') ? HOSTILE : 'Buy now!!! Only today, only for you: three for the price of two.' }), at: NOW - hours(7 * (count - id)) - minutes(4),
        ...(id === 1 && count > 1 && { closedAt: NOW - hours(1) }),
    });
    let reports = Array.from({ length: count }, (_, at) => report(count - at));
    fake.answer('chat.reports', ({ before = Infinity, all = false }) => {
        check();
        return { reports: reports.filter((each) => each.id < before && (all || !each.closedAt)).slice(0, 100) };
    });
    fake.answer('chat.closeReport', ({ id }) => {
        reports = reports.map((each) => (each.id === id ? { ...each, closedAt: NOW } : each));
        return {};
    });
}

function installLoad(fake, scenario, check) {
    let asked = 0;
    fake.answer('chat.load', () => {
        check();
        asked += 1;
        const isEmpty = scenario.has('empty');
        return {
            messages: isEmpty ? 0 : 1_284_310 + 9 * asked, ...(asked > 1 && { perSecond: isEmpty ? 0 : 6 + 4 * Math.sin(asked) }), connections: isEmpty ? 0 : 312,
            mediaBytes: isEmpty ? 0 : 18_400_000_000, databaseBytes: isEmpty ? 180_000 : 941_000_000,
        };
    });
}
