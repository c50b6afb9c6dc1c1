import { banner, confirm, errorBanner, errorText, group, h, icon, skeleton, switchRow, textField } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { programsGroup } from './programs.js';
import { quietStrip } from './quiet.js';

const USUAL = { quietHoursStart: '22:00', quietHoursEnd: '08:00' };
const ROWS = [10, 1_000_000];
const DAYS = [1, 3650];
/** What another device changed is seen after so many milliseconds. */
const PERIOD = 5000;

/**
 * How a computer's notifications behave: each change is asked of the computer and stands once it said so; what fails goes back.
 *
 * @param {{notifications: Object, life: import('../../life.js').Life, programs?: (names: Object[]) => void}} options
 */
export function settingsGroups({ notifications, life, programs }) {
    const element = h('div', { class: 'stack' }, skeleton(5, { height: 60 }));
    let redraw = null;
    let changes = 0;
    const load = async () => {
        try {
            const settings = await notifications.settings({ signal: life.signal });
            if (!life.hasEnded) element.replaceChildren(...groups(settings), programsGroup({ notifications, life, told: programs }));
        } catch (error) {
            if (!life.hasEnded) element.replaceChildren(errorBanner(error, { text: t('notifications.settingsAway'), retry: load }));
        }
    };

    /** What was changed elsewhere; not under the hands of somebody who types. */
    const follow = async () => {
        if (!redraw || element.querySelector('.field input:focus')) return;
        const before = changes;
        const now = await notifications.settings({ signal: life.signal }).catch(() => null);
        if (now && before === changes && !life.hasEnded && !element.querySelector('.field input:focus')) redraw(now);
    };

    function groups(settings) {
        const said = status();
        const [switches, fields] = [[], []];
        /** Asks the computer. @throws What it failed with: the control goes back. */
        const change = async (members, say) => {
            changes += 1;
            say.pending();
            try {
                Object.assign(settings, await notifications.change(members));
            } catch (error) {
                say.failed(error);
                for (const draw of fields) draw();
                throw error;
            } finally {
                changes += 1;
            }
            for (const draw of [...switches, ...fields]) draw();
            say.saved();
        };
        redraw = (now) => {
            Object.assign(settings, { pushRefused: false }, now);
            for (const draw of [...switches, ...fields]) draw();
        };
        const flag = (name, say, { invert = (on) => ({ [name]: on }) } = {}) => {
            const row = switchRow({
                label: t(`notifications.set.${name}`), detail: t(`notifications.set.${name}.text`), on: settings[name] === true, change: (on) => change(invert(on), say),
            });
            row.control.dataset.setting = name;
            switches.push(() => { row.control.checked = settings[name] === true; });
            return row;
        };
        const quiet = quietGroup({ settings, change, flag, fields });
        const kept = status();
        return [
            refusedPushes(settings, fields),
            group({ title: t('notifications.thisComputer'), action: said.element, rows: ['enabled', 'mirrorDesktop', 'soundEnabled', 'vibrationEnabled', 'showPreview'].map((name) => flag(name, said)) }),
            quiet,
            group({
                title: t('notifications.history'), action: kept.element, foot: t('notifications.historyFoot'),
                rows: [h('div', { class: 'notice-numbers' },
                    numberField('historyLimit', ROWS, { settings, change: (members) => change(members, kept), fields }),
                    numberField('historyDays', DAYS, { settings, change: (members) => change(members, kept), fields }))],
            }),
        ];
    }
    life.every(PERIOD, follow);
    load();
    return element;
}

/** That the computer cannot wake this telephone any more, which only its person can change. */
function refusedPushes(settings, fields) {
    const place = h('div', null);
    const draw = () => place.replaceChildren(...(settings.pushRefused
        ? [banner({ kind: 'bad', text: t('notifications.pushRefusedThere'), detail: t('notifications.pushRefusedThereText') })] : []));
    fields.push(draw);
    draw();
    return place;
}

function quietGroup({ settings, change, flag, fields }) {
    const said = status();
    const strip = quietStrip(settings);
    const time = (name) => {
        const field = textField({ label: t(`notifications.set.${name}`), type: 'time', value: settings[name] ?? USUAL[name] });
        field.input.required = true;
        const draw = drawnBy(fields, field, () => settings[name] ?? USUAL[name]);
        field.input.addEventListener('change', async () => {
            const value = field.input.value;
            if (!value) { draw(); return; }
            await change({ [name]: value }, said).catch(() => {});
            if (field.value === value) draw();
        });
        fields.push(() => { field.input.disabled = !settings.quietHoursEnabled; });
        field.input.disabled = !settings.quietHoursEnabled;
        return field;
    };
    fields.push(() => strip.update(settings));
    const on = flag('quietHoursEnabled', said, {
        // A beginning and an end go along where there are none yet.
        invert: (isOn) => ({ quietHoursEnabled: isOn, ...(isOn && Object.fromEntries(Object.entries(USUAL).filter(([name]) => !settings[name]))) }),
    });
    return group({
        title: t('notifications.quiet'), action: said.element, foot: t('notifications.quietFoot'),
        rows: [on, h('div', { class: 'quiet-part' }, strip, h('div', { class: 'quiet-times' }, time('quietHoursStart'), time('quietHoursEnd'))), flag('urgentPasses', said)],
    });
}

/** @param {string} name @param {number[]} range The least and the most. @param {{settings: Object, change: Function, fields: (() => void)[]}} options */
function numberField(name, [least, most], { settings, change, fields }) {
    const field = textField({ label: t(`notifications.set.${name}`), type: 'number', value: String(settings[name] ?? ''), attributes: { min: least, max: most, step: 1, inputMode: 'numeric' } });
    const draw = drawnBy(fields, field, () => String(settings[name] ?? ''));
    field.input.addEventListener('change', async () => {
        const text = field.value;
        const value = Number(text);
        if (!Number.isInteger(value) || value < least || value > most) { field.fail(t('notifications.outOf', { least, most })); return; }
        if (value === settings[name]) return;
        // What goes beyond is deleted as soon as it is saved.
        const isSure = !(value < settings[name]) || await confirm({
            title: t(`notifications.lower.${name}`, { count: value }), text: t('notifications.lowerText'), action: t('notifications.lowerAction'),
        });
        if (!isSure) { draw(); return; }
        await change({ [name]: value }).catch(() => {});
        if (field.value === text) draw();
    });
    return field;
}

/**
 * Draws a field with the others, but for one that somebody types in: that is drawn once it is left, unless it was changed.
 *
 * @param {(() => void)[]} fields What draws all of them.
 * @param {import('../../kit/fields.js').TextField} field
 * @param {() => string} read What it says by now.
 * @returns {() => void} Draws it all the same.
 */
function drawnBy(fields, field, read) {
    let isDue = false;
    const draw = () => {
        isDue = false;
        if (field.value !== read()) field.value = read();
        field.fail(null);
    };
    fields.push(() => {
        if (field.input.matches(':focus')) isDue = true;
        else draw();
    });
    field.input.addEventListener('change', () => { isDue = false; });
    field.input.addEventListener('blur', () => { if (isDue) draw(); });
    return draw;
}

/** What became of the last change. */
function status() {
    const element = h('span', { class: 'notice-saved', role: 'status' });
    const put = (kind, symbol, words) => {
        element.className = `notice-saved ${kind}`;
        element.replaceChildren(icon(symbol, { size: 16 }), h('span', null, words));
    };
    return {
        element,
        pending: () => put('pending', 'refresh', t('notifications.saving')),
        saved: () => put('good', 'check', t('notifications.saved')),
        failed: (error) => put('bad', 'warning', errorText(error)),
    };
}
