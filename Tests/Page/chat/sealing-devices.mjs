/** Devices of two people at a hub in memory: what is sealed, read, refused and said. */
import { b64u, utf8, textOf } from '../../../Sources/TandemWeb/Page/wire/bytes.js';
import { WireError } from '../../../Sources/TandemWeb/Page/wire/error.js';
import { words } from '../../../Sources/TandemWeb/Page/wire/keys.js';
import { Device, refused, SealingHub } from './sealing-hub.mjs';
import { thrown } from './tools.mjs';

const DAY = 86_400_000;

async function two() {
    const hub = new SealingHub();
    const [ada, bob] = [await Device.signIn(hub, 7, 'Ada’s phone'), await Device.signIn(hub, 9, 'Bob’s phone')];
    return { hub, ada, bob };
}

async function adding(old, device) { return old.sealing.addDevice(device.identity.did, (await words(device.identity.did)).toUpperCase()); }

function texts(read) { return read.map(({ content, trouble }) => trouble ?? content); }

function wordsOf(standing) { return [standing.isSealed, standing.isVerified, standing.trouble]; }

/** Both directions, the own words, and a restart. */
async function talk() {
    const { hub, ada, bob } = await two();
    const sent = await ada.send(bob, 'a-1', 'hello');
    await bob.send(ada, 'b-1', 'hi');
    const again = await ada.sealing.seal(ada.message(bob, 'a-1', 'hello'));
    const rows = hub.rows.get(ada.with(bob));
    const [first, later] = [await bob.reads(ada), await (await bob.restarted()).reads(ada)];
    const [mine, theirs] = [await ada.sealing.safety(ada.with(bob)), await bob.sealing.safety(ada.with(bob))];
    return {
        isSealed: sent.isSealed, isSame: again.content === rows[0].content, isHidden: !rows.some(({ content }) => content.includes('hello') || content.includes('hi"')),
        read: [texts(await ada.reads(bob)), texts(first), texts(later)], findings: first.map(({ findings }) => findings),
        standing: [wordsOf(mine), wordsOf(theirs), mine.number.length, mine.code === theirs.code], told: ada.told.length > 0,
        verified: wordsOf(await ada.sealing.verify(ada.with(bob), true)), kept: wordsOf(await (await ada.restarted()).sealing.standing(ada.with(bob))),
        own: await ada.sealing.ownChain() === b64u(hub.chains.get(7).start.hash),
    };
}

/** Somebody without a list, who gets one, and a hub that has it no more. */
async function clearness() {
    const hub = new SealingHub();
    const [ada, plain] = [await Device.signIn(hub, 7, 'phone'), { uid: 9 }];
    const clear = await ada.send(plain, 'c-1', 'clear');
    const bob = await Device.signIn(hub, 9, 'phone');
    const sealed = await ada.send(bob, 's-1', 'sealed');
    hub.rows.get(ada.with(bob)).push({ id: 'x', conversation: ada.with(bob), sender: 'tb_9', seq: 3, contentType: 101, content: 'sneaked in' });
    const unexpected = (await ada.reads(bob)).map(({ isUnexpectedlyClear }) => isUnexpectedlyClear);
    hub.lies['/chat/keys/bundles'] = (answer, { userIDs }) => ({ bundles: userIDs.includes('tb_9') ? [] : answer.bundles });
    ada.sealing.resynced();
    const stopped = await thrown(() => ada.send(bob, 's-2', 'not clear'));
    const standing = wordsOf(await ada.sealing.standing(ada.with(bob)));
    const agreed = wordsOf(await ada.sealing.agree(ada.with(bob), 'clear'));
    const after = await ada.send(bob, 's-3', 'clear by will');
    hub.lies = {};
    ada.sealing.resynced();
    const back = await ada.send(bob, 's-4', 'sealed again');
    return { clear: clear.isSealed, sealed: sealed.isSealed, unexpected, stopped, standing, agreed, after: after.isSealed, back: back.isSealed, end: wordsOf(await ada.sealing.standing(ada.with(bob))), nothing: await thrown(() => ada.sealing.agree(ada.with(bob), 'clear')) };
}

/** A device more, one fewer, and what each reads. */
async function devices() {
    const { hub, ada, bob } = await two();
    await ada.send(bob, 'a-1', 'before');
    const laptop = await Device.signIn(hub, 9, 'Bob’s laptop');
    const waiting = (await bob.sealing.devices()).devices.map(({ name, state }) => [name, state]);
    const alone = [await thrown(() => laptop.send(ada, 'l-0', 'not yet')), (await laptop.sealing.devices()).isListed];
    const wrong = await thrown(() => bob.sealing.addDevice(laptop.identity.did, 'ligar-baluk-losun-zofas'));
    const place = (await ada.sealing.deviceChanges(ada.with(bob), null)).upTo;
    const list = await adding(bob, laptop);
    await laptop.sealing.keysChanged('tb_9');
    // Nobody told Ada: the hub refuses what is sealed for the old list, and it is sealed anew under its id.
    await ada.send(bob, 'a-2', 'for both');
    const changes = (await ada.sealing.deviceChanges(ada.with(bob), place)).changes;
    await laptop.send(ada, 'l-1', 'from the laptop');
    const read = { ada: texts(await ada.reads(bob)), bob: texts(await bob.reads(ada)), laptop: texts(await laptop.reads(ada)) };
    await bob.sealing.removeDevice(laptop.identity.did);
    await ada.sealing.keysChanged('tb_9');
    await ada.send(bob, 'a-3', 'without the laptop');
    await laptop.sealing.keysChanged('tb_9');
    const keys = new Set(hub.bundles.get(9).filter(({ did }) => did === bob.identity.did).map(({ kid }) => kid)).size;
    return {
        waiting, alone, wrong, list: list.devices.map(({ name, state }) => [name, state]), changes, read, last: texts(await laptop.reads(ada)).at(-1), keys,
        out: await thrown(() => laptop.send(ada, 'l-2', 'still here')), unknown: await thrown(() => bob.sealing.removeDevice(laptop.identity.did)),
    };
}

/** A chain that begins anew, and one that is another's. */
async function anew() {
    const { hub, ada, bob } = await two();
    await ada.send(bob, 'a-1', 'before');
    await ada.sealing.verify(ada.with(bob), true);
    const fresh = await Device.signIn(hub, 9, 'new phone');
    await fresh.sealing.renewDevices();
    await fresh.send(ada, 'f-1', 'I lost everything');
    await ada.sealing.keysChanged('tb_9');
    const warned = wordsOf(await ada.sealing.standing(ada.with(bob)));
    const [unread, stopped] = [texts(await ada.reads(bob)), await thrown(() => ada.send(bob, 'a-2', 'no'))];
    const place = (await ada.sealing.deviceChanges(ada.with(bob), null)).upTo;
    const agreed = wordsOf(await ada.sealing.agree(ada.with(bob), 'newKeys'));
    const changes = (await ada.sealing.deviceChanges(ada.with(bob), place)).changes;
    await ada.send(bob, 'a-3', 'welcome back');
    // The phone that was lost is there again: its own list is another one now.
    const old = await bob.restarted();
    const own = await old.sealing.devices();
    const adopted = await old.sealing.renewDevices(true);
    return {
        warned, unread, stopped, agreed, changes, read: [texts(await ada.reads(bob)), texts(await fresh.reads(ada))], own: own.trouble,
        adopted: [adopted.trouble, adopted.isListed], nothing: await thrown(() => ada.sealing.agree(ada.with(bob), 'newKeys')),
    };
}

/** What a link names, and a hub that has another chain. */
async function links() {
    const { hub, ada, bob } = await two();
    const mallory = await Device.signIn(hub, 11, 'Mallory');
    await ada.sealing.met('tb_9', await bob.sealing.ownChain());
    const right = wordsOf(await ada.sealing.standing(ada.with(bob)));
    const carol = await Device.signIn(hub, 12, 'Carol');
    await carol.sealing.met('tb_9', await mallory.sealing.ownChain());
    const wrong = [wordsOf(await carol.sealing.standing(carol.with(bob))), await thrown(() => carol.send(bob, 'c-1', 'x'))];
    return { right, wrong, known: await thrown(async () => ada.sealing.met('tb_9', await mallory.sealing.ownChain())), form: await thrown(() => ada.sealing.met('tb_9', 'short')) };
}

async function canBeExported(device) { return (await device.store.list('sealing-keys')).map(({ value }) => value.pair?.secret.extractable ?? null); }

/** Keys over the weeks, and messages for keys that are gone. */
async function weeks() {
    const { hub, ada, bob } = await two();
    const counts = [];
    const keysOf = async () => (await bob.store.list('sealing-keys')).map(({ value }) => Boolean(value.pair));
    const count = async () => { const all = await keysOf(); counts.push([all.length, all.filter(Boolean).length]); };
    await ada.send(bob, 'a-1', 'first week');
    await count();
    hub.clock.time += 6 * DAY;
    await bob.sealing.prepare();
    await count();
    hub.clock.time += 2 * DAY;
    await bob.sealing.prepare();
    await count();
    await ada.sealing.keysChanged('tb_9');
    await ada.sealing.prepare();
    await ada.send(bob, 'a-2', 'second week');
    // Everything of the first week was fetched, seven days behind the second key.
    bob.sealing.fetchedUpTo(hub.clock.time + 6 * DAY);
    await bob.sealing.prepare();
    await count();
    bob.sealing.fetchedUpTo(hub.clock.time + 8 * DAY);
    hub.clock.time += 6 * DAY;
    await bob.sealing.prepare();
    await count();
    const read = texts(await bob.reads(ada));
    hub.clock.time += 100 * DAY;
    await bob.sealing.prepare();
    await count();
    ada.sealing.resynced();
    await ada.sealing.prepare();
    return { counts, read, late: texts(await bob.reads(ada)), canBeExported: await canBeExported(bob) };
}

/** A hub that is away, of an earlier version, or that lost what it had. */
async function troubles() {
    const { hub, ada, bob } = await two();
    await ada.send(bob, 'a-1', 'x');
    hub.isDown = true;
    const down = [await thrown(() => ada.send(bob, 'a-2', 'y')), (await ada.sealing.prepare())?.detail.reason, wordsOf(await ada.sealing.safety(ada.with(bob)))];
    const carol = await Device.signIn(hub, 12, 'Carol');
    const unknown = await thrown(() => carol.send(bob, 'c-1', 'never clear by itself'));
    hub.isDown = false;
    // The hub goes back to before Bob's second device, and then to before everything.
    const laptop = await Device.signIn(hub, 9, 'laptop');
    const before = hub.chains.get(9);
    await adding(bob, laptop);
    await ada.sealing.keysChanged('tb_9');
    hub.chains.set(9, before);
    await ada.sealing.keysChanged('tb_9');
    const rolled = [wordsOf(await ada.sealing.standing(ada.with(bob))), await thrown(() => ada.send(bob, 'a-3', 'z'))];
    await bob.sealing.connected();
    await ada.sealing.keysChanged('tb_9');
    const healed = [hub.chains.get(9).newest.n, wordsOf(await ada.sealing.standing(ada.with(bob)))];
    hub.chains.delete(9);
    await bob.sealing.connected();
    const given = hub.chains.get(9)?.newest.n;
    // Two devices of a new account begin at once: one list comes out.
    const other = new SealingHub();
    other.lies['/chat/chain/get'] = () => ({ chains: [] });
    const first = await Device.signIn(other, 7, 'one');
    other.lies['/chat/chain/get'] = (answer) => { other.lies = {}; return { chains: answer.chains.slice(1) }; };
    const second = await Device.signIn(other, 7, 'two');
    // A store that has no room says nothing about a message.
    const { write } = bob.store;
    bob.store.write = () => Promise.reject(new WireError('full', 'full', { reason: 'storageFull' }));
    const full = texts(await bob.reads(ada));
    bob.store.write = write;
    return { down, unknown, rolled, healed, given, full, again: texts(await bob.reads(ada)), race: [(await first.sealing.devices()).isListed, (await second.sealing.devices()).isListed, other.chains.get(7).entries.length] };
}

/** Files: pictures, a view-once picture, and what is no key. */
async function files() {
    const { hub, ada, bob } = await two();
    const file = utf8('a picture');
    const { bytes, object } = await ada.sealing.sealFile(file, { type: 'image/png', preview: utf8('small') }, ada.with(bob));
    const [key, flash] = ['chat/sealed/2026/1', 'chat/flash/sealed/2026/2'];
    await ada.send(bob, 'p-1', JSON.stringify({ type: 'image', objectKey: key, w: 1, h: 1, url: 'https://elsewhere', sealed: object }), 110);
    await ada.send(bob, 'p-2', JSON.stringify({ type: 'multi_image', multiObjectKeys: [key, 'chat/sealed/2026/3'], sealed: [object, object] }), 110);
    await ada.send(bob, 'p-3', JSON.stringify({ type: 'flash_image', objectKey: flash, sealed: object }), 110);
    await ada.send(bob, 'p-4', JSON.stringify({ type: 'image', objectKey: 'chat/sealed/2026/4', sealed: { ...object, size: 'x' } }), 110);
    await bob.send(ada, 'v-1', JSON.stringify({ type: 'flash_viewed', msgId: 'p-3' }), 110);
    const rows = hub.rows.get(ada.with(bob)).map(({ content }) => JSON.parse(content));
    const read = await bob.reads(ada);
    const open = async (who, name) => textOf(await who.sealing.openFile(bytes, name));
    const stranger = await Device.signIn(hub, 12, 'Carol');
    return {
        hubs: rows.map(({ type, objects, flash: one }) => [type, objects ?? null, one ?? null]), inside: Object.keys(JSON.parse(read[0].content)).sort(), isViewed: read[4].isSealed,
        opened: [await open(bob, key), await open(ada, key), await open(bob, 'chat/sealed/2026/3'), await open(bob, 'chat/image/1') === textOf(bytes)],
        unknown: [await thrown(() => open(bob, 'chat/sealed/2026/4')), await thrown(() => open(stranger, key))],
        damaged: await thrown(() => bob.sealing.openFile(bytes.map((byte, at) => (at === 70 ? byte ^ 1 : byte)), key)),
        flash: [textOf(await bob.sealing.openFlash(bytes, 'p-3', 'tb_7')), textOf(await bob.sealing.openFlash(bytes, 'p-3', 'tb_7')) === 'a picture'],
        clear: await ada.sealing.sealFile(file, { type: 'image/png' }, 'si_tb_20_tb_7').then((one) => one, (error) => error.detail.reason),
        forgotten: [await bob.sealing.forget(), (await bob.store.list('sealing-objects')).length, (await bob.store.list('sealing-keys')).length],
    };
}

/** Several attempts for one message, at once and after a refusal that says nothing was stored. */
async function repeats() {
    const { hub, ada, bob } = await two();
    const [one, two_] = await Promise.all([1, 2].map(() => ada.sealing.seal(ada.message(bob, 'a-1', 'x'))));
    await Promise.all(['a-2', 'a-3', 'a-4'].map((id) => ada.send(bob, id, id)));
    const counts = (await ada.store.list('sealing-outgoing')).map(({ value }) => value.count).sort();
    let tries = 0;
    const endless = await thrown(() => ada.sealing.send(ada.message(bob, 'a-5', 'x'), async () => { tries += 1; throw refused(409); }));
    const forms = [];
    await ada.sealing.send(ada.message(bob, 'a-6', 'x'), async (form) => {
        forms.push(form.content);
        if (forms.length === 1) throw refused(409);
    });
    return { isSame: one.content === two_.content, counts, endless, tries, isAnew: forms[0] !== forms[1] && forms.length === 2, read: texts(await bob.reads(ada)).sort() };
}

export async function run() {
    return {
        talk: await talk(), clearness: await clearness(), devices: await devices(), anew: await anew(), links: await links(), weeks: await weeks(), troubles: await troubles(),
        files: await files(), repeats: await repeats(),
    };
}
