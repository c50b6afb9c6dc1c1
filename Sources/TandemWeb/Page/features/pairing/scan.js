import { button, h, linkButton, safeText, spinner } from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { isolated } from '../../kit/isolated.js';
import { codeFinder, nameIn } from './finder.js';
import { TimeLeft, clocksNote, numberToType, ownWords } from './stage.js';

/** The phone reads the computer's code: by camera, or from a picture. */
export function scanWay({ client, life, link, parts }) {
    const typeInstead = () => linkButton({ label: t('pairing.typeInstead'), href: link('/pair', 'code') });
    const finder = codeFinder({
        client, life, words: { title: 'pairing.scanTitle', text: 'pairing.scanText', dropHint: 'pairing.dropHint' }, other: typeInstead,
        found: (text) => pair(text), failed: (error) => failed(error),
    });

    async function pair(text, options = {}, name = nameIn(text)) {
        const mine = finder.next(false);
        let [words, number, clocks, isTold] = [null, null, null, false];
        const left = new TimeLeft(mine);
        const draw = () => finder.stage.show({
            symbol: spinner({ size: 32 }),
            title: isTold ? t('pairing.waiting') : name ? [t('pairing.telling'), ' ', safeText(name, { limit: 64 }), '…'] : t('pairing.tellingComputer'),
            text: t('pairing.sayYes'),
            content: [number && numberToType(number), ownWords(words), isTold && left.element, clocksNote(clocks)],
            actions: [button({ label: t('common.cancel'), press: finder.idle })],
        });
        draw();
        const follow = client.pairing.scan(text, options, {
            signal: mine.signal,
            onItem: (item) => {
                if (item.event === 'key') words = item.key;
                if (item.event === 'compare') number = item.number;
                if (item.event === 'clocks') clocks = item;
                if (item.event === 'sending') {
                    isTold = true;
                    left.until = item.until;
                }
                if (!mine.hasEnded) draw();
            },
        });
        try {
            const device = await follow.result;
            if (mine.hasEnded) return;
            finder.next(false);
            finder.stage.succeeded(device, { link, again: finder.idle, note: clocksNote(clocks) });
        } catch (error) {
            if (!mine.hasEnded) failed(error, { name, goOn: (more) => pair(text, more, name) });
        }
    }

    /** A code that the page was opened with: a link may come from anybody, so the person is asked. */
    function offered() {
        const code = client.pairing.takeOffered?.();
        if (!code) return;
        const mine = finder.next(false);
        const welcome = h('div', { class: 'stack' });
        parts('welcome').then((said) => { if (!mine.hasEnded) welcome.append(...said); }, () => {});
        finder.stage.show({
            symbol: 'computer', title: t('pairing.offered', { name: code.name ? isolated(code.name) : t('pairing.theComputer') }), text: t('pairing.offeredText'), content: welcome,
            actions: [
                button({ label: t('pairing.pair'), kind: 'primary', press: () => { pair(code.text, {}, code.name); } }), button({ label: t('common.cancel'), press: finder.idle }),
            ],
        });
    }

    function failed(error, more = {}) {
        finder.next(false);
        finder.stage.failed(error, { ...more, again: finder.idle, others: [typeInstead()] });
    }

    offered();
    life.add(client.events('offered', offered));
    return finder.element;
}
