import { banner, button, confirm, h, plainText } from '../../kit/first.js';
import { format, t } from '../../i18n/index.js';
import { standingOf } from './standing.js';

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
        element.replaceChildren(...(element.hidden ? [] : [notice(client, standing.value)]));
    };
    standing.use(life, draw);
    await standing.ready;
    draw();
    return element;
}

function notice(client, { state, newPhone, undoUntil }) {
    const values = { newPhone: plainText(newPhone ?? '', 64) };
    if (state === 'kept' || state === 'active') return banner({ kind: 'warn', text: t('moving.kept'), detail: t('moving.keptText') });
    const isRetired = state === 'retired';
    const detail = isRetired ? t('moving.retiredText', { ...values, until: format.date(undoUntil) }) : t('moving.handingOverText', values);
    const keep = button({ label: t('moving.keep'), kind: 'quiet', press: () => confirm({
        title: t('moving.keepTitle'), text: t('moving.keepText', values), action: t('moving.keep'),
        work: () => client.call('phone.keep', {}),
    }) });
    return banner({ kind: 'warn', text: t(isRetired ? 'moving.retired' : 'moving.handingOver', values), detail, actions: [keep] });
}
