import {
    banner, button, h, iconButton, linkButton, menuButton, copyText, skeleton, textField, toast,
} from '../../kit/index.js';
import { t } from '../../i18n/index.js';
import { newFolder, renameEntry, trash } from './change.js';
import { crumbs } from './crumbs.js';
import { dropZone } from './drop-zone.js';
import { emptyFolder, folderGone, foundNothing, noMatch, notShared } from './empty.js';
import { listFolder, searchFolder, sorted } from './entries.js';
import { lastName, segments } from './paths.js';
import { pickFiles, pickFolder } from '../../kit/pick.js';
import { FolderList } from './folder-list.js';
import { Selection } from './selection.js';
import { fetchEntries, sendFiles } from './send.js';
import { Sorting, sortButton } from './sorting.js';
import { Viewing } from './viewing.js';

const HIDDEN_KEY = 'tandem.files.hidden';

/** A folder on the screen, or what was found in it. */
export class FileBrowser {
    #options;
    #place = { path: '', find: '' };
    #folder = null;
    #home = null;
    #entries = [];
    #shown = [];
    #asking = null;
    #viewing;
    #sorting = new Sorting();
    #showHidden = localStorage.getItem(HIDDEN_KEY) === 'on';
    #isWide = matchMedia('(min-width: 900px)').matches;
    #crumbs = h('div', { class: 'files-crumbs' });
    #strip = h('div', { class: 'files-strip' });
    #body = h('div', { class: 'files-body' });
    #filter;
    #deep;
    #selection;
    #list;
    #hasFailed = false;

    /**
     * @param {{computer: Object, device: Object, life: Object, transfers: Object, address: (query: Object) => string, go: Function,
     *   mayWrite: () => Promise<boolean>, trouble: (error: Object, retry: () => any) => Node}} options
     */
    constructor(options) {
        this.#options = options;
        const { life, transfers } = options;
        this.#filter = textField({
            label: t('files.filter'), labelHidden: true, placeholder: t('files.filter'), type: 'search', input: () => this.#draw(), enter: () => this.#search(),
        });
        this.#deep = button({ label: t('files.searchBelow'), icon: 'search', kind: 'quiet', press: () => this.#search() });
        this.#selection = new Selection({
            changed: () => this.#list.refresh(), entries: () => this.#shown,
            actions: { fetch: (entries) => this.#fetch(entries), trash: (entries) => this.#trash(entries) },
        });
        this.#list = new FolderList({
            computer: options.computer, life, sorting: this.#sorting, changed: () => this.#draw(), failed: (error) => this.fail(error),
            drawn: (entry) => ({ actions: this.#actions, isSelecting: this.#selection.isOn, isSelected: this.#selection.has(entry) }),
        });
        this.element = h('div', { class: 'files' },
            h('div', { class: 'files-head' }, this.#crumbs,
                h('div', { class: 'files-tools' }, this.#filter,
                    menuButton({ label: t('files.upload'), icon: 'upload', items: () => [
                        { label: t('files.uploadFiles'), icon: 'file', press: () => this.#upload(pickFiles) },
                        { label: t('files.uploadFolder'), icon: 'folder', press: () => this.#upload(pickFolder) },
                    ] }),
                    sortButton(this.#sorting, () => this.#draw()),
                    this.#list.button,
                    menuButton({ label: t('files.more'), items: () => this.#menu() }))),
            this.#strip, this.#selection.bar, this.#body);
        dropZone(this.element, { life, into: () => (this.#folder ? lastName(this.#folder) : null), dropped: (tops) => this.#send(tops) });
        life.add(transfers.onDone((job) => {
            if (job.isUpload && job.kept.device === options.device.id && job.kept.folder === this.#folder) this.load({ quiet: true });
        }));
        life.listen(matchMedia('(min-width: 900px)'), 'change', ({ matches }) => { this.#isWide = matches; this.#list.drop(); this.#draw(); });
        this.#viewing = new Viewing({
            computer: options.computer, life, mayWrite: options.mayWrite, saved: () => this.load({ quiet: true }), entries: () => this.#entries, shown: () => this.#shown, fetchIt: (entry) => this.#fetch([entry]),
            // In the same step of the history: back leaves the file, and does not go through all that was seen.
            open: (path) => options.go(options.address({ ...this.#place, view: path }), { replace: true }),
        });
    }

    /** Shows the place of an address. */
    show(query) {
        const place = { path: query.get('path') ?? '', find: query.get('find') ?? '' };
        const isSame = this.#folder !== null && place.path === this.#place.path && place.find === this.#place.find;
        if (!isSame) {
            this.#place = place;
            this.#filter.value = place.find;
            this.#selection.end();
            this.load();
        }
        this.#viewing.show(query.get('view'));
    }

    async load({ quiet = false } = {}) {
        this.#hasFailed = false;
        this.#asking?.abort();
        const asking = new AbortController();
        this.#asking = asking;
        const { computer, life } = this.#options;
        const signal = window.AbortSignal.any([asking.signal, life.signal]);
        const { path, find } = this.#place;
        if (!quiet) {
            this.#folder = null;
            this.#list.drop();
            this.#entries = [];
            this.#strip.replaceChildren();
            this.#body.replaceChildren(skeleton(8, { height: this.#isWide ? 44 : 56 }));
            if (path) this.#drawCrumbs(path);
        }
        if (path && this.#home === null) this.#findHome(signal);
        try {
            if (find) await this.#find(path, find, signal);
            else await this.#listInto(path, signal);
        } catch (error) {
            if (signal.aborted || error.code === 'cancelled') return;
            // Refused, although the first folder is shown: it is not the right that is missing.
            const isShared = !path || !['not-allowed', 'not-found'].includes(error.code) || !await this.#findHome(signal)
                || (error.code === 'not-found' && !this.#isOutside(path));
            if (signal.aborted) return;
            if (isShared) this.fail(error);
            else this.#notShared();
        }
    }

    #notShared() {
        this.#hasFailed = true;
        this.#folder = null;
        this.#list.drop();
        this.#body.replaceChildren(notShared(this.#options.address));
    }

    /** After a reload the address alone says which folder it is: what is shared is asked for, so that the way there begins with it. */
    async #findHome(signal) {
        try {
            const { path } = await this.#options.computer.call('file.listDirectory', { path: '', compact: true, limit: 1 }, { signal });
            if (signal.aborted || !path) return false;
            this.#home = path;
            this.#drawCrumbs(this.#folder ?? this.#place.path);
            return true;
        } catch {
            // The folder itself says why it cannot be shown.
            return false;
        }
    }

    async #listInto(path, signal) {
        const entries = await listFolder(this.#options.computer, path, {
            showHidden: this.#showHidden, signal,
            came: (some, about) => {
                if (signal.aborted) return;
                if (path === '') this.#home = about.path;
                this.#arrived(about.path, some);
            },
        });
        if (!signal.aborted) this.#arrived(this.#folder, entries);
    }

    async #find(path, find, signal) {
        const { entries, isTruncated } = await searchFolder(this.#options.computer, path, find, { showHidden: this.#showHidden, signal });
        if (signal.aborted) return;
        this.#strip.replaceChildren(banner({
            kind: 'info', text: t('files.found', { count: entries.length }), detail: isTruncated ? t('files.foundMore') : null,
            actions: [linkButton({ label: t('files.searchEnd'), kind: 'quiet', href: this.#options.address({ path }) })],
        }));
        this.#arrived(path, entries);
    }

    #arrived(folder, entries) {
        this.#folder = folder;
        this.#entries = [...entries];
        this.#drawCrumbs(folder);
        this.#draw();
    }

    /** Asks once more where it failed. */
    again() { if (this.#hasFailed) this.load(); }

    /** Shows why there is no folder. */
    fail(error) {
        this.#asking?.abort();
        this.#hasFailed = true;
        this.#folder = null;
        this.#list.drop();
        const { path } = this.#place;
        if (error.code === 'not-found' && path) {
            this.#body.replaceChildren(folderGone(path, this.#options.address));
            return;
        }
        this.#body.replaceChildren(this.#options.trouble(error, () => this.load()));
    }

    /** Whether a folder lies outside of what the computer shares, as far as that is known. */
    #isOutside(path) {
        return this.#home !== null && !segments(path).some((each) => each.path === this.#home);
    }

    #drawCrumbs(path) {
        this.#crumbs.replaceChildren(crumbs({ path, home: this.#home, address: (to) => this.#options.address({ path: to }) }));
    }

    #draw() {
        if (this.#folder === null) return;
        this.#drawShown();
        this.#viewing.listed();
    }

    #drawShown() {
        const typed = this.#filter.value.trim();
        const isFiltering = typed !== '' && typed !== this.#place.find;
        const wanted = typed.toLocaleLowerCase();
        const matching = isFiltering ? this.#entries.filter((each) => each.name.toLocaleLowerCase().includes(wanted)) : this.#entries;
        this.#shown = sorted(matching, this.#sorting.by, this.#sorting.isDescending);
        if (this.#shown.length === 0) { this.#list.drop(); this.#body.replaceChildren(this.#nothing(isFiltering)); return; }
        this.#list.show(this.#shown, { isFound: this.#place.find !== '', isWide: this.#isWide });
        this.#count.textContent = t('files.count', { count: this.#shown.length });
        this.#under.replaceChildren(isFiltering ? this.#deep : '');
        if (!this.#list.element.isConnected) this.#body.replaceChildren(this.#list.element, h('div', { class: 'files-foot' }, this.#count, this.#under));
    }

    #count = h('span', { class: 'soft small' });
    #under = h('span', null);

    #nothing(isFiltering) {
        if (isFiltering) return noMatch(this.#deep);
        if (this.#place.find) return foundNothing(this.#place.path, this.#options.address);
        return emptyFolder(this.#showHidden, () => this.#upload(pickFiles));
    }

    #search() {
        const find = this.#filter.value.trim();
        if (find) this.#options.go(this.#options.address({ path: this.#folder ?? this.#place.path, find }));
    }

    #actions = {
        address: (path) => this.#options.address({ path }),
        open: (entry) => this.#options.go(this.#options.address({ ...this.#place, view: entry.path })),
        select: (entry, options) => this.#selection.toggle(entry, options),
        menu: (entry) => [
            { label: t(entry.isFolder ? 'files.downloadZip' : 'files.download'), icon: 'download', disabled: entry.kind === 'other', press: () => this.#fetch([entry]) },
            { label: t('files.select'), icon: 'check', press: () => this.#selection.toggle(entry) },
            { label: t('files.rename'), icon: 'edit', press: async () => { if (await renameEntry(this.#options.computer, entry)) this.load({ quiet: true }); } },
            { label: t('files.copyPath'), icon: 'copy', press: () => copyText(entry.path) },
            { label: t('files.trash'), icon: 'trash', kind: 'danger', press: () => this.#trash([entry]) },
        ],
    };

    #menu() {
        return [
            { label: t('files.newFolder'), icon: 'plus', disabled: this.#folder === null, press: () => this.#newFolder() },
            { label: t('files.selectSeveral'), icon: 'check', disabled: this.#shown.length === 0, press: () => this.#selection.begin() },
            {
                label: t(this.#showHidden ? 'files.hideHidden' : 'files.showHidden'), icon: this.#showHidden ? 'eye-off' : 'eye',
                press: () => {
                    this.#showHidden = !this.#showHidden;
                    localStorage.setItem(HIDDEN_KEY, this.#showHidden ? 'on' : 'off');
                    this.load({ quiet: this.#folder !== null });
                },
            },
            { label: t('files.refresh'), icon: 'refresh', press: () => this.load({ quiet: this.#folder !== null }) },
        ];
    }

    async #newFolder() {
        if (await newFolder(this.#options.computer, this.#folder)) this.load({ quiet: true });
    }

    async #upload(pick) { this.#send(await pick()); }

    #send(tops) {
        if (tops.length === 0) return;
        if (this.#folder === null) { toast(t('files.nowhere'), 'bad'); return; }
        const { transfers, device } = this.#options;
        sendFiles(tops, { transfers, device, folder: this.#folder, taken: new Set(this.#place.find ? [] : this.#entries.map((each) => each.name)) });
    }

    #fetch(entries) {
        fetchEntries(entries.filter((each) => each.kind !== 'other'), this.#options);
        this.#selection.end();
    }

    async #trash(entries) {
        if (!await trash(this.#options.computer, entries)) return;
        this.#selection.end();
        this.load({ quiet: true });
    }
}
