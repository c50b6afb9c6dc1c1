/** Bytes and counts that a phone keeps of one notification. */
const LONGEST = { title: 512, body: 16 << 10, name: 256, dataKey: 128, dataValue: 4096 };
const MOST_DATA = 64;
const MOST_ACTIONS = 16;
const PRIORITIES = new Set(['low', 'normal', 'high', 'urgent']);
const encoder = new TextEncoder();

/**
 * A notification as a computer tells it, read with patience and kept within bounds; null where it has no id, title or body.
 *
 * @param {any} wire
 * @param {{mayLackBody?: boolean}} [options]
 */
export function itemIn(wire, options = {}) {
    const { mayLackBody = false } = options;
    if (typeof wire !== 'object' || wire === null || Array.isArray(wire)) return null;
    const id = text(wire, 'id', 'notificationId', 'notification_id');
    const title = text(wire, 'title');
    const body = text(wire, 'body') ?? (mayLackBody && (wire.body ?? null) === null ? '' : null);
    if (!id || encoder.encode(id).length > LONGEST.name || !title || body === null) return null;
    const app = text(wire, 'app');
    const icon = text(wire, 'icon');
    const data = dataIn(wire.data);
    const actions = actionsIn(wire.actions);
    const progress = integer(wire, 'progress');
    return {
        id, title: cut(title, LONGEST.title), body: cut(body, LONGEST.body), priority: priorityIn(text(wire, 'priority', 'urgency')),
        read: flag(wire, 'read', 'isRead', 'is_read'), source: text(wire, 'source') === 'mobile' ? 'mobile' : 'pc', createdAt: integer(wire, 'createdAt', 'created_at', 'timestamp') ?? 0,
        ...known('readAt', integer(wire, 'readAt', 'read_at')), ...(Object.keys(data).length > 0 && { data }), ...(wire.silenced === true && { silenced: true }),
        ...known('app', app === null ? null : cut(app, LONGEST.name)), ...known('icon', icon === null ? null : cut(icon, LONGEST.name)),
        ...(wire.hasImage === true && { hasImage: true }), ...(actions.length > 0 && { actions }), ...(wire.canReply === true && { canReply: true }),
        ...(progress !== null && progress >= 0 && progress <= 100 && { progress }),
        ...known('sequence', integer(wire, 'sequence')), ...known('alert', integer(wire, 'alert')), ...known('revision', integer(wire, 'revision')),
    };
}

/**
 * A change of an answer to `notification.sync`: a notification, or `{id, sequence, deleted: true}`; null where it is neither.
 *
 * @returns {any}
 */
export function changeIn(wire) {
    if (wire?.deleted !== true) return itemIn(wire);
    const id = text(wire, 'id');
    return id ? { id, sequence: integer(wire, 'sequence') ?? 0, deleted: true } : null;
}

/** Without numbers, which mean nothing where a computer does not number its changes. */
export function uncounted({ sequence, alert, revision, ...rest }) { return rest; }

/** Whether a person who had seen all changes up to a number had seen what it says. One that counts nothing was seen. */
export function isSaidBy({ revision, sequence }, number) { return (revision ?? sequence ?? number) <= number; }

function text(wire, ...names) {
    const found = names.map((name) => wire[name]).find((value) => typeof value === 'string');
    return found ?? null;
}

function integer(wire, ...names) {
    const found = names.map((name) => wire[name]).find((value) => Number.isSafeInteger(value));
    return found ?? null;
}

function flag(wire, ...names) { return names.some((name) => wire[name] === true || (Number.isInteger(wire[name]) && wire[name] !== 0)); }

function known(name, value) { return value === null ? {} : { [name]: value }; }

function priorityIn(word) {
    if (word === 'critical') return 'urgent';
    return PRIORITIES.has(word) ? word : 'normal';
}

/** Existing programs keep it as a JSON text. */
function dataIn(value) {
    let found = value;
    if (typeof value === 'string' && value.length <= 64 << 10) {
        try {
            found = JSON.parse(value);
        } catch {
            return {};
        }
    }
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return {};
    const fits = ([key, each]) => typeof each === 'string' && encoder.encode(key).length <= LONGEST.dataKey && encoder.encode(each).length <= LONGEST.dataValue;
    return Object.fromEntries(Object.entries(found).filter(fits).sort(([one], [other]) => (one < other ? -1 : 1)).slice(0, MOST_DATA));
}

function actionsIn(value) {
    if (!Array.isArray(value)) return [];
    return value.slice(0, MOST_ACTIONS).flatMap((each) => {
        const id = typeof each?.id === 'string' ? each.id : '';
        if (!id || encoder.encode(id).length > LONGEST.name) return [];
        return [{ id, label: cut(typeof each.label === 'string' ? each.label : id, LONGEST.name) }];
    });
}

/** The beginning that fits into so many bytes, whole characters only. */
function cut(words, limit) {
    // No character takes more than three bytes for each unit of it.
    if (words.length * 3 <= limit || encoder.encode(words).length <= limit) return words;
    let [size, end] = [encoder.encode('…').length, 0];
    for (const letter of words) {
        size += encoder.encode(letter).length;
        if (size > limit) break;
        end += letter.length;
    }
    return `${words.slice(0, end)}…`;
}
