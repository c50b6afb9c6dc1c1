import { errorToast, h, icon } from '../../kit/index.js';
import { ClientError } from '../../client/client.js';
import { t } from '../../i18n/index.js';
import { dropped } from '../../kit/pick.js';
import { named } from './words.js';

/**
 * Takes files and folders that are dragged onto the page while a folder is shown.
 *
 * @param {HTMLElement} element
 * @param {{life: Object, into: () => string | null, dropped: (tops: Object[]) => void}} options
 */
export function dropZone(element, { life, into, dropped: take }) {
    const words = h('span', null);
    const veil = h('div', { class: 'drop-veil', hidden: true, aria: { hidden: true } }, icon('upload', { size: 36 }), words);
    element.append(veil);
    let depth = 0;
    const holdsFiles = (event) => [...event.dataTransfer?.types ?? []].includes('Files') && into() !== null;
    const hide = () => { depth = 0; veil.hidden = true; };
    life.listen(document, 'dragenter', (event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        depth += 1;
        words.textContent = t('files.dropInto', { folder: named(into()) });
        veil.hidden = false;
    });
    life.listen(document, 'dragover', (event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
    });
    life.listen(document, 'dragleave', () => { if (--depth <= 0) hide(); });
    life.listen(document, 'drop', async (event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        hide();
        try {
            take(await dropped(event.dataTransfer));
        } catch (error) {
            errorToast(ClientError.from(error));
        }
    });
}
