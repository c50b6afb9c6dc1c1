import { LIMITS, short, whole } from './ids.js';
import { keysOf, kindOf } from './message.js';

const PREVIEW = 200;

/**
 * A message for a screen.
 *
 * @param {import('./message.js').Row} row
 * @param {{me: string, progress?: number}} context
 * @returns {Control['chat.send']['answer']}
 */
export function messageEntry(row, { me, progress = 0 }) {
    const kind = kindOf(row);
    const payload = row.content;
    const isMine = row.from === me;
    return {
        id: row.id, conversation: row.conversation, from: row.from, isMine, kind, text: textOf(kind, payload), time: timeOf(row), seq: row.seq, status: row.status, error: row.error,
        progress: row.status === 'sending' ? progress : 0, pictures: kind === 'image' ? picturesOf(row) : [], flash: kind === 'flash' ? flashOf(row, isMine) : null,
        voice: kind === 'voice' ? { seconds: Math.min(whole(payload.durationSec), LIMITS.voiceSeconds) || null, waveform: waveformOf(payload.waveform), isExpired: false } : null,
        quote: kind === 'quote' ? { id: payload.signalId, content: short(payload.signalContent, LIMITS.text), reply: payload.replyContent } : null,
        isSealed: row.isSealed, trouble: row.trouble, isUnexpectedlyClear: row.isUnexpectedlyClear,
    };
}

/** The server's time, and before it is known the sender's. */
export function timeOf({ sent, created }) { return sent || created; }

/** What the list says of a conversation's newest message. */
export function previewOf(row, me) {
    const kind = kindOf(row);
    return { id: row.id, kind, text: kind === 'text' ? row.content.slice(0, PREVIEW) : '', time: timeOf(row), isMine: row.from === me, status: row.status };
}

/**
 * A row of the list.
 *
 * @param {import('./book.js').Conversation} record
 * @param {{profile?: {name: string, avatar: string}, isOnline: boolean}} context
 * @returns {Control['chat.open']['answer']}
 */
export function conversationEntry(record, { profile, isOnline }) {
    return {
        id: record.id, user: record.peer, name: profile?.name || record.peer, avatar: profile?.avatar || null, isOnline, isPinned: record.isPinned, isMuted: record.isMuted, isBlocked: record.isBlocked,
        isDeleted: record.isPeerDeleted, request: record.request, draft: record.draft, unread: record.unread, last: record.last, readByPeer: record.peerRead,
        receivedByPeer: Math.max(record.peerReceived, record.peerRead), newest: record.newest, read: record.readUpTo, isSealed: record.isSealed, isVerified: record.isVerified, trouble: record.trouble,
    };
}

function textOf(kind, payload) {
    if (kind === 'text') return payload;
    return kind === 'quote' ? payload.replyContent : '';
}

function picturesOf(row) {
    const { content } = row;
    const many = content.type === 'multi_image';
    return keysOf(row).map((_, at) => ({
        width: many ? null : whole(content.w) || null, height: many ? null : whole(content.h) || null, blurHash: short(many ? content.blurHashes?.[at] : content.blurHash, 128) || null, isExpired: false,
    }));
}

function waveformOf(heights) { return (Array.isArray(heights) ? heights : []).slice(0, LIMITS.waveform).map((height) => Math.min(100, whole(height))); }

function flashOf({ isDestroyed }, isMine) {
    if (isMine) return isDestroyed ? 'viewedByPeer' : 'own';
    return isDestroyed ? 'viewed' : 'closed';
}
