import { button, confirm, facts, h, spinner, switchRow } from '../../kit/index.js';
import { plainText } from '../../kit/safe.js';
import { format, t } from '../../i18n/index.js';
import { lineOf, refusalText } from './failure.js';
import { cancelButton, panel } from './panel.js';
import { passwordField } from './password-field.js';

/** The new phone's person: what would come, what it replaces, and the password that was set on the old phone. */
export function agreeingView(context) {
    const { act, agreed } = context;
    let isUnderstood = false;
    const understood = switchRow({ label: t('moving.understood'), detail: t('moving.understoodText'), on: false, change: (on) => { isUnderstood = on; accept.disabled = !on || !checking.hidden; } });
    // The password is looked at: it takes as long as a guess is to take.
    const checking = h('div', { class: 'line moving-checking', role: 'status', hidden: true }, spinner({ size: 20 }), h('span', null, t('moving.checking')));
    const submit = async () => {
        if (!isUnderstood || !checking.hidden) return;
        if (password.value === '') { password.fail(t('moving.passwordMissing')); password.input.focus(); return; }
        try {
            await act('migrate.agree', { password: password.value });
            agreed();
        } catch (error) {
            password.fail(refusalText(error));
        }
    };
    const password = passwordField({ label: t('moving.password'), hint: t('moving.passwordThere'), enter: submit });
    const accept = button({ label: t('moving.accept'), icon: 'download', kind: 'primary', disabled: true, press: submit });
    const title = h('span', { data: { peer: '' } });
    const coming = h('div', { class: 'card rows stage-facts' });
    const element = panel({
        symbol: 'phone', title, text: t('moving.offerText'),
        content: [coming, h('div', { class: 'card rows stage-facts' }, understood), h('div', { class: 'code-form' }, password, checking)],
        actions: [accept, cancelButton(context, 'decline')],
    });
    let shown = null;
    const draw = ({ flow, isAnswered }) => {
        checking.hidden = !isAnswered;
        accept.disabled = isAnswered || !isUnderstood;
        if (flow === shown) return;
        title.textContent = t('moving.offer', { peer: plainText(flow.peer ?? t('moving.oldPhone'), 64) });
        coming.replaceChildren(facts([...comingOf(flow), flow.own && ownFact(flow.own)].filter(Boolean)));
        if (flow.trouble && !shown?.trouble) { password.fail(troubleText(flow.trouble)); password.input.focus(); }
        shown = flow;
    };
    return { element, draw };
}

/** What was wrong with the answer, or what keeps the phones apart. */
function troubleText({ reason, values, message }) {
    return lineOf(reason, values) ?? t('moving.value', { value: plainText(message, 300) });
}

/** What comes, as the old phone says, and whether there is room for it. */
function comingOf({ offer, totalBytes }) {
    const size = [t('moving.size'), t('moving.value', { value: format.bytes(totalBytes) })];
    if (!offer) return [size];
    const { counts, mediaFiles, mediaBytes, brokenMedia, neededBytes, freeBytes } = offer;
    return [
        [t('moving.stories'), t('moving.value', { value: format.number(counts.stories ?? 0) })],
        [t('moving.media'), t('moving.mediaValue', { count: counts.media ?? mediaFiles, size: format.bytes(mediaBytes) })],
        brokenMedia > 0 && [t('moving.broken'), t('moving.value', { value: format.number(brokenMedia) })],
        [t('moving.alsoComes'), t('moving.alsoComesText')],
        size,
        [t('moving.room'), t('moving.roomValue', { needed: format.bytes(neededBytes), free: format.bytes(freeBytes) })],
    ].filter(Boolean);
}

/**
 * What this phone has and the move replaces.
 *
 * @param {NonNullable<Control['migrate.state']['answer']['own']>} own
 */
export function ownFact({ counts, computers }) {
    return [t('moving.own'), t('moving.ownValue', { stories: counts.stories ?? 0, media: counts.media ?? 0, computers })];
}

/** Asks whether what was read takes the place of this phone's data at the next start. */
export function replaceButton({ act }) {
    return button({ label: t('moving.replace'), kind: 'primary', press: () => confirm({
        title: t('moving.replaceTitle'), text: t('moving.replaceText'), action: t('moving.replace'), work: () => act('migrate.agree', {}),
    }) });
}
