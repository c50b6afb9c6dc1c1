/** The vectors of docs/protocol.md 4.9: what the page's modules make and read of them, for test_chat_sealing.py to compare. */
import { agreementKeyOf } from '../../../Sources/TandemWeb/Page/wire/keys.js';
import { AccountChain } from '../../../Sources/TandemWeb/Page/client/chat/sealing/chain.js';
import { makeEntry } from '../../../Sources/TandemWeb/Page/client/chat/sealing/chain-entry.js';
import { makeBundle, readBundle } from '../../../Sources/TandemWeb/Page/client/chat/sealing/chat-key.js';
import { innerOf } from '../../../Sources/TandemWeb/Page/client/chat/sealing/content.js';
import { sealFile, openFile } from '../../../Sources/TandemWeb/Page/client/chat/sealing/media.js';
import { boundData, chosenBundles, digestOf, openMessage, readEnvelope, sealMessage } from '../../../Sources/TandemWeb/Page/client/chat/sealing/message.js';
import { matchesNumber, safetyNumber } from '../../../Sources/TandemWeb/Page/client/chat/sealing/safety-number.js';
import { bytes, changed, deviceOf, hex, thrown, vectors } from './tools.mjs';

/** Each entry, made anew by its signer. */
async function madeAgain(known, chain) {
    const names = Object.keys(known.devices);
    const made = chain.entries.map(async (entry) => {
        const name = names.find((one) => known.devices[one].did === entry.signer);
        return (await makeEntry(entry, await deviceOf(known, name))).json;
    });
    return Promise.all(made);
}

async function chains(known) {
    const said = {};
    for (const [name, { entries }] of Object.entries(known.chains)) {
        const chain = await AccountChain.read(entries);
        said[name] = { hashes: chain.entries.map(({ hash }) => hex(hash)), made: await madeAgain(known, chain) };
    }
    return said;
}

async function pairsOf(known, name) {
    const { secret, bundle } = known.keys[name];
    return [{ kid: bundle.kid, pair: await agreementKeyOf(bytes(secret)) }];
}

async function bundles(known) {
    const made = {};
    for (const [name, { secret, bundle }] of Object.entries(known.keys)) {
        made[name] = await makeBundle((await agreementKeyOf(bytes(secret))).bytes, bundle.made, await deviceOf(known, name));
        await readBundle(bundle);
    }
    return made;
}

async function bindingOf(known) {
    const [ada, bob] = await Promise.all(['ada', 'bob'].map((name) => AccountChain.read(known.chains[name].entries)));
    const { conversation, clientMsgID } = known.message;
    return { conversation, id: clientMsgID, senders: ada.entry(1), receivers: bob.entry(1) };
}

async function message(known) {
    const given = known.message;
    const binding = await bindingOf(known);
    const sender = await deviceOf(known, given.sender);
    const { contentType, content, n: count } = given.content;
    const all = await Promise.all(Object.values(known.keys).map(({ bundle }) => readBundle(bundle)));
    const options = { key: bytes(given.key), ephemerals: await Promise.all(given.ephemerals.map((secret) => agreementKeyOf(bytes(secret)))) };
    const chosen = chosenBundles(all.reverse(), binding, sender.did, 1_790_000_070_000);
    const envelope = await sealMessage({ contentType, content, count }, binding, chosen, sender, options);
    const read = readEnvelope(envelope);
    const opened = {};
    for (const name of Object.keys(known.keys)) opened[name] = await openMessage(read, await pairsOf(known, name), binding).catch((error) => error.detail.reason);
    return {
        envelope, opened, inner: hex(innerOf({ contentType, content, count })), aad: hex(boundData(binding, sender.did)),
        digest: hex(await digestOf(boundData(binding, sender.did), read.to, read.body)),
    };
}

/** What each change of the documented envelope, or of its place, is refused with. */
async function changes(known) {
    const { envelope } = known.message;
    const binding = await bindingOf(known);
    const keys = await pairsOf(known, 'bobPhone');
    const bob = await AccountChain.read(known.chains.bob.entries);
    const flipped = (text) => (text[1] === 'A' ? `${text[0]}B${text.slice(2)}` : `${text[0]}A${text.slice(2)}`);
    const tries = [
        [envelope, { ...binding, id: 'another' }], [envelope, { ...binding, receivers: bob.entry(2) }], [envelope, { ...binding, conversation: 'si_tb_7_tb_8' }],
        [changed(envelope, ['to'], (to) => to.slice(1)), binding], [changed(envelope, ['to'], (to) => [...to].reverse()), binding],
        [changed(envelope, ['list'], [1, 0]), binding], [changed(envelope, ['from'], known.devices.adaLaptop.did), binding],
        [changed(envelope, ['from'], known.devices.bobPhone.did), binding], [changed(envelope, ['body'], flipped), binding], [changed(envelope, ['sig'], flipped), binding],
        [changed(envelope, ['to', 1, 'ct'], flipped), binding], [changed(envelope, ['to', 1, 'enc'], flipped), binding], [changed(envelope, ['to', 1, 'kid'], flipped), binding],
    ];
    return Promise.all(tries.map(([one, at]) => thrown(async () => openMessage(readEnvelope(one), keys, at))));
}

async function media(known) {
    const { key, prefix, length } = known.media;
    const file = Uint8Array.from({ length }, (_, at) => at * 7 % 251);
    const given = { key: bytes(key), prefix: bytes(prefix) };
    const [sealed, empty] = [await sealFile(file, given), await sealFile(new Uint8Array(), given)];
    const opened = await openFile(sealed.bytes, { key: sealed.key, hash: sealed.hash, limit: length });
    return {
        header: hex(sealed.bytes.subarray(0, 64)), sha256: hex(sealed.hash), size: sealed.bytes.length, empty: hex(empty.bytes), isSame: hex(opened) === hex(file),
        none: (await openFile(empty.bytes, { key: empty.key, hash: empty.hash, limit: 0 })).length,
    };
}

async function numbers(known) {
    const [ada, bob, anew] = await Promise.all(['ada', 'bob', 'bobRestarted'].map((name) => AccountChain.read(known.chains[name].entries)));
    const [first, restarted, turned] = await Promise.all([safetyNumber(ada, bob), safetyNumber(anew, ada), safetyNumber(bob, ada)]);
    return { first, restarted, matches: [matchesNumber(first, turned.code), matchesNumber(first, restarted.code)], news: [bob.news(anew), bob.news(ada), bob.news(bob)] };
}

export async function run() {
    const known = await vectors();
    return {
        chains: await chains(known), bundles: await bundles(known), message: await message(known), changes: await changes(known), media: await media(known),
        numbers: await numbers(known),
    };
}
