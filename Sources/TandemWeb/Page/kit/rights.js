import { peer, riskChip } from './first.js';
import { switchRow } from './switch.js';
import { hasText, t } from '../i18n/index.js';

const asked = new WeakMap();

/**
 * Every right there is, the least first. They are the same as long as the program runs, so they are asked for once.
 *
 * @param {import('../client/client.js').Client} client
 * @returns {Promise<{name: string, meaning: string, risk: string, initial: boolean}[]>}
 */
export function loadRights(client) { return rightsAnswer(client).then(({ rights }) => rights); }

/** All that the program says of rights. @param {import('../client/client.js').Client} client */
export function rightsAnswer(client) {
    if (!asked.has(client)) {
        const answer = client.call('rights.list');
        answer.catch(() => asked.delete(client));
        asked.set(client, answer);
    }
    return asked.get(client);
}

/** A right's name for a person; one that the page does not know has the program's. */
export function rightName(right) {
    return hasText(`rights.${right.name}`) ? t(`rights.${right.name}`) : peer(right.name);
}

/** What a right amounts to, after "This phone can …". */
export function rightMeaning(right) {
    return hasText(`rights.${right.name}.can`) ? t(`rights.${right.name}.can`) : peer(right.meaning);
}

/** What can go wrong with it, in plain words; null for what is harmless. */
export function rightRisk(right) {
    if (riskOf(right) === 'safe') return null;
    return t(hasText(`rights.${right.name}.risk`) ? `rights.${right.name}.risk` : `rights.risk.${riskOf(right)}`);
}

/** `safe`, `mutating` or `privileged`; what the page does not know counts as the last. */
export function riskOf(right) {
    const risk = String(right.risk).toLowerCase();
    return hasText(`risk.${risk}`) ? risk : 'privileged';
}

/**
 * Names of rights on one line, for lists.
 *
 * @param {string[]} names
 */
export function rightNames(names, rights) {
    const known = rights.filter(({ name }) => names.includes(name));
    return known.flatMap((right, index) => (index ? [t('rights.comma'), rightName(right)] : [rightName(right)]));
}

/**
 * A switch for a right, with what it gives and what can go wrong.
 *
 * @param {Object} right
 * @param {{on: boolean, disabled?: boolean, note?: Node, change: (on: boolean) => any}} options `note` stands below.
 */
export function rightSwitch(right, { on, disabled, note, change }) {
    const risk = rightRisk(right);
    const detail = document.createElement('span');
    detail.className = 'right-words';
    detail.append(rightMeaning(right));
    if (risk) {
        const words = document.createElement('span');
        words.className = 'right-risk';
        words.textContent = risk;
        detail.append(words);
    }
    if (note) detail.append(note);
    // What was allowed with a little risk is the owner's choice; what can do much says so as long as it can.
    const badge = on && riskOf(right) !== 'privileged' ? null : riskChip(riskOf(right));
    const row = switchRow({ label: rightName(right), detail, on, disabled, badge, change });
    row.control.dataset.right = right.name;
    return row;
}
