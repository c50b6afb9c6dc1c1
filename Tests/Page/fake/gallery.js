import * as parts from '/kit/index.js';
import { Ring, chart, qrCode } from '/kit/pictures.js';
import { takeSymbols } from '/kit/symbols.js';
import { loadLanguage } from '/i18n/index.js';

const { h } = parts;
await loadLanguage();
window.parts = parts;
window.pressed = [];

const press = (name) => () => { window.pressed.push(name); };
const ring = new Ring(60);
const second = new Ring(60);
for (let at = 0; at < 60; at += 1) {
    ring.push(40 + 30 * Math.sin(at / 6) + (at * 7) % 11);
    second.push(20 + 10 * Math.cos(at / 9));
}
const matrix = { size: 21, rows: Array.from({ length: 21 }, (_, y) => Array.from({ length: 21 }, (_, x) => ((x * 7 + y * 13 + x * y) % 3 ? '0' : '1')).join('')) };
const people = Array.from({ length: 10_000 }, (_, at) => ({ name: `Row ${at}`, at }));

await takeSymbols('/icons/more.svg');
const icons = (await Promise.all(['/icons.svg', '/icons/more.svg'].map(async (path) => (await fetch(path)).text()))).join('');
const names = [...icons.matchAll(/symbol id="([^"]+)"/g)].map(([, name]) => name);

document.getElementById('app').append(h('div', { class: 'stack' },
    h('h1', null, 'Components'),
    h('div', { class: 'line' },
        parts.button({ label: 'Plain', press: press('plain') }), parts.button({ label: 'Primary', kind: 'primary', icon: 'plus', press: () => new Promise((done) => { window.finishWork = done; }) }),
        parts.button({ label: 'Delete', kind: 'danger', icon: 'trash', press: press('danger') }), parts.button({ label: 'Quiet', kind: 'quiet', press: press('quiet') }),
        parts.button({ label: 'Disabled', disabled: true }), parts.iconButton({ label: 'Refresh', icon: 'refresh', press: press('icon') }),
        parts.menuButton({ items: () => [
            { label: 'Rename', icon: 'edit', press: press('rename') }, { label: 'Copy', icon: 'copy', press: press('copy') },
            { label: 'Not now', icon: 'x', disabled: true, press: press('never') }, { label: 'Forget', icon: 'trash', kind: 'danger', press: press('forget') },
        ] })),
    h('div', { class: 'line' }, [null, 'connecting', 'direct', 'relay', 'failed'].map((path) => parts.pathChip(path, { reason: path === 'failed' ? 'no route to host' : undefined }))),
    h('div', { class: 'line' }, ['safe', 'mutating', 'privileged'].map(parts.riskChip), parts.chip('Accent', 'accent', 'lock'), parts.badge(7, 'unread')),
    parts.segmented({ label: 'Kind', options: [{ id: 'a', label: 'Scan', icon: 'camera' }, { id: 'b', label: 'Show' }, { id: 'c', label: 'Type' }], value: 'b', change: press('segment') }),
    parts.tabStrip({ label: 'Tabs', current: 'one', tabs: ['one', 'two', 'three', 'four', 'five', 'six'].map((id) => ({ id, label: `Tab ${id}`, icon: 'folder', href: `#${id}` })) }),
    parts.group({ title: 'Devices', foot: 'A foot in small print.', rows: [
        parts.listRow({ lead: parts.icon('computer'), title: parts.peer('studio-pc'), detail: parts.relativeTime(Date.now() - 300_000), trail: parts.pathChip('direct'), href: '#x' }),
        parts.listRow({ lead: parts.icon('phone'), title: 'Pressed', detail: 'As a button', press: press('row'), actions: [parts.iconButton({ label: 'Remove', icon: 'x', press: press('remove') })] }),
        parts.switchRow({ label: 'Read files', detail: 'Look into folders and read what is there.', on: true, badge: parts.riskChip('mutating'), change: async (on) => { if (!on) throw new Error('no'); } }),
    ] }),
    parts.banner({ text: 'For your information.', dismissable: true }),
    parts.banner({ kind: 'good', text: 'That worked.' }),
    parts.banner({ kind: 'warn', text: 'Look at this.', actions: [parts.button({ label: 'Settings', kind: 'quiet' })] }),
    parts.errorBanner({ code: 'not-allowed', message: 'Ada’s phone may not read files here. Its owner can allow it: tandem devices allow' }, { retry: press('retry') }),
    parts.errorBanner({ code: 'away', message: '' }),
    h('div', { class: 'grid' },
        parts.card({ title: 'Processor', icon: 'cpu' }, h('div', { class: 'figure' }, '42 %'), chart({ label: 'Processor, last minute', rings: [ring, second], top: 100 })),
        parts.card({ title: 'Code', icon: 'qr' }, qrCode(matrix, { label: 'A code to scan' })),
        parts.card({ title: 'Facts', icon: 'info' }, parts.facts([['Name', parts.peer('studio-pc')], ['Id', parts.copyable('9f0c6a1be2d34775a1c0ffee00d15ea59f0c6a1be2d34775a1c0ffee00d15ea5', 'Id')]]))),
    parts.textField({ label: 'Name', value: 'Ada', hint: 'Others see it.' }),
    parts.textField({ label: 'Text', rows: 3, placeholder: 'Write here' }),
    parts.codeField({ label: 'Code', lengths: [6, 10], enter: press('code') }),
    parts.progress({ label: 'Sending', part: 0.6 }), parts.progress({ label: 'Waiting' }),
    parts.skeleton(2), parts.spinner({ label: 'Loading' }),
    parts.emptyState({ icon: 'computer', title: 'No computer yet', text: 'Pair one to begin.', actions: [parts.button({ label: 'Pair a computer', kind: 'primary' })] }),
    h('div', { class: 'line small' }, names.map((name) => h('span', { class: 'line', vars: { 'min-width': '120px' } }, parts.icon(name), name))),
    h('h2', null, 'Ten thousand rows'),
    h('div', { id: 'many' }, parts.virtualList({
        label: 'Rows', rowHeight: 60, items: people,
        render: ({ name }) => parts.listRow({ lead: parts.icon('file'), title: name, detail: 'A file', press: press(name) }),
    }))));
document.body.dataset.ready = '';
