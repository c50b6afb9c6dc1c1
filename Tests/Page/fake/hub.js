import { NOW, days, hours, minutes } from './common.js';

const HOUR_OF_FRAMES = 300;

/** One second of a hub, as `hub.load` and the topic `load` give it. */
function sample(at, phase, more = {}) {
    const wave = Math.sin(phase / 23) + 0.4 * Math.sin(phase / 5) + 0.15 * Math.sin(phase * 1.7);
    return {
        at, connections: Math.round(1204 + 40 * wave), framesPerSecond: Math.max(0, Math.round(412 + 160 * wave)),
        bytesPerSecond: Math.max(0, Math.round(1_900_000 + 700_000 * wave)), refusedPerSecond: phase % 67 === 0 ? 3 : 0,
        outgoingBytes: Math.max(0, Math.round(260_000 + 180_000 * wave)), arrivalBytes: 8192, mailboxFrames: 3120 + phase,
        idsKnown: 8412, memoryBytes: Math.round(96_000_000 + 2_000_000 * wave), cpu: Math.max(0, 0.07 + 0.03 * wave), descriptors: 1301,
        diskUsedBytes: 41_000_000, diskFreeBytes: 18_400_000_000, ...more,
    };
}

const LIMITS = /** @type {[string, number, number, string, string][]} */ ([
    ['limitConnections', 20000, 20000, 'sockets', 'Open WebSockets; never more than descriptors less 256.'],
    ['limitReservedConnections', 0, 0, 'sockets kept free', 'Of these, kept free for paired phones.'],
    ['limitConnectionsPerAddress', 256, 1024, 'sockets', 'Open sockets of one address or /64.'],
    ['limitArrivingConnections', 4096, 4096, 'sockets', 'Sockets without an id; the oldest gives way.'],
    ['limitHttpSeconds', 60, 60, 'seconds', 'How long an HTTP connection may stay.'],
    ['limitRegistrationSeconds', 10, 10, 'seconds', 'From the WebSocket handshake to registering.'],
    ['limitMessageBytes', 1048576, 1048576, 'bytes', 'One message.'],
    ['limitOutgoingBytes', 4194304, 4194304, 'bytes', 'What waits for one slow reader.'],
    ['limitTotalOutgoingBytes', 100663296, 100663296, 'bytes', 'What waits for all slow readers.'],
    ['limitMailboxFrames', 100, 100, 'frames', 'Kept for one id that is away.'],
    ['limitMailboxSeconds', 86400, 86400, 'seconds', 'How long a frame is kept.'],
    ['limitUnprovenMailPercent', 10, 10, 'percent', 'Of mailboxes and bytes, for senders without a proof.'],
    ['limitContactRows', 50000, 50000, 'pairs', 'Pairs that are remembered.'],
    ['limitIdSeconds', 7776000, 7776000, 'seconds', 'How long an unused id belongs to its key.'],
    ['limitSocketMessages', 200, 200, 'messages a second', 'Messages of one socket.'],
    ['limitSocketMessagesBurst', 1000, 1000, 'messages', 'The same, at once.'],
    ['limitAddressAliases', 10, 10, 'codes a minute', 'Codes tried or shown by one address.'],
    ['limitAddressAliasesBurst', 20, 10, 'codes', 'The same, at once.'],
    ['chatMessagesPerSecond', 10, 10, 'a second', 'Messages of one person, on average.'],
    ['chatMessageBurst', 120, 60, 'at once', 'Messages of one person: 429 beyond it.'],
    ['chatStrangersPerHour', 20, 20, 'an hour', 'Conversations that one person begins with strangers, on average.'],
    ['chatSealedBytes', 262144, 262144, 'bytes', 'The content of a sealed message.'],
    ['accountsOfAddressBurst', 5, 5, 'at once', 'New accounts without an invitation, of one address: 429 beyond it.'],
    ['limitSomethingNew', 9223372036854775807, 9223372036854775807, 'things', 'A limit that this page has never heard of.'],
]).map(([name, value, standard, unit, summary]) => ({ name, value, default: standard, unit, summary }));

/**
 * A hub. Scenarios: `empty` (nobody is connected), `full` (at its limits), `broken`, `hostile`, `many` (12,000 are connected), `still` (no news), `new` (just begun), `bare`.
 *
 * @param {import('./fake.js').FakeClient} fake @param {Set<string>} scenario
 */
export function install(fake, scenario) {
    if (fake.role !== 'hub') return;
    const bad = scenario.has('full') ? { connections: 19_730, outgoingBytes: 92_000_000, diskFreeBytes: 210_000_000, refusedPerSecond: 41 } : {};
    // As on a system that tells little.
    if (scenario.has('bare')) Object.assign(bad, { memoryBytes: undefined, descriptors: undefined, diskUsedBytes: undefined, diskFreeBytes: undefined });
    if (scenario.has('empty')) Object.assign(bad, { connections: 0, framesPerSecond: 0, bytesPerSecond: 0, outgoingBytes: 0, mailboxFrames: 0, idsKnown: 0 });
    const history = Array.from({ length: HOUR_OF_FRAMES }, (_, at) => sample(NOW - (HOUR_OF_FRAMES - at) * 1000, at, bad));
    fake.answer('status', () => ({
        role: 'hub', version: '0.9.0', address: '0.0.0.0', port: 9001, url: 'wss://hub.example.net:9001',
        urls: ['wss://hub.example.net:9001', 'wss://203.0.113.40:9001'], dialect: 'strict', legacyOpen: false, trustedProxies: [],
    }));
    fake.answer('hub.load', ({ history: isWanted }) => {
        if (scenario.has('broken')) fake.fail('internal', 'The database is locked.');
        return {
            startedAt: NOW - days(12) - hours(3), now: history.at(-1),
            // One in five seconds is kept, unless the hub began just now.
            ...(isWanted && { history: scenario.has('new') ? [] : history.filter((_, at) => at % 5 === 0).slice(0, -1) }),
            limits: { connections: 20_000, outgoingBytes: 100_663_296, idsKnown: 100_000, descriptors: 65_536 },
        };
    });
    if (!scenario.has('still')) {
        let phase = HOUR_OF_FRAMES;
        setInterval(() => fake.emit('load', sample(Date.now(), phase++, bad)), 1000);
    }

    let peers = Array.from({ length: scenario.has('empty') ? 0 : scenario.has('many') ? 12_000 : 46 }, (_, at) => {
        const digits = (at * 2654435761 % 4294967296).toString(16).padStart(8, '0');
        return {
            peerId: at % 3 === 0 ? `${digits}6a1be2d34775a1c0ffee00d15ea5` : `did:key:z6Mkha${digits}BZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK`,
            proven: at % 7 !== 3, address: at % 4 === 0 ? `2001:db8:${digits.slice(0, 4)}::7` : `203.0.113.${at % 250}`,
            connectedAt: NOW - minutes(3) * (at + 1), lastSeen: NOW - at * 900,
            ...(at % 5 === 1 && { name: at % 2 ? 'Ada’s phone' : 'The workstation in the hall, behind the stairs' }), ...(at % 10 === 1 && { person: 'ada' }),
        };
    });
    const known = scenario.has('empty') ? [] : peers.slice(0, 200).map(({ peerId, name, person }, at) => ({
        peerId, connected: at < 20, seenAt: NOW - days(at < 20 ? 0 : at), ...(name && { name }), ...(person && { person }),
    }));
    const hostile = '<b>\u202Eada</b>'.repeat(9);
    if (scenario.has('hostile')) known.forEach((each, at) => Object.assign(each, { name: hostile, person: `${hostile}${at}` }));
    if (scenario.has('hostile')) peers = peers.map((peer, at) => ({ ...peer, peerId: `<img src=x onerror=alert(${at})>\u202E${at}` }));
    fake.answer('hub.peers', ({ limit = peers.length, after }) => {
        if (scenario.has('broken')) fake.fail('internal', 'The registry does not answer.');
        const begin = after ? peers.findIndex(({ peerId }) => peerId === after) + 1 : 0;
        const page = peers.slice(begin, begin + limit);
        return { peers: page, total: peers.length, ...(begin + limit < peers.length ? { next: page.at(-1).peerId } : {}) };
    });
    fake.answer('hub.devices', () => {
        if (scenario.has('broken')) fake.fail('internal', 'The disk is full.');
        return { devices: known, total: known.length };
    });
    fake.answer('hub.name', ({ id, name }) => {
        if (scenario.has('late')) fake.fail('refused', '10,000 devices have a name, and no more fit.');
        for (const each of [...peers, ...known]) if (each.peerId === id) each.name = name || undefined;
        return null;
    });
    fake.answer('hub.kick', ({ id }) => {
        if (scenario.has('late')) fake.fail('not-found', `${id} is not connected here.`);
        peers = peers.filter((peer) => peer.peerId !== id);
        return null;
    });
    fake.answer('hub.release', ({ id }) => {
        if (scenario.has('late')) fake.fail('not-found', `${id} belongs to no key here, so there is nothing to release.`);
        return null;
    });
    fake.answer('hub.limits', () => (scenario.has('broken') ? fake.fail('internal', 'The settings cannot be read.') : { limits: LIMITS }));
}
