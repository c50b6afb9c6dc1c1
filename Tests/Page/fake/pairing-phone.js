import { computers } from './computers.js';
import { minutes } from './common.js';

const SEALED = JSON.stringify({
    type: 'desktop-pairing', code: '482915', pcPeerId: '9f0c6a1be2d34775a1c0ffee00d15ea5',
    deviceInfo: { name: 'studio-pc', platform: 'linux' }, timestamp: 1790000000000, signalingUrl: 'ws://192.168.7.20:9001',
});
const words = 'amber-falcon-drift-mellow-quartz-ripple';
const forever = () => new Promise(() => {});

/** What goes with each reason of a failure. */
const VALUES = {
    codeExpired: { ageSeconds: 512 }, codeFromTheFuture: { aheadSeconds: 900 }, damagedCode: { field: 'e2e' },
    unsafeAddress: { address: 'ws://203.0.113.9:9001' }, noAnswer: { afterSeconds: 60 },
    unreachable: {
        attempts: [
            { way: 'lan', reason: '192.168.7.20 did not answer within 5 s' }, { way: 'relay', reason: 'hub.example.net knows no such computer' },
        ],
    },
    keyChanged: { name: 'studio-pc' }, notEndToEnd: { name: 'studio-pc' }, declined: { name: 'studio-pc' }, deviceOffline: { name: 'studio-pc' },
};

/**
 * Pairing from a phone. Scenarios: `sending`, `compare`, `clocks` (they differ), `nocode`, `severalCodes`, `notAPicture`, `damagedPicture`, `otherCode` (what a picture has; with `slowcode` the sixth is right), `expired`, `paired`, and `fails-REASON`.
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function installPhone(fake, scenario) {
    const reason = [...scenario].find((word) => word.startsWith('fails-'))?.slice('fails-'.length);
    const refuse = () => fake.fail('refused', `The program's own sentence for ${reason}.`, { reason, values: VALUES[reason] });
    let looks = 0;
    fake.pictures.read = async () => {
        looks += 1;
        const trouble = ['severalCodes', 'notAPicture', 'damagedPicture', 'otherCode'].find((name) => scenario.has(name));
        if (trouble && !(scenario.has('slowcode') && looks >= 6)) fake.fail('refused', `The program’s own sentence for ${trouble}.`, { reason: trouble, values: {} });
        if (trouble) return SEALED;
        if (scenario.has('nocode') || (scenario.has('slowcode') && looks < 50)) return null;
        return SEALED;
    };
    fake.pictures.matrix = async () => pattern();

    const pair = async ({ params, item, onInput }) => {
        if (scenario.has('clocks') && params.text) item({ event: 'clocks', reason: 'codeFromTheFuture', values: { aheadSeconds: 5400 } });
        item({ event: 'key', key: words, message: '' });
        await fake.wait(50);
        if (scenario.has('compare')) item({ event: 'compare', number: '604281', message: '' });
        const said = new Promise((resolve) => { onInput((input) => { if (input) resolve(input.same); }); });
        if (params.digits) item({ event: 'waiting', until: Date.now() + 60_000, message: '' });
        else item({ event: 'sending', until: Date.now() + 299_000, message: 'Told studio-pc; say yes there.' });
        await fake.wait(50);
        if (scenario.has('sending')) await forever();
        if (scenario.has('compare')) {
            item({ event: 'confirm', number: '604281', message: '' });
            if (!await said) fake.fail('refused', 'This phone keeps nothing.', { reason: 'numberUnconfirmed', values: {} });
        }
        if (reason && !params.acceptNewIdentity && !params.allowUnsealed) refuse();
        return { ...computers[0], confirmed: !params.allowUnsealed, endToEnd: !params.allowUnsealed };
    };
    fake.serve('pair.scan', pair);
    fake.serve('pair.code', pair);
    let hide = () => false;
    fake.answer('pair.hide', () => ({ hidden: hide() }));
    fake.serve('pair.watch', async ({ params, item }) => {
        const payload = {
            type: 'device-pairing', code: '731604', did: fake.self.id, timestamp: Date.now(),
            deviceInfo: { deviceId: 'b1d6c3a2-0000-4000-8000-00000000abcd', name: fake.self.name, platform: 'linux' },
        };
        const left = scenario.has('expired') ? 1500 : minutes(5);
        item({ event: 'code', payload: JSON.stringify(payload), code: '731604', expiresAt: Date.now() + left, ownFingerprint: words });
        if (scenario.has('expired')) { await fake.wait(left); item({ event: 'expired' }); return null; }
        await fake.wait(300);
        if (scenario.has('paired')) { item({ event: 'paired', ...computers[0] }); return null; }
        if (reason && !params.acceptNewIdentity) { item({ event: 'failed', message: 'The program’s own sentence.', reason, values: VALUES[reason] }); return null; }
        return new Promise((resolve) => {
            hide = () => { item({ event: 'hidden' }); resolve(null); return true; };
        });
    });
}

/** Looks like a code, and is none. */
export function pattern() {
    const size = 45;
    let seed = 7;
    const random = () => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 2147483648; };
    const cells = Array.from({ length: size }, () => Array.from({ length: size }, () => (random() < 0.48 ? '1' : '0')));
    const finder = (top, left) => {
        for (let y = -1; y < 8; y += 1) {
            for (let x = -1; x < 8; x += 1) {
                if (cells[top + y]?.[left + x] === undefined) continue;
                const ring = Math.max(Math.abs(y - 3), Math.abs(x - 3));
                cells[top + y][left + x] = ring === 2 || ring > 3 ? '0' : '1';
            }
        }
    };
    finder(0, 0);
    finder(0, size - 7);
    finder(size - 7, 0);
    return { size, rows: cells.map((row) => row.join('')) };
}
