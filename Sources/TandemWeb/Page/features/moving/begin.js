import { banner, button, h, switchRow, textField } from '../../kit/index.js';
import { openCodeDialog } from '../../kit/code-dialog.js';
import { t } from '../../i18n/index.js';
import { addressesIn, isMovingCode, typedAddress } from './code.js';
import { refusalBanner, refusalText } from './failure.js';
import { form, steps } from './panel.js';
import { newPassword, passwordField } from './password-field.js';

/** Refusals that are about the field of the file. */
const ABOUT_FILE = new Set(['migrateFileExists', 'migrateCannotRead', 'migrateCannotWrite', 'notAPackage']);
const LONGEST = { maxLength: 4000, dir: 'ltr' };

/** This is the new phone: it shows a PIN and a code. */
export function receiveView(context) {
    const trouble = h('div', { class: 'notices' });
    const begin = () => {
        const place = from.value.trim() && typedAddress(from.value);
        if (place === null) { from.fail(t('moving.addressMissing')); from.input.focus(); return null; }
        return attempt(trouble, { badAddress: from }, () => context.act('migrate.receive', {
            ...(place && { addresses: [place] }), ...(host.value.trim() && { host: host.value.trim() }), ...(port.value.trim() && { port: Number(port.value) }),
        }));
    };
    const host = textField({ label: t('moving.listenHost'), hint: t('moving.listenHostHint'), mono: true, attributes: { ...LONGEST, maxLength: 64 }, enter: begin });
    const port = textField({ label: t('moving.listenPort'), hint: t('moving.listenPortHint'), mono: true, attributes: { inputMode: 'numeric', maxLength: 5, dir: 'ltr' }, enter: begin });
    const from = textField({
        label: t('moving.from'), hint: t('moving.fromHint'), placeholder: '192.168.1.9:40123', mono: true, enter: begin,
        attributes: { maxLength: 300, dir: 'ltr', autocapitalize: 'none', inputMode: 'url' },
    });
    return still(form({ title: t('moving.way.receive'), text: t('moving.receiveText'), link: context.link },
        steps([t('moving.receiveStep1'), t('moving.receiveStep2'), t('moving.receiveStep3')]),
        banner({ kind: 'info', text: t('moving.replaces'), detail: t('moving.replacesText') }),
        h('details', { class: 'moving-more' }, h('summary', null, t('moving.listen')), h('div', { class: 'moving-fields' }, host, port, from)),
        trouble, button({ label: t('moving.showCode'), icon: 'qr', kind: 'primary', wide: true, press: begin })));
}

/** This is the old phone: where the new one is, and a password. */
export function sendView(context) { return still(new SendForm(context).element); }

class SendForm {
    element;
    #context;
    #code = null;
    /** Whether this phone listens, and the new one dials. */
    #listens = false;
    #address;
    #password;
    #trouble = h('div', { class: 'notices' });
    #scanned = h('div', { class: 'notices', aria: { live: 'polite' } });
    #typed;

    constructor(context) {
        this.#context = context;
        const begin = () => this.#begin();
        this.#address = textField({
            label: t('moving.address'), hint: t('moving.addressHint'), placeholder: t('moving.addressExample'), mono: true, enter: begin,
            attributes: { maxLength: 300, dir: 'ltr', autocapitalize: 'none', inputMode: 'url' },
        });
        this.#password = newPassword({ enter: begin });
        this.#typed = h('div', { class: 'moving-where' }, button({ label: t('moving.scan'), icon: 'camera', press: () => this.#scan() }), this.#address,
            button({ label: t('moving.listenHere'), kind: 'quiet', press: () => this.#listen() }));
        this.element = form({ title: t('moving.way.send'), text: t('moving.sendText'), link: context.link },
            h('h3', { class: 'group-title' }, t('moving.where')), this.#scanned, this.#typed,
            h('h3', { class: 'group-title' }, t('moving.sealedWith')), this.#password,
            banner({ kind: 'info', text: t('moving.rests'), detail: t('moving.restsText') }),
            this.#trouble, button({ label: t('moving.send'), icon: 'upload', kind: 'primary', wide: true, press: begin }));
    }

    #scan() {
        openCodeDialog({
            client: this.#context.client, title: t('moving.scanTitle'), text: t('moving.scanText'),
            take: (text) => {
                if (!isMovingCode(text)) return t('moving.otherCode');
                this.#take(text);
                return null;
            },
        });
    }

    /** @param {string | null} code Null: the address is typed after all. */
    #take(code) {
        this.#code = code;
        this.#listens = false;
        this.#typed.hidden = code !== null;
        const other = button({ label: t('moving.typeInstead'), kind: 'quiet', press: () => this.#take(null) });
        const places = code === null ? [] : addressesIn(code);
        this.#scanned.replaceChildren(...(code === null ? [] : [banner({
            kind: 'good', text: t('moving.scanned'), actions: [other], detail: places.length > 0 && h('span', { class: 'mono', data: { peer: '' }, dir: 'ltr' }, places.slice(0, 4).join(' ').slice(0, 300)),
        })]));
    }

    #listen() {
        this.#listens = true;
        this.#typed.hidden = true;
        const other = button({ label: t('moving.typeInstead'), kind: 'quiet', press: () => this.#take(null) });
        this.#scanned.replaceChildren(banner({ kind: 'info', text: t('moving.listensHere'), detail: t('moving.listensHereText'), actions: [other] }));
    }

    async #begin() {
        const isTyped = this.#code === null && !this.#listens;
        const address = isTyped ? typedAddress(this.#address.value) : null;
        if (isTyped && address === null) {
            this.#address.fail(t('moving.addressMissing'));
            this.#address.input.focus();
            return;
        }
        const password = this.#password.take();
        if (password === null) return;
        await attempt(this.#trouble, { badAddress: this.#address }, () => this.#context.act('migrate.send', {
            addresses: address === null ? [] : [address], password, ...(this.#code !== null && { code: this.#code }),
        }));
    }
}

/** Everything into a file, or the journal alone. */
export function exportView(context) {
    const trouble = h('div', { class: 'notices' });
    const begin = async () => {
        if (!isPath(path)) return;
        const text = password.take();
        if (text !== null) await attempt(trouble, aboutFile(path), () => context.act('migrate.export', { path: path.value.trim(), password: text, journalOnly: isJournalOnly }));
    };
    const path = textField({ label: t('moving.file'), hint: t('moving.exportHint'), placeholder: t('moving.fileExample'), mono: true, attributes: LONGEST, enter: begin });
    const password = newPassword({ enter: begin });
    const rests = banner({ kind: 'info', text: t('moving.restsAtOnce'), detail: t('moving.restsAtOnceText') });
    let isJournalOnly = false;
    const choice = switchRow({ label: t('moving.journalOnly'), detail: t('moving.journalOnlyText'), on: false, change: (on) => { isJournalOnly = on; rests.hidden = on; } });
    return still(form({ title: t('moving.way.export'), text: t('moving.exportText'), link: context.link },
        path, choice, h('h3', { class: 'group-title' }, t('moving.sealedWith')), password, rests,
        trouble, button({ label: t('moving.export'), icon: 'archive', kind: 'primary', wide: true, press: begin })));
}

/** What is in a file takes the place of what this phone has; first it is only read. */
export function restoreView(context) {
    const trouble = h('div', { class: 'notices' });
    const begin = async () => {
        if (!isPath(path)) return;
        if (password.value === '') { password.fail(t('moving.passwordMissing')); password.input.focus(); return; }
        await attempt(trouble, aboutFile(path), () => context.act('migrate.restore', { path: path.value.trim(), password: password.value }));
    };
    const path = textField({ label: t('moving.file'), hint: t('moving.restoreHint'), placeholder: t('moving.fileExample'), mono: true, attributes: LONGEST, enter: begin });
    const password = passwordField({ label: t('moving.password'), hint: t('moving.passwordOfFile'), enter: begin });
    return still(form({ title: t('moving.way.restore'), text: t('moving.restoreText'), link: context.link },
        path, password, banner({ kind: 'info', text: t('moving.readFirst'), detail: t('moving.readFirstText') }),
        trouble, button({ label: t('moving.restore'), icon: 'folder', kind: 'primary', wide: true, press: begin })));
}

/** A view that no news of the program changes. */
function still(element) { return { element, draw: () => {} }; }

function isPath(field) {
    const isWhole = field.value.trim().startsWith('/');
    if (!isWhole) { field.fail(t('moving.fileMissing')); field.input.focus(); }
    return isWhole;
}

function aboutFile(field) { return Object.fromEntries([...ABOUT_FILE].map((reason) => [reason, field])); }

/** Begins something. A refusal stands at the field that it is about, else above the button. */
async function attempt(trouble, fields, work) {
    trouble.replaceChildren();
    try {
        await work();
    } catch (error) {
        const field = fields?.[error?.detail?.reason];
        if (field) { field.fail(refusalText(error)); field.input.focus(); } else trouble.replaceChildren(refusalBanner(error));
    }
}
