import { CODE_DIGITS, invitationIn } from './invitation.js';
import { strengthOf } from './strength.js';

/** The fields in their order, from the top of the form. */
const FIELDS = ['link', 'hub', 'code', 'name', 'nickname', 'password'];
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const LONGEST_NICKNAME = 64;
const LINK = 'tandem-account://join';
const PAGE = 'https://';

/** Which field a refusal is about, by its reason; any other stands above the button. */
const FIELD_OF = {
    nameTaken: 'name', badName: 'name', badNickname: 'nickname', invitationNeeded: 'code', invitationRefused: 'code', malformedInvitation: 'code',
    badPassword: 'password', wrongPassword: 'password', unsafeAddress: 'hub', noAccounts: 'hub', redirected: 'hub', brokenAnswer: 'hub', unreachable: 'hub',
    malformedAddress: 'hub', untrusted: 'hub', otherServer: 'hub',
};

/**
 * The form by which a phone comes to an account. What was typed stays while the way changes; a problem belongs to a field and goes when
 * that is typed in.
 *
 * @typedef {'new' | 'login'} Way
 * @typedef {'link' | 'hub' | 'code' | 'name' | 'nickname' | 'password'} Field
 * @typedef {{key: string, values?: Object<string, any>}} Problem
 * @typedef {{way: Way, opens: 'key' | 'password', values: Record<Field, string>, isInvited: boolean, problems: Partial<Record<Field, Problem>>,
 *   trouble: Object | null, isSending: boolean}} State
 * @param {Way} way
 * @param {string} [hub]
 * @returns {State}
 */
export function initialOf(way, hub = '') {
    return {
        way, opens: 'key', values: { link: '', hub, code: '', name: '', nickname: '', password: '' }, isInvited: false, problems: {}, trouble: null,
        isSending: false,
    };
}

/**
 * @param {State} state
 * @param {Object} event
 * @returns {[State, ...any[]]}
 */
export function change(state, event) {
    switch (event.kind) {
        case 'way': return [{ ...state, way: event.way, problems: {}, trouble: null }];
        case 'opens': return [{ ...state, opens: event.opens, problems: without(state.problems, 'password'), trouble: null }];
        case 'typed': return typed(state, event);
        case 'another': return [{ ...state, isInvited: false, values: { ...state.values, hub: '', code: '' }, problems: {} }, { do: 'fill' }, { do: 'focus', field: 'link' }];
        case 'given': return given(state, event.text);
        case 'submitted': return submitted(state);
        case 'failed': return failed(state, event.error);
        // Nothing secret stays in the page.
        case 'sent': return [initialOf(state.way, state.values.hub), { do: 'fill' }];
        default: return [state];
    }
}

/** @returns {[State, ...any[]]} */
function typed(state, { field, value }) {
    if (field === 'link' && !isUnfinished(value)) return given(state, value);
    const isInvited = state.isInvited && field !== 'hub' && field !== 'code';
    return [{ ...state, isInvited, values: { ...state.values, [field]: value }, problems: without(state.problems, field), trouble: null }];
}

/** Whether a link or a code may still become one: nobody is told of a mistake while typing. */
function isUnfinished(text) {
    const shown = text.trim();
    return (LINK.startsWith(shown) || shown.startsWith(LINK) || PAGE.startsWith(shown) || /^[\d -]*$/.test(shown)) && 'trouble' in invitationIn(shown);
}

/** @returns {[State, ...any[]]} */
function given(state, text) {
    const found = invitationIn(text);
    if ('trouble' in found) {
        return [{ ...state, values: { ...state.values, link: text }, problems: { ...state.problems, link: { key: `account.problem.${found.trouble}` } } }];
    }
    const values = { ...state.values, link: '', hub: found.hub ?? state.values.hub, code: found.code };
    const problems = without(state.problems, 'link', 'hub', 'code');
    return [{ ...state, values, problems, isInvited: found.hub !== undefined, trouble: null }, { do: 'fill' }, { do: 'focus', field: found.hub ? 'name' : 'hub' }];
}

/** @returns {[State, ...any[]]} */
function submitted(state) {
    if (state.isSending) return [state];
    const problems = problemsOf(state);
    const first = FIELDS.find((field) => problems[field]);
    if (first) return [{ ...state, problems, trouble: null }, { do: 'focus', field: first }];
    return [{ ...state, problems: {}, trouble: null, isSending: true }, { do: 'send', way: state.way, params: paramsOf(state) }];
}

/** @returns {[State, ...any[]]} */
function failed(state, error) {
    const reason = String(error?.detail?.reason ?? '');
    const field = shown(state).includes(FIELD_OF[reason.replace(/^account\./, '')]) ? FIELD_OF[reason.replace(/^account\./, '')] : null;
    const next = { ...state, isSending: false };
    if (!field) return [{ ...next, trouble: error }];
    return [{ ...next, problems: { [field]: { key: `reason.${reason}`, values: error.detail.values } } }, { do: 'focus', field }];
}

/** The fields of a way. */
function shown({ way, opens }) {
    return FIELDS.filter((field) => (way === 'new' ? field !== 'password' || opens === 'password'
        : field === 'hub' || (opens === 'password' && (field === 'name' || field === 'password'))));
}

function problemsOf(state) {
    const checks = {
        link: () => state.values.link.trim() !== '' && linkProblem(state.values.link),
        hub: () => state.values.hub.trim() === '' && 'hubMissing',
        code: () => ![0, CODE_DIGITS].includes(state.values.code.length) && 'codeShort',
        name: () => nameProblem(state.values.name, state.way),
        nickname: () => [...state.values.nickname.trim()].length > LONGEST_NICKNAME && 'nicknameLong',
        password: () => passwordProblem(state.values.password, state.way),
    };
    const found = shown(state).map((field) => [field, checks[field]?.()]).filter(([, problem]) => problem);
    return Object.fromEntries(found.map(([field, problem]) => [field, { key: `account.problem.${problem}` }]));
}

function linkProblem(text) {
    const found = invitationIn(text);
    return 'trouble' in found && found.trouble;
}

/** As the hub takes names; capitals count as small letters. */
function nameProblem(text, way) {
    const name = text.trim().toLowerCase();
    if (name === '') return 'nameMissing';
    // Whether there is one of that name is the hub's to say.
    if (way === 'login') return null;
    return (!NAME.test(name) || /^\d+$/.test(name) || name.startsWith('tb_')) && 'nameWrong';
}

function passwordProblem(text, way) {
    const { level } = strengthOf(text);
    if (level === 'none') return 'passwordMissing';
    if (way === 'login') return null;
    return { short: 'passwordShort', long: 'passwordLong' }[level];
}

function paramsOf({ way, opens, values }) {
    const [hub, name, nickname] = [values.hub.trim(), values.name.trim().toLowerCase(), values.nickname.trim()];
    const password = opens === 'password' && { password: values.password };
    if (way === 'login') return { hub, ...(password && { name, ...password }) };
    return { hub, name, ...(nickname && { nickname }), ...(values.code && { invitation: values.code }), ...password };
}

function without(problems, ...fields) { return Object.fromEntries(Object.entries(problems).filter(([field]) => !fields.includes(field))); }
