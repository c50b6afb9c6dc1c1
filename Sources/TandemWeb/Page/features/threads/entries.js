import { quoted } from '../../kit/shell.js';

/**
 * What stands in a conversation, made of its items: a call, its output and the change it made are one entry. An entry stays the same object
 * while its items do, so that what is drawn stays.
 *
 * @typedef {{key: string, kind: string, at: number | null, items: Object[], call?: Object, output?: Object, change?: Object, item?: Object,
 *   isNewDay: boolean}} Entry
 */
export class Entries {
    #known = new Map();

    /** @param {Object[]} items @returns {Entry[]} */
    of(items) {
        const found = [];
        const byCall = new Map();
        for (const item of items) {
            const joined = item.call_id && ['call', 'output', 'change', 'plan'].includes(item.kind) ? byCall.get(item.call_id) : undefined;
            if (joined) {
                joined.items.push(item);
                continue;
            }
            const draft = { key: item.id, items: [item] };
            if (item.call_id) byCall.set(item.call_id, draft);
            found.push(draft);
        }
        const known = new Map();
        let day = { from: 0, to: 0 };
        const entries = found.map((draft) => {
            const at = Number.isFinite(draft.items[0].at) ? draft.items[0].at : null;
            // Of thousands of entries few begin a day: a date is made for those alone.
            const isNewDay = at !== null && (at < day.from || at >= day.to);
            if (isNewDay) day = dayOf(at);
            const entry = this.#same(draft, isNewDay) ?? this.#made(draft, at, isNewDay);
            known.set(entry.key, entry);
            return entry;
        });
        this.#known = known;
        return entries;
    }

    #same({ key, items }, isNewDay) {
        const known = this.#known.get(key);
        const isSame = known?.isNewDay === isNewDay && known.items.length === items.length && known.items.every((item, index) => item === items[index]);
        return isSame ? known : null;
    }

    #made({ key, items }, at, isNewDay) {
        const first = items[0];
        const of = (kind) => items.findLast((item) => item.kind === kind);
        const [plan, change] = [of('plan'), of('change')];
        const isTool = ['call', 'output', 'change'].includes(first.kind);
        const kind = plan ? 'plan' : isTool ? 'tool' : first.kind;
        return { key, kind, at, items, item: plan ?? first, call: of('call'), output: of('output'), change, isNewDay };
    }
}

function dayOf(at) {
    const start = new Date(at);
    start.setHours(0, 0, 0, 0);
    const end = new Date(start);
    end.setDate(end.getDate() + 1);
    return { from: start.getTime(), to: end.getTime() };
}

/** How a tool's entry ended: `ok`, `failed`, `running`, or `unknown` where nothing says it. */
export function outcomeOf({ call, output, change }, isRunning) {
    const told = output?.outcome ?? change?.outcome;
    if (told === 'failed' || (told === 'ok' && !output?.code)) return told;
    if (told === 'ok') return 'ok';
    if (output || change) return 'unknown';
    return call && isRunning ? 'running' : 'unknown';
}

const FIRST = ['command', 'cmd', 'file_path', 'path', 'notebook_path', 'pattern', 'query', 'url', 'description', 'prompt', 'input', 'text'];

/**
 * What a tool was asked to do, on one line: the command, the file, the pattern.
 *
 * @returns {{title: string, isCommand: boolean, text: string, language: string}} Where its arguments are JSON, `text` is laid out.
 */
export function askedOf({ name = '', text = '' } = {}) {
    const raw = typeof text === 'string' ? text : '';
    let args = null;
    try {
        if (/^\s*[{[]/.test(raw)) args = JSON.parse(raw);
    } catch {
        // Cut, or not JSON after all: shown as it is.
    }
    const key = args && !Array.isArray(args) ? FIRST.find((each) => typeof args[each] === 'string' || Array.isArray(args[each])) : null;
    const isShell = /^(bash|shell|exec|exec_command|local_shell|run|terminal|powershell)/i.test(name);
    if (key && (key === 'command' || key === 'cmd')) {
        const parts = args[key];
        // `bash -lc "…"`: the command is what stands behind it.
        const line = !Array.isArray(parts) ? parts
            : parts.length === 3 && /^(.*\/)?(ba|z|da)?sh -l?c$/.test(`${parts[0]} ${parts[1]}`) ? String(parts[2])
                : parts.map((word) => (/^[\w./:=,@+%-]+$/.test(word) ? word : quoted(word))).join(' ');
        return { title: line, isCommand: true, text: line, language: 'sh' };
    }
    if (key) return { title: [args[key]].flat().join(' '), isCommand: false, text: JSON.stringify(args, null, 2), language: 'json' };
    if (args) return { title: '', isCommand: false, text: JSON.stringify(args, null, 2), language: 'json' };
    return { title: raw.split('\n', 1)[0], isCommand: isShell, text: raw, language: isShell ? 'sh' : '' };
}
