import { button, copyText, errorBanner, h, openDialog, safeText, toast } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { pictureKind } from './entries.js';
import { formatted, formattedText, isSmallMarkdown, MOST_TEXT, showText } from './view-text.js';
import { showPicture, turning } from './view-picture.js';

/**
 * Shows a file: a text in ranges as it is read on, up to 1 MiB, which can be edited; a picture; of others what is known.
 *
 * @param {import('./entries.js').Entry} entry
 * @param {Object} options
 * @param {import('../../client/client.js').Computer} options.computer
 * @param {() => void} options.fetchIt
 * @param {() => void} options.closed
 * @param {() => Promise<Blob>} options.picture Where it is one.
 * @param {import('./view-picture.js').Around} options.around The pictures of its folder.
 * @param {() => Promise<boolean>} options.mayWrite Whether files may be written there.
 * @param {(path: string) => void} options.saved Told where an edited text was saved.
 */
export function openViewer(entry, options) {
    const { fetchIt, closed, picture, around } = options;
    const body = h('div', { class: 'viewer' });
    const about = h('span', { class: 'soft small viewer-about' }, aboutOf(entry));
    const tools = h('span', { class: 'viewer-tools' });
    const fetching = button({ label: t('files.download'), icon: 'download', kind: 'primary', press: () => { fetchIt(); dialog.close(); } });
    const dialog = openDialog({ title: safeText(entry.name, { limit: 80 }), content: body, size: 'full', closed, actions: [about, tools, fetching] });
    dialog.element.classList.add('viewer-dialog');
    const isPicture = pictureKind(entry.name) !== null;
    const turns = isPicture ? turning(dialog.element, body, around, dialog.life) : null;
    if (turns) tools.append(turns);
    const show = isPicture ? showPicture(entry, { body, life: dialog.life, picture }) : new TextView(entry, { ...options, body, tools, about, fetching, dialog }).show();
    show.catch((error) => {
        if (error.code === 'cancelled' || dialog.life.hasEnded) return;
        body.replaceChildren(errorBanner(error));
    });
    return { ...dialog, listed: () => turns?.listed() };
}

function aboutOf(entry) {
    return [entry.size === null ? null : format.bytes(entry.size), entry.modified ? format.dateTime(entry.modified) : null].filter(Boolean).join(' · ');
}

/** A text in the viewer, with what can be done with it once it is there. */
class TextView {
    #entry;
    #options;
    #text = null;
    #copy = button({ label: t('files.copyText'), icon: 'copy', press: () => copyText(this.#text.textContent) });
    #way = button({ label: '', icon: 'text', press: () => this.#turn() });
    #edit = button({ label: t('files.edit'), icon: 'edit', press: () => this.#begin() });

    constructor(entry, options) {
        this.#entry = entry;
        this.#options = options;
        for (const each of [this.#copy, this.#way, this.#edit]) each.hidden = true;
        options.tools.append(this.#copy, this.#way, this.#edit);
    }

    async show() {
        const { body, computer, dialog } = this.#options;
        await showText(this.#entry, { body, computer, life: dialog.life, came: (about) => this.#came(about) });
    }

    async #came({ text, isWhole, canGuard }) {
        this.#text = text;
        this.#copy.hidden = text.textContent === '';
        if (!isWhole) return;
        this.#edit.hidden = !canGuard || this.#entry.kind !== 'file' || (this.#entry.size ?? 0) > MOST_TEXT;
        if (!this.#edit.hidden && await this.#hasDraft()) { await this.#begin(); return; }
        if (isSmallMarkdown(this.#entry) && text.textContent !== '') await this.#draw();
    }

    /** As it was written, or formatted. */
    async #turn() {
        formatted.isOn = !formatted.isOn;
        await this.#draw();
    }

    async #draw() {
        const { body } = this.#options;
        const shown = formatted.isOn ? await formattedText(this.#text.textContent) : this.#text;
        this.#way.hidden = false;
        this.#way.querySelector('.button-label').textContent = t(formatted.isOn ? 'files.source' : 'files.formatted');
        body.replaceChildren(shown);
    }

    async #hasDraft() {
        const { draftOf } = await import('./edit-drafts.js');
        return await draftOf(this.#options.computer.id, this.#entry.path) !== null;
    }

    async #begin() {
        const { body, tools, about, fetching, computer, dialog, mayWrite, saved } = this.#options;
        if (!await mayWrite()) { toast(t('files.readOnly'), 'bad'); return; }
        const { edit } = await import('./edit.js');
        for (const each of [tools, fetching]) each.hidden = true;
        await edit(this.#entry, { body, about, actions: tools.parentElement, computer, dialog, saved });
    }
}
