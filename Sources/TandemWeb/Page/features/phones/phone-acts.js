import { button, confirm, errorBanner, h, openDialog, safeText, switchRow, textField } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { activityDetail, activityWords, toastEnded } from '../../kit/activities.js';
import { rightMeaning, rightName, rightNames, rightRisk, riskOf } from '../../kit/rights.js';
import { HOUR } from './right-asks.js';

/** Gives a phone another name at this computer. */
export function askForName(client, phone) {
    const field = textField({
        label: t('phones.newName'), value: phone.name, hint: t('phones.newNameHint'), attributes: { maxLength: 128 }, enter: () => save(),
    });
    const trouble = h('div', null);
    const save = async () => {
        const name = field.value.trim();
        if (!name) { field.fail(t('phones.nameNeeded')); return; }
        try {
            await client.devices.rename(phone.id, name);
            dialog.close();
        } catch (error) {
            trouble.replaceChildren(errorBanner(error));
        }
    };
    const dialog = openDialog({
        title: t('phones.rename'), content: [field, trouble],
        actions: [
            button({ label: t('common.cancel'), press: () => { dialog.close(); } }),
            button({ label: t('phones.saveName'), kind: 'primary', press: save }),
        ],
    });
    field.input.select();
}

/** @returns {Promise<boolean>} Whether it is forgotten. */
export function forgetPhone(client, phone) {
    return confirm({
        title: [t('phones.forgetTitle'), ' ', safeText(phone.name), t('phones.forgetMark')], text: t('phones.forgetText'), action: t('phones.forget'),
        work: async () => toastEnded((await client.devices.forget(phone.id)).ended, t('phones.forgotten')),
    });
}

/**
 * Asks once more before a right that can do much, and for how long.
 *
 * @returns {Promise<{seconds?: number} | null>} Null: it is not given.
 */
export function confirmRight(phone, right) {
    return new Promise((resolve) => {
        let answer = null;
        const given = (choice) => () => { answer = choice; dialog.close(); };
        const dialog = openDialog({
            title: [t('phones.allowTitle'), rightName(right), t('phones.allowMark')],
            content: [
                h('p', { class: 'dialog-text' }, safeText(phone.name), t('common.colon'), rightMeaning(right), t('common.gap'), rightRisk(right)),
                h('p', { class: 'small soft' }, t('phones.allowOnce')),
            ],
            actions: [
                button({ label: t('common.cancel'), press: () => { dialog.close(); } }),
                button({ label: t('phones.anHour'), press: given({ seconds: HOUR }) }),
                button({ label: t('phones.allow'), kind: 'primary', press: given({}) }),
            ],
            closed: () => resolve(answer),
        });
    });
}

/**
 * Gives a phone what a preset holds and takes the rest back, once the person has said yes to what changes.
 *
 * @returns {Promise<boolean>} Whether it was done.
 */
export function confirmPreset(client, phone, preset, rights, running) {
    const more = preset.rights.filter((name) => !phone.skills.includes(name));
    const less = phone.skills.filter((name) => !preset.rights.includes(name));
    const hasRisk = rights.some((right) => more.includes(right.name) && riskOf(right) === 'privileged');
    const ending = running.filter(({ right }) => less.includes(right));
    return confirm({
        title: t(`rights.preset.${preset.name}`),
        text: h('div', { class: 'stack close' },
            h('p', null, safeText(phone.name), t('common.colon'), t(`rights.preset.${preset.name}.can`)),
            more.length > 0 && h('p', null, t('phones.presetMore'), t('common.gap'), rightNames(more, rights)),
            less.length > 0 && h('p', null, t('phones.presetLess'), t('common.gap'), rightNames(less, rights)),
            hasRisk && h('p', null, t('rights.risk.privileged')),
            ending.length > 0 && [h('p', null, t('phones.lossText')), endingList(ending)]),
        action: t('phones.allow'), kind: hasRisk ? 'danger' : 'primary',
        work: () => client.devices.allow(phone.id, [], { preset: preset.name }),
    });
}

/**
 * Asks before a right is taken back by which something runs now, and says what ends. Shells may be left running.
 *
 * @returns {Promise<{keepShells: boolean} | null>} Null: it stays.
 */
export function confirmLoss(right, running) {
    const ending = running.filter((activity) => activity.right === right.name);
    if (ending.length === 0) return Promise.resolve({ keepShells: false });
    let keepShells = false;
    const canKeep = ending.some(({ kind }) => kind === 'terminal');
    return confirm({
        title: t('phones.lossTitle'),
        text: h('div', { class: 'stack close' },
            h('p', null, t('phones.lossText')),
            endingList(ending),
            canKeep && switchRow({ label: t('phones.keepShells'), detail: t('phones.keepShellsText'), on: false, change: (on) => { keepShells = on; } })),
        action: t('phones.takeBack'),
    }).then((isMeant) => (isMeant ? { keepShells } : null));
}

function endingList(ending) {
    return h('ul', { class: 'loss' }, ending.map((activity) => h('li', null,
        activityWords(activity), activity.detail ? [' ', safeText(activityDetail(activity), { class: 'mono soft' })] : '')));
}

/**
 * A phone that neither seals nor signs gets a right only after a second yes.
 *
 * @returns {Promise<boolean>}
 */
export function confirmUnsigned(client, phone, right) {
    return confirm({
        title: t('phones.unsignedTitle'), text: t('phones.unsignedText'), action: t('phones.unsignedAllow'),
        work: () => client.devices.allow(phone.id, [right.name], { unsigned: true }),
    });
}
