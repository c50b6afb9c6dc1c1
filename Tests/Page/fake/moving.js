import { NOW, days } from './common.js';

const NEW_PHONE = 'Ada’s new phone';
const OLD_PHONE = 'Ada’s old phone';
const HOSTILE = '\u202Enohp<img src=x onerror="window.hacked=1">';
const FILE = '/home/ada/phone.enc';
const SIZE = 1_147_000_000;
/** What the fake's phones were told. */
export const PIN = '482913';
export const PASSWORD = 'correct horse battery';
export const CODE = 'mystory-mig:v2?pk=GhgXK2v0z6u0s0Q8z4q5d1r7s8t9u0v1w2x3y4z5A6E&addr=192.168.1.7:40123&psk=q83vEjRWeJCrze8SNFZ4kA';

const IDLE = {
    role: null, step: 'idle', path: null, peer: null, pin: null, code: null, addresses: [], dials: false, isLinked: false, fraction: 0, doneBytes: 0, totalBytes: 0, timeLeft: null,
    pausedHere: null, pausedThere: null, trouble: null, offer: null, isAgreed: false, canStartAgain: false, own: null, failure: null, report: null, undo: null, lastStart: null,
};
const UNDO = { since: NOW - days(1), until: NOW + days(6), changes: 3 };
const COUNTS = { stories: 1204, media: 318, categories: 14, settings: 9 };
const REPORT = { backupId: '1f0c2b3a', finishedAtMilliseconds: NOW - days(1), counts: COUNTS, mediaFiles: 318, mediaBytes: 1_074_000_000, proof: 'checksums', lostCount: 0, lost: [], orphanCount: 0, orphans: [], leftOut: {} };
const OFFER = { counts: COUNTS, mediaFiles: 318, mediaBytes: 1_074_000_000, brokenMedia: 0, neededBytes: 2_300_000_000, freeBytes: 41_000_000_000 };
const OWN = { counts: { stories: 2, media: 1, categories: 3, relations: 0, settings: 9 }, computers: 1 };
const failure = (reason, message = 'What the program says.', values = {}) => ({ reason, message, values });
const OLD = { role: 'old', peer: NEW_PHONE, isLinked: true };
const NEW = { role: 'new', peer: OLD_PHONE, isLinked: true };
const SENDING = { ...OLD, step: 'sending', fraction: 0.37, doneBytes: 0.42 * SIZE, totalBytes: SIZE, timeLeft: 95 };
const RECEIVING = { ...NEW, step: 'receiving', fraction: 0.37, doneBytes: 0.42 * SIZE, totalBytes: SIZE, timeLeft: 95 };

/** Where a move may stand, by the scenario's name without its `move-`. */
const STANDS = {
    showing: { role: 'new', step: 'showing', pin: PIN, code: CODE, addresses: ['192.168.1.7:40123', '10.0.0.7:40123', 'wss://hub.example.net#7kq2m-x94fd'] },
    nowhere: { role: 'new', step: 'showing', pin: PIN, code: CODE },
    dialing: { role: 'new', step: 'showing', pin: PIN, code: CODE, dials: true },
    connecting: { role: 'old', step: 'connecting' },
    'connecting-here': { role: 'old', step: 'connecting', addresses: ['192.168.1.9:40123', 'wss://hub.example.net#7kq2m-x94fd'] },
    unreached: { role: 'old', step: 'connecting', trouble: failure('linkLost') },
    entering: { role: 'old', step: 'entering' },
    'entering-here': { role: 'old', step: 'entering', addresses: ['192.168.1.9:40123', 'wss://hub.example.net#7kq2m-x94fd'] },
    'wrong-pin': { role: 'old', step: 'entering', trouble: failure('wrongPIN', 'The PIN is another one.', { attemptsLeft: 2 }) },
    preparing: { ...OLD, step: 'preparing', doneBytes: 214_000_000 },
    'preparing-there': { ...NEW, step: 'preparing' },
    'agreeing-there': { ...OLD, step: 'agreeing', totalBytes: SIZE },
    agreeing: { ...NEW, step: 'agreeing', totalBytes: SIZE, offer: OFFER, own: OWN },
    'agreeing-broken': { ...NEW, step: 'agreeing', totalBytes: SIZE, offer: { ...OFFER, brokenMedia: 3 } },
    'wrong-password': { ...NEW, step: 'agreeing', totalBytes: SIZE, offer: OFFER, trouble: failure('wrongPassword') },
    sending: SENDING,
    receiving: RECEIVING,
    paused: { ...SENDING, pausedHere: 'user' },
    'paused-there': { ...RECEIVING, pausedThere: 'user' },
    full: { ...RECEIVING, pausedHere: 'diskFull', trouble: failure('diskFull', 'No room.', { neededBytes: 300_000_000 }) },
    'full-there': { ...SENDING, pausedThere: 'diskFull' },
    away: { ...SENDING, isLinked: false, trouble: failure('linkLost') },
    restoring: { ...NEW, step: 'restoring', fraction: 0.88, doneBytes: 0.3 * SIZE, totalBytes: SIZE, timeLeft: 12 },
    'restoring-there': { ...OLD, step: 'restoring', fraction: 0.93, totalBytes: SIZE },
    writing: { role: 'old', step: 'writing', path: FILE, fraction: 0.61, doneBytes: 0.61 * SIZE, totalBytes: SIZE },
    reading: { role: 'new', step: 'restoring', path: FILE, fraction: 0.4, doneBytes: 0.42 * SIZE, totalBytes: SIZE },
    offered: { role: 'new', step: 'ready', path: FILE, fraction: 0.98, report: REPORT, own: OWN },
    placing: { ...NEW, step: 'ready', fraction: 0.98, report: REPORT, isAgreed: true, canStartAgain: true },
    'placing-back': { role: 'new', step: 'ready', undo: UNDO, isAgreed: true, canStartAgain: true },
    restart: { ...NEW, step: 'ready', fraction: 0.98, report: REPORT, isAgreed: true },
    back: { role: 'new', step: 'ready', undo: UNDO, isAgreed: true },
    done: { ...OLD, step: 'done', fraction: 1, doneBytes: SIZE, totalBytes: SIZE },
    written: { role: 'old', step: 'done', path: FILE, fraction: 1, doneBytes: SIZE, totalBytes: SIZE },
    moved: { undo: UNDO, report: REPORT, lastStart: { change: 'restore', failure: null } },
    'went-back': { undo: UNDO, lastStart: { change: 'undo', failure: null } },
    'not-in-place': { lastStart: { change: 'restore', failure: 'The disk is full. Free 300 MB, then go on.' } },
};

/**
 * A phone whose data moved: `handing-over`, `retired`, `kept` (and not started again yet), `too-late` (it cannot be kept any more); and a move: `move-STAND`
 * (above), `move-failed-REASON` (`move-failed-new-REASON` on the new phone), `lost` (with media that did not come), `starts-itself` (the program starts itself again), `moving-broken` (it cannot be asked); `hostile`.
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function install(fake, scenario) {
    if (fake.role !== 'phone') return;
    installStanding(fake, scenario);
    const moving = new FakeMoving(fake, scenario);
    fake.moving = moving;
    fake.answer('migrate.state', () => (scenario.has('moving-broken') ? fake.fail('internal', 'The database is locked.') : moving.flow));
    fake.answer('migrate.receive', ({ addresses }) => moving.begin(addresses ? STANDS.dialing : STANDS.showing));
    fake.answer('migrate.send', ({ addresses, code }) => {
        if (addresses.some((address) => address.startsWith('0.'))) fake.fail('bad-request', 'No phone can be reached there.', { reason: 'badAddress' });
        return moving.begin(code ? { ...OLD, step: 'preparing' } : addresses.length === 0 ? STANDS['entering-here'] : STANDS.entering);
    });
    fake.answer('migrate.enter', ({ pin }) => moving.to(pin === undefined || pin === PIN ? { ...STANDS.connecting, trouble: null } : STANDS['wrong-pin']));
    fake.answer('migrate.agree', ({ password }) => {
        if (moving.flow.step === 'ready') return moving.to({ isAgreed: true });
        // The password is looked at for a moment before anything is said of it.
        moving.tellLater(password === PASSWORD ? RECEIVING : STANDS['wrong-password']);
        return moving.to({ trouble: null, offer: null });
    });
    fake.answer('migrate.export', ({ path }) => {
        if (path.endsWith('there.enc')) fake.fail('exists', `${path} is there already.`, { reason: 'migrateFileExists', values: { path } });
        return moving.begin({ role: 'old', step: 'preparing', path });
    });
    fake.answer('migrate.restore', ({ path, password }) => moving.begin({ role: 'new', step: 'restoring', path }, password === PASSWORD ? null : { step: 'failed', failure: failure('wrongPassword') }));
    fake.answer('migrate.pause', () => moving.to({ pausedHere: 'user' }));
    fake.answer('migrate.resume', () => moving.to({ pausedHere: null, trouble: null }));
    fake.answer('migrate.cancel', () => (moving.flow.step === 'ready' ? moving.begin(IDLE) : moving.to({ step: 'failed', pin: null, code: null, addresses: [], failure: failure('cancelled') })));
    // What the real program does a moment later, a test does by `moving.startedAgain`.
    fake.answer('migrate.restart', () => {
        if (!moving.flow.canStartAgain) fake.fail('refused', 'The program cannot start itself again.', { reason: 'migrateCannotStartAgain' });
        return moving.flow;
    });
    fake.answer('migrate.rollback', () => moving.begin(STANDS.back));
}

/** What the program would say of a move; tests let it go on. */
class FakeMoving {
    flow = IDLE;
    #fake;

    constructor(fake, scenario) {
        this.#fake = fake;
        const words = [...scenario];
        const stand = words.find((word) => word.startsWith('move-'))?.slice('move-'.length) ?? 'idle';
        const [, side, reason] = /^failed-(new-)?(.+)$/.exec(stand) ?? [];
        this.flow = { ...IDLE, ...(reason ? { ...(side ? NEW : OLD), step: 'failed', failure: failure(reason, reason === 'other' ? HOSTILE : undefined) } : STANDS[stand]) };
        if (scenario.has('starts-itself')) this.flow = { ...this.flow, canStartAgain: true };
        if (scenario.has('lost')) this.flow.report = { ...REPORT, ...lost() };
        if (scenario.has('hostile')) this.#spoil();
    }

    /** Every change is told, as the program tells it. */
    to(change) {
        this.flow = { ...this.flow, ...change };
        this.#fake.emit('migrate', {});
        return this.flow;
    }

    begin(flow, later = null) {
        if (later) this.tellLater(later);
        return this.to({ ...IDLE, ...flow });
    }

    /** The program is there again, with what its start did. */
    startedAgain(change, failed = null) {
        return this.begin({ ...(failed === null && { undo: UNDO, report: change === 'restore' ? REPORT : null }), canStartAgain: true, lastStart: { change, failure: failed } });
    }

    async tellLater(change) {
        await this.#fake.wait(50);
        this.to(change);
    }

    #spoil() {
        if (this.flow.peer) this.flow.peer = HOSTILE;
        if (this.flow.path) this.flow.path = `/home/ada/${HOSTILE}`;
        if (this.flow.report) this.flow.report = { ...this.flow.report, lostCount: 1, lost: [{ mediaId: 'm', fileName: HOSTILE, reason: HOSTILE, storyId: HOSTILE }] };
        if (this.flow.lastStart?.failure) this.flow.lastStart = { ...this.flow.lastStart, failure: HOSTILE };
    }
}

function lost() {
    const reasons = ['FILE_NOT_FOUND', 'READ_ERROR', 'SIZE_MISMATCH', 'HASH_MISMATCH', 'EMPTY', 'SOMETHING_NEW'];
    const all = Array.from({ length: 14 }, (_, at) => ({ mediaId: `m${at}`, fileName: `Images/2024/07/IMG_${4100 + at}.heic`, reason: reasons[at % reasons.length], ...(at % 4 !== 3 && { storyId: `s${at}` }) }));
    return { lostCount: all.length, lost: all, orphanCount: 2, orphans: ['a', 'b'], leftOut: { relations: 3 } };
}

function installStanding(fake, scenario) {
    const newPhone = scenario.has('hostile') ? HOSTILE : NEW_PHONE;
    const resting = { newPhone, isResting: true };
    const undoUntil = NOW + days(6);
    let standing = { state: 'active', isResting: false };
    if (scenario.has('handing-over')) standing = { state: 'handing-over', ...resting };
    if (scenario.has('retired')) standing = { state: 'retired', ...resting, undoUntil };
    if (scenario.has('kept')) standing = { state: 'kept', ...resting };
    fake.answer('phone.standing', () => standing);
    fake.answer('phone.keep', () => {
        if (scenario.has('too-late')) fake.fail('expired', `The time to undo the move is over, so ${newPhone} stays the phone that your computers know.`, { reason: 'phoneKeptTooLate', values: { newPhone } });
        if (standing.isResting) standing = { state: 'kept', ...resting };
        fake.emit('standing', {});
        return standing;
    });
}
