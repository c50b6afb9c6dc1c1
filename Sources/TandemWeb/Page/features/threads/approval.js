import { banner, button, errorBanner, find, h, icon, iconButton, part, relativeTime, textField, uniqueId } from '../../kit/index.js';
import { format, hasText, t } from '../../i18n/index.js';
import { codeBlock } from '../../kit/markdown/code.js';
import { diffView } from '../../kit/diff/view.js';
import { beginning, said, visible } from '../../kit/said.js';

const WHOLE = { lines: Infinity, letters: Infinity };
const SYMBOLS = { command: 'terminal', change: 'diff', tool: 'tool', permissions: 'key', questions: 'question' };
const MOST_REASON = 2000;
/** More than a computer sends: nothing that is allowed is left out. */
const MOST_OPTIONS = 40;
const MOST_LINES = 1000;
/** More letters than a computer sends of an answer's words. */
const MOST_NAME = 2000;
const MOST_QUESTIONS = 50;
/** A command of more says how many lines it has. */
const MANY_LINES = 8;
const ALLOWING = new Set(['allow_once', 'allow_session']);

/** What an approval is about, on one line: for the strip and for screen readers. */
export function approvalLine(approval) {
    const known = hasText(`threads.asks.${approval.kind}`) ? approval.kind : 'unknown';
    const text = { command: approval.command, tool: approval.name, questions: approval.questions?.[0]?.text, permissions: approval.lines?.[0], change: (approval.files ?? approval.change?.files)?.[0]?.path }[known] ?? approval.method;
    return { words: t(`threads.asks.${known}`), text: typeof text === 'string' ? beginning(text.replace(/\s+/g, ' '), 200) : '' };
}

/**
 * Something an agent may do only when a person says so: what exactly, where, why, and the answers.
 *
 * @param {Object} approval
 * @param {Object} options
 * @param {(answer: {option: string, reason?: string, answers?: Object}) => Promise<{outcome: string, option: string, by: string}>} options.answer
 * @param {(by: string | null) => Promise<string>} options.who Whose answer it was, in words.
 * @param {() => void} options.dismissed
 * @param {Object} [options.thread]
 * @param {boolean} [options.mayAnswer]
 * @returns {HTMLElement & {closed(by: {option: string | null, by: string | null, isOwn?: boolean}): void}}
 */
export function approvalCard(approval, { answer, who, dismissed, thread, mayAnswer = true }) {
    const known = hasText(`threads.asks.${approval.kind}`) ? approval.kind : 'unknown';
    const id = uniqueId('approval');
    const options = (Array.isArray(approval.options) ? approval.options : []).slice(0, MOST_OPTIONS);
    const trouble = h('div', { class: 'approval-trouble' });
    const form = known === 'questions' ? questionForm(approval.questions) : null;
    const buttons = h('div', { class: 'approval-buttons' });
    let isOver = false;
    /** One answer at a time: while one is under way, no button does anything. */
    let isAnswering = false;

    const give = async (option, reason) => {
        const answers = form && !['decline', 'cancel'].includes(option.kind) ? form.answers() : undefined;
        if (answers === null || isAnswering) return;
        isAnswering = true;
        buttons.classList.add('is-answering');
        trouble.replaceChildren();
        try {
            const told = await answer({ option: option.id, ...(reason && { reason: reason.slice(0, MOST_REASON) }), ...(answers && { answers }) });
            closed({ option: told?.option ?? option.id, by: told?.by ?? null, isOwn: told?.outcome !== 'already' });
        } catch (error) {
            if (error.code === 'cancelled') return;
            if (error.code === 'not-found') { closed({ option: null, by: null }); return; }
            trouble.replaceChildren(errorBanner(error));
        } finally {
            isAnswering = false;
            buttons.classList.remove('is-answering');
        }
    };
    const drawButtons = () => {
        const first = options.find(({ kind }) => ALLOWING.has(kind) || kind === 'submit');
        buttons.replaceChildren(...options.map((option) => {
            const declines = option.kind === 'decline';
            const made = button({
                label: optionWords(option, options), kind: option === first ? 'primary' : 'plain',
                press: () => (declines ? askReason(option) : give(option)),
            });
            if (!isOurs(option, options)) find(made, '.button-label').dataset.peer = '';
            return made;
        }));
    };
    const askReason = (option) => {
        if (isAnswering) return;
        const field = textField({
            label: t('threads.why'), placeholder: t('threads.whyHint'), labelHidden: true, attributes: { maxLength: MOST_REASON, spellcheck: true },
            enter: () => decline.click(),
        });
        const decline = button({ label: t('threads.decline'), kind: 'danger', press: () => give(option, field.value.trim()) });
        buttons.replaceChildren(h('div', { class: 'approval-reason' }, field), decline,
            button({ label: t('common.back'), press: () => { drawButtons(); buttons.querySelector('button')?.focus(); } }));
        field.input.focus();
    };

    const element = h('section', { class: 'approval card', aria: { labelledby: id }, data: { approval: approval.id } },
        h('div', { class: 'approval-head' }, icon(SYMBOLS[known] ?? 'shield', { size: 20 }),
            h('h2', { class: 'approval-title', id }, t(`threads.asks.${known}`)),
            Number.isFinite(approval.at) && h('span', { class: 'small soft' }, relativeTime(approval.at))),
        h('div', { class: 'approval-body', tabIndex: 0, role: 'group', aria: { labelledby: id } },
            approval.reason && said(approval.reason, { tag: 'p', class: 'approval-why' }), subject(approval, known), unseen(approval), form,
            folderLine(approval.cwd ?? (known === 'change' || known === 'command' ? thread?.cwd : null))),
        h('div', { class: 'approval-foot' }, trouble, mayAnswer ? buttons : h('p', { class: 'small soft' }, t('threads.mayNotAnswer'))));
    drawButtons();

    const closed = async ({ option, by, isOwn = false }) => {
        if (isOver) return;
        isOver = true;
        const chosen = options.find((each) => each.id === option);
        const words = chosen ? resultWords(chosen, options) : t('threads.answered');
        const line = h('div', { class: 'approval-result', role: 'status' },
            icon(chosen && ['decline', 'cancel'].includes(chosen.kind) ? 'x' : 'check', { size: 18 }),
            h('span', { class: 'approval-what', data: chosen && !isOurs(chosen, options) ? { peer: '' } : {} }, words),
            h('span', { class: 'approval-by small soft' }), iconButton({ label: t('common.dismiss'), icon: 'x', press: dismissed }));
        element.classList.add('is-over');
        const hadFocus = element.contains(document.activeElement);
        element.replaceChildren(h('h2', { class: 'visually-hidden', id }, t(`threads.asks.${known}`)), line);
        if (hadFocus) line.querySelector('button').focus({ preventScroll: true });
        line.querySelector('.approval-by').textContent = isOwn ? t('threads.byYou') : await who(by);
    };
    return part(element, { closed });
}

/**
 * Whether the page's own words fit: its kind is known, no other option is of that kind, and it has no words of its own. Those say how far
 * it goes, such as the rules that hold from then on.
 */
function isOurs({ kind, name }, options) {
    return !name && hasText(`threads.option.${kind}`) && options.filter((each) => each.kind === kind).length === 1;
}

function optionWords(option, options) {
    return isOurs(option, options) ? t(`threads.option.${option.kind}`) : visible(beginning(option.name || option.id || '…', MOST_NAME));
}

function resultWords(option, options) {
    return isOurs(option, options) ? t(`threads.result.${option.kind}`) : visible(beginning(option.name || option.id || '…', MOST_NAME));
}

/** All of a tool's arguments; in rows where they are JSON that says the same so: a number may have more digits than fit. */
function laidOut(text) {
    const raw = typeof text === 'string' ? text : '';
    try {
        const value = JSON.parse(raw);
        if (typeof value === 'object' && JSON.stringify(value) === raw) return { text: JSON.stringify(value, null, 2), language: 'json' };
    } catch {
        // Not JSON, or cut.
    }
    return { text: raw, language: '' };
}

function subject(approval, known) {
    switch (known) {
        // Never cut: what is allowed is what is seen.
        case 'command': {
            const text = String(approval.command ?? '');
            const lines = text.split('\n').length;
            // What comes after many blank lines is not overlooked.
            return [lines > MANY_LINES && h('p', { class: 'small soft' }, t('threads.commandLines', { count: lines })),
                codeBlock({ text, language: 'sh', label: t('threads.command'), shown: WHOLE, wraps: true })];
        }
        case 'change': {
            const change = approval.change ?? approval;
            return diffView({ files: change.files ?? [], text: typeof change.text === 'string' ? change.text : '' }, true);
        }
        case 'tool': {
            const { text, language } = laidOut(approval.text);
            return [said(beginning(approval.name ?? '', 200), { tag: 'p', class: 'mono' }), text && codeBlock({ text, language, label: t('threads.arguments'), shown: WHOLE, wraps: true })];
        }
        case 'permissions': return h('ul', { class: 'approval-lines' }, (Array.isArray(approval.lines) ? approval.lines : []).slice(0, MOST_LINES).map((line) => said(line, { tag: 'li' })));
        case 'questions': return null;
        default: return [
            h('p', { class: 'small soft' }, t('threads.unknownAsk')),
            said(beginning(approval.method ?? approval.kind ?? '', 200), { tag: 'p', class: 'mono' }),
            approval.text && codeBlock({ ...laidOut(approval.text), label: t('threads.arguments'), shown: WHOLE, wraps: true }),
        ];
    }
}

/** What of it cannot be seen here. */
function unseen({ is_cut: isCut, length, folded }) {
    return [
        isCut === true && banner({ kind: 'warn', text: t('threads.askIsCut', { size: Number.isFinite(length) ? format.bytes(length) : '…' }) }),
        Number(folded) > 0 && h('p', { class: 'small soft' }, t('threads.folded', { count: Number(folded) })),
    ];
}

function folderLine(cwd) {
    if (!cwd) return null;
    return h('div', { class: 'approval-folder small soft' }, icon('folder', { size: 16 }), h('span', { class: 'visually-hidden' }, t('threads.folder')), said(beginning(cwd, 1000), { class: 'mono' }));
}

/**
 * Questions of an agent as fields.
 *
 * @returns {HTMLElement & {answers(): Object | null}} Null where one is missing, which is then said.
 */
function questionForm(questions) {
    const fields = (Array.isArray(questions) ? questions : []).slice(0, MOST_QUESTIONS).map(questionField);
    const element = h('div', { class: 'questions' }, fields.map(({ element: each }) => each));
    const answers = () => {
        const missing = fields.find((field) => field.answer().length === 0);
        for (const field of fields) field.fail(field === missing ? t('threads.answerNeeded') : '');
        if (missing) { missing.element.querySelector('input')?.focus(); return null; }
        return Object.fromEntries(fields.map((field) => [field.id, field.answer()]));
    };
    return part(element, { answers });
}

/** A choice and what is said about it. */
function choiceRow(value, input, { text, preview }) {
    return [h('label', { class: 'question-choice', htmlFor: input.id }, input, h('span', null, said(beginning(value, 400)), text && said(beginning(text, 1000), { tag: 'div', class: 'small soft' }))),
        preview && h('details', { class: 'disclosure' }, h('summary', null, t('threads.preview')), codeBlock({ text: beginning(preview), label: t('threads.preview'), shown: WHOLE }))];
}

function questionField(question) {
    const name = uniqueId('question');
    const choices = (Array.isArray(question.choices) ? question.choices : []).slice(0, 2 * MOST_QUESTIONS);
    const details = Array.isArray(question.details) ? question.details : [];
    const inputs = choices.map((choice, index) => {
        const value = typeof choice === 'string' ? choice : choice?.label ?? '';
        return { value, detail: details[index] ?? {}, input: h('input', { type: question.several ? 'checkbox' : 'radio', name, value, id: uniqueId('choice') }) };
    });
    const own = question.free_text || choices.length === 0
        ? h('input', { class: 'input', type: question.secret ? 'password' : 'text', autocomplete: 'off', placeholder: t(choices.length > 0 ? 'threads.ownAnswer' : 'threads.yourAnswer'), aria: { label: t('threads.yourAnswer') } }) : null;
    const problem = h('div', { class: 'small question-problem', role: 'status' });
    if (own && !question.several) {
        // One answer: what is typed takes the choice away, and the other way round.
        own.addEventListener('input', () => { if (own.value) for (const { input } of inputs) input.checked = false; });
        for (const { input } of inputs) input.addEventListener('change', () => { own.value = ''; });
    }
    const element = h('fieldset', { class: 'question' },
        h('legend', null, question.header && said(beginning(question.header, 100), { tag: 'div', class: 'small soft' }), said(beginning(question.text ?? '', 2000))),
        inputs.map(({ value, input, detail }) => choiceRow(value, input, detail)), own, problem);
    return {
        id: question.id, element, fail: (text) => { problem.textContent = text; },
        answer: () => {
            const typed = own?.value.trim();
            const chosen = inputs.filter(({ input }) => input.checked).map(({ value }) => value);
            return typed && !question.several ? [typed] : [...chosen, ...(typed ? [typed] : [])];
        },
    };
}
