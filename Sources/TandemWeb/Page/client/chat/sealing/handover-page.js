import { byteCountOf } from '../../../wire/bytes.js';
import { canonical } from '../../../wire/json.js';
import { malformed } from './failures.js';
import { readObject } from './media.js';
import { CUSTOM, customPayload, isControl, TEXT } from './payload.js';
import { numberOf, peerOf } from './people.js';
import { LATEST, StrictMembers } from './strict.js';

/**
 * What was inside of one sealed message; its place, its times and its state are the hub's to say. `content` is a text's words, or the JSON text of a payload.
 * Source: `docs/protocol.md` 2.10.7.
 *
 * @typedef {Object} HandedMessage
 * @property {string} conversation
 * @property {string} sender
 * @property {string} id
 * @property {number} seq
 * @property {number} contentType
 * @property {string} content
 * @property {{name: string, object: import('./media.js').SealedObject}[]} files
 */

/** The canonical text of a page, in bytes. */
export const PAGE_LIMIT = 1 << 20;
export const PAGE_MESSAGES = 200;
const CONTENT_LIMIT = 128 << 10;
const ID_LIMIT = 128;
const OBJECT_KEY_LIMIT = 200;
const PICTURE_LIMIT = 9;
/** What is around the list of messages, in bytes. */
const FRAME = 64;

function elementOf({ contentType, content }) { return contentType === CUSTOM ? { data: content, description: '', extension: '' } : { content }; }

function contentOf(contentType, element) {
    const content = contentType === TEXT ? element.content : contentType === CUSTOM ? element.data : undefined;
    return typeof content === 'string' ? content : null;
}

/** Whether a message is one that is handed over: no view-once picture, no control message, nothing that is sealed still. */
function isHandedOver({ contentType, content }) {
    const payload = customPayload(contentType, content);
    return contentType === TEXT || contentType === CUSTOM && !isControl(payload) && !['flash_image', 'sealed'].includes(payload?.type);
}

function messageJSON(message) {
    const { conversation, sender, id, seq, contentType, files } = message;
    return { conversation, sender, id, seq, contentType, content: elementOf(message), files };
}

/** @returns {HandedMessage} */
function readMessage(json) {
    const members = new StrictMembers(json, 'messages', ['content', 'contentType', 'conversation', 'files', 'id', 'sender', 'seq']);
    const files = members.list('files', PICTURE_LIMIT).map((file) => {
        const named = new StrictMembers(file, 'files', ['name', 'object']);
        return { name: named.text('name', OBJECT_KEY_LIMIT), object: readObject(file.object) };
    });
    const [conversation, sender] = [members.text('conversation', 64), members.text('sender', 32)];
    if (peerOf(conversation, numberOf(sender)) === null) throw malformed('conversation');
    const contentType = members.integer('contentType', 1, 2 ** 31 - 1);
    const { content: element } = json;
    if (element === null || typeof element !== 'object' || Array.isArray(element) || byteCountOf(canonical(element)) > CONTENT_LIMIT) throw malformed('content');
    const message = { conversation, sender, id: members.text('id', ID_LIMIT), seq: members.integer('seq', 1, LATEST), contentType, content: contentOf(contentType, element), files };
    if (!message.id || message.content !== null && !isHandedOver({ ...message, content: message.content })) throw malformed('content');
    return message;
}

/**
 * Reads a page. A message of a kind that this version cannot show is left out.
 *
 * @returns {{messages: HandedMessage[], count: number}} `count` is how many it has.
 */
export function readPage(json) {
    const members = new StrictMembers(json, 'page', ['messages', 'v']);
    members.integer('v', 1, 1);
    const messages = members.list('messages', PAGE_MESSAGES).map(readMessage);
    if (!messages.length) throw malformed('messages');
    return { messages: messages.filter(({ content }) => content !== null), count: messages.length };
}

/**
 * As many messages as a page has room for, in their order.
 *
 * @param {HandedMessage[]} messages
 * @returns {{json: any, count: number, used: number} | null} `used` is how many of them were looked at; null where none is handed over.
 */
export function packedPage(messages) {
    const packed = [];
    let size = FRAME;
    let used = 0;
    for (const message of messages) {
        const json = messageJSON(message);
        const isGood = isHandedOver(message) && byteCountOf(canonical(json.content)) <= CONTENT_LIMIT && message.files.length <= PICTURE_LIMIT;
        const more = isGood ? byteCountOf(canonical(json)) + 1 : 0;
        if (packed.length === PAGE_MESSAGES || size + more > PAGE_LIMIT) break;
        size += more;
        used += 1;
        if (isGood) packed.push(json);
    }
    return packed.length ? { json: { v: 1, messages: packed }, count: packed.length, used } : null;
}
