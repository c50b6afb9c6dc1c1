import { banner, button, card, errorBanner, errorToast, h, icon, skeleton } from '../../kit/index.js';
import { qrCode } from '../../kit/pictures.js';
import { chatOf } from '../../client/chat.js';
import { t } from '../../i18n/index.js';
import { aboutConversation } from './person.js';
import { standingOf } from './standing.js';
import { nameOf, sealText } from './words.js';

/** The safety number of a conversation: digits and a code to compare with the other person, and a note that they were. */
export function safetyScreen({ client, life, route, link }) {
    const [chat, standing] = [chatOf(client), standingOf(client)];
    const place = h('div', null, skeleton(2, { height: 160 }));
    const head = h('div', null);
    const about = aboutConversation({ client, life, route }, (row) => {
        head.replaceChildren(sealNote(row));
        return [head, place];
    });
    const { id } = about;
    const row = () => standing.state.rows[id];
    const show = async (safety) => {
        const matrix = safety.code ? await client.pairing.matrix(safety.code) : null;
        if (life.hasEnded) return;
        const verify = async (on) => {
            await show(await chat.verify(id, on));
            if (row()) standing.take({ ...row(), isVerified: on });
        };
        place.replaceChildren(numberCard(safety, { matrix, name: row() ? nameOf(row()) : t('chat.them'), verify }));
    };
    const load = async () => {
        try {
            await show(await chat.safety(id, { signal: life.signal }));
        } catch (error) {
            if (!life.hasEnded) place.replaceChildren(errorBanner(error, { retry: load }));
        }
    };
    load();
    return { title: t('chat.safety'), element: about.body, back: link('/chats', id, 'settings') };
}

function sealNote(row) {
    return banner({ kind: row.isSealed ? 'good' : 'warn', text: t(row.isSealed ? 'chat.sealed' : 'chat.clear'), detail: sealText(row) });
}

function numberCard({ number, isVerified }, { matrix, name, verify }) {
    if (number.length === 0) return h('p', { class: 'soft no-number', data: { peer: '' } }, t('chat.noNumber', { name }));
    const press = (on) => verify(on).catch(errorToast);
    return card({ title: t('chat.number'), icon: 'shield' },
        h('p', { class: 'soft', data: { peer: '' } }, t('chat.numberText', { name })),
        h('div', { class: 'safety' }, matrix && qrCode(matrix, { label: t('chat.numberCode') }),
            h('div', { class: 'safety-number mono', role: 'text', aria: { label: number.join(' ') } }, number.map((digits) => h('span', { aria: { hidden: true } }, digits)))),
        isVerified
            ? h('div', { class: 'safety-acts' }, h('p', { class: 'safety-verified' }, icon('shield-check', { size: 20 }), h('span', null, t('chat.verified'))), button({ label: t('chat.unverify'), press: () => press(false) }))
            : h('div', { class: 'safety-acts' }, button({ label: t('chat.verify'), icon: 'shield-check', kind: 'primary', press: () => press(true) })));
}
