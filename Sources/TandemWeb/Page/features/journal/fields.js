import { button, h, iconButton, segmented, spinner, textField } from '../../kit/index.js';
import { markdown } from '../../kit/markdown/view.js';
import { plainText } from '../../kit/first.js';
import { t } from '../../i18n/index.js';
import { localOf, timeOf } from './draft.js';
import { MediaViews } from './media.js';
import { bounded } from './timeline.js';

/** Lines of the text before it grows. */
const ROWS = 12;
/** Letters that a title, a mood and a place may have here. */
const MOST = { title: 500, mood: 100, location: 500 };

/** The fields of a story: its text with what it will look like, and beside it when, where, how and to what it belongs. */
export class StoryFields {
    element;
    #options;
    #title;
    #content;
    #time;
    #mood;
    #location;
    #choices = h('div', { class: 'category-choices' });
    #preview = h('div', { class: 'editor-preview', hidden: true });
    #attach;
    #writing;
    #text;
    /** @type {import('./editor-state.js').Writing | null} */
    #state = null;
    #categories = [];

    /**
     * @param {{journal: import('../../client/journal.js').Journal, life: import('../../life.js').Life,
     *   typed: (some: Partial<import('./editor-state.js').Fields>) => void, save: () => void, take: (files?: Iterable<File>) => Promise<void>}} options
     */
    constructor(options) {
        this.#options = options;
        const { typed, save, life } = options;
        this.#title = textField({ label: t('journal.title'), placeholder: t('journal.titleHint'), attributes: { maxLength: MOST.title, spellcheck: true }, input: (title) => typed({ title }) });
        this.#content = textField({ label: t('journal.content'), hint: t('journal.markdownHint'), rows: ROWS, attributes: { spellcheck: true, dir: 'auto' }, input: (content) => typed({ content }), enter: save });
        this.#time = textField({ label: t('journal.when'), type: 'datetime-local', input: (text) => { const timestamp = timeOf(text); if (timestamp !== null) typed({ timestamp }); } });
        this.#mood = textField({ label: t('journal.mood'), attributes: { maxLength: MOST.mood }, suggestions: ['glad', 'calm', 'tired', 'sad', 'angry'].map((mood) => t(`journal.mood.${mood}`)), input: (mood) => typed({ mood }) });
        this.#location = textField({ label: t('journal.place'), hint: t('journal.placeHint'), attributes: { maxLength: MOST.location }, input: (location) => typed({ location }) });
        this.#attach = h('div', { class: 'editor-attach' });
        this.#writing = segmented({ label: t('journal.view'), options: [{ id: 'write', label: t('journal.writing'), icon: 'edit' }, { id: 'look', label: t('journal.preview'), icon: 'eye' }], value: 'write', change: (id) => this.#show(id === 'look') });
        this.#text = h('div', { class: 'editor-text' }, h('div', { class: 'editor-tools' }, this.#writing, this.#attach), this.#content, this.#preview);
        this.element = h('div', { class: 'editor-parts' },
            h('div', { class: 'editor-words' }, this.#title, this.#text),
            h('div', { class: 'editor-about' }, this.#time, this.#location, this.#mood, h('fieldset', { class: 'category-field' }, h('legend', { class: 'field-label' }, t('journal.categories')), this.#choices)));
        this.busy(0);
        life.listen(this.element, 'keydown', (event) => this.#press(event));
        this.#takesFiles(life);
        this.#loadCategories();
    }

    /** Where the text is written at, in UTF-16 units. */
    get at() { return this.#content.input.selectionEnd ?? this.#content.value.length; }

    /**
     * Shows other words than were typed.
     *
     * @param {import('./editor-state.js').Writing} state
     * @param {number | null} at Where one goes on writing.
     */
    fill({ fields, isCut }, at = null) {
        this.#title.value = fields.title;
        this.#text.hidden = isCut;
        if (!isCut) this.#content.value = fields.content;
        this.#time.value = localOf(bounded(fields.timestamp));
        this.#mood.value = fields.mood;
        this.#location.value = fields.location;
        if (at !== null) this.#content.input.setSelectionRange(at, at);
        this.#drawCategories();
    }

    /** @param {import('./editor-state.js').Writing} state */
    draw(state) {
        const before = this.#state;
        this.#state = state;
        if (before?.fields.categories !== state.fields.categories) this.#drawCategories();
        if (!this.#preview.hidden && before !== state) this.#show(true);
    }

    /** How many files go into the story now. @param {number} count */
    busy(count) {
        this.#attach.replaceChildren(count > 0
            ? h('span', { class: 'line soft small', role: 'status' }, spinner({ size: 18 }), t('journal.attaching', { count }))
            : button({ label: t('journal.attach'), icon: 'paperclip', press: () => this.#options.take() }));
    }

    #show(isPreview) {
        this.#preview.hidden = !isPreview;
        this.#content.hidden = isPreview;
        if (!isPreview || !this.#state) return;
        const views = new MediaViews(this.#options.journal, this.#state.media);
        const { content } = this.#state.fields;
        const words = content.trim() ? markdown(content, { class: 'story-md', medium: (named) => views.inText(named) }) : h('p', { class: 'soft' }, t('journal.nothingWritten'));
        this.#preview.replaceChildren(...[h('h2', { class: 'visually-hidden' }, t('journal.preview')), words, views.others].filter(Boolean));
    }

    async #loadCategories() {
        const { journal, life } = this.#options;
        try {
            this.#categories = (await journal.categories({ signal: life.signal })).categories;
            if (!life.hasEnded) this.#drawCategories();
        } catch {
            // A story is kept without them, too: those that it has stay.
            if (!life.hasEnded) this.#choices.replaceChildren(h('p', { class: 'soft small' }, t('journal.categoriesUnknown')), iconButton({ label: t('common.retry'), icon: 'refresh', press: () => this.#loadCategories() }));
        }
    }

    #drawCategories() {
        const chosen = this.#state?.fields.categories ?? [];
        if (this.#categories.length === 0) { this.#choices.replaceChildren(h('p', { class: 'soft small' }, t('journal.noCategories'))); return; }
        const focused = this.#choices.contains(document.activeElement) ? document.activeElement?.getAttribute('value') : null;
        this.#choices.replaceChildren(...this.#categories.map(({ id, name, level }) => {
            const input = h('input', { type: 'checkbox', value: id, checked: chosen.includes(id), on: { change: () => this.#choose(id, input.checked) } });
            return h('label', { class: 'category-choice', vars: { '--level': Math.min(level, 8) } }, input, h('span', { dir: 'auto', data: { peer: '' } }, plainText(name, 80)));
        }));
        for (const input of this.#choices.querySelectorAll('input')) if (input.value === focused) input.focus();
    }

    #choose(id, isChosen) {
        const chosen = this.#state?.fields.categories ?? [];
        this.#options.typed({ categories: isChosen ? [...chosen.filter((each) => each !== id), id] : chosen.filter((each) => each !== id) });
    }

    /** As in every editor: Control or Command and S keeps. */
    #press(event) {
        if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
        event.preventDefault();
        this.#options.save();
    }

    /** Files are dropped on the text, or pasted into it. */
    #takesFiles(life) {
        const over = (isOver) => this.#text.classList.toggle('is-over', isOver);
        life.listen(this.#text, 'dragover', (event) => { if (event.dataTransfer?.types.includes('Files')) { event.preventDefault(); over(true); } });
        life.listen(this.#text, 'dragleave', (event) => { if (!this.#text.contains(event.relatedTarget)) over(false); });
        life.listen(this.#text, 'drop', (event) => {
            over(false);
            if (!event.dataTransfer?.types.includes('Files')) return;
            event.preventDefault();
            this.#options.take(event.dataTransfer.files);
        });
        life.listen(this.#content.input, 'paste', (event) => {
            if (!event.clipboardData?.files.length) return;
            event.preventDefault();
            this.#options.take(event.clipboardData.files);
        });
    }
}
