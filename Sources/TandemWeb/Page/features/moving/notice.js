import { banner, button, confirm, h, plainText } from '../../kit/first.js';
import { format, t } from '../../i18n/index.js';
import { goesOn, standingOf } from './standing.js';

/**
 * Why a phone rests, and how it goes on; hidden on one that does not.
 *
 * @param {{client: import('../../client/client.js').Client, life: import('../../life.js').Life}} options
 * @returns {Promise<HTMLElement>} Once it is known.
 */
export async function restingNotice({ client, life }) {
    const element = h('div', { hidden: true });
    if (client.role !== 'phone') return element;
    const standing = standingOf(client);
    const draw = () => {
        element.hidden = !standing.value?.isResting;
        element.replaceChildren(...(element.hidden ? [] : [notice(client, standing)]));
    };
    standing.use(life, draw);
    await standing.ready;
    draw();
    return element;
}

function notice(client, { value, canStartAgain }) {
    const { state, newPhone, undoUntil } = value;
    const values = { newPhone: plainText(newPhone ?? '', 64) };
    if (goesOn(value)) {
        const actions = canStartAgain ? [button({ label: t('moving.startNow'), kind: 'quiet', press: () => client.call('migrate.restart', {}) })] : [];
        return banner({ kind: 'warn', text: t('moving.kept'), detail: t(canStartAgain ? 'moving.keptOnly' : 'moving.keptText'), actions });
    }
    const isRetired = state === 'retired';
    const detail = isRetired ? t('moving.retiredText', { ...values, until: format.date(undoUntil) }) : t('moving.handingOverText', values);
    const keep = button({ label: t('moving.keep'), kind: 'quiet', press: () => confirm({
        title: t('moving.keepTitle'), text: t('moving.keepText', values), action: t('moving.keep'),
        work: async () => {
            await client.call('phone.keep', {});
            // Where its owner starts the program, the notice says so then.
            await client.call('migrate.restart', {}).catch(() => {});
        },
    }) });
    return banner({ kind: 'warn', text: t(isRetired ? 'moving.retired' : 'moving.handingOver', values), detail, actions: [keep] });
}
