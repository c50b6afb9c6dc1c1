import { button, errorText, h, linkButton, safeText, spinner } from '../../kit/index.js';
import { hasText, t } from '../../i18n/index.js';
import { codeFinder, nameIn } from './finder.js';
import { clocksNote } from './stage.js';
import { showPaired } from './shown-code.js';
import { comparedWords } from '../../kit/phone.js';
import { loadRights, rightSwitch } from '../../kit/rights.js';

const REMEDIES = { keyChanged: { acceptNewIdentity: true }, notEndToEnd: { allowUnsealed: true } };

/** The computer reads a phone's code, by camera or from a picture, and its person says what that phone may do. */
export function scanPhone({ client, life, link }) {
    const showInstead = () => linkButton({ label: t('hosting.takePart'), icon: 'qr', kind: 'quiet', href: link('/pair', 'show') });
    const finder = codeFinder({
        client, life, classes: 'card code-card', other: showInstead,
        words: { title: 'hosting.scanTitle', text: 'hosting.scanText', dropHint: 'hosting.dropHint', noCamera: 'pairing.camera.failed.do' },
        found: (text) => { choose(text); }, failed: (error) => failed(error),
    });

    /** What it may do is said together with the yes, as for a phone that asks. */
    async function choose(text) {
        const mine = finder.next(false);
        const name = nameIn(text);
        const rights = (await loadRights(client).catch(() => [])).filter(({ initial }) => !initial);
        if (mine.hasEnded) return;
        const chosen = new Set();
        finder.stage.show({
            kind: 'good', symbol: 'phone', title: name ? safeText(name) : t('hosting.found'), text: t('hosting.foundText'),
            content: h('div', { class: 'card rows stage-facts' }, rights.map((right) => rightSwitch(right, {
                on: false, change: (on) => { if (on) chosen.add(right.name); else chosen.delete(right.name); },
            }))),
            actions: [
                button({ label: t('common.cancel'), press: finder.idle }),
                button({ label: t('hosting.pair'), kind: 'primary', press: () => { pair(text, { allow: chosen.size > 0 ? [...chosen] : undefined }); } }),
            ],
        });
    }

    async function pair(text, options) {
        const mine = finder.next(false);
        let [words, clocks] = [null, null];
        const draw = () => finder.stage.show({
            symbol: spinner({ size: 32 }), title: t('hosting.asking'), text: t('hosting.askingText'),
            content: [words && comparedWords(t('hosting.mustShow'), words), clocksNote(clocks)], actions: [button({ label: t('common.cancel'), press: finder.idle })],
        });
        draw();
        const follow = client.pairing.scan(text, options, {
            signal: mine.signal, onItem: (item) => {
                if (item.key) words = item.key;
                if (item.event === 'clocks') clocks = item;
                if (!mine.hasEnded) draw();
            },
        });
        try {
            const phone = await follow.result;
            if (mine.hasEnded) return;
            finder.next(false);
            showPaired(finder.stage, phone, { link, again: finder.idle, note: clocksNote(clocks) });
        } catch (error) {
            if (!mine.hasEnded) failed(error, (more) => pair(text, { ...options, ...more }));
        }
    }

    function failed(error, goOn) {
        finder.next(false);
        const reason = error.detail?.reason;
        const key = `hosting.fails.${reason}`;
        const isKnown = hasText(key);
        const remedy = goOn && REMEDIES[reason];
        finder.stage.show({
            kind: 'bad', symbol: 'warning', title: isKnown ? t(key) : t('hosting.scanFailed'), text: isKnown ? t(`${key}.do`) : errorText(error),
            content: !isKnown && error.message && safeText(error.message, { tag: 'p', class: 'stage-detail' }),
            actions: [
                button({ label: t('common.retry'), kind: 'primary', press: finder.idle }), showInstead(),
                remedy && button({ label: t(`${key}.anyway`), press: () => { goOn(remedy); } }),
            ].filter(Boolean),
        });
    }

    return finder.element;
}
