import { Alarm } from '../../wire/time.js';
import { randomId } from '../../wire/bytes.js';
import { chatFailure, refusal } from './failures.js';
import { typed } from './file-type.js';
import { LIMITS } from './ids.js';
import { keysOf, kindOf } from './message.js';
import { fileOf, isHere } from './outgoing.js';

const LARGEST_CHOSEN = 25 << 20;
const LARGEST_FETCHED = 10 << 20;
const LARGEST_VOICE = 5 << 20;
const MOST_KEPT = 64 << 20;
const ATTACHMENT_LIFE = 3_600_000;
const MOST_ATTACHMENTS = 32;
/** Of sealed ones what is added around them. */
const SEALED_ROOM = 1 << 16;
const INDEX = 'index';

/**
 * Files of messages: what is chosen, sent, fetched and kept. View-once pictures are in memory alone.
 *
 * @typedef {{photo: (blob: Blob) => Promise<{blob: Blob, width: number, height: number}>}} Pictures
 */
export class MediaDesk {
    #book;
    #hub;
    #sealing;
    #pictures;
    #time;
    #attachments = new Map();
    /** One fetch for all who look at it now. */
    #fetching = new Map();
    #turn = Promise.resolve();

    /** @param {{book: import('./book.js').Book, hub: import('./hub.js').Hub, sealing: any, pictures: Pictures, time: import('../../wire/time.js').Time}} options */
    constructor({ book, hub, sealing, pictures, time }) {
        this.#book = book;
        this.#hub = hub;
        this.#sealing = sealing;
        this.#pictures = pictures;
        this.#time = time;
    }

    end() { for (const { alarm } of this.#attachments.values()) alarm.clear(); }

    // MARK: Choosing

    /** Keeps a file that was chosen until it is used. @returns {string} Its name. */
    attach(blob) {
        if (blob.size > LARGEST_CHOSEN) throw chatFailure('tooLong', { what: 'file', limit: LARGEST_CHOSEN });
        if (this.#attachments.size >= MOST_ATTACHMENTS) this.#release(this.#attachments.keys().next().value);
        const name = randomId();
        const alarm = new Alarm(this.#time);
        alarm.set(ATTACHMENT_LIFE, () => this.#release(name));
        this.#attachments.set(name, { blob, alarm });
        return name;
    }

    /** @returns {Blob} */
    attachment(name) {
        const found = this.#attachments.get(name);
        if (!found) throw chatFailure('attachmentGone');
        return found.blob;
    }

    release(names) { for (const name of names) this.#release(name); }

    #release(name) {
        this.#attachments.get(name)?.alarm.clear();
        this.#attachments.delete(name);
    }

    /** Chosen files as they go into the outbox. @returns {Promise<{files: Blob[], sizes: {width: number | null, height: number | null}[]}>} */
    async prepared(kind, blobs) {
        if (kind === 'voice') {
            const file = await typed(blobs[0], 'audio');
            if (!file || file.size > LARGEST_VOICE) throw chatFailure('notARecording');
            return { files: [file], sizes: [{ width: null, height: null }] };
        }
        const photos = [];
        for (const blob of blobs) photos.push(await this.#pictures.photo(blob));
        return { files: photos.map(({ blob }) => blob), sizes: photos.map(({ width, height }) => ({ width, height })) };
    }

    // MARK: Sending

    /** Puts a file of a message at the hub, sealed where the conversation is. @param {import('./outgoing.js').Waiting} waiting @returns {Promise<import('./outgoing.js').OutgoingFile>} */
    async upload({ conversation, media }, index) {
        const file = media.files[index];
        const blob = await this.#book.get('chat-files', this.#book.key(file.file));
        if (!blob) throw chatFailure('attachmentGone');
        const sealed = await this.#sealing?.sealFile(new Uint8Array(await blob.arrayBuffer()), { type: blob.type }, conversation);
        const clear = { image: 'chat_image', flash: 'chat_flash', voice: 'chat_audio' }[media.kind];
        const type = !sealed ? clear : media.kind === 'flash' ? 'chat_flash_sealed' : 'chat_sealed';
        const { objectKey } = await this.#hub.upload(type, sealed ? new Blob([sealed.bytes]) : blob);
        if (typeof objectKey !== 'string' || objectKey.length > LIMITS.key) throw chatFailure('malformed', { what: 'objectKey' });
        // The sender's own copy, but of what can be seen once.
        if (media.kind !== 'flash') await this.#keep(objectKey, blob).catch(() => {});
        return { ...file, objectKey, sealed: sealed ? sealed.object : null };
    }

    /** Puts a picture of the account's own there. @returns {Promise<string>} Its key. */
    async uploadFace(name) {
        const { blob } = await this.#pictures.photo(this.attachment(name));
        const { objectKey } = await this.#hub.upload('chat_image', blob);
        this.release([name]);
        return objectKey;
    }

    // MARK: Looking

    /** The file of a message. @param {import('./message.js').Row} row @returns {Promise<Blob>} */
    async file(row, index) {
        const kind = kindOf(row);
        if (kind === 'flash') throw chatFailure('neverCached');
        const key = keysOf(row)[index];
        if (key === undefined || kind !== 'image' && kind !== 'voice') throw chatFailure('unknownMessage');
        if (!isHere(key)) return this.object(key, kind === 'voice' ? 'audio' : 'image');
        const blob = await this.#book.get('chat-files', this.#book.key(fileOf(key)));
        if (!blob) throw chatFailure('attachmentGone');
        return blob;
    }

    /** A picture or a recording by its key. @param {'image' | 'audio'} wanted @returns {Promise<Blob>} */
    async object(key, wanted) {
        const kept = await this.#book.get('chat-media', this.#book.key('file', key));
        if (kept) return kept;
        if (!this.#fetching.has(key)) this.#fetching.set(key, this.#fetched(key, wanted).finally(() => this.#fetching.delete(key)));
        return this.#fetching.get(key);
    }

    async #fetched(key, wanted) {
        const addresses = await this.#hub.ask('/chat/media/sign', { object_keys: [key] });
        if (typeof addresses[key] !== 'string') throw refusal(1004);
        const came = await this.#hub.bytes(addresses[key], { limit: LARGEST_FETCHED + SEALED_ROOM });
        const bytes = this.#sealing ? await this.#sealing.openFile(new Uint8Array(await came.arrayBuffer()), key) : came;
        const file = await typed(new Blob([bytes]), wanted);
        if (!file) throw chatFailure('badObjectKey');
        await this.#keep(key, file).catch(() => {});
        return file;
    }

    /** Opens a view-once picture: its bytes are given once, and kept nowhere. @param {import('./message.js').Row} row @returns {Promise<Blob>} */
    async flash(row) {
        if (kindOf(row) !== 'flash' && row.trouble === null) throw chatFailure('unknownMessage');
        if (row.from === this.#book.me) throw chatFailure('notYours');
        if (row.isDestroyed || row.isRecalled) throw chatFailure('flashGone');
        const { url } = await this.#hub.ask('/chat/flash/open', { conversation_id: row.conversation, client_msg_id: row.id });
        if (typeof url !== 'string') throw chatFailure('malformed', { what: 'url' });
        const came = await this.#fetchedOnce(url);
        const bytes = this.#sealing && row.isSealed ? await this.#sealing.openFlash(new Uint8Array(await came.arrayBuffer()), row.id, row.from) : came;
        const picture = await typed(new Blob([bytes]), 'image');
        if (!picture) throw chatFailure('notAPicture');
        return picture;
    }

    /** A transfer that broke is repeated within the lease. */
    async #fetchedOnce(url) {
        const limit = LARGEST_FETCHED + SEALED_ROOM;
        try {
            return await this.#hub.bytes(url, { limit });
        } catch (error) {
            if (error.detail?.reason !== 'unreachable') throw error;
            return this.#hub.bytes(url, { limit });
        }
    }

    // MARK: Keeping

    /** Keeps a file; the oldest go where there is no room. */
    #keep(key, blob) {
        const done = this.#turn.then(async () => {
            const index = await this.#book.get('chat-media', this.#book.key(INDEX)) ?? [];
            const next = [...index.filter((each) => each.key !== key), { key, size: blob.size }];
            const gone = [];
            for (let size = next.reduce((sum, each) => sum + each.size, 0); size > MOST_KEPT && next.length > 1;) {
                const [first] = next.splice(0, 1);
                size -= first.size;
                gone.push(first.key);
            }
            await this.#book.change((transaction) => {
                transaction.write('chat-media', transaction.key('file', key), blob);
                for (const each of gone) transaction.remove('chat-media', transaction.key('file', each));
                transaction.write('chat-media', transaction.key(INDEX), next);
            });
        });
        this.#turn = done.then(() => {}, () => {});
        return done;
    }
}
