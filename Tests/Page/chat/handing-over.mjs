/** History from one device of an account to another: what arrives, what stays, what is refused, and where it goes on after a cut. */
import { words } from '../../../Sources/TandemWeb/Page/wire/keys.js';
import { indexJSON, readIndex } from '../../../Sources/TandemWeb/Page/client/chat/sealing/handover-index.js';
import { readOffer, requireOfferIn } from '../../../Sources/TandemWeb/Page/client/chat/sealing/handover-offer.js';
import { packedPage, readPage } from '../../../Sources/TandemWeb/Page/client/chat/sealing/handover-page.js';
import { utf8 } from '../../../Sources/TandemWeb/Page/wire/bytes.js';
import { KeptMessages } from './kept-messages.mjs';
import { Device, SealingHub } from './sealing-hub.mjs';
import { changed, thrown } from './tools.mjs';

const DAY = 86_400_000;

/** A device with its messages and its desk. */
async function desked(device, isGone) {
    const kept = new KeptMessages(device.store);
    const desk = await device.sealing.handover({ objects: device.hub.storage(isGone), history: kept });
    return { device, kept, desk, read: async (other) => { for (const row of device.hub.rows.get(device.with(other))) kept.note(row, await device.sealing.open(row)); } };
}

/** Ada wrote to Bob, who read it on his phone; his laptop is new. */
async function scene(count, isGone) {
    const hub = new SealingHub();
    const [ada, phone] = [await Device.signIn(hub, 7, 'Ada'), await Device.signIn(hub, 9, 'Bob’s phone')];
    for (let at = 0; at < count; at += 1) await ada.send(phone, `id-${at}`, `message ${at}`);
    const { object } = await ada.sealing.sealFile(utf8('a picture'), { type: 'image/png' }, ada.with(phone));
    await ada.send(phone, 'p-1', JSON.stringify({ type: 'image', objectKey: 'chat/sealed/a', sealed: object }), 110);
    await ada.send(phone, 'f-1', JSON.stringify({ type: 'flash_image', objectKey: 'chat/flash/sealed/b', sealed: object }), 110);
    const old = await desked(phone);
    await old.read(ada);
    const fresh = await desked(await Device.signIn(hub, 9, 'Bob’s laptop'), isGone);
    return { hub, ada, old, fresh, did: fresh.device.identity.did };
}

async function add({ old, fresh, did }) {
    await old.device.sealing.addDevice(did, await words(did));
    await fresh.device.sealing.keysChanged('tb_9');
}

/** Where the hub's rows come first, and where the words do. */
async function whole(isReadFirst) {
    const it = await scene(250);
    await add(it);
    await it.old.desk.handOverToAdded(it.did);
    await it.old.desk.look();
    const offered = (await it.old.desk.progress())[it.did];
    if (isReadFirst) await it.fresh.read(it.ada);
    await it.fresh.desk.look();
    if (!isReadFirst) await it.fresh.read(it.ada);
    await it.old.desk.look();
    const { texts } = it.fresh.kept;
    const opened = await it.fresh.device.store.get('sealing-objects', '9/chat/sealed/a');
    return {
        offered, taken: (await it.old.desk.progress())[it.did].stage, done: Object.values(await it.fresh.desk.progress()), offers: it.hub.offers.get(9).length, texts: [texts.length, texts[0], texts[249], texts[251]],
        picture: JSON.parse(texts[250]).type, opens: opened?.type, flash: await it.fresh.device.store.get('sealing-objects', '9/flash tb_7 f-1') ?? null, waiting: it.fresh.kept.waiting.size,
    };
}

/** The second page does not come at first; the device's program begins anew then. */
async function cut() {
    let gone = null;
    const it = await scene(450, (key) => key === gone);
    await add(it);
    await it.old.desk.handOver(it.did);
    await it.old.desk.look();
    gone = [...it.hub.objects.keys()][1];
    await it.fresh.read(it.ada);
    await it.fresh.desk.look();
    const before = Object.values(await it.fresh.desk.progress())[0];
    it.fresh.desk.close();
    gone = null;
    const desk = await it.fresh.device.sealing.handover({ objects: it.hub.storage(), history: it.fresh.kept });
    await desk.look();
    return { before: [before.stage, before.done, before.failure !== null], after: Object.values(await desk.progress())[0], missing: it.fresh.kept.texts.filter((text) => text === 'otherDevice').length };
}

/** What a person asks for that cannot be done. */
async function asked() {
    const it = await scene(1);
    const { desk } = it.old;
    const said = [await thrown(() => desk.handOver(it.did)), await thrown(() => desk.handOver('x')), await thrown(() => desk.handOverToAdded('x')), await thrown(() => it.fresh.desk.handOver(it.old.device.identity.did))];
    await add(it);
    said.push(await thrown(() => desk.handOver(it.old.device.identity.did)), await thrown(() => it.fresh.desk.handOver(it.old.device.identity.did)));
    it.hub.clock.time += 11 * DAY;
    said.push(await thrown(() => desk.handOver(it.did)));
    return said;
}

/** Every lie about an offer, an index and a page: nothing of it is taken, and it is said. */
async function lies() {
    const it = await scene(3);
    await add(it);
    await it.old.desk.handOver(it.did);
    await it.old.desk.look();
    const [offer] = it.hub.offers.get(9);
    const [page, index] = [...it.hub.objects.keys()];
    const bytes = it.hub.objects.get(page);
    const tries = [
        ...Object.keys(offer).map((key) => changed(offer, [key], (value) => (typeof value === 'number' ? value + 1 : `${value.slice(0, -2)}${value.endsWith('AA') ? 'BA' : 'AA'}`))),
        { ...offer, more: 1 }, null, 7, {},
    ];
    const unread = [];
    for (const one of tries) if (await thrown(() => readOffer(one)) === null) unread.push(one);
    const fresh = async () => {
        const desk = await it.fresh.device.sealing.handover({ objects: it.hub.storage(), history: it.fresh.kept });
        it.fresh.device.sealing.resynced();
        await desk.look();
        return Object.values(await desk.progress())[0]?.failure?.slice(0, 40) ?? null;
    };
    await it.fresh.read(it.ada);
    const said = [];
    it.hub.objects.set(page, bytes.with(80, bytes[80] ^ 1));
    said.push(await fresh());
    it.hub.objects.set(page, it.hub.objects.get(index));
    said.push(await fresh());
    it.hub.objects.set(page, bytes.subarray(0, 70));
    said.push(await fresh());
    const nothing = it.fresh.kept.texts.filter((text) => text === 'otherDevice').length;
    // A device that was taken out hands nothing over, and an offer that is old is none.
    const chain = it.hub.chains.get(9);
    const read = await readOffer(offer);
    const bounds = [
        await thrown(async () => requireOfferIn(read, chain, read.made + 7 * DAY)), await thrown(async () => requireOfferIn(read, chain, read.made + 7 * DAY + 1)), await thrown(async () => requireOfferIn(read, chain, read.made - DAY - 1)),
        await thrown(async () => requireOfferIn(read, it.hub.chains.get(7), read.made)), await thrown(async () => requireOfferIn({ ...read, list: 0 }, chain, read.made)),
        await thrown(async () => requireOfferIn(read, await chain.removing(read.from, it.fresh.device.identity), read.made)),
    ];
    it.hub.objects.set(page, bytes);
    return { unread: unread.length, said, nothing, bounds, honest: [await fresh(), it.fresh.kept.texts.filter((text) => text === 'otherDevice').length] };
}

/** Indexes and pages that nobody writes. */
async function forms() {
    const part = { object: 'chat/sealed/1', hash: new Uint8Array(32), size: 10, key: new Uint8Array(32), count: 3 };
    const index = indexJSON([part], false);
    const message = { conversation: 'si_tb_7_tb_9', sender: 'tb_7', id: 'a', seq: 1, contentType: 101, content: 'x', files: [] };
    const page = packedPage([message]).json;
    const inner = (values) => ({ v: 1, messages: [{ ...page.messages[0], ...values }] });
    const many = (count) => Array.from({ length: count }, (_, at) => ({ ...message, id: `${at}`, seq: at + 1 }));
    const custom = (payload) => ({ contentType: 110, content: { data: JSON.stringify(payload), description: '', extension: '' } });
    const indexes = [
        { ...index, messages: 4 }, { ...index, isCut: 0 }, { ...index, pages: [] }, { ...index, pages: [...index.pages, ...index.pages], messages: 6 }, { ...index, v: 2 }, { ...index, pages: Array(1025).fill(index.pages[0]) },
        { ...index, pages: [{ ...index.pages[0], size: 2 ** 21 }] }, { ...index, pages: [{ ...index.pages[0], count: 0 }] }, { ...index, pages: Array.from({ length: 300 }, (_, at) => ({ ...index.pages[0], object: `${at}`, size: 1 << 20 })), messages: 900 }, index,
    ];
    const pages = [
        inner({ seq: 0 }), inner({ sender: 'tb_8' }), inner({ conversation: 'si_tb_9_tb_7' }), inner({ id: '' }), inner({ content: 'x' }), inner({ files: [{ name: 'x', object: {} }] }), inner({ contentType: 0 }), inner(custom({ type: 'flash_image', objectKey: 'x' })),
        inner(custom({ type: 'flash_viewed', msgId: 'x' })), inner(custom({ type: 'sealed' })), { v: 1, messages: [] }, { v: 1, messages: Array(201).fill(page.messages[0]) }, inner({ content: { content: 'x'.repeat(140_000) } }), inner({ more: 1 }), page,
    ];
    const large = packedPage(many(30).map((one) => ({ ...one, content: 'x'.repeat(60_000) })));
    return {
        indexes: await Promise.all(indexes.map((one) => thrown(async () => readIndex(one)))), pages: await Promise.all(pages.map((one) => thrown(async () => readPage(one)))),
        unknown: readPage(inner({ contentType: 999 })).messages.length, packed: [packedPage(many(300)).count, large.count, large.used, packedPage([{ ...message, ...custom({}), contentType: 110, content: '{"type":"flash_image"}' }])],
    };
}

export async function run() {
    return { read: await whole(true), waiting: await whole(false), cut: await cut(), asked: await asked(), lies: await lies(), forms: await forms() };
}
