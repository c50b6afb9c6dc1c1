import { NOW, days, hours, minutes } from './common.js';

const HOSTILE = '\u202Egpj.exe<img src=x onerror="window.hacked=1">\u200B';

/**
 * A phone's account. Scenarios: `no-account`, `with-password`, `many-devices`, `hub-away` (what is asked of the hub fails), `refuses-NAME` (new and
 * login fail with that reason), `untold` (signing out does not reach the hub), `ended` (the session was ended elsewhere), `with-face`, `broken`, `hostile`.
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function install(fake, scenario) {
    if (fake.role !== 'phone') return;
    const ada = { hub: 'https://hub.example.net:9001', userID: 'tb_7', name: 'ada', nickname: scenario.has('hostile') ? HOSTILE : 'Ada Lovelace', device: '1f0c' };
    let account = scenario.has('no-account') ? null : ada;
    let hasPassword = scenario.has('with-password');
    let devices = devicesOf(scenario);
    let avatar = scenario.has('with-face') ? 'chat/image/7.jpg' : '';
    const tell = () => fake.emit('account', {});
    const ask = () => {
        if (!account) fake.fail('not-found', 'This device has no account. Make one, or sign in.', { reason: 'account.notSignedIn' });
        if (scenario.has('hub-away')) fake.fail('offline', 'https://hub.example.net:9001 could not be reached: no route to host.', { reason: 'account.unreachable' });
        if (!scenario.has('ended')) return;
        account = null;
        fake.fail('expired', 'ada was signed out at https://hub.example.net:9001.', { reason: 'signedOut', values: { name: 'ada', hub: 'https://hub.example.net:9001' } });
    };
    const refuse = () => {
        const reason = [...scenario].find((word) => word.startsWith('refuses-'))?.slice('refuses-'.length);
        if (reason) fake.fail(reason === 'other' ? 'internal' : 'refused', 'The hub refused.', reason === 'other' ? {} : { reason: `account.${reason}` });
    };
    const enter = (entry) => {
        account = entry;
        tell();
        return entry;
    };
    fake.answer('account.show', () => (scenario.has('broken') ? fake.fail('internal', 'The database is locked.') : { account }));
    fake.answer('account.new', ({ hub, name, nickname, password }) => {
        refuse();
        hasPassword = password !== undefined;
        return enter({ ...ada, hub: hub.replace(/^wss:/, 'https:'), name, nickname: nickname ?? name });
    });
    fake.answer('account.login', ({ name }) => { refuse(); return enter({ ...ada, name: name ?? ada.name }); });
    fake.answer('account.devices', () => { ask(); return { devices }; });
    fake.answer('account.profile', () => {
        ask();
        return { uid: 7, userID: 'tb_7', name: account.name, nickname: account.nickname, avatar, createdAt: NOW - days(41), hasPassword, keys: 1 };
    });
    fake.answer('account.change', ({ nickname }) => { ask(); return enter({ ...account, nickname: nickname || account.name }); });
    fake.answer('chat.setFace', ({ file = null }) => {
        if (scenario.has('no-picture')) fake.fail('bad-request', 'The file is no picture.', { reason: 'notAPicture' });
        avatar = file === null ? '' : `chat/image/${file}.jpg`;
        return { avatar: avatar || null };
    });
    fake.answer('account.endDevice', ({ device }) => {
        ask();
        devices = devices.filter((each) => each.device !== device);
        return null;
    });
    fake.answer('account.password', ({ old }) => {
        if (hasPassword && old !== 'correct horse battery') fake.fail('refused', 'The name or the password is wrong. Try again.', { reason: 'account.wrongPassword' });
        hasPassword = true;
        devices = devices.filter(({ current }) => current);
        return null;
    });
    fake.answer('account.logout', () => { enter(null); return { hubWasTold: !scenario.has('untold') }; });
    fake.answer('account.delete', () => { ask(); enter(null); return null; });
    fake.answer('chat.export', ({ folder }) => (scenario.has('full') ? fake.fail('full', 'The disk is full.') : { folder, conversations: 12, messages: 48_210, files: 391 }));
}

function devicesOf(scenario) {
    const some = [
        { device: '1f0c', name: 'Ada’s phone', platformID: 2, did: 'did:key:z6MkvDqGT54cXesYGvABpF1UapVNwjCqRcafi4Px6Thv5T3Z', createdAt: NOW - days(41), lastSeenAt: NOW - minutes(1), address: '192.0.2.17', current: true },
        { device: '2ab1', name: scenario.has('hostile') ? HOSTILE : 'Tablet in the kitchen', platformID: 8, createdAt: NOW - days(12), lastSeenAt: NOW - hours(3), address: '2001:db8:7::', current: false },
        { device: '3cd2', name: 'studio-pc', platformID: 7, createdAt: NOW - days(2), current: false },
    ];
    if (!scenario.has('many-devices')) return some;
    return [...some, ...Array.from({ length: 29 }, (_, at) => ({
        device: `d${at}`, name: at % 5 ? `A device with a rather long name, number ${at}` : '', platformID: at % 10 + 1, createdAt: NOW - days(at + 3), lastSeenAt: NOW - days(at), address: `203.0.113.${at}`, current: false,
    }))];
}
