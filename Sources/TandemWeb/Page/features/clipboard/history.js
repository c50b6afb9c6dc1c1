import {
    banner, button, card, confirm, copyText, emptyState, errorBanner, h, iconButton, listRow, peer, plainText, relativeTime, skeleton, toast,
} from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';

const MOST = 50;
/** So much of a text stands in its row; copying takes the whole. */
const SHOWN = 280;

/**
 * What was copied at the computer lately, where its owner lets it be kept: asked for by a press, as passwords may be among it.
 *
 * @param {{computer: Object, life: Object, refused: (error: Error) => void}} context
 */
export function history({ computer, life, refused }) {
    const body = h('div', { class: 'clip-history' });
    const actions = h('div', { class: 'clip-actions' });

    const closed = () => {
        body.replaceChildren(h('p', { class: 'soft' }, t('clipboard.historyText')));
        actions.replaceChildren(button({ label: t('clipboard.historyShow'), icon: 'clock', press: load }));
    };

    async function load() {
        if (!body.querySelector('.rows')) body.replaceChildren(skeleton(3, { height: 64 }));
        try {
            const page = await computer.call('clipboard.getHistory', { limit: MOST }, { signal: life.signal });
            if (!life.hasEnded) show(page);
        } catch (error) {
            if (life.hasEnded || error.code === 'cancelled') return;
            if (error.code === 'not-allowed') refused(error);
            else body.replaceChildren(errorBanner(error, { retry: load }));
        }
    }

    const show = (page) => {
        const entries = (page.history ?? page.items ?? []).filter((entry) => typeof entry?.content === 'string');
        const again = button({ label: t('clipboard.historyAgain'), icon: 'refresh', press: load });
        if (entries.length === 0) {
            const isOff = page.enabled === false;
            body.replaceChildren(isOff
                ? banner({ kind: 'info', text: t('clipboard.historyOff'), detail: offText() })
                : emptyState({ icon: 'clock', title: t('clipboard.historyEmpty'), text: t('clipboard.historyEmptyText') }));
            actions.replaceChildren(again);
            return;
        }
        body.replaceChildren(h('div', { class: 'rows clip-entries' }, entries.map(row)));
        actions.replaceChildren(button({ label: t('clipboard.historyClear'), icon: 'trash', kind: 'quiet', press: clear }), again);
    };

    const row = (entry) => {
        const preview = plainText(entry.content.trim().slice(0, SHOWN * 2).replace(/\s+/g, ' '), SHOWN);
        const size = format.bytes(entry.size ?? new Blob([entry.content]).size);
        return listRow({
            title: h('span', { class: 'clip-entry', dir: 'auto', data: { peer: '' } }, preview),
            detail: h('span', { class: 'dotted' },
                entry.type === 'html' && h('span', { class: 'dotted-part' }, t('clipboard.kind.html')),
                h('span', { class: 'dotted-part number' }, t('clipboard.size', { size })),
                entry.timestamp && h('span', { class: 'dotted-part' }, relativeTime(entry.timestamp))),
            actions: [
                iconButton({ label: t('clipboard.copyEntry', { text: plainText(preview, 40) }), icon: 'copy', press: () => copyText(entry.content) }),
                iconButton({ label: t('clipboard.putBack', { text: plainText(preview, 40) }), icon: 'computer', press: () => putBack(entry) }),
            ],
        });
    };

    const offText = () => h('span', null, t('clipboard.historyOffText'), ' ', peer('tandem desktop --clipboard-history', 'code', { class: 'clip-flag' }));

    async function putBack(entry) {
        const type = entry.type === 'html' ? 'html' : 'text';
        await computer.call('clipboard.set', { type, content: entry.content }, { signal: life.signal });
        toast(t('clipboard.sentNow'));
    }

    async function clear() {
        const isDone = await confirm({
            title: t('clipboard.historyClearTitle'), text: t('clipboard.historyClearText'), action: t('clipboard.historyClear'),
            work: () => computer.call('clipboard.clearHistory', {}, { signal: life.signal }),
        });
        if (isDone && !life.hasEnded) await load();
    }

    const element = card({ title: t('clipboard.history'), icon: 'clock' }, body, actions);
    element.classList.add('clip-card', 'clip-wide');
    closed();
    return element;
}
