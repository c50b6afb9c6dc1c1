const HOSTILE = '\u202Egpj.exe<img src=x onerror="window.hacked=1">\u200B';
const KEYS = ['z6MkvDqGT54cXesYGvABpF1UapVNwjCqRcafi4Px6Thv5T3Z', 'z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK', 'z6MkjchhfUsD6mmvni8mCdXHw216Xrm9bQe2mBH1P5RDjVJG'];

/**
 * The devices that read an account's sealed conversations. Scenarios: `sealing-alone`, `sealing-waits` (this phone is not in the list), `sealing-other`
 * (the hub shows another list), `sealing-failed`, `sealing-many`, `sealing-history` (histories of every stage), `hostile`.
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function install(fake, scenario) {
    const device = (at, name, words, state) => ({ did: `did:key:${KEYS[at]}`, name, words, state, handover: null });
    const history = (stage, done, more = {}) => ({ stage, done, messages: 1350, isCut: false, failure: null, ...more });
    let isListed = !scenario.has('sealing-waits');
    let trouble = scenario.has('sealing-other') ? 'restarted' : null;
    let devices = [device(0, 'Ada’s phone', 'lusab-babad-gutih-tugad', 'this')];
    if (!scenario.has('sealing-alone')) {
        devices.push(device(1, scenario.has('hostile') ? HOSTILE : 'studio-pc', 'fotum-kisol-rapid-vuson', 'listed'));
        if (isListed) devices.push(device(2, scenario.has('hostile') ? '' : 'Tablet in the kitchen', 'gomal-tulip-savor-nibud', 'waiting'));
    }
    if (scenario.has('sealing-many')) {
        for (let at = 0; at < 12; at += 1) devices.push({ did: `did:key:z${at}`, name: `A device with a rather long name, number ${at}`, words: 'fotum-kisol-rapid-vuson', state: at % 3 ? 'listed' : 'waiting', handover: null });
    }
    if (scenario.has('sealing-history')) {
        devices[0].handover = history('taking', 200);
        devices[1].handover = history('making', 400, { failure: scenario.has('hostile') ? HOSTILE : 'The chat server does not answer. Check the network.' });
        ['offered', 'taken', 'lapsed'].forEach((stage, at) => {
            devices.push({ did: `did:key:h${at}`, name: `Tablet ${at + 1}`, words: 'fotum-kisol-rapid-vuson', state: 'listed', handover: history(stage, 1350, { isCut: at === 1 }) });
        });
    }
    const list = () => ({ devices: structuredClone(devices), isListed, trouble });
    const find = (did) => devices.find((each) => each.did === did) ?? fake.fail('not-found', 'No such device.', { reason: 'notThatDevice' });
    fake.answer('chat.devices', () => (scenario.has('sealing-failed') ? fake.fail('offline', 'The chat server does not answer.', { reason: 'unreachable' }) : list()));
    fake.answer('chat.addDevice', ({ did, words, history: isHandedOver }) => {
        const found = find(did);
        if (found.words !== words) fake.fail('not-found', 'The words are another key\u2019s.', { reason: 'notThatDevice' });
        found.state = 'listed';
        if (isHandedOver) found.handover = history('making', 0);
        return list();
    });
    fake.answer('chat.handOver', ({ did }) => {
        find(did).handover = history('making', 0);
        return list();
    });
    fake.answer('chat.removeDevice', ({ did }) => {
        find(did);
        devices = devices.filter((each) => each.did !== did);
        return list();
    });
    fake.answer('chat.renewDevices', ({ adopt }) => {
        trouble = null;
        if (!adopt) devices = devices.filter(({ state }) => state === 'this');
        isListed = !adopt;
        return list();
    });
}
