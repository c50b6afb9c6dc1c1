import { NOW, minutes, selves } from './common.js';
import { pattern } from './pairing-phone.js';
import { hostile, rights } from './phones.js';

const forever = () => new Promise(() => {});
const offers = rights.filter(({ initial }) => !initial).map(({ name, meaning }) => ({ name, meaning }));

const request = (id, name, platform, more = {}) => ({
    id, name, platform, did: `did:key:z6Mk${id}`, fingerprint: 'juniper-lantern-orbit-quarry-saffron-willow', endToEnd: true, number: false,
    identityChanged: false, knownName: null, knownFingerprint: null, offers, arrivedAt: Date.now(), expiresAt: Date.now() + 58_000, ...more,
});

const REQUESTS = {
    asks: () => request('r-1', 'Grace’s Pixel', 'android'),
    number: () => request('r-2', 'Nokia of the kitchen', 'android', { number: true, fingerprint: 'anchor-bramble-copper-dune-ember-fjord' }),
    changed: () => request('r-3', 'Ada’s iPhone', 'ios', {
        identityChanged: true, knownName: 'Ada’s iPhone', knownFingerprint: selves.phone.fingerprint, fingerprint: 'garnet-hollow-ivory-jasper-knoll-larch',
    }),
    clear: () => request('r-4', 'Old tablet', 'android', { endToEnd: false }),
};

const REFUSED = ['cannotSeal', 'sealedBefore', 'otherSender'].map((reason, at) => ({
    name: ['Old work phone', 'Ada’s iPhone', '旧手机'][at], platform: 'android', sender: 'did:key:z6MkunknownSender', reason,
    message: `The program’s own sentence for ${reason}.`, at: NOW - minutes(at + 1),
}));

/**
 * Pairing at a computer. Scenarios: `asks`, `number`, `changed`, `clear` (who asks), `refused`, `locked`, `limited` and `taken` (the digits work nowhere; `fake.host.reach()` mends the first), `replaced`, `interference`, `expired`, `link` (its hub has the page for phones)
 * (at once, three times), `renewed` (a code without digits), `paired`, `alone` (on no network until `fake.host.connect()`), `stuck` (no code can be made), `late` (a yes comes too late),
 * `crossed` (the phone gave up meanwhile), `unlike` (another number), and for scanning `fails-REASON` and `sending`.
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function installDesktop(fake, scenario) {
    let waiting = Object.keys(REQUESTS).filter((name) => scenario.has(name)).map((name) => REQUESTS[name]());
    if (scenario.has('hostile')) waiting = waiting.map((each) => ({ ...each, name: hostile, platform: '<i>x</i>' }));
    const listeners = new Set();
    const tell = (item) => listeners.forEach((listener) => listener(item));
    fake.pictures.matrix = async () => pattern();
    fake.pictures.read = async () => (scenario.has('nocode') ? null : JSON.stringify({
        type: 'device-pairing', code: '731604', did: selves.phone.id, deviceInfo: { name: 'Grace’s Pixel', platform: 'android' }, timestamp: NOW,
    }));

    // `alone` gets a network at the next code.
    let host = scenario.has('alone') ? '127.0.0.1' : '192.168.7.20';
    const payload = () => JSON.stringify({ type: 'desktop-pairing', signalingUrl: `ws://${host}:9001` });
    const code = (typed = '4829137306') => ({
        payload: payload(), code: typed ?? '', typed: typed !== null,
        ...(scenario.has('link') && { link: `https://hub.example.net/phone/#${'AR4FB15j'.repeat(21)}` }),
        expiresAt: Date.now() + (scenario.has('expired') ? 300 : minutes(5)),
    });
    fake.answer('pair.show', () => { const shown = code('9150274638'); tell({ event: 'code', ...shown }); return shown; });
    fake.answer('pair.hide', () => { tell({ event: 'hidden' }); return { hidden: true }; });
    const withdrawn = [];
    fake.answer('pair.requests', () => ({ requests: waiting, refused: scenario.has('refused') ? REFUSED : [], withdrawn: [...withdrawn] }));
    const over = (id) => {
        const found = waiting.find((each) => each.id === id) ?? fake.fail('not-found', 'This pairing request is over. Ask for a new code and try again.', { reason: 'unknownRequest' });
        waiting = waiting.filter((each) => each !== found);
        fake.emit('requests', {});
        return found;
    };
    fake.takeBack = (id, name) => {
        withdrawn.push({ id, name });
        tell({ event: 'request-withdrawn', id, name });
        waiting = waiting.filter((each) => each.id !== id);
        fake.emit('requests', {});
    };
    fake.answer('pair.accept', ({ id, allow = [], number }) => {
        if (scenario.has('unlike')) fake.fail('refused', 'The numbers on the two screens differ: someone may be interfering.', { reason: 'numbersDiffer' });
        if (scenario.has('late')) waiting = [];
        if (scenario.has('crossed')) fake.fail('not-found', 'Grace’s Pixel took its request back.', { reason: 'requestWithdrawn', values: {} });
        const found = over(id);
        if (found.number && !number) fake.fail('bad-request', 'The phone shows six digits: type them here.', { reason: 'numberNeeded' });
        const made = fake.host.addPhone(found, allow);
        tell({ event: 'paired', id: made.id, name: made.name, fingerprint: made.fingerprint });
        return made;
    });
    fake.answer('pair.reject', ({ id }) => { const { name } = over(id); return { id, name }; });

    fake.serve('pair.watch', async ({ params, item, signal }) => {
        if (scenario.has('stuck')) fake.fail('internal', 'The address of this computer is not known.');
        listeners.add(item);
        signal.addEventListener('abort', () => listeners.delete(item));
        const first = code(scenario.has('renewed') || params.digits === false ? null : undefined);
        item({ event: 'code', ...first });
        if (scenario.has('expired')) {
            for (let round = 0; round < 5; round += 1) {
                // Not waited for when the screen is first looked at: what a code's end changes is no jump of an answer.
                await new Promise((resolve) => setTimeout(resolve, 300));
                item({ event: 'expired' });
                item({ event: 'code', ...code(null) });
            }
        }
        await fake.wait(60);
        if (scenario.has('locked')) item({ ...first, event: 'digits-locked', code: '', typed: false, until: Date.now() + minutes(2) });
        const trouble = ['limited', 'taken'].find((name) => scenario.has(name));
        const unreachable = (seconds) => item({
            ...first, event: 'digits-unreachable',
            trouble: { reason: trouble, server: 'hub.example.net:9001', until: Date.now() + seconds * 1000, message: 'The program’s own sentence.' },
        });
        if (trouble) unreachable(6);
        fake.host.refuseAgain = unreachable;
        fake.host.connect = () => { host = '192.168.7.20'; };
        fake.host.reach = () => item({ ...first, event: 'digits-reachable' });
        if (scenario.has('replaced')) item({ ...first, event: 'digits-replaced', code: '7701934625' });
        if (scenario.has('interference')) item({ event: 'interference' });
        if (scenario.has('paired')) item({ event: 'paired', ...fake.host.addPhone(REQUESTS.asks(), []) });
        return forever();
    });

    const reason = [...scenario].find((word) => word.startsWith('fails-'))?.slice('fails-'.length);
    fake.serve('pair.scan', async ({ params, item }) => {
        await fake.wait(50);
        item({ event: 'sending', key: 'juniper-lantern-orbit-quarry-saffron-willow', message: 'Asking Grace’s Pixel' });
        if (scenario.has('clocks')) item({ event: 'clocks', reason: 'codeExpired', values: { ageSeconds: 5400 } });
        if (scenario.has('sending')) await forever();
        await fake.wait(50);
        if (reason) fake.fail('refused', `The program's own sentence for ${reason}.`, { reason, values: { name: 'Grace’s Pixel', ageSeconds: 512, afterSeconds: 60, address: 'ws://203.0.113.9', field: 'did', attempts: [] } });
        return fake.host.addPhone(REQUESTS.asks(), params.allow ?? []);
    });
}
