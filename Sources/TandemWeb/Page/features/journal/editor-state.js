/**
 * A story that is written: as it was read, as it is typed, and what became of keeping it.
 *
 * @typedef {import('../../client/journal.js').Story} Story
 * @typedef {import('../../client/journal.js').Change} Change
 * @typedef {import('../../client/client.js').Failure} Failure
 * @typedef {{title: string, content: string, timestamp: number, mood: string, location: string, categories: string[]}} Fields `timestamp` in
 *   milliseconds since 1970, categories by their ids.
 * @typedef {{version: number, fields: Fields}} Draft What was typed here before and not kept; `version` is when the story that it changes was changed last.
 * @typedef {Object} Writing
 * @property {'loading' | 'writing' | 'keeping' | 'refused'} phase
 * @property {string | null} id Null for one that was never kept.
 * @property {Fields} base As the program has it.
 * @property {Fields} fields As it is typed.
 * @property {Fields | null} sent What is being kept.
 * @property {number} version When the program's was changed last; 0 for one that it does not have.
 * @property {boolean} isCut The program gave the beginning of its text only, so that cannot be changed here.
 * @property {import('../../client/journal.js').Medium[]} media
 * @property {boolean} wasKept What is typed comes from an earlier visit.
 * @property {Fields | null} elsewhere What the story became elsewhere while it was typed here.
 * @property {Failure | null} trouble
 *
 * @typedef {{kind: 'begun', now: number, draft: Draft | null} | {kind: 'loaded', story: Story, draft: Draft | null} | {kind: 'refused', error: Failure}
 *   | {kind: 'typed', fields: Partial<Fields>} | {kind: 'attached', medium: import('../../client/journal.js').Medium} | {kind: 'asked', leaves: boolean}
 *   | {kind: 'kept', story: Story, leaves: boolean} | {kind: 'failed', error: Failure} | {kind: 'told', story: Story} | {kind: 'tookTheirs'}
 *   | {kind: 'keptOwn'} | {kind: 'discarded'}} WritingEvent
 * @typedef {{do: 'add', draft: Change, leaves: boolean} | {do: 'edit', id: string, change: Change, leaves: boolean} | {do: 'remember'} | {do: 'forget'}
 *   | {do: 'leave', id: string} | {do: 'stay', id: string} | {do: 'fill'}} WritingEffect `fill`: the fields show other words than were typed.
 */

/** @type {Fields} */
const EMPTY = { title: '', content: '', timestamp: 0, mood: '', location: '', categories: [] };

/** @type {Writing} */
export const initial = {
    phase: 'loading', id: null, base: EMPTY, fields: EMPTY, sent: null, version: 0, isCut: false, media: [], wasKept: false, elsewhere: null, trouble: null,
};

/**
 * @param {Writing} state
 * @param {WritingEvent} event
 * @returns {[Writing, ...WritingEffect[]]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'begun': {
            const base = { ...EMPTY, timestamp: event.now };
            const fields = event.draft?.version === 0 ? event.draft.fields : base;
            return [{ ...initial, phase: 'writing', base, fields, wasKept: fields !== base }, { do: 'fill' }];
        }
        case 'loaded': {
            const read = readOf(event.story);
            // Of a draft of another version nobody knows what of it is still meant: it would undo what was changed since.
            const isDraft = event.draft?.version === event.story.updatedAt && !event.story.isCut;
            const fields = isDraft ? event.draft.fields : read.base;
            return [{ ...initial, ...read, phase: 'writing', fields, wasKept: isDraft && !isSame(fields, read.base) }, { do: 'fill' }];
        }
        case 'refused': return [{ ...state, phase: 'refused', trouble: event.error }];
        case 'typed': return [{ ...state, fields: { ...state.fields, ...event.fields } }, { do: 'remember' }];
        case 'attached': return [{ ...state, media: [...state.media.filter(({ id }) => id !== event.medium.id), event.medium] }];
        case 'asked': return asked(state, event.leaves);
        case 'kept': return kept(state, event.story, event.leaves);
        case 'failed':
            if (event.error.code === 'cancelled') return [{ ...state, phase: 'writing' }];
            return [{ ...state, phase: 'writing', trouble: event.error }];
        case 'told': return told(state, event.story);
        case 'tookTheirs': return [{ ...state, fields: state.elsewhere ?? state.base, base: state.elsewhere ?? state.base, elsewhere: null, wasKept: false }, { do: 'forget' }, { do: 'fill' }];
        case 'keptOwn': return [{ ...state, base: state.elsewhere ?? state.base, elsewhere: null }, { do: 'remember' }];
        case 'discarded': return [{ ...state, fields: state.base, wasKept: false }, { do: 'forget' }, { do: 'fill' }];
        default: throw new TypeError(Object(event).kind);
    }
}

/** Whether something was typed that the program does not have. @param {Writing} state */
export function isChanged({ base, fields }) { return !isSame(base, fields); }

/** Whether there is nothing to keep. @param {Writing} state */
export function isBlank({ fields, isCut }) { return !isCut && fields.title.trim() === '' && fields.content.trim() === ''; }

/**
 * What differs from what the program has; an empty text takes away.
 *
 * @param {Writing} state
 * @returns {Change}
 */
export function changeOf({ base, fields }) {
    /** @type {Change} */
    const found = {};
    for (const name of /** @type {const} */ (['title', 'content', 'mood', 'location'])) if (fields[name] !== base[name]) found[name] = fields[name];
    if (fields.timestamp !== base.timestamp) found.timestamp = fields.timestamp;
    if (!isSameSet(fields.categories, base.categories)) found.categories = fields.categories;
    return found;
}

/**
 * A text with the mark of a medium in a line of its own where one stood.
 *
 * @param {string} content
 * @param {number} at In UTF-16 units.
 * @param {import('../../client/journal.js').Medium} medium
 * @returns {{content: string, at: number}} `at` is behind it.
 */
export function withMedium(content, at, { id, type, fileName }) {
    const words = fileName.replaceAll(/[\\[\]\n]/g, ' ').trim();
    const mark = type === 'file' ? `[${words || id}](media://${id})` : `![](media://${id})`;
    const [before, after] = [content.slice(0, at), content.slice(at)];
    const begin = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n';
    const end = after === '' ? '\n' : after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n';
    return { content: `${before}${begin}${mark}${end}${after}`, at: before.length + begin.length + mark.length + end.length };
}

/** @param {Writing} state @param {boolean} leaves @returns {[Writing, ...WritingEffect[]]} */
function asked(state, leaves) {
    if (state.phase !== 'writing' || isBlank(state)) return [state];
    const keeping = /** @type {Writing} */ ({ ...state, phase: 'keeping', sent: state.fields, trouble: null });
    if (state.id === null) {
        const { title, content, mood, location, categories, timestamp } = state.fields;
        const draft = { ...(title && { title }), ...(content && { content }), ...(mood && { mood }), ...(location && { location }), ...(categories.length > 0 && { categories }), timestamp };
        return [keeping, { do: 'add', draft, leaves }];
    }
    if (isChanged(state)) return [keeping, { do: 'edit', id: state.id, change: changeOf(state), leaves }];
    return [state, { do: 'forget' }, leaves ? { do: 'leave', id: state.id } : { do: 'stay', id: state.id }];
}

/**
 * What was typed while it was kept is still to be kept; else the fields are what the program made of them.
 *
 * @param {Writing} state @param {Story} story @param {boolean} leaves
 * @returns {[Writing, ...WritingEffect[]]}
 */
function kept(state, story, leaves) {
    const read = readOf(story);
    const fields = state.sent !== null && isSame(state.fields, state.sent) ? read.base : state.fields;
    const next = /** @type {Writing} */ ({ ...state, ...read, fields, sent: null, phase: 'writing', wasKept: false, elsewhere: null, trouble: null });
    /** @type {WritingEffect[]} */
    const effects = [{ do: 'forget' }, leaves ? { do: 'leave', id: story.id } : { do: 'stay', id: story.id }];
    return isSame(fields, state.fields) ? [next, ...effects] : [next, { do: 'fill' }, ...effects];
}

/** @param {Writing} state @param {Story} story @returns {[Writing, ...WritingEffect[]]} */
function told(state, story) {
    if (state.phase !== 'writing' || story.id !== state.id) return [state];
    const read = readOf(story);
    if (isSame(read.base, state.elsewhere ?? state.base)) return [{ ...state, version: read.version, media: read.media }];
    if (!isChanged(state)) return [{ ...state, ...read, fields: read.base }, { do: 'fill' }];
    return [{ ...state, version: read.version, media: read.media, elsewhere: read.base }];
}

/** @param {Story} story */
function readOf({ id, title, content, timestamp, mood, location, categories, updatedAt, isCut, media }) {
    const base = { title: title ?? '', content, timestamp, mood: mood ?? '', location: location ?? '', categories: categories.map((each) => each.id) };
    return { id, base, version: updatedAt, isCut, media };
}

function isSame(one, other) {
    return ['title', 'content', 'timestamp', 'mood', 'location'].every((name) => one[name] === other[name]) && isSameSet(one.categories, other.categories);
}

function isSameSet(one, other) { return one.length === other.length && one.every((each) => other.includes(each)); }
