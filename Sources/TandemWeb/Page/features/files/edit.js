import { banner, button, confirm, errorBanner, h, toast } from '../../kit/index.js';
import { format, t } from '../../i18n/index.js';
import { draftOf, dropDraft, keepDraft } from './edit-drafts.js';
import { readText, saveCopy, saveText, writeAnew } from './edit-file.js';
import { withEndings } from './line-endings.js';
import { lastName } from './paths.js';
import { named } from './words.js';

/** So long after the last key a draft is kept, in milliseconds. */
const PAUSE = 400;

/**
 * Lets a person edit the text that the viewer shows. What is typed is kept in this browser until it is saved or discarded.
 *
 * @param {import('./entries.js').Entry} entry
 * @param {{body: HTMLElement, about: HTMLElement, actions: HTMLElement, computer: Object, dialog: Object, saved: (path: string) => void}} options
 */
export async function edit(entry, options) {
    const { computer, dialog } = options;
    const draft = await draftOf(computer.id, entry.path);
    const read = draft?.read ?? await readText(computer, entry.path, { signal: dialog.life.signal });
    if (dialog.life.hasEnded) return;
    new Editor(entry, options, read).show(draft);
}

class Editor {
    #entry;
    #options;
    /** What the file is replaced for: what the text is made from, or what somebody else wrote since. */
    #read;
    /** The text whose line endings are kept. */
    #like;
    #area = h('textarea', {
        class: 'viewer-edit mono', spellcheck: false, autocomplete: 'off', autocapitalize: 'off', dir: 'auto', data: { peer: '' },
        on: { input: () => this.#typed() },
    });
    #said = h('div', { class: 'viewer-said', aria: { live: 'polite' } });
    #save = button({ label: t('files.save'), icon: 'check', kind: 'primary', press: () => this.#write() });
    #discard = button({ label: t('files.discard'), kind: 'quiet', press: () => this.#drop() });
    #timer = null;
    #isOver = false;

    constructor(entry, options, read) {
        this.#entry = entry;
        this.#options = options;
        this.#read = read;
    }

    show(draft) {
        const { body, actions, dialog } = this.#options;
        this.#area.setAttribute('aria-label', t('files.editing', { name: this.#entry.name }));
        this.#like = draft?.like ?? this.#read.text;
        this.#area.value = draft?.text ?? this.#read.text;
        body.replaceChildren(this.#said, this.#area);
        actions.append(this.#discard, this.#save);
        if (draft) this.#said.replaceChildren(banner({ kind: 'info', text: t('files.draftOf', { time: format.dateTime(draft.at) }), dismissable: true }));
        dialog.life.listen(dialog.element, 'keydown', (event) => {
            if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            this.#save.click();
        });
        // Left without saving: nothing is lost, and it is said.
        dialog.life.add(() => { if (!this.#isOver && this.#isChanged) { this.#keep(); toast(t('files.draftKept'), 'info'); } });
        dialog.life.listen(window, 'pagehide', () => { if (!this.#isOver && this.#isChanged) this.#keep(); });
        this.#drawState();
        this.#area.focus();
        this.#area.setSelectionRange(0, 0);
    }

    get #text() { return withEndings(this.#area.value, this.#like); }

    get #isChanged() { return this.#text !== this.#read.text; }

    #typed() {
        this.#drawState();
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#keep(), PAUSE);
    }

    #drawState() {
        const isChanged = this.#isChanged;
        this.#save.disabled = !isChanged;
        this.#options.about.textContent = t(isChanged ? 'files.unsaved' : 'files.asOnComputer');
    }

    #keep() {
        clearTimeout(this.#timer);
        const { computer } = this.#options;
        if (this.#isChanged) keepDraft(computer.id, this.#entry.path, { text: this.#area.value, read: this.#read, like: this.#like });
        else dropDraft(computer.id, this.#entry.path);
    }

    async #drop() {
        const isSure = !this.#isChanged || await confirm({ title: t('files.discardTitle'), text: t('files.discardText'), action: t('files.discard') });
        if (isSure) await this.#end(this.#entry.path);
    }

    /** It is as it is to be at the computer: what was typed need not be kept. */
    async #end(path) {
        this.#isOver = true;
        clearTimeout(this.#timer);
        const { computer, dialog, saved } = this.#options;
        await dropDraft(computer.id, this.#entry.path);
        saved(path);
        if (path === this.#entry.path) dialog.close();
    }

    async #write() {
        const { computer } = this.#options;
        const text = this.#text;
        await this.#trying(async () => {
            const { saved, theirs } = await saveText(computer, this.#entry.path, text, this.#read);
            if (!saved) { this.#conflict(theirs); return; }
            await this.#isSaved(saved);
        });
    }

    /** @param {import('./edit-file.js').Read} read */
    async #isSaved(read) {
        this.#read = read;
        this.#like = read.text;
        this.#said.replaceChildren();
        this.#keep();
        this.#drawState();
        this.#options.saved(this.#entry.path);
        toast(t('files.saved'));
    }

    /** What fails leaves the text and its draft as they are. */
    async #trying(work) {
        this.#keep();
        this.#area.readOnly = true;
        try {
            await work();
        } catch (error) {
            if (error.code === 'cancelled') return;
            const text = error.code === 'not-allowed' && error.right === 'file.write' ? t('files.readOnly') : undefined;
            this.#said.replaceChildren(errorBanner(error, { text, retry: () => this.#write() }));
        } finally {
            this.#area.readOnly = false;
        }
    }

    /** Somebody else wrote it meanwhile: the person says what becomes of both. */
    #conflict(theirs) {
        const { computer } = this.#options;
        const { path } = this.#entry;
        const shown = h('pre', {
            class: 'viewer-text viewer-theirs', tabIndex: 0, dir: 'auto', data: { peer: '' }, hidden: true, aria: { label: t('files.theirs') },
        }, theirs?.text);
        const see = button({
            label: t('files.seeTheirs'), kind: 'quiet',
            press: () => { shown.hidden = !shown.hidden; see.querySelector('.button-label').textContent = t(shown.hidden ? 'files.seeTheirs' : 'files.hideTheirs'); },
        });
        // Theirs is what is replaced from now on: a third change is told again.
        const replace = button({ label: t('files.replaceTheirs'), kind: 'danger', press: () => { this.#read = theirs; return this.#write(); } });
        const anew = button({ label: t('files.writeAnew'), press: () => this.#trying(async () => this.#isSaved(await writeAnew(computer, path, this.#text))) });
        const copy = button({ label: t('files.saveCopy'), kind: 'primary', press: () => this.#trying(async () => {
            const place = await saveCopy(computer, path, this.#text);
            toast(t('files.savedAs', { name: named(lastName(place)) }));
            await this.#end(place);
        }) });
        this.#said.replaceChildren(banner({
            kind: 'warn', text: t(theirs ? 'files.changedThere' : 'files.goneThere'), detail: t('files.changedText'),
            actions: theirs ? [see, replace, copy] : [anew, copy],
        }), shown);
    }
}
