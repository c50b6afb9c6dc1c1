import { hasText, t } from '../i18n/index.js';
import { radioRows } from './choices.js';
import { rightsAnswer } from './rights.js';

/**
 * The choices of rights that are made at once; none of an older program.
 *
 * @param {import('../client/client.js').Client} client
 * @returns {Promise<{name: string, rights: string[]}[]>}
 */
export function loadPresets(client) { return rightsAnswer(client).then(({ presets }) => presets ?? []); }

/** The preset that a phone has exactly; null for a choice of its own. */
export function presetOf(names, presets) {
    const has = new Set(names);
    return presets.find(({ rights }) => rights.length === has.size && rights.every((name) => has.has(name)))?.name ?? null;
}

/**
 * What a phone may do as one choice, each with its meaning: a preset, or rights of the person's own choosing.
 *
 * @param {{presets: {name: string, rights: string[]}[], chosen: string[], change: (preset: {name: string, rights: string[]} | null) => any}} options
 */
export function presetChoice({ presets, chosen, change }) {
    const known = presets.filter(({ name }) => hasText(`rights.preset.${name}`));
    const options = [...known.map(({ name }) => name), 'own'];
    return radioRows({
        label: t('rights.preset'), value: presetOf(chosen, known) ?? 'own',
        options: options.map((id) => ({ id, label: t(`rights.preset.${id}`), detail: t(`rights.preset.${id}.can`) })),
        change: (id) => change(known.find(({ name }) => name === id) ?? null),
    });
}
